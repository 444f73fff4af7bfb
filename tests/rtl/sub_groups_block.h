// SPDX-License-Identifier: Apache-2.0
// The ports of a Verilated rtl/pipeline/sub_groups.v as plain C, as its header describes them.
#ifndef HEDDLE_TESTS_RTL_SUB_GROUPS_BLOCK_H
#define HEDDLE_TESTS_RTL_SUB_GROUPS_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#ifndef LANES
#define LANES 4
#define SLOT_BITS 4
#define LOCAL_LOG2 10
#endif

struct work_group {
  uint32_t id[3], base[3], size[3];  // x, y, z
};

struct sub_groups_in {
  bool rst, start, open, group_valid, done;
  uint32_t sub_groups, sub_group_log2, local_bytes;
  struct work_group group;
  uint32_t done_slot, group_slot, id_group_slot;
};

struct sub_groups_out {
  bool group_ready, begin, token, group_done, running, idle;
  uint32_t shift, begin_group_slot, begin_last;
  uint32_t slot, lanes, local_id[32][3], sub_group, sub_group_size, last_sub_group;
  struct work_group group;
  uint32_t local_base, id[3];
};

#ifdef __cplusplus
extern "C" {
#endif
// One cycle: what the module shows with these inputs, then the clock's edge.
void sub_groups_cycle(const struct sub_groups_in *in, struct sub_groups_out *out);
#ifdef __cplusplus
}
#endif

#endif
