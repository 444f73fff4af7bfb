// SPDX-License-Identifier: Apache-2.0
// The command that runs a kernel, for the files that are made of it: dispatch_command.c, dispatch_arguments.c,
// dispatch_failures.c.
#ifndef HEDDLE_CL_DISPATCH_H
#define HEDDLE_CL_DISPATCH_H

#include "host/cl/chain.h"
#include "host/cl/channels.h"
#include "host/cl/findings.h"
#include "host/cl/kernel.h"
#include "host/cl/queue.h"

struct dispatch_command {
  struct heddle_command command;
  cl_kernel kernel;  // retained
  int index;         // of the build in the program
  struct heddle_dispatch dispatch;
  unsigned char *arguments;
  struct heddle_used_memory *memories;
  uint32_t num_memories;
  struct heddle_pointers pointers;          // where the device checks kernels, else none
  struct heddle_dispatch_check check;       // with them; of the dispatch
  struct heddle_chain_member member;        // of a kernel that may be part of a chain, else zeros
  struct heddle_channel_user channel_user;  // of a kernel with channels, else zeros
  struct heddle_on_device_queue queue;      // of the context, as it was when the command was enqueued

  uint64_t budget;          // cycles that it was given
  struct heddle_error why;  // what is wrong with $HEDDLE_BUDGET_CYCLES
  uint32_t device_queue;    // while it runs: address of what its kernel enqueues to; 0: none
};

static inline const struct heddle_kernel *kernel_of(const struct dispatch_command *this) {
  return this->kernel->on_device[this->index];
}

#endif
