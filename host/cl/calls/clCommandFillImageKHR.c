// SPDX-License-Identifier: Apache-2.0
// clCommandFillImageKHR (cl_khr_command_buffer).
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"

cl_int clCommandFillImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem image,
                             const void *fill_color, const size_t *origin, const size_t *region,
                             cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
                             cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle) {
  HEDDLE_CALL;
  const cl_int error = heddle_record_begin(command_buffer, command_queue, num_sync_points_in_wait_list,
                                           sync_point_wait_list, mutable_handle);
  if (error != CL_SUCCESS)
    return error;
  return heddle_record_end(
      command_buffer, clEnqueueFillImage(command_buffer->recorder, image, fill_color, origin, region, 0, NULL, NULL),
      sync_point);
}
