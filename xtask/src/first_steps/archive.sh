# The command and the language server, for pages that begin where these are installed.
set -e
tar -xzf /mnt/dist/clc-*-linux.tar.gz -C /opt
ln -s /opt/clc-*-linux/bin/clc /usr/local/bin/clc
