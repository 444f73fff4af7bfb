// SPDX-License-Identifier: Apache-2.0
// Where a LiteX CPU begins when its ROM holds the program: puts variables into SRAM, and calls main.
  .section .init, "ax"
  .globl _start
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, stack_top
  la t0, data_in_rom
  la t1, data_begin
  la t2, data_end
1: bgeu t1, t2, 2f
  lw t3, 0(t0)
  sw t3, 0(t1)
  addi t0, t0, 4
  addi t1, t1, 4
  j 1b
2: la t1, bss_begin
  la t2, bss_end
3: bgeu t1, t2, 4f
  sw zero, 0(t1)
  addi t1, t1, 4
  j 3b
4: call main
  call console_end
5: j 5b
