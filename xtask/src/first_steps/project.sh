# The language server in a project with the clc.toml that the page has.
set -e
apt-get install --no-install-recommends python3
mkdir include
python3 /mnt/told/project.py
