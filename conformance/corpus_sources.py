"""Makes the translation units of a corpus whose host program puts its sources together at run time.

    python corpus_sources.py NAME FOLDER

`FOLDER` holds the unpacked package. The units go to `FOLDER/units`: a source per unit, and
`options.txt` with a line `unit<TAB>options` for each, where a relative `-I` folder starts at
`FOLDER`. Each function below says which part of the host program it repeats.
"""

import os
import re
import sys


class Units:
    """The units of one corpus."""

    def __init__(self, folder):
        self.folder = folder
        self.units = os.path.join(folder, "units")
        os.makedirs(self.units, exist_ok=True)
        self.lines = []

    def read(self, path):
        with open(os.path.join(self.folder, path), encoding="utf-8", errors="replace") as file:
            return file.read()

    def sources(self, path):
        """Names of the `.cl` files of a folder, in order."""
        names = os.listdir(os.path.join(self.folder, path))
        return sorted(name for name in names if name.endswith(".cl"))

    def add(self, name, text, options=""):
        with open(os.path.join(self.units, name), "w", encoding="utf-8") as file:
            file.write(text)
        self.lines.append(f"{name}\t{options}\n")

    def write(self):
        with open(os.path.join(self.units, "options.txt"), "w", encoding="utf-8") as file:
            file.writelines(self.lines)


def pyfai(units):
    """`kernel_files` and `compile_options` of the classes in pyFAI/opencl; files of silx and of
    pyFAI are joined without the lines that begin with `#include `, which are for editors
    (`silx.opencl.utils.read_cl_file`). Files that no class names any more are compiled with the
    library parts and options of their kind."""

    def join(*names):
        text = ""
        for name in names:
            root = "silx/resources/opencl" if name == "doubleword" else "pyFAI/resources/openCL"
            lines = units.read(f"{root}/{name}.cl").splitlines(keepends=True)
            text += "".join(line for line in lines if not line.startswith("#include ")) + "\n"
        return text

    size = "-D NBINS=1000 -D NIMAGE=1000000"
    collective = ["collective/reduction", "collective/scan", "collective/comb_sort"]
    base = ["doubleword", "preprocess"]
    azim_csr = [*base, "memset", "ocl_azim_CSR"]
    units.add("azim_csr.cl", join(*azim_csr, *collective, "medfilt"), size)
    histogram = size + " -D WORKGROUP_SIZE=32"
    units.add("azim_hist.cl", join(*base, "ocl_histo"), histogram)
    # What azim_hist.py falls back to where 64-bit atomics are claimed but missing.
    units.add("azim_hist_32.cl", join("deactivate_atomic64", *base, "ocl_histo"), histogram)
    for cpu in (0, 1):
        options = f"{size} -D NLUT=10 -D ON_CPU={cpu}"
        units.add(f"azim_lut_{cpu}.cl", join(*base, "memset", "ocl_azim_LUT"), options)
    units.add("peak_finder.cl", join(*azim_csr, "sparsify", "peakfinder"), size)
    units.add("simple_peak_picker.cl", join("simple_peak_picker"))
    units.add("preproc.cl", join("preprocess"), "-D NIMAGE=1000000 -D cl_khr_fp64=1")
    units.add("sort.cl", join("doubleword", "bitonic", "separate", "sigma_clip"))
    units.add("collective.cl", join(*collective))
    split = "-D BINS=1000 -D NIMAGE=1000000 -D WORKGROUP_SIZE=128 -D EPS=0.000000"
    units.add("hist_pixelsplit.cl", join("ocl_hist_pixelsplit"), split)
    full = "-D BINS=1000 -D NIMAGE=1000000 -D POS_SIZE=8000000 -D SIZE=1000000 -D WORKGROUP_SIZE=128 -D EPS=0.000000"
    for name in ("", "_pixelsplit", "_pixelsplit2", "_pixelsplit3", "_pixelsplit_test"):
        units.add(f"lut{name}.cl", join(f"ocl_lut{name}"), full)
    for name in ("addition", "bitonic", "kahan", "ocl_bispev", "reduction_test", "reduction_test4"):
        units.add(f"{name}.cl", join(name), "-D WORKGROUP_SIZE=128")


def gputools(units):
    """The `OCLProgram` calls of gputools: their build options, with each value they can take, and
    the mako templates rendered as they render them. pyopencl adds the folder of its own headers.
    Files that no module loads any more are compiled with the options of their kind."""
    from mako.template import Template

    headers = "-Ipyopencl/cl"
    root = "gputools"
    types = ("float", "uchar", "ushort", "int")

    def plain(path, variants):
        name = os.path.basename(path)[:-3]
        for suffix, options in variants.items():
            text = units.read(f"{root}/{path}.cl" if not path.endswith(".cl") else f"{root}/{path}")
            units.add(f"{name}{suffix}.cl", text, f"{options} {headers}".strip())

    def rendered(path, suffix, options="", **values):
        name = os.path.basename(path)[:-3]
        text = Template(units.read(f"{root}/{path}")).render(**values)
        units.add(f"{name}_{suffix}.cl", text, f"{options} {headers}".strip())

    filters = {"linear": "-D SAMPLER_FILTER=CLK_FILTER_LINEAR",
               "nearest": "-D SAMPLER_FILTER=CLK_FILTER_NEAREST"}
    modes = {"constant": "CLK_ADDRESS_CLAMP", "wrap": "CLK_ADDRESS_REPEAT",
             "edge": "CLK_ADDRESS_CLAMP_TO_EDGE"}
    samplers = {f"_{interpolation}_{mode}": f"{filter} -D SAMPLER_ADDRESS={address}"
                for interpolation, filter in filters.items() for mode, address in modes.items()}
    addresses = {f"_{mode}": f"-D ADDRESSMODE={address}" for mode, address in
                 {**modes, "reflect": "CLK_ADDRESS_MIRRORED_REPEAT"}.items()}
    typed = {f"_{type}": f"-D DTYPE={type}" for type in types}
    patches = {"": "-D FS=3 -D BS=5"}
    scales = {"uchar": "read_imageui", "short": "read_imageui", "float": "read_imagef"}
    reads = {"float": "read_imagef", "uchar": "read_imageui", "ushort": "read_imageui",
             "int": "read_imagei"}
    variants = {
        "transforms/kernels/affine.cl": samplers,
        "transforms/kernels/map_coordinates.cl": {
            sampler + suffix: f"{options} {type}" for sampler, options in samplers.items()
            for suffix, type in typed.items()},
        "transforms/kernels/scale.cl": {
            f"_{interpolation}_{type}": f"{filter} -D TYPENAME={type} -D READ_IMAGE={read}"
            for interpolation, filter in filters.items() for type, read in scales.items()},
        "transforms/kernels/integral_image.cl": typed,
        "convolve/kernels/convolve3.cl": {"": "", "_short": "-D SHORTTYPE"},
        "convolve/kernels/convolve_sep.cl": typed,
        "convolve/kernels/conv_spatial2.cl": addresses,
        "convolve/kernels/conv_spatial3.cl": addresses,
        "denoise/kernels/nlm2.cl": patches,
        "denoise/kernels/nlm3.cl": patches,
    }
    templates = {"generic_separable_filter.cl", "rank_downscale.cl", "median_filter.cl",
                 "geometric_transform.cl"}
    for part in ("convolve", "core", "deconv", "denoise", "fft", "noise", "transforms"):
        for name in units.sources(f"{root}/{part}/kernels"):
            path = f"{part}/kernels/{name}"
            if name not in templates:
                plain(path, variants.get(path, patches if part == "denoise" else {"": ""}))

    functions = {"max": ("fmax(res,val)", "-INFINITY"), "min": ("fmin(res,val)", "INFINITY"),
                 "sum": ("res+val", "0")}
    for type in types:
        for depth in (1, 3):
            size = {"FSIZE_X": 3, "FSIZE_Y": 3, "FSIZE_Z": depth, "DTYPE": type}
            dimensions = "2d" if depth == 1 else "3d"
            options = "" if depth == 1 else "-cl-unsafe-math-optimizations"
            for name, (function, start) in functions.items():
                rendered("convolve/kernels/generic_separable_filter.cl",
                         f"{name}_{type}_{dimensions}", options, FUNC=function, DEFAULT=start, **size)
            rendered("convolve/kernels/median_filter.cl", f"{type}_{dimensions}", CVAL=0, **size)
        for depth in (0, 3):
            rendered("convolve/kernels/rank_downscale.cl", f"{type}_{depth}", DTYPE=type,
                     FSIZE_X=3, FSIZE_Y=3, FSIZE_Z=depth, CVAL=0)
        for sampler, options in samplers.items():
            rendered("transforms/kernels/geometric_transform.cl", f"{type}{sampler}",
                     f"{options} -D DTYPE={type} -D READ_IMAGE={reads[type]}",
                     FUNC2="c1,c0", FUNC3="c2,c1,c0")


def bempp(units):
    """`select_cl_kernel` and `get_kernel_compile_options` of bempp_cl/core/opencl_kernels.py with
    the options of core/opencl_assemblers.py and api/fmm/helpers.py, for both precisions; the
    vector widths are a CPU's with 256-bit vectors, and 1 for what is left over."""
    root = "bempp_cl/core/sources"
    scalar = ["laplace_single_layer", "laplace_double_layer", "laplace_adjoint_double_layer",
              "helmholtz_single_layer", "helmholtz_double_layer", "helmholtz_adjoint_double_layer",
              "modified_helmholtz_real_single_layer", "modified_helmholtz_real_double_layer",
              "modified_helmholtz_real_adjoint_double_layer"]
    far = ["helmholtz_single_layer_far_field", "helmholtz_double_layer_far_field"]
    # Assembler → its kernels, the shape sets of test and trial functions, functions of each.
    p0, p1 = "p0_discontinuous", "p1_discontinuous"
    dense = {
        "evaluate_dense": (scalar, [(p0, p0), (p1, p0), (p1, p1)]),
        "evaluate_dense_laplace_hypersingular": (["laplace_single_layer"], [(p1, p1)]),
        "evaluate_dense_helmholtz_hypersingular": (
            ["helmholtz_single_layer", "modified_helmholtz_real_single_layer"], [(p1, p1)]),
        "evaluate_dense_electric_field": (["helmholtz_single_layer"], [("snc0", "rwg0")]),
        "evaluate_dense_magnetic_field": (["helmholtz_single_layer"], [("snc0", "rwg0")]),
    }
    potentials = {
        "evaluate_scalar_potential": (scalar + far, [p0, p1]),
        "evaluate_electric_field_potential": (["helmholtz_single_layer"], ["rwg0"]),
        "evaluate_magnetic_field_potential": (["helmholtz_single_layer"], ["rwg0"]),
        "evaluate_maxwell_electric_far_field": (["helmholtz_single_layer_far_field"], ["rwg0"]),
        "evaluate_maxwell_magnetic_far_field": (["helmholtz_single_layer_far_field"], ["rwg0"]),
    }

    def functions(shapes):
        return 1 if shapes == p0 else 3

    def add(file, name, options, precision, width):
        string = "novec" if width == 1 else f"vec{width}"
        options = f"{options} -D VEC_LENGTH={width} -D VEC_STRING={string} -I{root}/include"
        units.add(f"{name}_{precision}.cl", units.read(f"{root}/kernels/{file}.cl"),
                  f"{options} -DPRECISION={int(precision == 'double')}")

    for precision, width in (("single", 8), ("double", 4)):
        for assembler, (kernels, spaces) in dense.items():
            for kernel in kernels:
                complex = " -D COMPLEX_KERNEL" if kernel.startswith("helmholtz") else ""
                for test, trial in spaces:
                    name = f"{assembler}_{kernel}_{test[:4]}_{trial[:4]}"
                    options = (f"-D TEST={test} -D TRIAL={trial} -D KERNEL_FUNCTION={kernel} "
                               f"-D NUMBER_OF_TEST_SHAPE_FUNCTIONS={functions(test)} "
                               f"-D NUMBER_OF_TRIAL_SHAPE_FUNCTIONS={functions(trial)}{complex}")
                    add(f"{assembler}_singular", f"{name}_singular", f"-D WORKGROUP_SIZE=16 {options}",
                        precision, width)
                    options = (f"-D NUMBER_OF_QUAD_POINTS=6 -D TRIAL_NUMBER_OF_ELEMENTS=512 "
                               f"-D TEST_NUMBER_OF_ELEMENTS=512 {options}")
                    add(f"{assembler}_regular_vec", f"{name}_vec", options, precision, width)
                    # Options of the remainder keep the width of the main kernel.
                    add(f"{assembler}_regular_novec", f"{name}_novec", options, precision, width)
        for assembler, (kernels, spaces) in potentials.items():
            for kernel in kernels:
                complex = ""
                if kernel.startswith("helmholtz"):
                    complex = " -D COMPLEX_KERNEL -D COMPLEX_COEFFICIENTS -D COMPLEX_RESULT"
                for space in spaces:
                    options = (f"-D NUMBER_OF_QUAD_POINTS=6 -D SHAPESET={space} "
                               f"-D NUMBER_OF_SHAPE_FUNCTIONS={functions(space)} "
                               f"-D KERNEL_FUNCTION={kernel}{complex}")
                    for kind, size in (("vec", 128 // width), ("novec", 37)):
                        add(f"{assembler}_{kind}", f"{assembler}_{kernel}_{space[:4]}_{kind}",
                            f"-D WORKGROUP_SIZE={size} {options}", precision, width)
        for complex in ("", " -D COMPLEX_RESULT"):
            name = "sum_for_potential_novec" + ("_complex" if complex else "")
            add("sum_for_potential_novec", name, f"-D WORKGROUP_SIZE=128{complex}", precision, width)
        for mode in ("laplace", "helmholtz", "modified_helmholtz"):
            complex = " -D COMPLEX_KERNEL" if mode == "helmholtz" else ""
            add(f"near_field_evaluator_{mode}", f"near_field_evaluator_{mode}",
                f"-D MAX_POINTS=600 -D NPOINTS=6{complex}", precision, width)
        for name in ("rwg0_rwg0", "rwg0_snc0", "scalar", "snc0_rwg0", "snc0_snc0"):
            add(f"{name}_identity_novec", f"{name}_identity_novec",
                f"-D NUMBER_OF_QUAD_POINTS=6 -D TEST={p1} -D TRIAL={p0} "
                "-D NUMBER_OF_TEST_SHAPE_FUNCTIONS=3 -D NUMBER_OF_TRIAL_SHAPE_FUNCTIONS=1",
                precision, 1)


def pyclesperanto(units):
    """`execute` of pyclesperanto_prototype/_tier0/_opencl_execute.py: macros for the parameters of
    the kernel, once as buffers and once as images (of float, mostly), then preamble.cl, then the file."""
    root = "pyclesperanto_prototype"
    execute = units.read(f"{root}/_tier0/_opencl_execute.py")
    headers = dict(re.findall(r'^(\w+_HEADER) = (?:COMMON_HEADER \+ )?"""(.*?)"""', execute,
                              re.DOTALL | re.MULTILINE))
    preamble = units.read(f"{root}/_tier0/preamble.cl")
    folders = sorted(name for name in os.listdir(os.path.join(units.folder, root))
                     if name.startswith("_tier"))
    folders = [f"{root}/clij-opencl-kernels/kernels"] + [f"{root}/{name}" for name in folders]

    def arguments(text, start):
        """The arguments of the call whose parenthesis opens before `start`."""
        depth, out = 0, [""]
        for character in text[start:]:
            if character == ")" and depth == 0:
                break
            depth += {"(": 1, ")": -1}.get(character, 0)
            if character == "," and depth == 0:
                out.append("")
            else:
                out[-1] += character
        return [argument.strip() for argument in out]

    def dimensions_of(name, text, key):
        """How many dimensions the host's array has; the kernel shows it by its coordinates."""
        for call in re.finditer(rf"(READ|WRITE)_{key}_IMAGE\s*\(", text):
            given = arguments(text, call.end())
            place = given[2 if call.group(1) == "READ" else 1]
            variable = re.match(r"\w+", place)
            for type, dimensions in (("int2", 2), ("int4", 3)):
                if place.startswith(f"({type})"):
                    return dimensions
                if variable and re.search(rf"\b{type}\s+(\w+[^;]*,\s*)?{variable.group()}\b", text):
                    return dimensions
        if "_3d_2d" in name:
            return 2 if key == "dst" else 3
        if "_2d" in name:
            return 2
        positions = re.findall(rf"POS_{key}_INSTANCE\s*\(([^;]*)\)", text)
        flat = [re.match(r".*,\s*0\s*,\s*0\s*$", position.split(")")[0]) for position in positions]
        return 2 if positions and all(flat) else 3

    seen = set()
    for folder in folders:
        for name in units.sources(folder):
            if name == "preamble.cl" or name in seen:
                continue
            seen.add(name)
            text = units.read(f"{folder}/{name}")
            for kind in ("buffer", "image"):
                # The second is a constant that _tier3/_histogram.py gives.
                defines = "#define MAX_ARRAY_SIZE 1000\n#define NUMBER_OF_HISTOGRAM_BINS 256\n"
                for side in ("width", "height", "depth"):
                    defines += (f"#define GET_IMAGE_{side.upper()}(image_key) "
                                f"image_size_ ## image_key ## _{side}\n")
                for key in sorted(set(re.findall(r"IMAGE_(\w+?)_TYPE\b", text))):
                    if key.endswith("_PIXEL"):
                        continue
                    written = any(part in key for part in ("destination", "output", "dst"))
                    access = "write" if written else "read"
                    dimensions = dimensions_of(name, text, key)
                    # Where a kernel counts with atomics, the host makes the result of integers.
                    counted = written and "atomic_" in text
                    type, short = ("uint", "ui") if counted else ("float", "f")
                    header = headers["ARRAY_HEADER" if kind == "buffer" else "IMAGE_HEADER"]
                    defines += (headers["COMMON_HEADER"] + header).format(
                        key=key, typeId=short, pixel_type=type, img_dims=dimensions,
                        type_name=f"__{access}_only image{dimensions}d_t",
                        pos_type="int2" if dimensions == 2 else "int4",
                        pos="(pos0, pos1)" if dimensions == 2 else "(pos0, pos1, pos2, 0)",
                        size_parameters="".join(f"int image_size_{key}_{side}, "
                                                for side in ("width", "height", "depth")))
                units.add(f"{name[:-3]}_{kind}.cl", f"{defines}{preamble}\n{text}")


def llama(units):
    """ggml-opencl.cpp: `load_cl_kernels` and what is compiled when first used. A kernel is built
    for Intel's devices or for Qualcomm's (or for both), which differ by the extensions they have;
    here the names of the other vendor's are taken away."""
    root = "ggml-opencl/kernels"
    intel = "-cl-ext=+cl_intel_subgroups,+cl_intel_required_subgroup_size"
    qcom = ("-cl-ext=-cl_intel_subgroups,-cl_intel_required_subgroup_size,"
            "+cl_qcom_reqd_sub_group_size,+cl_qcom_subgroup_shuffle")
    common = "-cl-mad-enable -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math"
    flash = {"": "", "_mq": " -D MQ_GQA=8 -D MQ_NSG=3 -D MQ_NSG_SPLIT=3 -D FA_MQ_ONLY -D FA_CL_C=16",
             "_prefill": " -D FA_PREFILL_ONLY"}
    delta = "-DS_V=128 -DSUBGROUP_SIZE=32 -DLANES_PER_COLUMN=8 -DSUBGROUPS_PER_WG=1"

    def variants(name):
        """The build options besides the version and the extensions, by a suffix of the name."""
        if name.startswith("flash_attn"):
            return {f"_{dk}{suffix}": f"{common} -D DK={dk} -D DV={dk} -D BLOCK_M=64 -D BLOCK_N=32 "
                    f"-D N_SPLIT=2 -D BLK_PREPASS_BM=64 -D cl_khr_subgroup_shuffle=1{more}"
                    for dk in (64, 128) for suffix, more in flash.items()}
        if name.startswith("gated_delta_net"):
            return {f"_{kda}_{columns}": f"{common} {delta} -DKDA={kda} "
                    f"-DCOLS_PER_LANE_GROUP={columns} -DUSE_QCOM_SUBGROUP_SHUFFLE=0"
                    for kda in (0, 1) for columns in (1, 4)}
        if name.startswith("gemv_noshuffle"):
            wave = "-cl-mad-enable -DSIMDGROUP_WIDTH=64"
            if name.endswith("_spec"):
                wave += " -DLINE_STRIDE_A=2048 -DBLOCK_STRIDE_A=16384"
            # The host misspells the macro for some of them, and so do these.
            both = "-DVECTOR_SUB_GROUP_BROADCAST -DVECTOR_SUB_GROUP_BROADCAT"
            return {"": wave, "_vector": f"{wave} {both}"}
        moe = "-cl-mad-enable -cl-fast-relaxed-math"
        if name == "gemm_moe_q8_1_dp4a":
            return {f"_{kind}": f"{moe} -DMOE_QT={kind}" for kind in (80, 50, 5)}
        if "_moe" in name or name.startswith("moe_"):
            return {"": moe}
        if name == "mul_mm_f16_f32_kq_kqv":
            return {"": common, "_kqv": f"{common} -DKQV"}
        if name == "conv2d":
            return {"": common, "_f16": f"{common} -DUSE_FP16=1"}
        if name == "div":
            return {"": "-cl-mad-enable -cl-finite-math-only"}
        return {"": common}

    # Compiled under GGML_OPENCL_USE_ADRENO_KERNELS only.
    adreno = ("noshuffle", "_moe", "moe_", "xmem", "quant_a")
    for file in units.sources(root):
        name = file[:-3]
        text = units.read(f"{root}/{file}")
        for suffix, options in variants(name).items():
            if not any(part in name for part in adreno):
                units.add(f"{name}{suffix}.intel.cl", text, f"-cl-std=CL3.0 {options} {intel}")
            units.add(f"{name}{suffix}.qcom.cl", text, f"-cl-std=CL3.0 {options} {qcom}")


def bullet(units):
    """Bullet's OpenCL kernels, which its headers hold as string literals; the options are those
    that the constructors of b3GpuNarrowPhase, b3Solver and the like give to
    `b3OpenCLUtils::compileCLProgramFromString`: none."""
    root = "usr/include/bullet/Bullet3OpenCL"
    for folder, _, names in sorted(os.walk(os.path.join(units.folder, root))):
        for name in sorted(names):
            text = units.read(os.path.join(folder, name))
            for variable, literals in re.findall(
                    r'static const char\s*\*\s*(\w+)\s*=\s*\\?\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+);', text):
                parts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', literals)
                source = "".join(parts).encode().decode("unicode_escape")
                units.add(f"{variable}.cl", source)


def pyopencl(units):
    """The device library that pyopencl puts in front of the kernels it makes (clmath.py,
    clrandom.py, elementwise.py), on the include path that `Program.build` adds."""
    root = "pyopencl/cl"
    complex = "#define PYOPENCL_DEFINE_CDOUBLE\n#include <pyopencl-complex.h>\n"
    for folder in ("", "pyopencl-random123/"):
        for name in units.sources(f"{root}/{folder}"):
            before = "#include <pyopencl-eval-tbl.cl>\n" if "airy" in name else ""
            text = f"{complex}{before}#include <{folder}{name}>\n"
            units.add(name, text, f"-I{root}")


def pocl(units):
    """The test kernels of pocl, each alone as its test program loads it."""
    for folder, _, names in sorted(os.walk(os.path.join(units.folder, "usr"))):
        for name in sorted(name for name in names if name.endswith(".cl")):
            path = os.path.relpath(folder, units.folder)
            units.add(name, units.read(os.path.join(path, name)), f"-I{path}")


def mandelbulber(units):
    """`cOpenClEngineRenderFractal::LoadSourcesAndCompile` of mandelbulber2: headers, the formula,
    the parts of the fast engine; the defines of `SetParameters` for a scene without effects."""
    root = "usr/share/mandelbulber2"
    headers = ["defines_cl.h", "opencl_typedefs.h", "opencl_algebra.h", "common_params_cl.hpp",
               "image_adjustments_cl.h", "fractal_cl.h", "fractparams_cl.hpp",
               "fractal_sequence_cl.h", "fractal_coloring_cl.hpp", "texture_enums_cl.h",
               "material_cl.h", "object_type_cl.h", "object_data_cl.h", "primitives_cl.h",
               "input_data_structures.h", "render_data_cl.h"]
    distance = ["basic_foldings", None, "primitives", "fractal_coloring", "orbit_trap_shape",
                "compute_fractal", "texture_mapping", "displacement_map", "calculate_distance",
                "normal_vector", "projection_3d"]

    def source(formula, parts, engine):
        lines = ["#define NUMBER_OF_FRACTALS 9"]
        lines += [f'#include "{root}/opencl/{name}"' for name in headers]
        for part in parts:
            path = f"formula/opencl/{formula}" if part is None else f"opencl/engines/{part}"
            lines.append(f'#include "{root}/{path}.cl"')
        return "\n".join(lines) + "\n" + units.read(f"{root}/opencl/engines/{engine}.cl")

    for file in units.sources(f"{root}/formula/opencl"):
        formula = file[:-3]
        text = units.read(f"{root}/formula/opencl/{file}")
        # The host makes the function's name from the formula's.
        function = re.findall(r"\b(\w+Iteration)\s*\(", text)[-1]
        options = (f"-w -cl-single-precision-constant -cl-denorms-are-zero -DOPENCL_KERNEL_CODE -I. "
                   f"-DFORMULA_ITER_0={function} -DREFLECTIONS_MAX=1 -DPERSP_THREE_POINT "
                   "-DSIMPLE_GLOW")
        single = source(formula, distance, "fast_engine")
        units.add(f"{formula}.cl", single, f"{options} -DANALYTIC_DE")
        if formula == "mandelbulb":
            units.add(f"{formula}_delta.cl", single, f"{options} -DDELTA_DE -DDELTA_LOG_DE")
            units.add(f"{formula}_double.cl", single, f"{options} -DDELTA_DE -DDOUBLE_PRECISION")


MAKERS = {"pyfai": pyfai, "gputools": gputools, "bempp": bempp, "pyclesperanto": pyclesperanto,
          "llama": llama, "bullet": bullet, "pyopencl": pyopencl, "pocl": pocl,
          "mandelbulber": mandelbulber}


def main(name, folder):
    units = Units(folder)
    MAKERS[name](units)
    units.write()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
