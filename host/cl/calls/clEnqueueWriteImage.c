// SPDX-License-Identifier: Apache-2.0
// clEnqueueWriteImage.
#include "host/cl/calls.h"
#include "host/cl/image.h"

cl_int clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write, const size_t *origin,
                           const size_t *region, size_t input_row_pitch, size_t input_slice_pitch, const void *ptr,
                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_image(command_queue, image);
  if (error != CL_SUCCESS)
    return error;
  struct heddle_end in_image, on_host = {.host = (char *)(uintptr_t)ptr};
  struct heddle_box box;
  if (!ptr || !heddle_image_box(image, origin, region, &in_image, &box) ||
      !heddle_image_host_end(image, &box, input_row_pitch, input_slice_pitch, &on_host))
    return CL_INVALID_VALUE;
  error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && (image->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0)
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return error;
  return heddle_transfer(command_queue, CL_COMMAND_WRITE_IMAGE, &on_host, &in_image, box, blocking_write,
                         num_events_in_wait_list, event_wait_list, event);
}
