// SPDX-License-Identifier: Apache-2.0
// Why that is enough, where lanes at the smallest PC run (contract/DEVICE.md): without loops, whatever leads to an
// instruction lies before it, so who gets there waits until no lane is left that still may. A loop in one piece,
// entered at its top, is like one instruction to what is around it; lanes wait at the jump at its end, which all lead
// to, and go round together.
#include "tests/hls/code_order.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGES_MAX = 2, RA = 1, ACTIVE_SET = 2, EXIT = 3, DEPTH_MAX = 16 };

struct code {
  const struct kernel_file *file;
  uint32_t entry, start, count;  // of .text; in instructions from `start`
  bool *is_reached;
  bool *is_active_set;        // or calls a function that has one
  uint32_t (*to)[EDGES_MAX];  // UINT32_MAX: none
  uint32_t highest;           // address that it or what it calls runs at
  bool has_active_set, is_behind_callees;
  int loops;
  char *text;
};

static uint32_t field(uint32_t instruction, int low, int bits) {
  return instruction >> low & ((1u << bits) - 1);
}

static uint32_t sign_extended(uint32_t value, int bits) {
  return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}

static uint32_t branch_offset(uint32_t x) {
  return sign_extended(field(x, 31, 1) << 12 | field(x, 7, 1) << 11 | field(x, 25, 6) << 5 | field(x, 8, 4) << 1, 13);
}

static uint32_t jump_offset(uint32_t x) {
  return sign_extended(field(x, 31, 1) << 20 | field(x, 12, 8) << 12 | field(x, 20, 1) << 11 | field(x, 21, 10) << 1,
                       21);
}

static bool fault(const struct code *code, const char *what, uint32_t from, uint32_t to) {
  snprintf(code->text, CODE_ORDER_TEXT, "%s: from %x to %x", what, code->start + from * 4, code->start + to * 4);
  return false;
}

static bool check(struct code *code, int depth);

static bool call(struct code *code, uint32_t at, uint32_t target, int depth) {
  struct code callee = {.file = code->file, .entry = target, .text = code->text};
  if (!check(&callee, depth + 1))
    return false;
  if (callee.highest >= code->entry && code->is_behind_callees)
    code->is_behind_callees =
        fault(code, "a function that lies behind its caller is called", at, (target - code->start) / 4);
  code->highest = callee.highest > code->highest ? callee.highest : code->highest;
  code->is_active_set[at] = callee.has_active_set;
  code->has_active_set = code->has_active_set || callee.has_active_set;
  code->loops += callee.loops;
  return true;
}

// Where one instruction goes on to; calls are looked into.
static bool decode(struct code *code, uint32_t at, int depth) {
  const uint32_t pc = code->start + at * 4, x = kernel_file_instruction(code->file, pc);
  const uint32_t opcode = field(x, 0, 7), target = field(x, 7, 5), funct3 = field(x, 12, 3);
  uint32_t *to = code->to[at], before;
  to[0] = at + 1;
  to[1] = UINT32_MAX;
  switch (opcode) {
    case 0x63:  // branch
      to[1] = at + (uint32_t)((int32_t)branch_offset(x) / 4);
      return true;
    case 0x6F:  // jal: a tail call where it leaves the function
      if (target != 0)
        return call(code, at, pc + jump_offset(x), depth);
      to[0] = at + (uint32_t)((int32_t)jump_offset(x) / 4);
      if (code->start + to[0] * 4 >= code->entry)
        return true;
      to[0] = UINT32_MAX;
      return call(code, at, pc + jump_offset(x), depth);
    case 0x67:  // jalr: a return, or a call behind auipc
      if (target == 0)
        to[0] = UINT32_MAX;
      if (target == 0 && (field(x, 15, 5) == RA || field(x, 15, 5) == 5))
        return true;
      before = kernel_file_instruction(code->file, pc - 4);
      if (field(before, 0, 7) != 0x17 || field(before, 7, 5) != field(x, 15, 5))
        return fault(code, "a jump whose aim is not known", at, at);
      return call(code, at, pc - 4 + (before & 0xFFFFF000u) + sign_extended(field(x, 20, 12), 12), depth);
    case 0x0B:
      code->is_active_set[at] = funct3 == ACTIVE_SET;
      code->has_active_set = code->has_active_set || funct3 == ACTIVE_SET;
      if (funct3 == EXIT)
        to[0] = UINT32_MAX;
      return true;
    default:
      return true;
  }
}

static bool reach(struct code *code, int depth) {
  uint32_t *pending = calloc((size_t)code->count * EDGES_MAX + 1, sizeof *pending), count = 0;
  cr_assert_not_null(pending);
  bool is_good = true;
  pending[count++] = (code->entry - code->start) / 4;
  while (count > 0 && is_good) {
    const uint32_t at = pending[--count];
    if (at >= code->count || code->start + at * 4 < code->entry) {
      is_good = fault(code, "control leaves the function", at, at);
    } else if (!code->is_reached[at]) {
      code->is_reached[at] = true;
      code->highest = code->start + at * 4 > code->highest ? code->start + at * 4 : code->highest;
      is_good = decode(code, at, depth);
      for (int e = 0; e < EDGES_MAX; e++)
        if (code->to[at][e] != UINT32_MAX)
          pending[count++] = code->to[at][e];
    }
  }
  free(pending);
  return is_good;
}

// The loop from `top` to the jump back at `end`.
static bool check_loop(const struct code *code, uint32_t top, uint32_t end) {
  bool *comes_to_end = calloc((size_t)end - top + 1, sizeof *comes_to_end), is_good = true;
  cr_assert_not_null(comes_to_end);
  comes_to_end[0] = comes_to_end[end - top] = true;
  // Loops inside are checked too: what they jump back to comes to the end if they do.
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (uint32_t at = end; at-- > top;)
      for (int e = 0; e < EDGES_MAX && !comes_to_end[at - top]; e++) {
        const uint32_t to = code->to[at][e];
        if (code->is_reached[at] && to >= top && to <= end && comes_to_end[to - top])
          is_more = comes_to_end[at - top] = true;
      }
  }
  for (uint32_t at = 0; at < code->count && is_good; at++) {
    const bool is_inside = at >= top && at <= end;
    if (code->is_active_set[at] && is_inside && !comes_to_end[at - top])
      is_good = fault(code, "an active set that is not of it lies within the loop", top, at);
    for (int e = 0; e < EDGES_MAX && code->is_reached[at] && is_good; e++) {
      const uint32_t to = code->to[at][e];
      if (to != UINT32_MAX && !is_inside && to > top && to <= end)
        is_good = fault(code, "a loop is entered in its midst", at, to);
    }
  }
  free(comes_to_end);
  return is_good;
}

// Order is nothing to functions without active sets: their callers wait until all have come back.
static bool check(struct code *code, int depth) {
  cr_assert_lt(depth, DEPTH_MAX);
  const Elf32_Shdr *section = kernel_file_section(code->file, ".text");
  code->start = section->sh_addr;
  code->count = section->sh_size / 4;
  code->is_behind_callees = true;
  code->is_reached = calloc(code->count + 1, sizeof *code->is_reached);
  code->is_active_set = calloc(code->count + 1, sizeof *code->is_active_set);
  code->to = calloc(code->count + 1, sizeof *code->to);
  cr_assert(code->is_reached && code->is_active_set && code->to);
  bool is_good = reach(code, depth) && (code->is_behind_callees || !code->has_active_set);
  for (uint32_t at = 0; at < code->count && is_good && code->has_active_set; at++)
    for (int e = 0; e < EDGES_MAX && code->is_reached[at] && is_good; e++)
      if (code->to[at][e] <= at) {
        is_good = check_loop(code, code->to[at][e], at);
        code->loops++;
      }
  free(code->is_reached);
  free(code->is_active_set);
  free(code->to);
  return is_good;
}

int code_order_check(const struct kernel_file *file, uint32_t entry, char text[CODE_ORDER_TEXT]) {
  struct code code = {.file = file, .entry = entry, .text = text};
  return check(&code, 0) ? code.loops : -1;
}
