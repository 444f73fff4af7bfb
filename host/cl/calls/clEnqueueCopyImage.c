// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyImage.
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/image.h"
#include "host/cl/rect.h"

cl_int clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image, const size_t *src_origin,
                          const size_t *dst_origin, const size_t *region, cl_uint num_events_in_wait_list,
                          const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_image(command_queue, src_image);
  if (error == CL_SUCCESS)
    error = heddle_check_queue_image(command_queue, dst_image);
  if (error == CL_SUCCESS && memcmp(&src_image->image->format, &dst_image->image->format, sizeof(cl_image_format)) != 0)
    error = CL_IMAGE_FORMAT_MISMATCH;
  if (error != CL_SUCCESS)
    return error;
  struct heddle_end from, to;
  struct heddle_box box;
  if (!heddle_image_box(src_image, src_origin, region, &from, &box) ||
      !heddle_image_box(dst_image, dst_origin, region, &to, &box))
    return CL_INVALID_VALUE;
  error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  const size_t bytes[3] = {box.bytes, box.rows, box.slices};
  if (error == CL_SUCCESS && src_image->storage == dst_image->storage && heddle_boxes_overlap(&from, &to, bytes))
    error = CL_MEM_COPY_OVERLAP;
  if (error != CL_SUCCESS)
    return error;
  return heddle_transfer(command_queue, CL_COMMAND_COPY_IMAGE, &from, &to, box, false, num_events_in_wait_list,
                         event_wait_list, event);
}
