"""`clc.compile`: what comes out, and what it says of what does not."""

import pickle
import random
import subprocess
import sys
import threading

import clc
import pytest

GOOD = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2.0f; }\n"
BAD = "kernel void k(global float *x)\n{\n    int lenght = 3;\n    x[0] = length;\n}\n"
MAGIC = bytes.fromhex("03022307")


def test_modules_come_out():
    module = clc.compile(GOOD)
    assert module.spirv[:4] == MAGIC and bytes(module) == module.spirv
    assert (module.warnings, module.log, module.dependencies) == ([], "", [])
    assert module.reflection is not None and module.reflection["target"] == "opencl"
    (kernel,) = module.reflection["kernels"]
    assert (kernel["name"], kernel["arguments"][0]["type"]) == ("twice", "float*")
    assert clc.compile(GOOD, options="-E").reflection is None
    assert "bytes of SPIR-V" in repr(module)
    with pytest.raises(ValueError):
        module.text
    assert clc.compile(GOOD.encode()).spirv == module.spirv


def test_options_are_those_of_the_command():
    asm = clc.compile(GOOD, options="-S -cl-std=CL2.0 -DX='a b'")
    assert "OpEntryPoint Kernel" in asm.text
    with pytest.raises(ValueError):
        asm.spirv
    source = "kernel void k(global int *p) { *p = N + M; }"
    assert clc.compile(source, options=["-D", "N=1"], defines={"M": 2}).spirv
    for wrong in ["-cl-turbo", ["-cl-std=CL9"], "k.cl", "-o x", "--help", "-D 'x", ["-E", "-S"]]:
        with pytest.raises(clc.OptionError) as error:
            clc.compile(GOOD, options=wrong)
        assert str(error.value) and isinstance(error.value, ValueError)
    # What has no form in UTF-8 is no option, and not the end either.
    with pytest.raises(clc.CompileError):
        clc.compile(GOOD, options="-D \udc80")
    with pytest.warns(UserWarning, match="names no warning"):
        clc.compile(GOOD, options="-Wodd")


def test_errors_carry_diagnostics_and_print_as_the_command_does(tmp_path):
    path = tmp_path / "k.cl"
    path.write_text(BAD)
    with pytest.raises(clc.CompileError) as raised:
        clc.compile(BAD, name="k.cl")
    error = raised.value
    command = subprocess.run(
        [sys.executable, "-m", "clc", "k.cl"], cwd=tmp_path, capture_output=True, text=True
    )
    assert command.returncode == 1 and str(error) == command.stderr
    (diagnostic,) = error.diagnostics
    assert diagnostic.is_error and diagnostic.name == "undeclared-identifier"
    assert (diagnostic.place.file, diagnostic.place.line, diagnostic.place.column) == ("k.cl", 4, 12)
    assert BAD[diagnostic.place.byte_start : diagnostic.place.byte_end] == "length"
    assert diagnostic.label and str(diagnostic).startswith("k.cl:4:12: error[")
    assert diagnostic.fix.replacement and diagnostic.fix.place == diagnostic.place
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.diagnostics) == (str(error), error.diagnostics)

    with pytest.raises(clc.CompileError) as raised:
        clc.compile("void f(local int *p) {}\nkernel void k(global int *p) { f(p); }\n")
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.labels and diagnostic.notes and diagnostic.labels[0].place.line > 0


def test_warnings_are_data_and_text():
    module = clc.compile("kernel void k(global int *p) { int unused; *p = 1; }", options="-Wall")
    assert [warning.severity for warning in module.warnings] == ["warning"]
    assert "1 warning" in module.log and not module.warnings[0].is_error


def test_reflections_are_dictionaries():
    module = clc.compile(GOOD, target_env="vulkan1.3")
    (kernel,) = module.reflection["kernels"]
    assert kernel["name"] == "twice" and kernel["arguments"][0]["kind"] == "buffer"


def test_include_files_come_from_memory():
    source = '#include "lib/scale.h"\n#include <one.h>\nkernel void k(global int *p) { *p = SCALE + ONE; }'
    files = {
        "lib/scale.h": '#pragma once\n#include "../value.h"\n#include "deep.h"\n#define SCALE VALUE + DEEP',
        "value.h": b"#define VALUE 3\n",
        "lib/deep.h": "#define DEEP 4\n",
        "one.h": "#define ONE 1\n",
    }
    module = clc.compile(source, includes=files)
    assert module.dependencies == ["lib/scale.h", "value.h", "lib/deep.h", "one.h"]
    with pytest.raises(clc.CompileError, match="one.h"):
        clc.compile(source, includes={name: files[name] for name in files if name != "one.h"})


def test_include_files_come_from_a_function():
    asked = []

    def includer(name, including, quoted):
        asked.append((name, including, quoted))
        # It may compile, and sees what the interpreter's lock protects.
        assert clc.compile(GOOD).spirv
        return {"a.h": '#include <b.h>\n', "b.h": b"#define B 1\n"}.get(name)

    source = '#include "a.h"\nkernel void k(global int *p) { *p = B; }'
    assert clc.compile(source, name="k.cl", includes=includer).dependencies == ["a.h", "b.h"]
    assert ("a.h", "k.cl", True) in asked and ("b.h", "a.h", False) in asked
    with pytest.raises(clc.CompileError, match="c.h"):
        clc.compile('#include "c.h"', includes=includer)


def test_exceptions_of_a_function_come_out():
    class Odd(Exception):
        pass

    def raises(name, including, quoted):
        raise Odd(name)

    with pytest.raises(Odd, match="a.h"):
        clc.compile('#include "a.h"\n#include "b.h"\n', includes=raises)
    with pytest.raises(TypeError, match="str or bytes, not int"):
        clc.compile('#include "a.h"', includes=lambda name, including, quoted: 7)
    with pytest.raises(TypeError):
        clc.compile('#include "a.h"', includes=lambda name: "")


def test_files_are_read_where_they_are_named(tmp_path):
    (tmp_path / "beside.h").write_text("#define BESIDE 1\n")
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / "in.h").write_text("#define IN 2\n")
    path = tmp_path / "k.cl"
    path.write_text('#include "beside.h"\n#include <in.h>\nkernel void k(global int *p) { *p = BESIDE + IN; }')
    assert len(clc.compile_file(path, include_dirs=[folder]).dependencies) == 2
    # Nothing is read by `compile` unless a folder is named.
    with pytest.raises(clc.CompileError, match="beside.h"):
        clc.compile(path.read_text(), name=path)
    assert clc.compile(path.read_text(), name=path, include_dirs=[folder]).spirv
    with pytest.raises(OSError):
        clc.compile_file(tmp_path / "absent.cl")
    with pytest.raises(TypeError):
        clc.compile(GOOD, include_dirs=str(folder))


def test_other_types_are_refused():
    for wrong in [None, 7, ["kernel"], object()]:
        with pytest.raises(TypeError):
            clc.compile(wrong)


def test_any_bytes_are_a_source():
    number = random.Random(1)
    for round in range(300):
        if round % 2:
            source = number.randbytes(number.randrange(200))
        else:
            damaged = bytearray(GOOD.encode())
            for _ in range(4):
                damaged[number.randrange(len(damaged))] = number.randrange(256)
            source = bytes(damaged)
        try:
            clc.compile(source, name=number.randbytes(3).decode("latin-1"), includes={})
        except clc.CompileError as error:
            assert error.diagnostics and str(error)
    for odd in ["\0", "\udc80", "\ufeff" + GOOD, "(" * 100_000, bytearray(b"int x;"), memoryview(b"")]:
        try:
            clc.compile(odd)
        except clc.CompileError as error:
            assert error.diagnostics


def test_threads_compile_at_the_same_time():
    results = {}

    def work(index):
        source = f'#include "n.h"\nkernel void k{index}(global int *p) {{ *p = N; }}'
        includer = (lambda name, including, quoted: "#define N 1\n") if index % 2 else {"n.h": "#define N 1\n"}
        results[index] = [clc.compile(source, includes=includer).spirv for _ in range(5)]

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and all(len(set(modules)) == 1 for modules in results.values())


def test_the_lock_is_free_while_a_source_is_compiled():
    # A source that takes some time; meanwhile this thread counts.
    body = "".join(f"x += sin(x * {i}.5f) * cos(x);\n" for i in range(2000))
    source = f"kernel void k(global float *p) {{ float x = *p;\n{body}*p = x; }}"
    thread = threading.Thread(target=clc.compile, args=(source,))
    turns = 0
    thread.start()
    while thread.is_alive():
        turns += 1
        thread.join(0.001)
    assert turns > 3


def test_the_command_is_installed(tmp_path):
    (tmp_path / "k.cl").write_text(GOOD)
    command = [str(__import__("pathlib").Path(sys.executable).parent / "clc")]
    run = lambda *words: subprocess.run(command + list(words), cwd=tmp_path, capture_output=True, text=True)
    assert run("k.cl", "-o", "k.spv").returncode == 0
    assert (tmp_path / "k.spv").read_bytes() == clc.compile(GOOD).spirv
    assert run("--version").stdout == f"clc {clc.__version__}\n"
    assert run("absent.cl").returncode == 2
    assert "0x07230203" in run("--emit=c-header", "k.cl").stdout
