# Neovim with the settings that the page has.
set -e
cp /mnt/told/wrong.cl wrong.cl
nvim --headless wrong.cl -c 'luafile /mnt/told/neovim.lua'
