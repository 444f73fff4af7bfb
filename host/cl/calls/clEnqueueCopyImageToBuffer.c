// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyImageToBuffer.
#include "host/cl/calls.h"
#include "host/cl/image.h"

cl_int clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer,
                                  const size_t *src_origin, const size_t *region, size_t dst_offset,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_image(command_queue, src_image);
  if (error == CL_SUCCESS)
    error = heddle_check_queue_buffer(command_queue, dst_buffer);
  // A buffer and an image of its bytes are one memory.
  if (error == CL_SUCCESS && src_image->image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && src_image->parent == dst_buffer)
    error = CL_INVALID_MEM_OBJECT;
  if (error != CL_SUCCESS)
    return error;
  struct heddle_end in_image, in_buffer;
  struct heddle_box box;
  if (!heddle_image_box(src_image, src_origin, region, &in_image, &box) ||
      !heddle_image_buffer_end(dst_buffer, dst_offset, &box, &in_buffer))
    return CL_INVALID_VALUE;
  error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  return heddle_transfer(command_queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, &in_image, &in_buffer, box, false,
                         num_events_in_wait_list, event_wait_list, event);
}
