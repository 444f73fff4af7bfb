// SPDX-License-Identifier: Apache-2.0
// Streams: pipes whose two kernels run at once where the chip has them (channels, CL_PIPE_CONCURRENT_HEDDLE), while
// they are in memory. A kernel that fails leaves packets there that are of no use: what reads them then fails, too, and
// who writes the stream next begins with an empty one.
//
// Called on the device's worker, with no command in flight that uses the streams.
#ifndef HEDDLE_CL_STREAMS_H
#define HEDDLE_CL_STREAMS_H

#include "host/cl/chain.h"
#include "host/device/kernel_file.h"

// The end of a stream that a kernel's argument is.
enum heddle_stream_end heddle_stream_end_of(cl_mem memory, const struct heddle_argument *argument);

// Whether a command uses any.
bool heddle_streams_any(const struct heddle_used_memory *memories, uint32_t count);

// Before a kernel runs. False: one that writes what it reads has failed.
bool heddle_streams_begin(const struct heddle_used_memory *memories, uint32_t count, cl_device_id device);

// After a stream, or another pipe, was a queue on the chip (heddle_pipe_settle). 0 or -errno. Takes heddle_lock.
int heddle_streams_settle(cl_mem stream, cl_device_id device);

// After it has run, or could not. Takes heddle_lock.
void heddle_streams_end(const struct heddle_used_memory *memories, uint32_t count, cl_device_id device, bool failed);

#endif
