# Emacs with the settings that the page has.
set -e
apt-get install --no-install-recommends emacs-nox
cp /mnt/told/wrong.cl wrong.cl
emacs --batch --load ~/.emacs.d/init.el --load /mnt/told/emacs.el
