"""The command `clc`, as the wheel installs it."""

from __future__ import annotations

import signal
import sys

from . import _clc


def main() -> int:
    """Runs the command with the arguments of the process; returns its exit code."""
    # Python notes an interrupt and waits for its turn, which comes when the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _clc.run_command(sys.argv)
