# SPDX-License-Identifier: Apache-2.0
"""Kernels for directed.py that compute with values of every type: half, integers of 8 to 64 bits, float, double. In each `r` is what becomes of
the work-item's words, of which `x` and `y` are two, and `l` and `m` are two longs of any magnitude."""

BEGIN = """
        uint x = in[i], y = in[i ^ 1], r = 0;
        ulong l = ((ulong)x << 32 | y * 0x9E3779B9u) >> (y & 63), m = ((ulong)y << 32 | in[i ^ 2]) >> (x >> 3 & 63);
"""
END = """
        out[i] = r;"""


def folded(*values):
    """Each of the values, as uint, changes the result."""
    return "".join(f"\n        r = r * 33 ^ (uint)({value});" for value in values)


def wide(*values):
    """The same of longs."""
    return "".join(f"\n        {{ ulong v = (ulong)({value}); r = r * 33 ^ (uint)v ^ (uint)(v >> 32) * 7; }}" for value in values)


def halves(*values):
    return folded(*(f"as_ushort((half)({value}))" for value in values))


HALVES = """
        half h = as_half((ushort)x), k = as_half((ushort)(y >> 16)), near = (half)((float)(x >> 20) * 0x1p-7f);"""
DOUBLES = """
        ulong q = (ulong)x << 32 | y * 0x9E3779B9u;
        double d = i == 9 ? INFINITY : i == 10 ? -0.0 : as_double(q), near = (double)(int)y * 0x1p-20,
               e = i % 9 == 1 ? -d : i == 11 ? as_double(0xFFF8000000001234ul) : i == 19 ? 0.0 : as_double(q ^ (ulong)(y & 0x1F) << 49 ^ y);"""
ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
WIDTHS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}


def doubles(*values):
    return wide(*(f"as_ulong((double)({value}))" for value in values))


def of_type(kind, name):
    """The expressions of `name` for the operands a, b and c of an integer type."""
    return f"{{ {kind} a = ({kind})(l >> 3), b = ({kind})m, c = ({kind})(x ^ y >> 5); {wide(name)} }}"


BODIES = {
    "doubles_are_added_and_multiplied": DOUBLES + doubles("d + e", "d - near", "d * e", "near * e + d", "-d", "fabs(e)", "copysign(d, near)", "x & 1 ? d : e"),
    "doubles_are_divided_and_have_roots": DOUBLES + doubles("d / e", "near / 3.0", "sqrt(d)", "sqrt(near)", "fma(d, e, near)", "fma(near, near, -near * near)"),
    "doubles_compare": DOUBLES + doubles("fmin(d, e)", "fmax(near, e)") + folded("d < e", "d <= e", "near > e", "d >= e", "d == e", "d != e", "isnan(e)", "isinf(d)", "isnormal(d)", "isfinite(e)",
                                                                                 "signbit(d)", "islessgreater(d, e)", "isunordered(d, e)", "isgreaterequal(d, near)"),
    "doubles_become_whole": DOUBLES + doubles("floor(near)", "ceil(near)", "trunc(near * 0.5)", "round(near * 2)", "rint(near * 2)", "rint(near * 0x1p-12)", "round(d)", "ldexp(d, (int)x >> 21)"),
    "doubles_are_converted": DOUBLES + doubles("x", "(int)y", "l", "(long)m", "as_float(x)", "as_half((ushort)y)")
    + wide("(int)near", "(uint)near", "(long)d", "(ulong)e", "(char)near", "convert_int_sat_rte(d)", "convert_ulong_sat_rtp(near)")
    + folded("as_uint((float)d)", "as_uint((float)near)", "as_ushort((half)near)", "as_uint(convert_float_rtz(near))", "as_uint((float)as_double(q >> 4 | 0x3000000000000000ul))"),
    "doubles_are_constants_and_tables": """
        constant double table[] = {1.5, -0x1p-1074, 3.25, 1e300}; constant half halves[] = {1.5h, -0.0h, 65504.0h, 0.1h}; double of[3] = {2.0, 0.1, 4.0};""" + DOUBLES + """
        of[y % 3] = near;""" + doubles("table[x & 3]", "of[x % 3]") + folded("as_ushort(halves[x & 3])"),
    "collectives_of_doubles": DOUBLES + doubles("sub_group_reduce_add(near)", "work_group_scan_inclusive_max(d)", "sub_group_shuffle_xor(e, 1)", "sub_group_broadcast(d, 1)", "work_group_reduce_min(e)"),
    "halves_are_computed_as_floats_and_rounded": HALVES + halves("h + near", "fma(h, k, near)", "fabs(h)", "copysign(h, k)", "-h", "x & 1 ? h : k", "fmin(near, k)")
    + folded("h < near", "isnan(h)", "isnormal(h)", "isfinite(k)", "signbit(h)", "convert_short_sat_rte(near)"),
    "halves_of_others_are_rounded_each_way": """
        float f = as_float(x), g = (float)(int)y * 0x1p-20f;""" + folded(*(f"as_ushort(convert_half{mode}({value}))" for mode, value in zip(ROUNDINGS, ("l", "f", "g", "(int)x >> 12", "m")))),
    "collectives_of_halves": HALVES + halves("sub_group_reduce_add(near)", "work_group_scan_inclusive_max(h)", "sub_group_shuffle_xor(k, 1)")
    + """
        if (x & 4) {""" + halves("sub_group_non_uniform_reduce_mul(near)") + folded("sub_group_non_uniform_all_equal(near * 0.0h)") + "}",
    "products_of_longs": wide("l * m", "mul_hi(l, m)", "mul_hi((long)l, (long)m)", "mad_hi((long)l, (long)m, (long)x)", "mad_sat(l, m, (ulong)x)", "mad_sat((long)l, (long)m, (long)y)",
                              "mul_hi(l, 10000000000000000000ul)", "mul_hi((long)l, -7l)", "(l >> 32) * (uint)m + mul_hi(x, y)", "(long)(int)x * (int)y", "mul_hi(l, m) == 0 ? l : m",
                              "mul_hi(l, m) >> 63 != 0 ? l : m", "(mul_hi(l, m) << 9 | l * m >> 55) + (mul_hi(l, m) != 0 && (uint)(l * m) != 0)"),
    "longs_move_and_are_counted": wide("l << (y & 63)", "l >> (x & 63)", "(long)l >> (y & 63)", "rotate(l, m)", "rotate(l, 11ul)", "popcount(l)", "clz(l)", "ctz(m)", "clz(m >> 40)", "ctz(l << 33)",
                                       "l ^ ~m", "-l", "abs((long)l)", "abs_diff(l, m)", "abs_diff((long)l, (long)m)", "hadd(l, m)", "rhadd((long)l, (long)m)",
                                       "as_ulong(as_uchar8(l).s76543210)", "bitselect(l, m, (ulong)y)", "upsample(x, y)"),
    "longs_compare_and_saturate": wide("l < m", "(long)l < (long)m", "l <= m ? l : m", "min((long)l, (long)m)", "max(l, m)", "clamp((long)l, -5l, 1l << 40)", "add_sat(l, m)", "add_sat((long)l, (long)m)",
                                       "sub_sat(l, m)", "sub_sat((long)l, (long)m)", "add_sat((long)l, LONG_MAX)", "sub_sat((long)l, LONG_MAX)", "add_sat(l, ULONG_MAX)", "(l == m) + (l > x) * 2 + (m >= l) * 4"),
    "quotients_of_longs": """
        long s = (long)l, t = i == 3 ? -1 : (long)m; if (i == 3) s = LONG_MIN;""" + wide("l / m", "l % m", "s / t", "s % t", "s / 1000000007l"),
    "quotients_of_narrow_integers": "".join(
        f"\n        {{ {kind} a = ({kind})x, b = ({kind})(y >> 7 & in[i ^ 2]); r = r * 33 ^ (uint)(a / b) ^ (uint)(a % b) * 5; }}" for kind in ("char", "ushort", "int", "uint")),
    "floats_of_longs": "".join(folded(f"as_uint(convert_float{mode}(l))", f"as_uint(convert_float{mode}((long)l))") for mode in ROUNDINGS)
    + folded("as_uint((float)(l >> 24))", "as_uint((float)(long)(0x1000001ul << (x & 31)))", "as_uint((float)(ulong)0)"),
    "longs_of_floats": """
        float f = as_float(x), g = (float)(int)y * as_float((127 + (x & 63)) << 23) * 0x1p-32f;""" + "".join(
            wide(f"convert_long{mode}(g)", f"convert_ulong_sat{mode}(g)", f"convert_long_sat{mode}(f)") for mode in ROUNDINGS) + wide("(long)f", "(ulong)f", "(ulong)g"),
    "integers_of_each_type_wrap_and_saturate": "".join(
        of_type(kind, f"add_sat(a, b) ^ ({kind})(sub_sat(b, c) * ({kind})3) ^ mul_hi(a, b) ^ ({kind})(rotate(a, c) + hadd(b, c) * ({kind})5)") + of_type(kind, "mad_sat(a, b, c)")
        for kind in INTEGERS if WIDTHS[kind] < 64) + folded("mul24((int)x << 8 >> 8, (int)y << 8 >> 8)", "mad24(x & 0xFFFFFF, y & 0xFFFFFF, x)"),
    "integers_of_each_type_are_counted": "".join(of_type(kind, f"popcount(a) + clz(b) * ({kind})3 + ctz(c) * ({kind})5 + ({kind})abs_diff(a, b)") for kind in INTEGERS)
    + folded("as_uint(as_uchar4(x).wzyx)", "abs((int)x)", "abs((char)y)"),
    "floats_become_whole_and_are_taken_apart": """
        float f = as_float(x), g = (float)(int)y * 0x1p-20f, whole; int e;""" + folded(
            *(f"as_uint({value})" for value in ("rint(g)", "floor(f)", "ceil(g)", "trunc(g)", "round(g)", "fract(g, &whole)", "whole", "modf(f, &whole)", "whole", "frexp(g, &e)", "ldexp(g, (int)x >> 25)",
                                                "fmin(f, g)", "fmax(f, g)", "fdim(g, f)", "nextafter(f, g)", "fmod(g, 0.375f)", "logb(f)", "copysign(f, g)", "sign(f)", "step(f, g)", "mix(g, 2.0f, 0.25f)")),
            "e", "ilogb(g)", "isnan(f)", "isnormal(f)", "isinf(f)", "isfinite(f)", "signbit(f)", "islessgreater(f, g)", "isequal(f, f)"),
    "a_nan_keeps_its_payload_where_it_is_moved": folded("as_uint(x & 1 ? as_float(0x7F812345u) : as_float(y))", "as_ushort(x & 2 ? as_half((ushort)0xFC01) : as_half((ushort)y))"),
    "collectives_of_longs": wide("sub_group_reduce_add(l)", "sub_group_scan_inclusive_max((long)l)", "sub_group_scan_exclusive_min(m)", "work_group_reduce_add(l)", "work_group_scan_exclusive_max((long)m)",
                                 "work_group_scan_inclusive_min(l)", "sub_group_shuffle(l, x & 3)", "sub_group_broadcast(m, 1)", "work_group_broadcast(l, 3)"),
    "collectives_of_some_work_items": "if (x & 8) {" + wide("sub_group_non_uniform_reduce_mul(l)", "sub_group_non_uniform_scan_inclusive_add((long)l)", "sub_group_non_uniform_scan_exclusive_min((long)m)",
                                                            "sub_group_non_uniform_reduce_logical_xor((int)x & 1)", "sub_group_non_uniform_scan_inclusive_logical_or((int)y & 2)", "sub_group_non_uniform_reduce_mul(x)",
                                                            "sub_group_non_uniform_scan_exclusive_mul((short)y)", "sub_group_non_uniform_reduce_max((char)x)", "sub_group_non_uniform_all_equal(x & 3)",
                                                            "sub_group_non_uniform_reduce_add((uchar)y)") + folded("as_uint(sub_group_non_uniform_reduce_mul(as_float(x | 1)))",
                                                                                                                    "as_uint(sub_group_non_uniform_scan_inclusive_add(as_float(y)))")
    + "} else {" + wide("sub_group_clustered_reduce_add(l, 2)", "sub_group_clustered_reduce_mul(x, 4)", "sub_group_clustered_reduce_logical_and((int)x & 4, 2)", "sub_group_clustered_reduce_xor(y, 2)",
                        "sub_group_rotate(x, 1)", "sub_group_clustered_rotate(l, 1, 2)", "sub_group_shuffle_up(y, 1)") + "}",
}
KERNELS = {name: BEGIN + body + END for name, body in BODIES.items()}


def options(name):
    return ["--double"] if "doubles" in name else []


def lanes(name):
    """One, but where lanes meet: what Verilator makes of a kernel takes its time."""
    return 2 if name.startswith("collectives") else 1
