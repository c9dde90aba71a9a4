"""The cell magic `%%clc` of IPython and notebooks."""

from __future__ import annotations

import sys
from typing import Any

from . import OptionError, _clc, compile

USAGE = """%%clc NAME [--context CONTEXT] [OPTIONS]

Compiles the cell and binds the module to NAME. Options are those of the command `clc`; include files
come from the working folder. With --context, the name of a pyopencl.Context, NAME is a pyopencl.Program
that was built for it. What is in braces is replaced by its value, as in `-DN={n}`.
"""


def register(shell: Any) -> None:
    """Brings `%%clc` to an IPython shell."""

    def clc(line: str, cell: str) -> None:
        bind(shell, line, cell)

    clc.__doc__ = USAGE
    shell.register_magic_function(clc, magic_kind="cell", magic_name="clc")


def bind(shell: Any, line: str, cell: str) -> None:
    """What `%%clc line` does with a cell."""
    from IPython.core.error import UsageError

    try:
        words = _clc.split_options(line)
    except _clc.RefusedOptions as error:
        raise UsageError(str(error)) from None
    context = None
    if "--context" in words:
        at = words.index("--context")
        names = words[at + 1 : at + 2]
        if not names or names[0] not in shell.user_ns:
            raise UsageError("--context: there is no such variable")
        context = shell.user_ns[names[0]]
        del words[at : at + 2]
    if not words or not words[0].isidentifier():
        raise UsageError(USAGE)
    name, options = words[0], words[1:]
    if sys.stderr.isatty() or "ipykernel" in sys.modules:
        options = ["--color=always", *options]
    try:
        module = compile(cell, name=f"<{name}>", options=["-I", ".", *options])
    except OptionError as error:
        raise UsageError(str(error)) from None
    if module.log:
        print(module.log, end="", file=sys.stderr)
    if context is None:
        shell.user_ns[name] = module
        return
    import pyopencl

    shell.user_ns[name] = pyopencl.Program(context, module.spirv).build()
