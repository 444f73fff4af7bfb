// SPDX-License-Identifier: Apache-2.0
// Drives lane_bench.v.
#include "tests/rtl/lane_bench.h"

#include <cstdlib>
#include <cstring>

#include "Vblock.h"

double sc_time_stamp() {
  return 0;
}

namespace {
enum { RESULT_CYCLES = 9 };  // de to wb

Vblock &bench() {
  static Vblock instance;
  return instance;
}

void cycle() {
  bench().clk = 0;
  bench().eval();
  bench().clk = 1;
  bench().eval();
}
}  // namespace

void bench_run(size_t count, const uint32_t *instruction, const lanes_value *a, const lanes_value *b,
               const lanes_value *c, lanes_value *result) {
  for (size_t i = 0; i < count + RESULT_CYCLES; i++) {
    if (i < count) {
      bench().instruction_i = instruction[i];
      memcpy(&bench().a_i, &a[i], sizeof a[i]);
      memcpy(&bench().b_i, &b[i], sizeof b[i]);
      memcpy(&bench().c_i, &c[i], sizeof c[i]);
    }
    cycle();
    if (i + 1 >= RESULT_CYCLES && i + 1 - RESULT_CYCLES < count)
      memcpy(&result[i + 1 - RESULT_CYCLES], &bench().result_o, sizeof *result);
  }
}

void bench_divide(uint32_t instruction, const lanes_value *a, const lanes_value *b, lanes_value *result) {
  bench().instruction_i = instruction;
  memcpy(&bench().a_i, a, sizeof *a);
  memcpy(&bench().b_i, b, sizeof *b);
  bench().divide_i = 1;
  cycle();
  bench().divide_i = 0;
  int cycles = 0;
  for (; !bench().done_o && !bench().float_done_o; cycles++) {
    if (cycles > 1000)
      abort();
    cycle();
  }
  if (bench().done_o) {
    memcpy(result, &bench().quotient_o, sizeof *result);
    bench().taken_i = 1;
    cycle();
    bench().taken_i = 0;
    return;
  }
  bench().divide_i = 1;
  cycle();
  bench().divide_i = 0;
  for (int i = 1; i < RESULT_CYCLES; i++)
    cycle();
  memcpy(result, &bench().result_o, sizeof *result);
}

bool bench_illegal(uint32_t instruction) {
  bench().instruction_i = instruction;
  bench().clk = 0;
  bench().eval();
  return bench().illegal_o;
}
