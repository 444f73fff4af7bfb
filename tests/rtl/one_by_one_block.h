// SPDX-License-Identifier: Apache-2.0
// The ports of a Verilated rtl/pipeline/one_by_one.v as plain C, as its header describes them.
#ifndef HEDDLE_TESTS_RTL_ONE_BY_ONE_BLOCK_H
#define HEDDLE_TESTS_RTL_ONE_BY_ONE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#ifndef ONCE
#define SLOT_BITS 4
#define LATE 1
#define ONCE 0
#endif

struct one_by_one_in {
  bool rst, start, open, group_valid, done, by_arrival;
  uint32_t id[3], size[3];  // x, y, z
  uint32_t arrival;
};

struct one_by_one_out {
  bool group_ready, begin, wipe, token, group_done, running, idle;
  uint32_t number, arrival, id[3];
};

#ifdef __cplusplus
extern "C" {
#endif
// One cycle. group_ready and arrival are of the inputs of this cycle, like everything that is not a register.
void one_by_one_cycle(const struct one_by_one_in *in, struct one_by_one_out *out);
#ifdef __cplusplus
}
#endif

#endif
