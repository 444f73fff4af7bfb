// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyImageToBuffer: there are no images.
#include "host/cl/calls.h"
#include "host/cl/no_image.h"

cl_int clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer,
                                  const size_t *src_origin, const size_t *region, size_t dst_offset,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  (void)src_image, (void)dst_buffer, (void)src_origin, (void)region, (void)dst_offset;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_no_image(command_queue);
}
