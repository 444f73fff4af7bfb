// SPDX-License-Identifier: Apache-2.0
// Moving bytes: one command for everything that reads, writes, copies, fills, maps or unmaps a box of bytes. A plain
// range is a box of one row. The device carries out copies between buffers and fills where it is expected to take less
// time than the host (heddle_device_copies, heddle_device_fills). It then has them in flight together with kernels.
#ifndef HEDDLE_CL_TRANSFER_H
#define HEDDLE_CL_TRANSFER_H

#include "host/cl/memory.h"

// One end: a buffer, or host memory. Byte (x, y, z) of the box is at offset + x + y * row_pitch + z * slice_pitch.
struct heddle_end {
  cl_mem memory;  // NULL: host
  char *host;
  size_t offset, row_pitch, slice_pitch;
};

// Enqueues the transfer. Retains buffers and shared memory (shared.h) until the command has ended; other host memory
// has to stay valid as long. The caller has checked the arguments, but for CL_INVALID_VALUE: an end that is a pointer
// into memory of the device alone, which is moved there, ends outside of it. With box.bytes 0 the command moves
// nothing.
cl_int heddle_transfer(cl_command_queue queue, cl_command_type type, const struct heddle_end *from,
                       const struct heddle_end *to, struct heddle_box box, bool blocking, cl_uint num_waits,
                       const cl_event *waits, cl_event *event);

// A pattern that fills memory: a power of two of bytes, up to 128.
struct heddle_pattern {
  size_t size;
  const void *bytes;
};

// Enqueues a fill of a box of memory with a pattern, which is copied by this call. The caller has checked the
// arguments: offset, pitches and box.bytes are multiples of the pattern's size. With box.bytes 0 the command moves
// nothing.
cl_int heddle_fill(cl_command_queue queue, cl_command_type type, const struct heddle_end *to, struct heddle_box box,
                   const struct heddle_pattern *pattern, cl_uint num_waits, const cl_event *waits, cl_event *event);

#endif
