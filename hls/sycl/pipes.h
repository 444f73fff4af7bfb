// SPDX-License-Identifier: Apache-2.0
// Pipes between kernels (include/sycl/ext/intel/fpga_extensions.hpp). In a program they are classes and have no object;
// OpenCL's are arguments. So each kernel gets an argument more for each pipe that it reads and for each that it writes.
#ifndef HEDDLE_SYCL_PIPES_H
#define HEDDLE_SYCL_PIPES_H

#include "hls/sycl/kernel.h"

enum { PIPE_NAME_BYTES = 64 };

// A pipe at one end of a kernel.
struct sycl_pipe {
  LLVMValueRef mark;           // the variable that stands for it
  bool is_read;                // else it is written
  unsigned bytes, capacity;    // of a packet; packets
  char name[PIPE_NAME_BYTES];  // what the program calls it, with a number where several are called the same
};

// Users' functions that use pipes are going to be part of the kernels, as the headers' are.
void pipes_show(LLVMModuleRef module);

// Makes the arguments, behind those that the kernels have. STATUS_REJECTED: explained.
enum status pipes_make_arguments(LLVMModuleRef module, struct sycl_kernels *kernels);

// What the whole program calls a pipe: two kernels have the same one if this is the same.
const char *pipe_identity(const struct sycl_pipe *pipe);

#endif
