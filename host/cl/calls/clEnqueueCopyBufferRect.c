// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyBufferRect.
#include "host/cl/calls.h"
#include "host/cl/transfer.h"

static bool intervals_meet(size_t a, size_t b, size_t length) {
  return a < b + length && b < a + length;
}

// Whether two boxes of one region and one set of pitches share a byte. A box whose rows run over the end of a pitch
// comes back at the start of the next row or slice: those cases are tried too (OpenCL 3.0, appendix D).
static bool overlap(const struct heddle_end *from, const struct heddle_end *to, const size_t *src_origin,
                    const size_t *dst_origin, const size_t *region) {
  if (from->memory->storage != to->memory->storage)
    return false;
  const size_t from_start = from->memory->origin + from->offset, to_start = to->memory->origin + to->offset;
  const size_t length = (region[2] - 1) * from->slice_pitch + (region[1] - 1) * from->row_pitch + region[0];
  if (!intervals_meet(from_start, to_start, length))
    return false;
  bool together = from->memory == to->memory;
  for (int i = 0; i < 3; i++)
    together = together && intervals_meet(src_origin[i], dst_origin[i], region[i]);
  if (together || from->memory != to->memory)
    return true;
  const size_t row = from->row_pitch, slice = from->slice_pitch;
  const size_t src_x = src_origin[0] + region[0], dst_x = dst_origin[0] + region[0];
  if ((src_x > row && src_x - row > dst_origin[0]) || (dst_x > row && dst_x - row > src_origin[0]))
    return true;
  const size_t src_y = src_origin[1] * row + region[1] * row, dst_y = dst_origin[1] * row + region[1] * row;
  return (src_y > slice && src_y - slice > dst_origin[1] * row) ||
         (dst_y > slice && dst_y - slice > src_origin[1] * row);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                               const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                               size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                               size_t dst_slice_pitch, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event) {
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, src_buffer);
  if (error == CL_SUCCESS)
    error = heddle_check_queue_buffer(command_queue, dst_buffer);
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && (!src_origin || !dst_origin || !region))
    error = CL_INVALID_VALUE;
  if (error != CL_SUCCESS)
    return error;
  const struct heddle_end from = heddle_rect_end(src_buffer, NULL, src_origin, region, src_row_pitch, src_slice_pitch);
  const struct heddle_end to = heddle_rect_end(dst_buffer, NULL, dst_origin, region, dst_row_pitch, dst_slice_pitch);
  const struct heddle_box box = {region[0], region[1], region[2]};
  if (!heddle_rect_valid(&from, region) || !heddle_rect_valid(&to, region))
    return CL_INVALID_VALUE;
  if (src_buffer == dst_buffer && (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch))
    return CL_INVALID_VALUE;
  if (overlap(&from, &to, src_origin, dst_origin, region))
    return CL_MEM_COPY_OVERLAP;
  return heddle_transfer(command_queue, CL_COMMAND_COPY_BUFFER_RECT, &from, &to, box, false, num_events_in_wait_list,
                         event_wait_list, event);
}
