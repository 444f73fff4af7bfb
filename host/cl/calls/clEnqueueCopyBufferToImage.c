// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyBufferToImage.
#include "host/cl/calls.h"
#include "host/cl/image.h"

cl_int clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image,
                                  size_t src_offset, const size_t *dst_origin, const size_t *region,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, src_buffer);
  if (error == CL_SUCCESS)
    error = heddle_check_queue_image(command_queue, dst_image);
  // A buffer and an image of its bytes are one memory.
  if (error == CL_SUCCESS && dst_image->image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && dst_image->parent == src_buffer)
    error = CL_INVALID_MEM_OBJECT;
  if (error != CL_SUCCESS)
    return error;
  struct heddle_end in_image, in_buffer;
  struct heddle_box box;
  if (!heddle_image_box(dst_image, dst_origin, region, &in_image, &box) ||
      !heddle_image_buffer_end(src_buffer, src_offset, &box, &in_buffer))
    return CL_INVALID_VALUE;
  error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  return heddle_transfer(command_queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, &in_buffer, &in_image, box, false,
                         num_events_in_wait_list, event_wait_list, event);
}
