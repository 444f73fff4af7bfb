// SPDX-License-Identifier: Apache-2.0
// clEnqueueReadImage.
#include "host/cl/calls.h"
#include "host/cl/image.h"

cl_int clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t *origin,
                          const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
                          cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_image(command_queue, image);
  if (error != CL_SUCCESS)
    return error;
  struct heddle_end in_image, on_host = {.host = ptr};
  struct heddle_box box;
  if (!ptr || !heddle_image_box(image, origin, region, &in_image, &box) ||
      !heddle_image_host_end(image, &box, row_pitch, slice_pitch, &on_host))
    return CL_INVALID_VALUE;
  error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && (image->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0)
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return error;
  return heddle_transfer(command_queue, CL_COMMAND_READ_IMAGE, &in_image, &on_host, box, blocking_read,
                         num_events_in_wait_list, event_wait_list, event);
}
