// SPDX-License-Identifier: Apache-2.0
// What picolibc 1.8 lacks of POSIX and of <elf.h>; included before every file.
#ifndef HEDDLE_BARE_METAL_LACKS_H
#define HEDDLE_BARE_METAL_LACKS_H

#ifndef __ASSEMBLER__
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now);
#endif

#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC 1
#endif
#define secure_getenv getenv
#ifndef R_RISCV_NONE
#define R_RISCV_NONE 0
#define R_RISCV_RELATIVE 3
#define EM_RISCV 243
#define SHT_RISCV_ATTRIBUTES 0x70000003
#endif

#endif
