// SPDX-License-Identifier: Apache-2.0
// Random kernels with branches of every kind around functions of active work-items: who executes a call together is
// what the source says. That is: work-items of a sub-group are together at a call when they are in the same round of
// every loop around it, and came to it through the same calls of functions. A reference runs the source that way, for
// all work-items at once; the device's results are compared with it, and the machine code's order is proved.
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/code_order.h"
#include "tests/hls/compiler.h"
#include "tests/hls/device.h"

enum { LANES = 8, ITEMS = 14, VARIABLES = 4, FUNCTIONS = 3, DEPTH = 4, CASES = 4, NODES = 600, TEXT = 1 << 16 };

// ---- programs

enum kind {
  ASSIGN,
  CHOOSE,
  COLLECTIVE,
  CALL,
  IF,
  FOR,
  WHILE,
  DO,
  NEST,  // a loop of nothing but another, with one counter for both
  SWITCH,
  BREAK,
  CONTINUE,
  RETURN,
};

enum collective { BALLOT, SHUFFLE, REDUCE, SCAN, MAXIMUM, FIRST, ELECT, COLLECTIVES };

struct condition {
  int variable, shift;
  uint32_t mask, value;
  enum { PLAIN, ANY, PLAIN_AND_ELECT, LOOP_COUNTER } form;
};

struct node {
  enum kind kind;
  int a, b;         // variables
  uint32_t number;  // a constant
  int what;         // operation, collective, function or loop counter
  bool has_break[CASES];
  struct condition condition, outer_condition;
  struct node *inner[CASES];  // arms, bodies, cases
  struct node *next;
};

struct maker {
  struct node nodes[NODES];
  size_t used;
  uint64_t state;
  int loops, function;             // so far; which one is made
  struct node *bodies[FUNCTIONS];  // the last is the kernel
  bool is_noinline[FUNCTIONS];
};

static uint32_t pick(struct maker *m, uint32_t count) {
  m->state ^= m->state << 13;
  m->state ^= m->state >> 7;
  m->state ^= m->state << 17;
  return (uint32_t)(m->state >> 20) % count;
}

struct place {
  int depth;
  bool in_loop, can_break;
};

static struct node *make_block(struct maker *m, struct place place);

static struct condition make_condition(struct maker *m) {
  struct condition c = {.variable = (int)pick(m, VARIABLES), .shift = (int)pick(m, 12), .mask = 1 + pick(m, 3)};
  c.value = pick(m, 4) & c.mask;
  const uint32_t form = pick(m, 12);
  c.form = form == 0 ? ANY : form == 1 ? PLAIN_AND_ELECT : PLAIN;
  return c;
}

static void make_inner(struct maker *m, struct node *n, struct place place) {
  place.depth++;
  switch (n->kind) {
    case IF:
      n->inner[0] = make_block(m, place);
      n->inner[1] = pick(m, 2) == 0 ? make_block(m, place) : NULL;
      return;
    case SWITCH:
      place.can_break = true;
      for (int i = 0; i < CASES; i++) {
        n->inner[i] = make_block(m, place);
        n->has_break[i] = pick(m, 4) != 0;
      }
      return;
    default:
      n->what = m->loops++;
      place.in_loop = place.can_break = true;
      n->inner[0] = make_block(m, place);
  }
}

static struct node *make_statement(struct maker *m, struct place place) {
  cr_assert_lt(m->used, NODES);
  struct node *n = &m->nodes[m->used++];
  n->a = (int)pick(m, VARIABLES);
  n->b = (int)pick(m, VARIABLES);
  n->number = pick(m, 1000);
  n->condition = make_condition(m);
  n->outer_condition = make_condition(m);
  static const enum kind flat[] = {ASSIGN,     ASSIGN,     CHOOSE,     CHOOSE, COLLECTIVE,
                                   COLLECTIVE, COLLECTIVE, COLLECTIVE, CALL};
  static const enum kind deep[] = {IF, IF, IF, FOR, WHILE, DO, NEST, SWITCH};
  const bool is_deep = place.depth < DEPTH && m->used < NODES - 250 && pick(m, 5) < 2;
  n->kind = is_deep ? deep[pick(m, 8)] : flat[pick(m, 9)];
  if (is_deep) {
    make_inner(m, n, place);
  } else if (n->kind == CALL) {
    n->what = m->function > 0 ? (int)pick(m, (uint32_t)m->function) : 0;
    n->kind = m->function > 0 ? CALL : COLLECTIVE;
  }
  if (n->kind == ASSIGN)
    n->what = (int)pick(m, 3);
  if (n->kind == COLLECTIVE)
    n->what = (int)pick(m, COLLECTIVES);
  return n;
}

static struct node *make_exit(struct maker *m, struct place place) {
  const uint32_t choice = pick(m, 8);
  if (place.depth == 0 || choice > 3 || (choice == 2 && pick(m, 2) == 0))
    return NULL;
  if ((choice == 0 && !place.can_break) || (choice != 2 && choice != 0 && !place.in_loop))
    return NULL;
  struct node *n = &m->nodes[m->used++];
  n->kind = choice == 0 ? BREAK : choice == 2 ? RETURN : CONTINUE;
  n->number = pick(m, 1000);
  return n;
}

static struct node *make_block(struct maker *m, struct place place) {
  struct node *first = NULL, **end = &first;
  for (uint32_t i = 0, count = 1 + pick(m, place.depth == 0 ? 5 : 3); i < count; i++) {
    *end = make_statement(m, place);
    end = &(*end)->next;
  }
  *end = make_exit(m, place);
  return first;
}

static void make_program(struct maker *m, int seed) {
  m->state = 0x9E3779B97F4A7C15u * (uint64_t)seed;
  for (m->function = 0; m->function < FUNCTIONS; m->function++) {
    m->is_noinline[m->function] = pick(m, 2) == 0;
    m->bodies[m->function] = make_block(m, (struct place){0});
  }
}

// ---- as source

struct writer {
  char *text;
  size_t used;
  bool is_kernel;
};

static void put(struct writer *w, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  w->used += (size_t)vsnprintf(w->text + w->used, TEXT - w->used, format, rest);
  va_end(rest);
  cr_assert_lt(w->used, (size_t)TEXT);
}

static void put_condition(struct writer *w, const struct condition *c) {
  char plain[80];
  snprintf(plain, sizeof plain, "(v%d >> %d & %u) == %u", c->variable, c->shift, c->mask, c->value);
  put(w,
      c->form == ANY               ? "sub_group_non_uniform_any(%s)"
      : c->form == PLAIN_AND_ELECT ? "%s && sub_group_elect()"
                                   : "%s",
      plain);
}

static void put_block(struct writer *w, const struct node *first);

static void put_collective(struct writer *w, const struct node *n) {
  static const char *const functions[] = {
      "sub_group_ballot(v%d & 1).x * 7 + %u",
      "sub_group_shuffle_xor(v%d, %u & 7)",
      "sub_group_non_uniform_reduce_add(v%d + %u)",
      "sub_group_non_uniform_scan_exclusive_add(v%d + %u)",
      "sub_group_non_uniform_reduce_max(v%d ^ %u)",
      "sub_group_broadcast_first(v%d + %u)",
      "(sub_group_elect() ? v%d : %u)",
  };
  put(w, "v%d ^= ", n->a);
  put(w, functions[n->what], n->b, n->number);
  put(w, ";\n");
}

static void put_statement(struct writer *w, const struct node *n) {
  static const char *const plain[] = {"v%d = v%d * %u + 1;\n", "v%d ^= v%d >> 3 ^ %u;\n", "v%d += v%d / (%u + 3);\n"};
  switch (n->kind) {
    case ASSIGN:
      put(w, plain[n->what], n->a, n->b, n->number);
      return;
    case CHOOSE:
      put(w, "v%d = ", n->a);
      put(w, "(v%d >> %d & %u) == %u", n->condition.variable, n->condition.shift, n->condition.mask,
          n->condition.value);
      put(w, " ? v%d + 5 : v%d ^ %u;\n", n->b, n->a, n->number);
      return;
    case COLLECTIVE:
      put_collective(w, n);
      return;
    case CALL:
      put(w, "v%d += f%d(v%d, v%d ^ %u);\n", n->a, n->what, n->a, n->b, n->number);
      return;
    case IF:
      put(w, "if (");
      put_condition(w, &n->condition);
      put(w, ") ");
      put_block(w, n->inner[0]);
      if (n->inner[1]) {
        put(w, "else ");
        put_block(w, n->inner[1]);
      }
      return;
    case FOR:
      put(w, "for (uint c%d = 0; c%d < (v%d & 3); c%d++) ", n->what, n->what, n->b, n->what);
      put_block(w, n->inner[0]);
      return;
    case WHILE:
      put(w, "{ uint c%d = 0; while (c%d++ < 3 && ", n->what, n->what);
      put_condition(w, &n->condition);
      put(w, ") ");
      put_block(w, n->inner[0]);
      put(w, "}\n");
      return;
    case DO:
      put(w, "{ uint c%d = 0; do ", n->what);
      put_block(w, n->inner[0]);
      put(w, "while (++c%d < 3 && ", n->what);
      put_condition(w, &n->condition);
      put(w, "); }\n");
      return;
    case NEST:
      put(w, "{ uint c%d = 0; do do { c%d++; ", n->what, n->what);
      put_block(w, n->inner[0]);
      put(w, "} while (c%d %% 3 != 0 && ", n->what);
      put_condition(w, &n->condition);
      put(w, "); while (c%d < 6 && ", n->what);
      put_condition(w, &n->outer_condition);
      put(w, "); }\n");
      return;
    case SWITCH:
      put(w, "switch (v%d >> %u & 3) {\n", n->b, n->number & 7);
      for (int i = 0; i < CASES; i++) {
        if (i < CASES - 1)
          put(w, "case %d: ", i);
        else
          put(w, "default: ");
        put_block(w, n->inner[i]);
        put(w, n->has_break[i] ? "break;\n" : "");
      }
      put(w, "}\n");
      return;
    case BREAK:
      put(w, "break;\n");
      return;
    case CONTINUE:
      put(w, "continue;\n");
      return;
    default:
      put(w, w->is_kernel ? "{ v0 += %u; STORE; return; }\n" : "return v0 + %u;\n", n->number);
  }
}

static void put_block(struct writer *w, const struct node *first) {
  put(w, "{\n");
  for (const struct node *n = first; n; n = n->next)
    put_statement(w, n);
  put(w, "}\n");
}

static void write_program(const struct maker *m, char text[TEXT]) {
  struct writer w = {.text = text};
  put(&w, "#define STORE out[i * 4] = v0; out[i * 4 + 1] = v1; out[i * 4 + 2] = v2; out[i * 4 + 3] = v3\n");
  for (int f = 0; f < FUNCTIONS - 1; f++) {
    put(&w, "%suint f%d(uint v0, uint v1) {\nuint v2 = v0 * 5, v3 = v1 ^ v0 >> 2;\n",
        m->is_noinline[f] ? "__attribute__((noinline)) " : "", f);
    put_block(&w, m->bodies[f]);
    put(&w, "return v0 ^ v1 ^ v2 ^ v3;\n}\n");
  }
  w.is_kernel = true;
  put(&w,
      "kernel void k(global uint *out, uint n) {\n"
      "uint i = get_global_id(0), v0 = (i + 1) * n, v1 = v0 >> 7 ^ i, v2 = v1 * n, v3 = v0 ^ v2 >> 3;\n");
  put_block(&w, m->bodies[FUNCTIONS - 1]);
  put(&w, "STORE;\n}\n");
}

// ---- as its meaning: of a sub-group, whose work-items are the bits of a mask

struct frame {
  const struct maker *maker;
  uint32_t v[VARIABLES][LANES], result[LANES];
};

struct exits {
  uint32_t broke, continued;
};

#define EACH(lane, mask)                        \
  for (uint32_t lane = 0; lane < LANES; lane++) \
    if (((mask) >> lane & 1) != 0)

static uint32_t lanes_where(const struct frame *f, const struct condition *c, uint32_t mask) {
  uint32_t result = 0;
  EACH(l, mask) {
    result |= (uint32_t)((f->v[c->variable][l] >> c->shift & c->mask) == c->value) << l;
  }
  return c->form == ANY ? (result != 0 ? mask : 0) : c->form == PLAIN_AND_ELECT ? result & -result : result;
}

static uint32_t run_block(struct frame *f, const struct node *first, uint32_t mask, struct exits *exits);

static void run_collective(struct frame *f, const struct node *n, uint32_t mask) {
  uint32_t ballot = 0, sum = 0, most = 0, value[LANES] = {0};
  EACH(l, mask) {
    const uint32_t x = f->v[n->b][l];
    ballot |= (x & 1) << l;
    sum += x + n->number;
    most = (x ^ n->number) > most ? x ^ n->number : most;
  }
  const uint32_t first = (uint32_t)__builtin_ctz(mask);
  uint32_t before = 0;
  EACH(l, mask) {
    const uint32_t x = f->v[n->b][l], other = l ^ (n->number & 7);
    const uint32_t results[COLLECTIVES] = {
        ballot * 7 + n->number,
        (mask >> other & 1) != 0 ? f->v[n->b][other] : 0,  // 0 is the device's (contract/DEVICE.md)
        sum,
        before,
        most,
        f->v[n->b][first] + n->number,
        l == first ? x : n->number};
    before += x + n->number;
    value[l] = results[n->what];
  }
  EACH(l, mask) {
    f->v[n->a][l] ^= value[l];
  }
}

static void run_call(struct frame *f, const struct node *n, uint32_t mask) {
  struct frame inner = {.maker = f->maker};
  EACH(l, mask) {
    const uint32_t x = f->v[n->a][l], y = f->v[n->b][l] ^ n->number;
    const uint32_t start[VARIABLES] = {x, y, x * 5, y ^ x >> 2};
    for (int v = 0; v < VARIABLES; v++)
      inner.v[v][l] = start[v];
  }
  struct exits exits = {0};
  const uint32_t end = run_block(&inner, f->maker->bodies[n->what], mask, &exits);
  EACH(l, end) {
    inner.result[l] = inner.v[0][l] ^ inner.v[1][l] ^ inner.v[2][l] ^ inner.v[3][l];
  }
  EACH(l, mask) {
    f->v[n->a][l] += inner.result[l];
  }
}

static uint32_t lanes_of_round(const struct frame *f, const struct node *n, uint32_t mask, uint32_t round) {
  if (n->kind != FOR)
    return round == 0 && n->kind == DO ? mask : round < 3 ? lanes_where(f, &n->condition, mask) : 0;
  uint32_t result = 0;
  EACH(l, mask) {
    result |= (uint32_t)(round < (f->v[n->b][l] & 3)) << l;
  }
  return result;
}

static uint32_t run_loop(struct frame *f, const struct node *n, uint32_t mask) {
  uint32_t left = 0;
  for (uint32_t round = 0; mask != 0; round++) {
    const uint32_t stay = lanes_of_round(f, n, mask, round);
    struct exits exits = {0};
    left |= mask & ~stay;
    mask = run_block(f, n->inner[0], stay, &exits) | exits.continued;
    left |= exits.broke;
  }
  return left;
}

static uint32_t run_nest(struct frame *f, const struct node *n, uint32_t mask) {
  uint32_t left = 0, count[LANES] = {0};
  while (mask != 0) {
    uint32_t outer = 0, again = 0;
    for (uint32_t inner = mask; inner != 0;) {
      struct exits exits = {0};
      EACH(l, inner) {
        count[l]++;
      }
      inner = run_block(f, n->inner[0], inner, &exits) | exits.continued;
      outer |= inner | exits.broke;
      again = 0;
      EACH(l, inner) {
        again |= (uint32_t)(count[l] % 3 != 0) << l;
      }
      inner = lanes_where(f, &n->condition, again);
      outer &= ~inner;
    }
    again = 0;
    EACH(l, outer) {
      again |= (uint32_t)(count[l] < 6) << l;
    }
    mask = lanes_where(f, &n->outer_condition, again);
    left |= outer & ~mask;
  }
  return left;
}

static uint32_t run_switch(struct frame *f, const struct node *n, uint32_t mask, struct exits *exits) {
  uint32_t here = 0, left = 0;
  for (uint32_t i = 0; i < CASES; i++) {
    struct exits inner = {0};
    EACH(l, mask) {
      here |= (uint32_t)((f->v[n->b][l] >> (n->number & 7) & 3) == i) << l;
    }
    // What the value is when the switch is entered counts.
    mask &= ~here;
    here = run_block(f, n->inner[i], here, &inner);
    exits->continued |= inner.continued;
    left |= inner.broke;
    left |= n->has_break[i] ? here : 0;
    here = n->has_break[i] ? 0 : here;
  }
  return left | here;
}

// Returns who goes on to the next statement.
static uint32_t run_statement(struct frame *f, const struct node *n, uint32_t mask, struct exits *exits) {
  uint32_t lanes;
  switch (n->kind) {
    case ASSIGN:
      EACH(l, mask) {
        const uint32_t x = f->v[n->b][l];
        f->v[n->a][l] = n->what == 0   ? x * n->number + 1
                        : n->what == 1 ? f->v[n->a][l] ^ x >> 3 ^ n->number
                                       : f->v[n->a][l] + x / (n->number + 3);
      }
      return mask;
    case CHOOSE: {
      struct condition plain = n->condition;
      plain.form = PLAIN;
      lanes = lanes_where(f, &plain, mask);
      EACH(l, mask) {
        f->v[n->a][l] = (lanes >> l & 1) != 0 ? f->v[n->b][l] + 5 : f->v[n->a][l] ^ n->number;
      }
      return mask;
    }
    case COLLECTIVE:
      run_collective(f, n, mask);
      return mask;
    case CALL:
      run_call(f, n, mask);
      return mask;
    case IF:
      lanes = lanes_where(f, &n->condition, mask);
      return run_block(f, n->inner[0], lanes, exits) | run_block(f, n->inner[1], mask & ~lanes, exits);
    case SWITCH:
      return run_switch(f, n, mask, exits);
    case NEST:
      return run_nest(f, n, mask);
    case BREAK:
      exits->broke |= mask;
      return 0;
    case CONTINUE:
      exits->continued |= mask;
      return 0;
    case RETURN:
      EACH(l, mask) {
        f->result[l] = f->v[0][l] += n->number;
      }
      return 0;
    default:
      return run_loop(f, n, mask);
  }
}

static uint32_t run_block(struct frame *f, const struct node *first, uint32_t mask, struct exits *exits) {
  for (const struct node *n = first; n && mask != 0; n = n->next)
    mask = run_statement(f, n, mask, exits);
  return mask;
}

static void run_reference(const struct maker *m, uint32_t n, uint32_t size, uint32_t out[ITEMS * VARIABLES]) {
  for (uint32_t first = 0; first < ITEMS; first += size) {
    struct frame f = {.maker = m};
    uint32_t mask = 0;
    for (uint32_t l = 0; l < size && first + l < ITEMS; l++) {
      const uint32_t i = first + l, v0 = (i + 1) * n, v1 = v0 >> 7 ^ i, v2 = v1 * n, v3 = v0 ^ v2 >> 3;
      const uint32_t start[VARIABLES] = {v0, v1, v2, v3};
      for (int v = 0; v < VARIABLES; v++)
        f.v[v][l] = start[v];
      mask |= UINT32_C(1) << l;
    }
    struct exits exits = {0};
    run_block(&f, m->bodies[FUNCTIONS - 1], mask, &exits);
    EACH(l, mask) {
      for (uint32_t v = 0; v < VARIABLES; v++)
        out[(first + l) * VARIABLES + v] = f.v[v][l];
    }
  }
}

// ---- the two compared

static void check(int seed, const char *option) {
  struct maker *m = calloc(1, sizeof *m);
  char *source = malloc(TEXT), where[CODE_ORDER_TEXT];
  cr_assert(m && source);
  make_program(m, seed);
  write_program(m, source);
  struct result compiled = compile_well(source, "-cl-std=CL3.0", option, NULL);
  struct kernel_file file = kernel_file_open(compiled.bytes, compiled.size);
  cr_expect_geq(code_order_check(&file, kernel_file_symbol(&file, "k"), where), 0,
                "seed %d %s: %s: HEDDLE_FUZZ_SEED=%d runs it alone", seed, option, where, seed);
  for (uint32_t size = 1; size <= LANES; size *= 2) {
    uint32_t got[ITEMS * VARIABLES] = {0}, expected[ITEMS * VARIABLES] = {0};
    const uint32_t n = 0x9E3779B9u * (uint32_t)seed | 1;
    struct dispatch dispatch = {.kernel = "k",
                                .global = {ITEMS},
                                .local = {ITEMS},
                                .sub_group_size = size,
                                .buffers = {{got, sizeof got}},
                                .values = {n}};
    run_kernel(&compiled, &dispatch);
    run_reference(m, n, size, expected);
    for (int i = 0; i < ITEMS * VARIABLES; i++) {
      if (got[i] != expected[i]) {
        cr_expect_fail(
            "seed %d, sub-groups of %u, work-item %d, v%d: %x expected, got %x: HEDDLE_FUZZ_SEED=%d runs it alone%s%s",
            seed, size, i / VARIABLES, i % VARIABLES, expected[i], got[i], seed,
            getenv("HEDDLE_FUZZ_SEED") ? ", of\n" : "", getenv("HEDDLE_FUZZ_SEED") ? source : "");
        break;
      }
    }
  }
  result_free(&compiled);
  free(source);
  free(m);
}

static void check_seeds(const char *option, int few, int many) {
  const char *only = getenv("HEDDLE_FUZZ_SEED");
  const int from = only ? atoi(only) : 1, to = only ? from : getenv("HEDDLE_TEST_LONG") ? many : few;
  for (int seed = from; seed <= to; seed++)
    check(seed, option);
}

Test(together, work_items_that_take_the_same_way_execute_a_call_together, .timeout = 7000) {
  check_seeds("-cl-mad-enable", 60, 2000);
}

// `goto` into the midst of a loop: there are no rounds of it in the source to hold to, but its code is in order too.
static const char goto_into_loops[] =
    "kernel void k(global uint *out) {\n"
    "  uint x = out[get_global_id(0)], c = 0;\n"
    "  if (x & 1) goto b;\n"
    "  a: x = x * 3 + sub_group_ballot(x & 2).x; if (c++ > 5) goto end;\n"
    "  switch (x & 7) { case 1: x++; goto a; case 2: x += 5; break; case 4: goto end; default: x ^= 9; }\n"
    "  b: x = x * 5 + sub_group_ballot(x & 4).x; if (c++ < 9) { if (x & 8) goto a; goto b; }\n"
    "  end: out[get_global_id(0)] = sub_group_ballot(1).x;\n}\n";

Test(together, lanes_meet_behind_a_goto_into_a_loop) {
  struct result compiled = compile_well(goto_into_loops, "-cl-std=CL3.0", NULL);
  struct kernel_file file = kernel_file_open(compiled.bytes, compiled.size);
  char where[CODE_ORDER_TEXT] = "";
  cr_expect_geq(code_order_check(&file, kernel_file_symbol(&file, "k"), where), 1, "%s", where);
  uint32_t out[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
  run_kernel(&compiled,
             &(struct dispatch){.kernel = "k", .global = {LANES}, .local = {LANES}, .buffers = {{out, sizeof out}}});
  for (int i = 0; i < LANES; i++)
    cr_expect_eq(out[i], (1u << LANES) - 1, "work-item %d: all %d expected, got %x", i, LANES, out[i]);
  result_free(&compiled);
}

Test(together, also_without_optimisation, .timeout = 7000) {
  check_seeds("-cl-opt-disable", 20, 500);
}
