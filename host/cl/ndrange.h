// SPDX-License-Identifier: Apache-2.0
// The shape of an NDRange: its checks and the choice of a work-group size. Knows no queue and no command. Thread-safe:
// nothing is kept.
#ifndef HEDDLE_CL_NDRANGE_H
#define HEDDLE_CL_NDRANGE_H

#include "host/cl/kernel.h"

// An NDRange as the device will walk it. Unused dimensions have sizes of 1 and offset 0.
struct heddle_ndrange {
  cl_uint work_dim;
  uint32_t global_size[3], global_offset[3], local_size[3];
  bool empty;  // a global size is 0: the command completes without a dispatch
};

// What enqueueing wants to know about a kernel on the queue's device.
struct heddle_launch {
  const struct heddle_kernel *kernel;
  const struct heddle_capabilities *capabilities;
  bool uniform;  // work-groups have to be of one size
};

// The checks of work_dim, offset, global and local size, in the specification's order (OpenCL 3.0, section 5.10,
// clEnqueueNDRangeKernel); chooses the local size when `local` is NULL, so that small ranges reach every compute unit.
cl_int heddle_ndrange_make(const struct heddle_launch *launch, cl_uint work_dim, const size_t *offset,
                           const size_t *global, const size_t *local, struct heddle_ndrange *range);

// The product of three sizes, or the largest number that there is if it is more than that.
static inline uint64_t heddle_volume(const uint32_t sizes[3]) {
  uint64_t volume;
  return __builtin_mul_overflow((uint64_t)sizes[0] * sizes[1], sizes[2], &volume) ? UINT64_MAX : volume;
}

// Number of work-groups, or the largest number that there is if it is more than that.
cl_ulong heddle_ndrange_groups(const struct heddle_ndrange *range);

#endif
