# SPDX-License-Identifier: Apache-2.0
# Where the CPU begins. Loads and stores from 0x80000000 on pass the cache: a store to this address starts cpu.cpp's
# count of cycles, a store to the next word ends it.
.section .start, "ax"
.globl start
start:
  lui sp, 0x8            # below what kernels.c is told
  lui s0, 0x80000
  sw zero, 0(s0)
  call run
  sw zero, 4(s0)
end:
  j end
