# SPDX-License-Identifier: Apache-2.0
"""The built-in functions that clang's own header of OpenCL C declares for this device, double among them, and a call of each; and the
names of the text, by section, so that a header without one of them is noticed."""
import functools
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import BUILD, TOP

HEDDLEC = os.path.join(TOP, BUILD, "bin/heddlec")
# OpenCL C 3.0, 6.15, with what is printed there as one name for several written out.
NAMES = {
    "work_item": "get_work_dim get_global_size get_global_id get_local_size get_enqueued_local_size get_local_id "
                 "get_num_groups get_group_id get_global_offset get_global_linear_id get_local_linear_id "
                 "get_sub_group_size get_max_sub_group_size get_num_sub_groups get_enqueued_num_sub_groups "
                 "get_sub_group_id get_sub_group_local_id",
    "maths": "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc "
             "erf exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r "
             "log log2 log10 log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn "
             "round rsqrt sin sincos sinh sinpi sqrt tan tanh tanpi tgamma trunc half_cos half_divide half_exp half_exp2 "
             "half_exp10 half_log half_log2 half_log10 half_powr half_recip half_rsqrt half_sin half_sqrt half_tan "
             "native_cos native_divide native_exp native_exp2 native_exp10 native_log native_log2 native_log10 "
             "native_powr native_recip native_rsqrt native_sin native_sqrt native_tan",
    "integer": "abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min mul_hi rotate sub_sat upsample "
               "popcount mad24 mul24",
    "common": "clamp degrees max min mix radians step smoothstep sign",
    "geometric": "cross dot distance length normalize fast_distance fast_length fast_normalize",
    "relational": "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan "
                  "isnormal isordered isunordered signbit any all bitselect select",
    "vector_data": "shuffle shuffle2 vload_half vstore_half "
                   + " ".join(f"{name}{n}{rounding}" for n in (2, 3, 4, 8, 16) for name in ("vstore_half", "vstorea_half")
                              for rounding in ("", "_rte", "_rtz", "_rtp", "_rtn"))
                   + " " + " ".join(f"{name}{n}" for n in (2, 3, 4, 8, 16) for name in ("vload", "vstore", "vload_half", "vloada_half")),
    "synchronization": "barrier work_group_barrier sub_group_barrier mem_fence read_mem_fence write_mem_fence",
    "address_space": "to_global to_local to_private get_fence",
    "async_copy": "async_work_group_copy async_work_group_strided_copy wait_group_events prefetch",
    "atomic": "atomic_init atomic_work_item_fence atomic_store atomic_store_explicit atomic_load atomic_load_explicit "
              "atomic_exchange atomic_exchange_explicit atomic_compare_exchange_strong "
              "atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak atomic_compare_exchange_weak_explicit "
              + " ".join(f"atomic_fetch_{op}{explicit}" for op in ("add", "sub", "or", "xor", "and", "min", "max")
                         for explicit in ("", "_explicit"))
              + " atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_flag_clear atomic_flag_clear_explicit "
              + " ".join(f"{prefix}_{op}" for prefix in ("atomic", "atom")
                         for op in ("add", "sub", "xchg", "inc", "dec", "cmpxchg", "min", "max", "and", "or", "xor")),
    "image": "read_imagef read_imagei read_imageui read_imageh write_imagef write_imagei write_imageui write_imageh "
             "get_image_width get_image_height get_image_depth get_image_channel_data_type get_image_channel_order "
             "get_image_dim get_image_array_size",
    "work_group": "work_group_all work_group_any work_group_broadcast "
                  + " ".join(f"work_group_{kind}_{op}" for kind in ("reduce", "scan_exclusive", "scan_inclusive")
                             for op in ("add", "min", "max")),
}
MACROS = {"to_global", "to_local", "to_private"}  # clang knows them without a declaration
TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half")


def conversions():
    for to in TYPES:
        for n in ("", 2, 3, 4, 8, 16):
            for saturation in ("", "_sat") if to not in ("float", "double", "half") else ("",):
                for rounding in ("", "_rte", "_rtz", "_rtp", "_rtn"):
                    yield f"convert_{to}{n}{saturation}{rounding}"


@functools.cache
def all_declarations():
    """[(result type, name, [parameter types])] of the header, preprocessed as heddlec has clang do it."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "empty.cl")
        with open(source, "w") as file:
            file.write("kernel void k(void) {}\n")
        run = subprocess.run([HEDDLEC, "-v", "--double", "-cl-std=CL3.0", source, "-o", os.path.join(folder, "k.elf")], check=True,
                             stderr=subprocess.PIPE, text=True)
        clang = next(line for line in run.stderr.splitlines() if line.startswith("clang")).split()
        options = [word for word in clang if word.startswith(("-D", "-U", "-cl-std"))]
        features = next(word for word in clang if word.startswith("-cl-ext="))
        with open(source, "w") as file:
            file.write("#include <opencl-c.h>\n")
        done = subprocess.run([clang[0], "-E", "-P", "-target", "spir-unknown-unknown", "-x", "cl", *options, "-Xclang", features, source],
                              check=True, stdout=subprocess.PIPE, text=True)
    text = re.sub(r"#pragma.*", "", done.stdout)
    found = []
    for statement in re.split(r"[;}]", text):
        statement = " ".join(statement.split())
        if "overloadable" not in statement:
            continue
        statement = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", " ", statement)
        match = re.fullmatch(r"\s*(.*?)\s*\b(\w+)\s*\((.*)\)\s*", statement)
        if not match:
            raise AssertionError(f"a declaration that is not understood: {statement}")
        result, name, parameters = match.groups()
        types = [] if parameters.strip() in ("", "void") else [type_of(parameter) for parameter in parameters.split(",")]
        if "block_write_ui" in name and types[0] == "read_only image2d_t":
            types[0] = "write_only image2d_t"  # which is what the header of clang 22 means
        found.append((" ".join(result.split()), name, types))
    return found


QUALIFIERS = {"const", "volatile", "restrict", "__restrict", "__global", "__local", "__private", "__constant", "__generic",
              "global", "local", "private", "constant", "generic", "unsigned", "signed", "read_only", "write_only", "read_write"}
# Kernels have one argument of each of these, of this name.
OPAQUE = {f"{access} image{kind}_t": f"{access}_{kind}" for access in ("read_only", "write_only", "read_write")
          for kind in ("1d", "1d_array", "1d_buffer", "2d", "2d_array", "2d_depth", "2d_array_depth", "3d")} | {"sampler_t": "s"}


def type_of(parameter):
    """A parameter's type, without its name."""
    words = re.findall(r"\w+|\*", re.sub(r"(.*)\[\d+\]", r"__private \1 *", parameter))
    if len(words) > 1 and words[-1] != "*" and words[-1] not in QUALIFIERS and words[-2] not in QUALIFIERS - {"__restrict", "restrict"}:
        words.pop()
    return " ".join(words)


def argument(name, kind, number, is_last):
    """An expression of a type, another one for each parameter. Constants where a function wants them."""
    constant = {"memory_order": "memory_order_relaxed", "memory_scope": "memory_scope_device", "event_t": "(event_t)0",
                "cl_mem_fence_flags": "CLK_GLOBAL_MEM_FENCE"}.get(kind)
    if constant or kind in OPAQUE:
        return constant or OPAQUE[kind]
    if kind.endswith("*"):
        space = "l" if "__local" in kind else "c" if "__constant" in kind else "v" if "__private" in kind else "p"
        return f"({kind}){space}"
    if is_last and ("clustered" in name or name == "sub_group_broadcast"):
        return "2"
    return f"((__global {kind} *)p)[{number}]"


def call(result, name, types):
    if result == "void" or name == "atomic_work_item_fence":
        before = ""
    elif result.endswith("*"):
        before = "*(__global uint *)p = (uint)(uintptr_t)"
    elif result == "event_t":
        before = "event_t e = "
    else:
        before = f"*(__global {result} *)p = "
    arguments = ", ".join(argument(name, kind, i, i == len(types) - 1) for i, kind in enumerate(types))
    return f"  {{ {before}{name}({arguments}); }}"


def section_of(name):
    for section, names in NAMES.items():
        if name in names.split():
            return section
    return "conversions" if name.startswith("convert_") else "others"


def is_wide(entry):
    return any(re.search(r"(3|4|8|16)\b", kind) for kind in [entry[0], *entry[2]])
