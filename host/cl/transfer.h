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

// Completes an end as clEnqueue…BufferRect describe it: memory or host and the pitches as given are set, `offset` is
// added, and pitches that are 0 are filled in. False, for CL_INVALID_VALUE: region and pitches are not as these calls
// ask for, the box does not lie inside the buffer or the address space, or a byte's place cannot be told in a size_t.
bool heddle_rect_complete(struct heddle_end *end, const size_t origin[3], const size_t region[3]);

// Whether two boxes of one region, in buffers that are parts of one buffer, share a byte (OpenCL 3.0, appendix D). Both
// are complete. Takes one step, or, where the pitches are not the same, one for each row.
bool heddle_boxes_overlap(const struct heddle_end *one, const struct heddle_end *other, const size_t region[3]);

#endif
