// SPDX-License-Identifier: Apache-2.0
// The kernels of the program: what they are called, where they are in the source, the sizes of their groups.
#ifndef HEDDLE_SYCL_KERNEL_H
#define HEDDLE_SYCL_KERNEL_H

#include "hls/sycl/unit.h"

struct sycl_pipe;

struct sycl_kernel {
  const struct unit *unit;
  LLVMValueRef entry;
  char *name;                // include/sycl/detail/kernel_name.hpp
  char *readable;            // of it what the user calls the kernel, or where it is
  char size[SIZE_BYTES];     // its own, or the unit's default
  bool size_is_standard;     // by [[sycl::reqd_sub_group_size]]
  uint64_t aspects;          // by [[sycl::device_has]]
  struct shaped work_group;  // of no dimensions: of any size
  char place[PLACE_BYTES];   // "file:line" of the user's function
  LLVMValueRef user;         // that function; NULL: not found
  bool is_single_task;
  struct sycl_pipe *pipes;  // its last arguments (pipes.h)
  size_t pipe_count;
};

struct sycl_kernels {
  struct sycl_kernel *items;
  size_t count;
};

enum status sycl_kernels_find(const struct unit *unit, struct sycl_kernels *kernels);
void sycl_kernels_free(struct sycl_kernels *kernels);

#endif
