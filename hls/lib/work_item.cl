// SPDX-License-Identifier: Apache-2.0
// Work-item functions: OpenCL C 3.0, section 6.15.1, and those of cl_khr_subgroups. What differs between work-items of
// a dispatch is in CSRs, what does not is in the dispatch packet (contract/DEVICE.md).
#include "contract/device_map.h"
#include "hls/lib/device.h"

// Chooses a CSR by dimension; out of range gives `otherwise`.
#define CSR_OF(name, dimension, otherwise)                                                          \
  ((dimension) == 0 ? CSR(HEDDLE_CSR_##name##_X) : (dimension) == 1 ? CSR(HEDDLE_CSR_##name##_Y)    \
   : (dimension) == 2 ? CSR(HEDDLE_CSR_##name##_Z) : (otherwise))

// Sizes, offsets and counts come in threes.
static inline uint packet_dimension(uint first, uint dimension, uint otherwise) {
  return dimension < 3 ? PACKET_WORD(first + dimension) : otherwise;
}

uint BUILTIN get_work_dim(void) {
  return PACKET_WORD(HEDDLE_PACKET_WORK_DIM);
}

size_t BUILTIN get_global_size(uint dimension) {
  return packet_dimension(HEDDLE_PACKET_GLOBAL_SIZE, dimension, 1);
}

size_t BUILTIN get_global_offset(uint dimension) {
  return packet_dimension(HEDDLE_PACKET_GLOBAL_OFFSET, dimension, 0);
}

size_t BUILTIN get_enqueued_local_size(uint dimension) {
  return packet_dimension(HEDDLE_PACKET_LOCAL_SIZE, dimension, 1);
}

size_t BUILTIN get_num_groups(uint dimension) {
  return packet_dimension(HEDDLE_PACKET_NUM_GROUPS, dimension, 1);
}

size_t BUILTIN get_global_id(uint dimension) {
  return CSR_OF(GLOBAL_ID, dimension, 0);
}

size_t BUILTIN get_local_id(uint dimension) {
  return CSR_OF(LOCAL_ID, dimension, 0);
}

size_t BUILTIN get_group_id(uint dimension) {
  return CSR_OF(GROUP_ID, dimension, 0);
}

size_t BUILTIN get_local_size(uint dimension) {
  return CSR_OF(LOCAL_SIZE, dimension, 1);
}

size_t BUILTIN get_global_linear_id(void) {
  size_t x = get_global_id(0) - get_global_offset(0);
  size_t y = get_global_id(1) - get_global_offset(1);
  size_t z = get_global_id(2) - get_global_offset(2);
  return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

size_t BUILTIN get_local_linear_id(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

uint BUILTIN get_sub_group_size(void) {
  return CSR(HEDDLE_CSR_SUB_GROUP_SIZE);
}

uint BUILTIN get_max_sub_group_size(void) {
  return PACKET_WORD(HEDDLE_PACKET_MAX_SUB_GROUP_SIZE);
}

uint BUILTIN get_num_sub_groups(void) {
  return CSR(HEDDLE_CSR_NUM_SUB_GROUPS);
}

uint BUILTIN get_enqueued_num_sub_groups(void) {
  return PACKET_WORD(HEDDLE_PACKET_NUM_SUB_GROUPS);
}

uint BUILTIN get_sub_group_id(void) {
  return CSR(HEDDLE_CSR_SUB_GROUP_ID);
}

uint BUILTIN get_sub_group_local_id(void) {
  return CSR(HEDDLE_CSR_LANE);
}
