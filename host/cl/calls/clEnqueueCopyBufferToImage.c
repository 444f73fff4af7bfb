// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyBufferToImage: there are no images.
#include "host/cl/calls.h"
#include "host/cl/no_image.h"

cl_int clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image,
                                  size_t src_offset, const size_t *dst_origin, const size_t *region,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  (void)src_buffer, (void)dst_image, (void)src_offset, (void)dst_origin, (void)region;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_no_image(command_queue);
}
