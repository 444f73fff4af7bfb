// SPDX-License-Identifier: Apache-2.0
// clEnqueueFillImage. What host and kernels may do with the image does not matter, as the text has it.
#include "host/c_numbers.h"
#include "host/cl/calls.h"
#include "host/cl/image.h"
#include "host/cl/image_color.h"

cl_int clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void *fill_color, const size_t *origin,
                          const size_t *region, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                          cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_image(command_queue, image);
  if (error != CL_SUCCESS)
    return error;
  struct heddle_end to;
  struct heddle_box box;
  unsigned char pixel[HEDDLE_PIXEL_BYTES_MOST];
  if (!fill_color || !heddle_image_box(image, origin, region, &to, &box))
    return CL_INVALID_VALUE;
  error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  struct heddle_c_numbers before;
  heddle_c_numbers_enter(&before);
  heddle_pixel_of(&image->image->format, fill_color, pixel);
  heddle_c_numbers_leave(&before);
  const struct heddle_pattern pattern = {.size = image->image->pixel_bytes, .bytes = pixel};
  return heddle_fill(command_queue, CL_COMMAND_FILL_IMAGE, &to, box, &pattern, num_events_in_wait_list, event_wait_list,
                     event);
}
