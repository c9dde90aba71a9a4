"""Writes the OpenCL source of every sasmodels model, in single and in double precision.

    python sasmodels_sources.py FOLDER

The text is what the library gives to the driver: `generate.make_source` with the type of the
precision put in. Models that exist only in Python have no OpenCL source and are left out.
"""

import os
import sys
import types

# Two models import a plotting library at module level and use it in no source.
for module in ("matplotlib", "matplotlib.pyplot"):
    sys.modules[module] = types.ModuleType(module)

import numpy
from sasmodels import core, generate


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name in sorted(core.list_models()):
        info = core.load_model_info(name)
        try:
            source = generate.make_source(info)["opencl"]
        except ValueError:
            # "can't compile python model"
            continue
        for suffix, dtype in (("f32", numpy.float32), ("f64", numpy.float64)):
            path = os.path.join(folder, f"{name}_{suffix}.cl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(generate.convert_type(source, numpy.dtype(dtype)))


if __name__ == "__main__":
    main(sys.argv[1])
