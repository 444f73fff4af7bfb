// SPDX-License-Identifier: Apache-2.0
// Work-item functions: OpenCL C 3.0, section 6.15.1, and those of cl_khr_subgroups. What differs between work-items of
// a dispatch is in CSRs, what does not is in the dispatch packet (contract/DEVICE.md).
#include "hls/lib/device.h"

// Chooses by dimension; out of range gives `otherwise`.
#define BY_DIMENSION(dimension, x, y, z, otherwise) \
  ((dimension) == 0 ? (x) : (dimension) == 1 ? (y) : (dimension) == 2 ? (z) : (otherwise))

// Words 1 to 12 of the packet come in threes.
static inline uint packet_dimension(uint first, uint dimension, uint otherwise) {
  return dimension < 3 ? PACKET_WORD(first + dimension) : otherwise;
}

uint BUILTIN get_work_dim(void) {
  return PACKET_WORD(0);
}

size_t BUILTIN get_global_size(uint dimension) {
  return packet_dimension(1, dimension, 1);
}

size_t BUILTIN get_global_offset(uint dimension) {
  return packet_dimension(4, dimension, 0);
}

size_t BUILTIN get_enqueued_local_size(uint dimension) {
  return packet_dimension(7, dimension, 1);
}

size_t BUILTIN get_num_groups(uint dimension) {
  return packet_dimension(10, dimension, 1);
}

size_t BUILTIN get_global_id(uint dimension) {
  return BY_DIMENSION(dimension, CSR(0xCD0), CSR(0xCD1), CSR(0xCD2), 0);
}

size_t BUILTIN get_local_id(uint dimension) {
  return BY_DIMENSION(dimension, CSR(0xCC0), CSR(0xCC1), CSR(0xCC2), 0);
}

size_t BUILTIN get_group_id(uint dimension) {
  return BY_DIMENSION(dimension, CSR(0xCC3), CSR(0xCC4), CSR(0xCC5), 0);
}

size_t BUILTIN get_local_size(uint dimension) {
  return BY_DIMENSION(dimension, CSR(0xCC6), CSR(0xCC7), CSR(0xCC8), 1);
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
  return CSR(0xCCB);
}

uint BUILTIN get_max_sub_group_size(void) {
  return PACKET_WORD(14);
}

uint BUILTIN get_num_sub_groups(void) {
  return CSR(0xCCC);
}

uint BUILTIN get_enqueued_num_sub_groups(void) {
  return PACKET_WORD(13);
}

uint BUILTIN get_sub_group_id(void) {
  return CSR(0xCC9);
}

uint BUILTIN get_sub_group_local_id(void) {
  return CSR(0xCCA);
}
