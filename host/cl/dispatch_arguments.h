// SPDX-License-Identifier: Apache-2.0
// What a kernel gets: its argument block, and the memory objects that it uses. heddle_lock is not held.
#ifndef HEDDLE_CL_DISPATCH_ARGUMENTS_H
#define HEDDLE_CL_DISPATCH_ARGUMENTS_H

#include "host/cl/dispatch.h"

// The argument block, as the kernel will find it, and the memory objects in it.
void heddle_dispatch_command_gather(struct dispatch_command *this, cl_device_id device);

// Shared memory that the kernel reaches by pointers in memory: what it was told of, and num_all of `all`. What was
// named and is freed meanwhile is left out.
void heddle_dispatch_command_gather_reached(struct dispatch_command *this, const cl_mem *all, cl_uint num_all);

// Queues that the kernel was given are the one that there is, or none.
void heddle_dispatch_command_put_queue(const struct dispatch_command *this, uint32_t address);

// Addresses of the program's variables that the kernel's pipeline has in memory; the program's image is at `image`.
void heddle_dispatch_command_put_variables(const struct dispatch_command *this, uint32_t image);

#endif
