# Helix with the settings that the page has.
set -e
apt-get install --no-install-recommends hx python3
hx --health opencl | grep /usr/local/bin/clc
cp /mnt/told/wrong.cl wrong.cl
python3 /mnt/told/helix.py
