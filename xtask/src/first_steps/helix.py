"""Does with a misspelt name what a user does: the error is on the screen, keys apply the fix and write the file."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="xterm-256color", LINES="40", COLUMNS="120")
    os.execvp("hx", ["hx", "wrong.cl"])

screen = b""


def read(seconds):
    global screen
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            screen += os.read(terminal, 65536)


def wait_for(what, ready):
    for _ in range(150):
        read(0.2)
        if ready():
            return
    os.kill(pid, 9)
    sys.exit(f"no {what}: {screen!r}")


def source():
    with open("wrong.cl") as file:
        return file.read()


fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
# A dot in the line and one in the status line.
wait_for("error", lambda: "●".encode() in screen)
# To the diagnostic, the menu of actions, the first of them, and to the file.
for keys in ("]d", " a", "\r", ":write\r"):
    os.write(terminal, keys.encode())
    read(1)
wait_for("fix", lambda: "get_global_id(0)" in source())
os.kill(pid, 9)
