// SPDX-License-Identifier: Apache-2.0
// A fault record in words and as a work-item.
#include "contract/device_map.h"
#include "host/device/driver.h"

bool heddle_fault_is_meant(const struct heddle_fault *fault) {
  return fault->reason == HEDDLE_FAULT_UNMAPPED &&
         (fault->address == HEDDLE_FAULT_CHANNEL_EMPTY || fault->address == HEDDLE_FAULT_CHANNEL_FULL);
}

const char *heddle_fault_words(const struct heddle_fault *fault) {
  static const char *const words[] = {
      [HEDDLE_FAULT_ILLEGAL_INSTRUCTION] = "illegal instruction",
      [HEDDLE_FAULT_MISALIGNED] = "misaligned access",
      [HEDDLE_FAULT_UNMAPPED] = "access to unmapped memory",
      [HEDDLE_FAULT_OUTSIDE_LOCAL] = "access outside local memory",
      [HEDDLE_FAULT_OUTSIDE_PRIVATE] = "access outside private memory",
      [HEDDLE_FAULT_DIVERGENT_COLLECTIVE] =
          "divergent collective (not every work-item reached the same barrier, sub-group or work-group function)",
      [HEDDLE_FAULT_BUDGET_SPENT] = "budget spent",
      [HEDDLE_FAULT_BAD_FETCH] = "bad fetch (jump out of the program)",
      [HEDDLE_FAULT_STOPPED] = "stopped by host",
      [HEDDLE_FAULT_BAD_DISPATCH] = "bad dispatch",
      [HEDDLE_FAULT_NO_RIGHT] = "access without a right",
      [HEDDLE_FAULT_MEMORY_ERROR] = "memory error (external memory failed to read or write)",
  };
  const uint32_t reason = fault->reason;
  // The stack grows down: what lies below the window is where it goes when it is full. Beyond the top is no stack.
  if (reason == HEDDLE_FAULT_OUTSIDE_PRIVATE && fault->address < HEDDLE_PRIVATE_BASE)
    return "stack overflow (access below private memory)";
  if (heddle_fault_is_meant(fault) && fault->address == HEDDLE_FAULT_CHANNEL_EMPTY)
    return "would wait for ever at a channel that is empty (it reads more packets than the kernels that ran before it "
           "have written)";
  if (heddle_fault_is_meant(fault))
    return "would wait for ever at a channel that is full (in memory it has room for about 1 MiB of packets, until the "
           "kernel that reads them runs)";
  return reason < sizeof words / sizeof *words && words[reason] ? words[reason] : "unknown reason";
}

void heddle_fault_global_id(const struct heddle_dispatch *dispatch, const struct heddle_fault *fault,
                            uint32_t global_id[3]) {
  uint32_t linear = fault->sub_group_id * dispatch->sub_group_size + fault->lane;
  for (int i = 0; i < 3; i++) {
    const uint32_t start = fault->group_id[i] * dispatch->local_size[i];
    const uint32_t left = start < dispatch->global_size[i] ? dispatch->global_size[i] - start : 1;
    // The last work-group of a dimension may be smaller than the others.
    const uint32_t size = left < dispatch->local_size[i] ? left : dispatch->local_size[i];
    global_id[i] = dispatch->global_offset[i] + start + linear % size;
    linear /= size;
  }
}
