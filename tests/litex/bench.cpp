// SPDX-License-Identifier: Apache-2.0
// Clocks the SoC of soc.py and prints what its program writes to `console`: characters, and at the end 0x100 plus a
// status, which ends the bench with that status. Exit status 99: the program has not ended after so many million
// cycles (argument 1).
#include <stdio.h>
#include <stdlib.h>

#include "Vtop.h"
#include "verilated.h"

int main(int argc, char **argv) {
  const uint64_t most = (argc > 1 ? strtoull(argv[1], nullptr, 10) : 10) * 1000000;
  VerilatedContext context;
  context.threads(1);
  Vtop top(&context);
  top.sys_rst = 1;
  for (uint64_t cycle = 0; cycle < most; cycle++) {
    top.sys_rst = cycle < 4;
    top.sys_clk = 0;
    top.eval();
    top.sys_clk = 1;
    top.eval();
    if (!top.console_valid || cycle < 8)
      continue;
    if (top.console_data >= 0x100) {
      printf("cycles of the SoC: %llu\n", (unsigned long long)cycle);
      return (int)(top.console_data - 0x100);
    }
    putchar((int)top.console_data);
    fflush(stdout);
  }
  fprintf(stderr, "the program has not ended after %llu cycles\n", (unsigned long long)most);
  return 99;
}
