from typing import Callable, Optional, Sequence, TypedDict

VERSION: str

class RefusedOptions(Exception): ...

class _Compiled(TypedDict):
    status: int
    output: Optional[bytes]
    is_module: bool
    reflection: Optional[str]
    log: str
    diagnostics: list[str]
    dependencies: list[str]

def compile(
    source: bytes,
    name: str,
    options: Sequence[str],
    memory: Sequence[tuple[str, bytes]],
    includer: Optional[Callable[[str, str, bool], Optional[bytes]]],
    files: bool,
) -> _Compiled: ...
def split_options(text: str) -> list[str]: ...
def run_command(arguments: Sequence[str]) -> int: ...
