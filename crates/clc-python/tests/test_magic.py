"""`%%clc` in IPython."""

import os

import clc
import pytest
from IPython.core.error import UsageError
from IPython.testing.globalipapp import start_ipython

CELL = "kernel void twice(global float *x) { x[get_global_id(0)] *= FACTOR; }\n"


@pytest.fixture(scope="module")
def shell():
    shell = start_ipython()
    shell.run_line_magic("load_ext", "clc")
    return shell


def test_cells_become_modules(shell):
    shell.user_ns["factor"] = 3
    result = shell.run_cell("%%clc module -DFACTOR={factor} -cl-std=CL2.0\n" + CELL)
    assert result.success
    assert isinstance(shell.user_ns["module"], clc.Module)
    assert shell.user_ns["module"].spirv


def test_errors_are_shown_as_the_command_shows_them(shell, capsys):
    result = shell.run_cell("%%clc broken\n" + CELL)
    assert isinstance(result.error_in_exec, clc.CompileError)
    assert "broken" not in shell.user_ns
    shown = "".join(capsys.readouterr())
    assert "FACTOR" in shown and "<broken>:1:" in shown and "Traceback" not in shown


def test_lines_that_are_wrong_say_how_they_are_written(shell):
    for line in ["", "-O0", "3x", "k -cl-turbo", "k --context absent", "k 'x"]:
        with pytest.raises(UsageError):
            shell.run_cell_magic("clc", line, CELL)


@pytest.mark.skipif("OCL_ICD_VENDORS" not in os.environ, reason="no OpenCL driver")
def test_cells_become_programs_of_pyopencl(shell):
    import numpy
    import pyopencl as cl

    context = shell.user_ns["context"] = cl.Context(cl.get_platforms()[0].get_devices())
    assert shell.run_cell("%%clc program --context context -DFACTOR=2\n" + CELL).success
    x = numpy.arange(16, dtype=numpy.float32)
    buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
    queue = cl.CommandQueue(context)
    shell.user_ns["program"].twice(queue, x.shape, None, buffer)
    result = numpy.empty_like(x)
    cl.enqueue_copy(queue, result, buffer)
    assert (result == 2 * x).all()
