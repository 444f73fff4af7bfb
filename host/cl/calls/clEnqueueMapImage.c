// SPDX-License-Identifier: Apache-2.0
// clEnqueueMapImage: there are no images.
#include "host/cl/calls.h"
#include "host/cl/no_image.h"

void *clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
                        const size_t *origin, const size_t *region, size_t *image_row_pitch, size_t *image_slice_pitch,
                        cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event,
                        cl_int *errcode_ret) {
  HEDDLE_CALL;
  (void)image, (void)blocking_map, (void)map_flags, (void)origin, (void)region, (void)image_row_pitch;
  (void)image_slice_pitch, (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_created(errcode_ret, heddle_no_image(command_queue), NULL);
}
