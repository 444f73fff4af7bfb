# SPDX-License-Identifier: Apache-2.0
"""Random kernels for pipelines: OpenCL C whose result does not depend on the order of work-items, and dispatches of them.

A statement stands in one of three modes, by who has come to it together: "group" (the whole work-group: barriers and work-group
collectives may stand there), "sub" (whole sub-groups: their collectives), "free" (any work-items: functions of active work-items). A
work-item reads what nobody writes, or what is its own; other work-items' values only through collectives, or local memory between barriers.
"""
import random

LANES = (1, 2, 2, 4, 4, 8)
SLOTS = (2, 4, 8, 16)
IN_WORDS = 64  # of the buffer that everybody reads
OWN_WORDS = 4  # of each buffer, a work-item's
LOCAL_WORDS = 128  # of the local array: a work-group's most work-items

MODES = ("group", "sub", "free")


class Maker:
    """A kernel: .source, .lanes, .slots, and dispatches()."""

    def __init__(self, seed):
        self.seed = seed
        self.r = random.Random(seed)
        self.lanes = self.r.choice(LANES)
        self.slots = self.r.choice(SLOTS)
        # A kernel has some of these: all in each would be large, and hide what one alone does.
        self.has = {name: self.r.randrange(100) < percent for name, percent in
                    (("floats", 25), ("narrow", 40), ("vectors", 30), ("structs", 25), ("division", 15), ("local", 45), ("collectives", 60),
                     ("loops", 80), ("calls", 30), ("arrays", 20), ("atomics", 20), ("returns", 40), ("dimensions", 40), ("loads", 80), ("tables", 20), ("kept", 30), ("generic", 20))}
        # Of a source of its own, so that seeds without them are the kernels that they were.
        more = random.Random(f"{seed}, more")
        self.has.update({name: more.randrange(100) < percent for name, percent in (("longs", 20), ("halfs", 20), ("near", 25))})
        # An array that has to stay one, by its element. With generic pointers to it, it is in the memory port.
        self.kept, self.kept_words = self.r.choice(("uint", "uint", "uchar", "short", "ulong", "float" if self.has["floats"] else "uint")), self.r.randrange(2, 12)
        self.dimensions = self.r.randrange(1, 4) if self.has["dimensions"] else 1
        self.budget = self.r.randrange(2, 8)
        self.counters = []  # of the loops around
        self.loops = 0
        self.functions = []
        self.in_function = False
        self.lines = []
        self.make()

    def chance(self, percent):
        return self.r.randrange(100) < percent

    # ---- expressions

    def variable(self):
        names = ["v0", "v1", "v2", "v3"]
        if not self.in_function:
            names += ["s0", "b0"] if self.has["narrow"] else []
            names += ["q.x", "q.y", "q.z", "q.w"] if self.has["vectors"] else []
            names += ["p.a", "p.b", "p.c"] if self.has["structs"] else []
        return self.r.choice(names)

    def value(self):
        """A variable as a uint."""
        name = self.variable()
        return name if name not in ("s0", "b0", "p.b") else f"(uint){name}"

    def alike(self):
        """A step of what is the same in all work-items of a sub-group, as long as all take it."""
        w, other = self.r.choice((("w0", "w1"), ("w1", "w0")))
        self.put(self.r.choice((f"{w} = {w} * 3 + {other};", f"{w} += {self.r.randrange(99)};", f"{w} ^= {other} + n;", f"{w} += {self.counters[-1] if self.counters else 'm'};",
                                f"{w} += {self.value()};" if self.chance(30) else f"{w}++;")))

    def leaf(self):
        kinds = ["variable"] * 6 + ["number"] * 2 + ["argument", "identity"]
        kinds += ["counter"] * 2 if self.counters else []
        if not self.in_function:
            kinds += ["alike"]
            kinds += ["load"] * 2 if self.has["loads"] else []
            kinds += ["table"] * 2 if self.has["tables"] else []
            kinds += ["array"] * 2 if self.has["arrays"] else []
            kinds += ["kept"] * 2 if self.has["kept"] else []
            kinds += ["float"] if self.has["floats"] else []
            kinds += ["signed"] if self.has["narrow"] else []
            kinds += [kind for kind, has in (("long", "longs"), ("half", "halfs"), ("near", "near")) if self.has[has] for _ in range(2)]
        kind = self.r.choice(kinds)
        if kind == "variable":
            return self.value()
        if kind == "number":
            return f"{self.r.choice((self.r.randrange(8), self.r.randrange(256), self.r.randrange(1 << 32)))}u"
        if kind == "argument":
            return self.r.choice(("n", "m"))
        if kind == "counter":
            return self.r.choice(self.counters)
        if kind == "load":
            return self.r.choice((f"in[{self.uint(0)} & {IN_WORDS - 1}]", f"own[at + ({self.variable()} & 3)]", f"in[(id + {self.r.randrange(9)}) & {IN_WORDS - 1}]",
                                  f"in[{self.r.choice(('n', 'm'))} & 31]", f"in[get_group_id(0) & 31]"))
        if kind == "alike":
            return self.r.choice(("w0", "w1"))
        if kind == "table":
            return self.r.choice((f"table[{self.value()} & 7]", f"(uint)table_of_bytes[{self.value()} & 15]"))
        if kind == "array":
            return f"a[{self.r.randrange(4)}]"
        if kind == "kept":
            return self.kept_value(self.kept_place())
        if kind == "float":
            return f"as_uint({self.float(1)})"
        if kind == "signed":
            return "(uint)" + self.r.choice(("h0", "c0"))
        if kind == "long":
            return "(uint)" + self.r.choice((f"(x0 >> {self.r.randrange(64)})", f"(x1 >> {self.r.randrange(64)})", "(x0 > (ulong)x1)", "(x1 < (long)x0)", "popcount(x0)",
                                             "clz(x1)", f"mul_hi(x0, (ulong){self.value()} << 31)", f"(x0 << ({self.variable()} & 63))"))
        if kind == "half":
            return self.r.choice(("(uint)as_ushort(e0)", "(uint)as_ushort(e1)", "(uint)(e0 < e1)", "(uint)convert_int_sat(e1)"))
        if kind == "near":  # words that lie together, as a filter's
            return self.r.choice((f"in[min(id + {self.r.randrange(4)}u, {IN_WORDS - 1}u)]", f"in[max((int)(id & 31) - {self.r.randrange(3)}, 0)]"))
        d = self.r.randrange(3)
        return "(uint)" + self.r.choice(("id", f"get_local_id({d})", f"get_group_id({d})", f"get_global_id({d})", f"get_local_size({d})",
                                         f"get_num_groups({d})", f"get_global_size({d})", "get_sub_group_local_id()", "get_sub_group_id()",
                                         "get_sub_group_size()", "get_num_sub_groups()", f"get_global_offset({d})", "get_max_sub_group_size()",
                                         f"get_enqueued_local_size({d})"))

    def kept_place(self):
        return f"kept[{self.variable()} % {self.kept_words}]" if self.chance(60) else f"kept[{self.r.randrange(self.kept_words)}]"

    def kept_value(self, place):
        return f"as_uint({place})" if self.kept == "float" else f"(uint){place}" if self.kept != "ulong" else f"(uint)({place} >> 9)"

    def uint(self, depth=2):
        if depth == 0 or self.chance(20):
            return self.leaf()
        x, y = self.uint(depth - 1), self.uint(depth - 1)
        kind = self.r.randrange(24)
        if kind < 12:
            return f"({x} {self.r.choice('+-*&|^^+')} {y})"
        if kind == 12:
            return f"({x} {self.r.choice(('<<', '>>'))} ({y} & 31))"
        if kind == 13:
            return f"(uint)((int){x} >> {self.r.randrange(32)})"
        if kind == 14:
            return f"({self.condition(depth - 1)} ? {x} : {y})"
        if kind == 15:
            return f"{self.r.choice(('min', 'max', 'rotate', 'add_sat', 'sub_sat', 'mul_hi', 'abs_diff', 'hadd'))}({x}, {y})"
        if kind == 16:
            return f"(uint){self.r.choice(('min', 'max', 'add_sat', 'sub_sat', 'mul_hi'))}((int){x}, (int){y})"
        if kind == 17:
            return f"{self.r.choice(('popcount', 'clz', 'ctz', '~', '-', '(uint)(ushort)', '(uint)(char)', '(uint)(short)', '(uint)(uchar)'))}({x})"
        if kind == 18:
            return f"(uint)abs((int){x})"
        if kind == 19 and self.has["division"]:
            return self.r.choice((f"({x} / ({y} | 1))", f"({x} % ({y} | 1))", f"({x} % {self.r.randrange(1, 20)}u)",
                                  f"(uint)((int){x} / (int)({y} & 255 | 1))", f"(uint)((int){x} % (int)({y} & 255 | 1))"))
        if kind == 20:
            return f"bitselect({x}, {y}, {self.leaf()})"
        if kind == 21 and self.chance(40):
            return f"(uint)(((ulong){x} {self.r.choice('+-*')} {y}) >> {self.r.randrange(33)})"
        return f"({x} {self.r.choice('+^')} {y})"

    def float(self, depth=1):
        if depth == 0 or self.chance(20):
            return self.r.choice(("f0", "f1", f"{self.r.randrange(64) / 8 - 3}f", f"(float)({self.variable()} & 0xFFFF)", f"(float)(int){self.variable()}",
                                  f"(float){self.variable()}", f"as_float((uint){self.variable()})" if self.chance(40) else "f0"))
        x, y = self.float(depth - 1), self.float(depth - 1)
        kind = self.r.randrange(12)
        if kind < 7:
            return f"({x} {self.r.choice('+-*')} {y})"
        if kind == 7:
            return f"fma({x}, {y}, {self.float(0)})"
        if kind == 8:
            return f"{self.r.choice(('fmin', 'fmax', 'copysign'))}({x}, {y})"
        if kind == 9:
            return f"{self.r.choice(('fabs', '-', 'trunc'))}({x})"
        if kind == 10:
            return f"({self.condition(1)} ? {x} : {y})"
        return self.r.choice((f"(float)convert_int_sat({x})", f"({x} / {y})", f"sqrt(fabs({x}))", f"({x} + {y})"))

    def condition(self, depth=1):
        kind = self.r.randrange(10)
        if kind < 5:
            return f"(({self.uint(depth)} >> {self.r.randrange(12)} & {self.r.choice((1, 3, 7))}) {self.r.choice(('==', '!=', '<', '>='))} {self.r.randrange(4)})"
        if kind == 5 and self.has["floats"] and not self.in_function:
            return f"({self.float(depth)} {self.r.choice(('<', '<=', '==', '>', '>=', '!='))} {self.float(depth)})"
        if kind == 6:
            return f"((int){self.uint(depth)} < (int){self.uint(depth)})"
        if kind == 7 and depth > 0:
            return f"({self.condition(depth - 1)} {self.r.choice(('&&', '||'))} {self.condition(depth - 1)})"
        return f"({self.uint(depth)} {self.r.choice(('<', '>', '==', '!='))} {self.uint(depth)})"

    def shared(self, mode):
        """A number that is the same for all who stand together in this mode."""
        words = ["n", "m", "(uint)get_group_id(0)", "(uint)get_group_id(1)", f"in[n & {IN_WORDS - 1}]", f"in[(get_group_id(0) + {self.r.randrange(9)}) & 31]"]
        words += [c for c in self.counters if c.startswith("u")] * 2
        if mode == "sub":
            words += ["get_sub_group_id()"] * 3
            if self.has["collectives"]:
                words += [f"sub_group_reduce_max({self.variable()})", f"sub_group_broadcast({self.variable()}, 0)"]
        elif self.has["collectives"]:
            words += [f"work_group_reduce_add({self.variable()})"]
        return f"({self.r.choice(words)} {self.r.choice('+^*')} {self.r.randrange(1 << self.r.randrange(1, 12))})"

    def condition_in(self, mode):
        if mode != "free":
            return f"({self.shared(mode)} >> {self.r.randrange(3)} & {self.r.choice((1, 3))}) {self.r.choice(('==', '!='))} {self.r.randrange(2)}"
        if self.has["collectives"] and self.chance(15):
            return f"{self.r.choice(('sub_group_non_uniform_any', 'sub_group_non_uniform_all'))}({self.condition(1)})"
        if self.has["collectives"] and self.chance(8):
            return f"{self.condition(0)} && sub_group_elect()"
        return self.condition(1)

    # ---- statements

    def put(self, line):
        self.lines.append(line)

    def target(self):
        return self.variable()

    def assign(self):
        kind = self.r.randrange(12)
        if not self.in_function and self.chance(20):
            self.alike()
        elif self.in_function or kind < 6:
            self.put(f"{self.target()} {self.r.choice(('=', '+=', '^=', '='))} {self.uint()};")
        elif kind == 6 and self.has["floats"]:
            self.put(f"{self.r.choice(('f0', 'f1'))} = {self.float()};")
        elif kind == 7 and self.has["vectors"]:
            self.put(self.r.choice((f"q = q {self.r.choice('+-*^&')} (uint4)({self.leaf()}, {self.leaf()}, {self.leaf()}, {self.leaf()});", "q = q.wxyz;",
                                    f"q.xy = q.zw + {self.leaf()};", f"q = vload4({self.variable()} & 7, in);", f"vstore4(q, id, out);",
                                    f"q = as_uint4(convert_short8((ushort8)(s0)));" if self.has["narrow"] else "q ^= q >> 3;")))
        elif kind == 8 and self.has["structs"]:
            self.put(self.r.choice((f"p.{self.r.choice(('a', 'b', 'c'))} = {self.uint()};", "{ struct pair o = p; p.a = o.b; p.b = o.a + o.c; }",
                                    "pairs[id] = p;", "p = pairs[id];")))
        elif self.has["kept"] and self.chance(25):
            value = self.float() if self.kept == "float" else self.uint(1)
            self.put(self.r.choice((f"{self.kept_place()} = {value};", f"{self.kept_place()} += {value};", f"{self.kept_place()} = ({self.kept}){self.kept_place()};")))
        elif self.has["generic"] and self.chance(20):
            place = f"(uint *)(own + at + ({self.variable()} & 3))"
            other = f"(uint *)&kept[{self.variable()} % {self.kept_words}]" if self.has["kept"] and self.kept == "uint" else f"(uint *)(out + at + {self.r.randrange(4)})"
            self.put(f"{{ uint *g = {self.condition(1)} ? {place} : {other}; *g {self.r.choice(('=', '+=', '^='))} {self.uint(1)}; {self.variable()} += *g; }}")
        elif self.has["longs"] and self.chance(25):
            self.put(self.r.choice((f"x0 = x0 {self.r.choice('+-*^')} ((ulong){self.uint(1)} << 32 | {self.leaf()});", f"x1 = x1 {self.r.choice('+-*')} (int)({self.uint(1)});",
                                    f"x0 ^= x0 >> {self.r.randrange(1, 64)};", "x1 = (long)x0 >> 5;", "x0 = (ulong)x1 * 0x9E3779B97F4A7C15ul;",
                                    f"x0 = rotate(x0, (ulong){self.r.randrange(64)});", f"x1 = {self.condition(1)} ? x1 : max(x1, (long)(int)v0);")))
        elif self.has["halfs"] and self.chance(25):
            self.put(self.r.choice((f"e0 = e0 {self.r.choice('+-*')} e1;", f"e1 = (half)(int)({self.uint(1)} & 4095) * 0.25h;", f"e1 = e0 {self.r.choice('+-')} (half)(short){self.variable()};",
                                    "e0 = fma(e0, e1, 0.5h);", f"e0 = {self.condition(1)} ? fmin(e0, e1) : fabs(e1);", f"e1 = as_half((ushort){self.variable()});")))
        elif kind == 9 and self.has["arrays"]:
            self.put(f"a[{self.r.randrange(4)}] = {self.uint(1)};")
        elif kind == 10 and self.has["narrow"]:
            self.put(self.r.choice((f"h0 = (short)({self.uint(1)});", f"c0 = (char)({self.uint(1)});", f"h0 += c0 * s0;", f"s0 = (ushort)(s0 * b0 + {self.r.randrange(99)});")))
        else:
            self.put(f"{self.target()} += {self.uint(1)} * {self.r.randrange(1 << 16)}u;")

    def store(self):
        where = f"at + ({self.r.choice((str(self.r.randrange(OWN_WORDS)), self.variable()))} & {OWN_WORDS - 1})"
        kind = self.r.randrange(6)
        if kind < 3:
            self.put(f"{self.r.choice(('out', 'own'))}[{where}] = {self.uint(1)};")
        elif kind == 3 and self.has["narrow"]:
            self.put(self.r.choice((f"halves[{where}] = (ushort)({self.uint(1)});", f"bytes[{where}] = (uchar)({self.uint(1)});",
                                    f"{self.variable()} += halves[{where}] + (uint)(short)halves[at];", f"{self.variable()} ^= bytes[{where}];")))
        elif kind == 4 and self.has["atomics"]:
            self.put(self.r.choice((f"atomic_{self.r.choice(('add', 'or', 'xor', 'max', 'min', 'and'))}(&sums[OP], {self.uint(1)});",
                                    f"{self.variable()} += atomic_add(&own[{where}], {self.leaf()});", "atomic_inc(&sums[7]);",
                                    f"{{ uint x = {self.uint(1)}, o = 0; while (true) {{ uint f = atomic_cmpxchg(&sums[6], o, o + x); if (f == o) break; o = f; }} }}",
                                    f"{{ uint e = {self.leaf()}; {self.variable()} += atomic_compare_exchange_strong((volatile global atomic_uint *)&own[{where}], &e, {self.leaf()}) + e; }}")))
        else:
            self.put(f"own[{where}] += {self.uint(1)};")

    def collective(self, mode):
        v, x = self.variable(), self.uint(1)
        if mode == "free":
            op = self.r.choice(("add", "min", "max", "and", "or", "xor"))
            forms = [f"{v} ^= sub_group_ballot({x} & 1).x;", f"{v} ^= sub_group_shuffle({x}, {self.leaf()} % get_max_sub_group_size());",
                     f"{v} ^= sub_group_shuffle_xor({x}, {self.r.randrange(self.lanes)});", f"{v} += sub_group_non_uniform_reduce_{op}({x});",
                     f"{v} += sub_group_non_uniform_scan_exclusive_add({x});", f"{v} ^= sub_group_non_uniform_scan_inclusive_{op}({x});",
                     f"{v} += sub_group_broadcast_first({x});", f"{v} += sub_group_elect() ? {x} : 5;",
                     f"{v} += (uint)sub_group_non_uniform_reduce_min((int){x});"]
            self.put(self.r.choice(forms))
            return
        kind = self.r.choice(("reduce", "scan_inclusive", "scan_exclusive"))
        op = self.r.choice(("add", "min", "max"))
        group = mode == "group" and self.chance(45)
        scope = "work_group" if group else "sub_group"
        if group and self.chance(20):
            place = ", ".join(f"n % get_local_size({d})" for d in range(self.dimensions))
            self.put(f"{v} += work_group_broadcast({x}, {place});")
        elif self.has["floats"] and self.chance(35):
            op = op if not group else self.r.choice(("min", "max"))
            self.put(f"{self.r.choice(('f0', 'f1'))} {self.r.choice(('=', '+='))} {scope}_{kind}_{op}({self.float(1)});")
        elif self.chance(55):
            self.put(self.r.choice((f"{v} += {scope}_{kind}_{op}({x});", f"{v} ^= (uint){scope}_{kind}_{op}((int){x});")))
        elif self.chance(40):
            self.put(f"{v} += {scope}_{self.r.choice(('all', 'any'))}({self.condition(1)}) ? {self.leaf()} : {self.r.randrange(99)};")
        else:
            self.put(self.r.choice((f"{v} ^= sub_group_broadcast({x}, n % get_sub_group_size());", f"{v} ^= sub_group_ballot({self.condition(1)}).x;",
                                    f"{v} ^= sub_group_shuffle_xor({x}, {self.r.randrange(self.lanes)});",
                                    f"{v} += sub_group_shuffle({x}, {self.leaf()} % get_max_sub_group_size());",
                                    f"{{ uint4 w = sub_group_ballot({v} & 1); {v} += sub_group_ballot_bit_count(w) + sub_group_ballot_exclusive_scan(w); }}")))

    def exchange(self):
        """Work-items of a work-group read each other's values in local memory."""
        self.put(f"l[lid] = {self.uint(1)};")
        self.put("barrier(CLK_LOCAL_MEM_FENCE);")
        if self.chance(30):
            self.loops += 1
            c = f"u{self.loops}"
            self.put(f"for (uint {c} = 0; {c} < {self.r.randrange(1, 4)}; {c}++) {self.variable()} += l[(lid + {c}) % items] * {self.r.randrange(99)}u;")
        else:
            self.put(f"{self.variable()} ^= l[({self.uint(1)}) % items];")
        self.put("barrier(CLK_LOCAL_MEM_FENCE);")

    def exchange_in_a_loop(self):
        """All come to it in the same round, but not all leave the loop in the same."""
        self.loops += 1
        c, when = f"c{self.loops}", self.r.randrange(2)
        self.put("#pragma nounroll")
        self.put(f"for (uint {c} = 0, end{self.loops} = {when + 1} + ({self.uint(1)} & 3); {c} < end{self.loops}; {c}++) {{")
        self.put(f"if ({c} == {when}) {{")
        self.exchange()
        self.put("}")
        self.counters.append(c)
        self.assign()
        self.counters.pop()
        self.put("}")

    def call(self):
        self.put(f"{self.variable()} += {self.r.choice(self.functions)}({self.uint(1)}, {self.leaf()}, n, m);")

    def inner(self, mode, depth, loop):
        self.put("{")
        self.block(mode, depth + 1, loop)
        self.put("}")

    def deeper(self, mode):
        """Mode of what stands within a branch or loop here."""
        return self.r.choice(MODES[MODES.index(mode):] + (mode,))

    def branch(self, mode, depth, loop):
        within = self.deeper(mode)
        self.put(f"if ({self.condition_in(within)})")
        # Who leaves a loop early leaves those behind with whom it came to it.
        loop = loop if loop is None or MODES.index(within) <= MODES.index(loop) else None
        self.inner(within, depth, loop)
        if self.chance(50):
            self.put("else")
            self.inner(within, depth, loop)

    def loop(self, mode, depth):
        within = self.deeper(mode)
        self.loops += 1
        c = f"{'c' if within == 'free' else 'u'}{self.loops}"
        most = self.r.randrange(1, 6 if depth == 0 else 4)
        bound = f"({self.shared(within) if within != 'free' else self.uint(1)} & {self.r.choice((1, 3, 3, 7))})" if self.chance(60) else str(most)
        if self.chance(15):
            self.put(self.r.choice((f"__attribute__((opencl_unroll_hint({self.r.choice((2, 4))})))", "#pragma unroll 2", "#pragma nounroll")))
            kind = 0
        else:
            kind = self.r.randrange(5)
            if kind < 3 and self.chance(40):
                self.put("#pragma nounroll")
        if kind < 3:
            self.put(f"for (uint {c} = 0, end{self.loops} = {bound}; {c} < end{self.loops}; {c}++)")
        elif kind == 3:
            self.put(f"{{ uint {c} = 0; while ({c}++ < {most} && {self.condition_in(within)})")
        else:
            self.put(f"{{ uint {c} = 0; do")
        self.counters.append(c)
        number = self.loops
        self.inner(within, depth, within)
        if kind == 4:
            self.put(f"while (++{c} < {most} && {self.condition_in(within)});")
        self.counters.pop()
        assert number
        if kind >= 3:
            self.put("}")

    def switch(self, mode, depth):
        within = self.deeper(mode)
        self.put(f"switch ({self.shared(within) if within != 'free' else self.uint(1)} & 3) {{")
        for i in range(3):
            self.put(f"case {i}:" if i < 2 else "default:")
            self.inner(within, depth, None)
            if self.chance(75):
                self.put("break;")
        self.put("}")

    def leave(self, mode, loop):
        if loop == mode and self.chance(50):
            self.put(f"if ({self.condition_in(mode)}) {self.r.choice(('break', 'continue'))};")
        elif self.may_return and self.has["returns"] and mode == "free" and self.chance(40):
            self.put("return v0;" if self.in_function else "{ out[at] = v1; return; }")

    def statement(self, mode, depth, loop):
        self.budget -= 1
        if depth < 3 and self.budget > 0 and self.chance(40):
            kind = self.r.randrange(7)
            if kind < 3 or not self.has["loops"]:
                self.branch(mode, depth, loop)
            elif kind < 6:
                self.loop(mode, depth)
            else:
                self.switch(mode, depth)
            return
        if self.chance(25) and self.functions and not self.in_function:
            self.call()
        elif mode == "group" and self.has["local"] and not self.in_function and self.chance(30):
            if self.has["loops"] and self.chance(25):
                self.exchange_in_a_loop()
            else:
                self.exchange()
        elif self.has["collectives"] and self.chance(30):
            self.collective(mode)
        elif not self.in_function and self.chance(25):
            self.store()
        else:
            self.assign()

    def block(self, mode, depth, loop):
        for _ in range(self.r.randrange(1, 4)):
            self.statement(mode, depth, loop)
            if self.budget <= 0:
                break
        self.leave(mode, loop)

    # ---- the kernel

    def make_function(self, name):
        self.in_function, self.may_return, budget = True, True, self.budget
        self.budget = 5
        self.put(f"uint {name}(uint v0, uint v1, uint n, uint m) {{")
        self.put("uint v2 = v0 * 5, v3 = v1 ^ v0 >> 2, id = n;")
        self.block("free", 1, None)
        self.put("return v0 ^ v1 ^ v2 ^ v3;")
        self.put("}")
        self.in_function, self.budget = False, budget
        self.functions.append(name)

    def make(self):
        if self.has["halfs"]:
            self.put("#pragma OPENCL EXTENSION cl_khr_fp16 : enable")
        if self.has["structs"]:
            self.put("struct pair { uint a; ushort b; uint c; };")
        if self.has["tables"]:
            self.put(f"constant uint table[8] = {{{', '.join(str(self.r.randrange(1 << 32)) + 'u' for _ in range(8))}}};")
            self.put(f"constant uchar table_of_bytes[16] = {{{', '.join(str(self.r.randrange(256)) for _ in range(16))}}};")
        if self.has["calls"]:
            self.make_function("g0")
        self.put("kernel void k(global const uint *in, global uint *out, global uint *own, global ushort *halves, global uchar *bytes,")
        self.put("              global uint *sums, global void *records, uint n, uint m) {")
        self.put("uint id = get_global_linear_id(), at = id * 4, v0 = (id + 1) * n, v1 = v0 >> 7 ^ id, v2 = v1 * m, v3 = v0 ^ v2 >> 3;")
        self.put(f"uint w0 = {self.r.choice(('0', 'n'))}, w1 = {self.r.choice(('1', 'm', 'get_group_id(0)', 'get_sub_group_id()'))};")
        if self.has["floats"]:
            self.put("float f0 = (float)(int)v0 * 0.001f, f1 = (float)(v1 & 1023);")
        if self.has["narrow"]:
            self.put("ushort s0 = v2; uchar b0 = v3; short h0 = v1; char c0 = v0 >> 3;")
        if self.has["longs"]:
            self.put("ulong x0 = ((ulong)v0 << 32 | v1) * 0x9E3779B97F4A7C15ul; long x1 = (long)(int)v2 * (int)v3;")
        if self.has["halfs"]:
            self.put("half e0 = (half)(short)(v0 & 1023), e1 = (half)(int)(v1 & 63) - 30.0h;")
        if self.has["vectors"]:
            self.put("uint4 q = (uint4)(v0, v1, n, id);")
        if self.has["structs"]:
            self.put("global struct pair *pairs = records; struct pair p = pairs[id];")
        if self.has["arrays"]:
            self.put("uint a[4] = {v0, v1, v2, v3};")
        if self.has["kept"]:
            self.put(f"{self.kept} kept[{self.kept_words}];")
            self.put(self.r.choice(("#pragma nounroll", "")))
            self.put(f"for (uint k = 0; k < {self.kept_words}; k++) kept[k] = {'(float)(v0 + k)' if self.kept == 'float' else 'v0 + k * 77'};")
        if self.has["local"]:
            self.put(f"local uint l[{LOCAL_WORDS}]; uint lid = get_local_linear_id(), items = get_local_size(0) * get_local_size(1) * get_local_size(2);")
        # First what needs others, where nobody may leave; then each on its way.
        self.may_return = False
        self.counters = []
        for _ in range(self.r.randrange(1, 5)):
            self.statement("group", 0, None)
            if self.has["returns"] and self.chance(15):
                self.put(f"if (({self.shared('group')} & 3) == 1) {{ out[at] = v0; return; }}")
        self.may_return = True
        for _ in range(self.r.randrange(1, 4)):
            self.statement("free", 0, None)
        for i in range(4):
            self.put(f"out[at + {i}] {self.r.choice(('=', '^=', '+='))} v{i};")
        self.put("own[at + 3] += w0 ^ w1 * 9;")
        if self.has["floats"]:
            self.put("own[at] = as_uint(f0); own[at + 1] ^= as_uint(f1);")
        if self.has["narrow"]:
            self.put("halves[at + 1] = s0 + h0; bytes[at + 2] = b0 ^ c0;")
        if self.has["vectors"]:
            self.put("own[at + 2] += q.x ^ q.y * 3 ^ q.z * 5 ^ q.w * 7;")
        if self.has["structs"]:
            self.put("pairs[id] = p;")
        if self.has["longs"]:
            self.put("own[at] ^= (uint)x0 ^ (uint)(x0 >> 32) * 3; own[at + 1] += (uint)x1 ^ (uint)(x1 >> 32) * 5;")
        if self.has["halfs"]:
            self.put("own[at + 2] ^= as_ushort(e0) | (uint)as_ushort(e1) << 16;")
        if self.has["kept"]:
            self.put("#pragma nounroll")
            self.put(f"for (uint k = 0; k < {self.kept_words}; k++) own[at + 3] = own[at + 3] * 3 ^ {self.kept_value('kept[k]')};")
        if self.has["arrays"]:
            self.put("own[at + 3] ^= a[0] ^ a[1] * 3 ^ a[2] * 5 ^ a[3] * 7;")
        self.put("}")
        # Operations of one word are of one kind: others do not commute with them.
        text, self.source = "\n".join(self.lines) + "\n", ""
        words = {"add": 0, "or": 1, "xor": 2, "max": 3, "min": 4, "and": 5}
        for line in text.splitlines(True):
            for name, word in words.items():
                line = line.replace(f"atomic_{name}(&sums[OP]", f"atomic_{name}(&sums[{word}]")
            self.source += line

    def dispatches(self):
        """Ranges, as dictionaries: of each a sub-group size of its own, some with an offset, most with a remainder."""
        made = []
        for _ in range(2):
            log2 = self.r.randrange(self.lanes.bit_length())
            most = min(LOCAL_WORDS, self.slots << log2)
            local, size = [], [1, 1, 1]
            for d in range(3):
                size[d] = self.r.randrange(1, most + 1) if d < self.dimensions else 1
                if self.chance(30) and d < self.dimensions:
                    size[d] = most  # a full work-group, and whole sub-groups
                most //= size[d]
                local.append(size[d])
            budget, sizes = 160, []
            for d in range(3):
                extent = self.r.randrange(1, max(2, min(budget, local[d] * 5) + 1)) if d < self.dimensions else 1
                budget = max(1, budget // extent)
                sizes.append(extent)
            made.append({"log2": log2, "dimensions": self.dimensions, "global": sizes, "local": local,
                         "offset": [self.r.randrange(50) if self.chance(30) and d < self.dimensions else 0 for d in range(3)],
                         "values": [self.r.randrange(1 << 32), self.r.randrange(1 << self.r.randrange(1, 33))],
                         "latency": self.r.choice((1, 5, 30, 100)), "busy": self.r.choice((0, 0, 30, 80)), "seed": self.r.randrange(1 << 30)})
        return made


if __name__ == "__main__":
    import sys
    maker = Maker(int(sys.argv[1]))
    print(f"// {maker.lanes} lanes, {maker.slots} slots\n{maker.source}")
