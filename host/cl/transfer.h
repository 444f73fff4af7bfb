// SPDX-License-Identifier: Apache-2.0
// Moving bytes: one command for everything that reads, writes, copies, maps or unmaps a box of bytes. A plain range is
// a box of one row.
#ifndef HEDDLE_CL_TRANSFER_H
#define HEDDLE_CL_TRANSFER_H

#include "host/cl/memory.h"

// One end: a buffer, or host memory. Byte (x, y, z) of the box is at offset + x + y * row_pitch + z * slice_pitch.
struct heddle_end {
  cl_mem memory;  // NULL: host
  char *host;
  size_t offset, row_pitch, slice_pitch;
};

struct heddle_box {
  size_t bytes, rows, slices;
};

// Enqueues the transfer. Retains buffers until it is done; host memory has to last as long. The arguments have been
// checked. box.bytes 0: an event and nothing else.
cl_int heddle_transfer(cl_command_queue queue, cl_command_type type, const struct heddle_end *from,
                       const struct heddle_end *to, struct heddle_box box, bool blocking, cl_uint num_waits,
                       const cl_event *waits, cl_event *event);

// The three-dimensional form of an end, as clEnqueue…BufferRect describe it; fills in pitches that are 0.
struct heddle_end heddle_rect_end(cl_mem memory, const void *host, const size_t origin[3], const size_t region[3],
                                  size_t row_pitch, size_t slice_pitch);

// Whether region and pitches are as clEnqueue…BufferRect ask for, and, if the end is a buffer, the box lies inside it.
bool heddle_rect_valid(const struct heddle_end *end, const size_t region[3]);

#endif
