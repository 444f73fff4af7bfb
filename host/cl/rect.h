// SPDX-License-Identifier: Apache-2.0
// Boxes of bytes in buffers and host memory, as clEnqueue…BufferRect describe them.
#ifndef HEDDLE_CL_RECT_H
#define HEDDLE_CL_RECT_H

#include "host/cl/transfer.h"

// Completes an end as clEnqueue…BufferRect describe it: memory or host and the pitches as given are set, `offset` is
// added, and pitches that are 0 are filled in. False, for CL_INVALID_VALUE: region and pitches are not as these calls
// ask for, the box does not lie inside the buffer or the address space, or a byte's place cannot be told in a size_t.
bool heddle_rect_complete(struct heddle_end *end, const size_t origin[3], const size_t region[3]);

// Whether two boxes of one region, in buffers that are parts of one buffer, share a byte (OpenCL 3.0, appendix D). Both
// are complete. Takes one step, or, where the pitches are not the same, one for each row.
bool heddle_boxes_overlap(const struct heddle_end *one, const struct heddle_end *other, const size_t region[3]);

// Whether two mappings in one root buffer share a byte. Takes at most one step for each of their rows.
bool heddle_mappings_overlap(const struct heddle_mapping *one, const struct heddle_mapping *other);

#endif
