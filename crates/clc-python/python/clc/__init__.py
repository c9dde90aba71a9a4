"""Compiles OpenCL C (1.0 to 3.1) to validated SPIR-V.

>>> import clc
>>> module = clc.compile("kernel void k(global int *p) { *p = N; }", defines={"N": 4})
>>> module.spirv[:4].hex()
'03022307'

`compile` returns a `Module` or raises a `CompileError`, whose text is what the command `clc` prints and
whose `diagnostics` are data. No file is read unless `include_dirs`, `-I` or `compile_file` name one.
In IPython and notebooks, `%load_ext clc` brings the cell magic `%%clc`.
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _clc
from ._diagnostics import Diagnostic, Fix, Label, Place

__all__ = [
    "CompileError",
    "Diagnostic",
    "Fix",
    "InternalError",
    "Label",
    "Module",
    "OptionError",
    "Place",
    "__version__",
    "compile",
    "compile_file",
    "load_ipython_extension",
]

__version__: str = _clc.VERSION

_Text = Union[str, bytes]
_Path = Union[str, "os.PathLike[str]"]
#: What brings in include files: the name as it is written, the name of the including file and whether
#: the name stands in quotes, to the contents or None.
_Includer = Callable[[str, str, bool], Optional[_Text]]


class CompileError(Exception):
    """A source has errors. `str()` of it is what the command shows."""

    #: Errors and warnings, in the order in which they are shown.
    diagnostics: list[Diagnostic]

    def __init__(self, log: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(log)
        self.diagnostics = list(diagnostics)

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        # IPython shows this in place of the stack: the place that matters is in the source.
        return str(self).splitlines()


class OptionError(ValueError):
    """An option is unknown or has a wrong value."""


class InternalError(RuntimeError):
    """A bug in the compiler, not in the source; the text says what to report."""


class Module:
    """What was made of a source without errors."""

    #: What was asked for, as bytes: the module, or with options like `-S` and `-E` a text.
    output: bytes
    #: What a host must know to launch the kernels, with the fields that `docs/reflection.md` explains;
    #: None where no module was asked for.
    reflection: dict[str, Any] | None
    #: The warnings.
    warnings: list[Diagnostic]
    #: The warnings as the command shows them; "" if there are none.
    log: str
    #: The names of the files that were included.
    dependencies: list[str]

    def __init__(
        self,
        output: bytes,
        is_module: bool,
        reflection: dict[str, Any] | None,
        warnings: list[Diagnostic],
        log: str,
        dependencies: list[str],
    ) -> None:
        self.output = output
        self._is_module = is_module
        self.reflection = reflection
        self.warnings = warnings
        self.log = log
        self.dependencies = dependencies

    @property
    def spirv(self) -> bytes:
        """The module, as clCreateProgramWithIL and vkCreateShaderModule take it."""
        if not self._is_module:
            raise ValueError("the options ask for something else than a module; it is in `output`")
        return self.output

    @property
    def text(self) -> str:
        """What `-S`, `-E` or `--emit` ask for, as text."""
        if self._is_module:
            raise ValueError("a module is no text; `-S` asks for one")
        return self.output.decode("utf-8", "replace")

    def __bytes__(self) -> bytes:
        return self.output

    def __repr__(self) -> str:
        what = "SPIR-V" if self._is_module else "text"
        return f"<clc.Module: {len(self.output)} bytes of {what}, {len(self.warnings)} warnings>"


def compile(
    source: _Text,
    *,
    name: _Path = "<source>",
    options: str | Sequence[str] = (),
    defines: Mapping[str, object] | None = None,
    include_dirs: Sequence[_Path] = (),
    includes: Mapping[str, _Text] | _Includer | None = None,
    target_env: str | None = None,
) -> Module:
    """Compiles a source, or raises a CompileError.

    `name` is what diagnostics call it. `options` are those of the command `clc` and of clBuildProgram, in
    one text or one by one: "-cl-std=CL2.0 -cl-mad-enable". `defines` are macros. Include files come from
    `includes`, a dictionary of texts or a function from (name, including file, in quotes?) to a text or
    None, and then from the folders `include_dirs`. `target_env` is "opencl3.0" unless given, or another
    API, as "vulkan1.3". Other threads run meanwhile.
    """
    return _compile(source, name, options, defines, include_dirs, includes, target_env, False)


def compile_file(
    path: _Path,
    *,
    options: str | Sequence[str] = (),
    defines: Mapping[str, object] | None = None,
    include_dirs: Sequence[_Path] = (),
    includes: Mapping[str, _Text] | _Includer | None = None,
    target_env: str | None = None,
) -> Module:
    """Compiles a file as the command does, with include files from beside it too."""
    with open(path, "rb") as file:
        source = file.read()
    return _compile(source, path, options, defines, include_dirs, includes, target_env, True)


def _compile(
    source: _Text,
    name: _Path,
    options: str | Sequence[str],
    defines: Mapping[str, object] | None,
    include_dirs: Sequence[_Path],
    includes: Mapping[str, _Text] | _Includer | None,
    target_env: str | None,
    files: bool,
) -> Module:
    arguments = _arguments(options, defines, include_dirs, target_env)
    memory: list[tuple[str, bytes]] = []
    includer: Callable[[str, str, bool], bytes | None] | None = None
    if callable(includes):
        given = includes

        def includer(name: str, including: str, quoted: bool) -> bytes | None:
            text = given(name, including, quoted)
            return None if text is None else _bytes(text, "the contents of an include file")

    elif includes is not None:
        memory = [
            (key, _bytes(text, "the contents of an include file"))
            for key, text in includes.items()
        ]
    try:
        compiled = _clc.compile(
            _bytes(source, "a source"), _text(name), arguments, memory, includer, files
        )
    except _clc.RefusedOptions as error:
        raise OptionError(str(error)) from None
    diagnostics = [Diagnostic._of(json.loads(text)) for text in compiled["diagnostics"]]
    if compiled["status"] == 1:
        raise CompileError(compiled["log"], diagnostics)
    if compiled["status"] != 0:
        raise InternalError(compiled["log"])
    reflection = compiled["reflection"]
    return Module(
        compiled["output"] or b"",
        compiled["is_module"],
        None if reflection is None else json.loads(reflection),
        diagnostics,
        compiled["log"],
        compiled["dependencies"],
    )


def _arguments(
    options: str | Sequence[str],
    defines: Mapping[str, object] | None,
    include_dirs: Sequence[_Path],
    target_env: str | None,
) -> list[str]:
    try:
        arguments = _clc.split_options(_text(options)) if isinstance(options, str) else []
    except _clc.RefusedOptions as error:
        raise OptionError(str(error)) from None
    if not isinstance(options, str):
        arguments = [_text(option) for option in options]
    for macro, value in (defines or {}).items():
        arguments += ["-D", _text(f"{macro}={value}")]
    if isinstance(include_dirs, (str, os.PathLike)):
        raise TypeError("include_dirs is a list of folders")
    for folder in include_dirs:
        arguments += ["-I", _text(folder)]
    if target_env is not None:
        arguments.append(f"--target-env={_text(target_env)}")
    return arguments


def _bytes(text: _Text, what: str) -> bytes:
    if isinstance(text, str):
        # Half of a surrogate pair is no text, and becomes bytes that are none.
        return text.encode("utf-8", "surrogatepass")
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    raise TypeError(f"{what} is str or bytes, not {type(text).__name__}")


def _text(name: _Path) -> str:
    """A name or an option that has a form in UTF-8."""
    text = os.fsdecode(name)
    return text.encode("utf-8", "replace").decode("utf-8")


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext clc`: brings the cell magic `%%clc`."""
    from ._magic import register

    register(shell)
