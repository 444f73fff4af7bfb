// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyImage: there are no images.
#include "host/cl/calls.h"
#include "host/cl/no_image.h"

cl_int clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image, const size_t *src_origin,
                          const size_t *dst_origin, const size_t *region, cl_uint num_events_in_wait_list,
                          const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  (void)src_image, (void)dst_image, (void)src_origin, (void)dst_origin, (void)region;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_no_image(command_queue);
}
