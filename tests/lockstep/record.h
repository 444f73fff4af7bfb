// SPDX-License-Identifier: Apache-2.0
// What one device retired, sub-group by sub-group, and the comparison of two devices.
#ifndef HEDDLE_TESTS_LOCKSTEP_RECORD_H
#define HEDDLE_TESTS_LOCKSTEP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An instruction as the traces of both devices report it (sim/model/model.h, sim/rtl/trace.h).
struct retired {
  uint32_t pc, mask, rd;
  const uint32_t *value, *address;  // indexed by lane; NULL: none
};

struct stream {
  uint32_t *words;  // the instructions of one sub-group, one after the other
  size_t count, capacity;
};

struct record {
  uint32_t groups[3], sub_groups;  // of the range; of a full work-group
  size_t streams;
  struct stream *stream;
  uint64_t instructions, lanes;  // retired in all; by how many lanes
  bool stray;                    // an instruction of a sub-group that does not exist
};

void record_begin(struct record *r, const uint32_t groups[3], uint32_t sub_groups);
void record_end(struct record *r);
void record_add(struct record *r, const uint32_t group_id[3], uint32_t sub_group_id, const struct retired *i);

// The lanes in which the instruction of `rtl` that stands where `model` has come to in this sub-group wrote zero; all
// lanes of the mask where it is another instruction.
uint32_t record_zeros(const struct record *rtl, const struct record *model, const uint32_t group_id[3],
                      uint32_t sub_group_id, uint32_t pc, uint32_t mask);

// Compares sub-group by sub-group; true: the same. With `only_common` one of the two may have retired less than the
// other. A difference is told on stderr.
bool record_same(const struct record *model, const struct record *rtl, bool only_common);

// Tells a few of the sub-groups in which `rtl` has retired less than `model`.
void record_tell_behind(const struct record *model, const struct record *rtl);

#endif
