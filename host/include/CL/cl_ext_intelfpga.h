// SPDX-License-Identifier: Apache-2.0
// What host programs of Intel's SDK for FPGAs name of its extensions: bits of cl_mem_flags that say which of a board's
// memories a buffer lies in. Heddle's devices have one memory, so that clCreateBuffer takes them, and they change
// nothing. For programs that are compiled where that SDK is not installed.
#ifndef HEDDLE_CL_EXT_INTELFPGA_H
#define HEDDLE_CL_EXT_INTELFPGA_H

#include <CL/cl.h>

#define CL_CHANNEL_AUTO_INTELFPGA (0 << 16)
#define CL_CHANNEL_1_INTELFPGA (1 << 16)
#define CL_CHANNEL_2_INTELFPGA (2 << 16)
#define CL_CHANNEL_3_INTELFPGA (3 << 16)
#define CL_CHANNEL_4_INTELFPGA (4 << 16)
#define CL_CHANNEL_5_INTELFPGA (5 << 16)
#define CL_CHANNEL_6_INTELFPGA (6 << 16)
#define CL_CHANNEL_7_INTELFPGA (7 << 16)
#define CL_MEM_HETEROGENEOUS_INTELFPGA (1 << 19)

#endif
