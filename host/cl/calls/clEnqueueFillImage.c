// SPDX-License-Identifier: Apache-2.0
// clEnqueueFillImage: there are no images.
#include "host/cl/calls.h"
#include "host/cl/no_image.h"

cl_int clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void *fill_color, const size_t *origin,
                          const size_t *region, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                          cl_event *event) {
  HEDDLE_CALL;
  (void)image, (void)fill_color, (void)origin, (void)region;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_no_image(command_queue);
}
