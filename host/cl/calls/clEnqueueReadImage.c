// SPDX-License-Identifier: Apache-2.0
// clEnqueueReadImage: there are no images.
#include "host/cl/calls.h"
#include "host/cl/no_image.h"

cl_int clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t *origin,
                          const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
                          cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  (void)image, (void)blocking_read, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch, (void)ptr;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_no_image(command_queue);
}
