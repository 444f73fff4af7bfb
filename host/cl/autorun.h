// SPDX-License-Identifier: Apache-2.0
// Autorun kernels (hls/autorun.h), which no program enqueues: the library does, each in a queue of its own, when a
// kernel has come that has channels with them. From then on they are kernels with channels like any other (channels.h).
#ifndef HEDDLE_CL_AUTORUN_H
#define HEDDLE_CL_AUTORUN_H

#include <CL/cl.h>

struct heddle_kernel;

// To be called when a kernel of a program has been enqueued; `index` is that of the build. Enqueues the autorun kernels
// that it has channels with, directly or through others of them, but for those that are held already. What goes wrong
// is told to the context. Takes heddle_lock.
void heddle_autorun_enqueue(cl_program program, int index, const struct heddle_kernel *kernel, cl_command_queue queue);

#endif
