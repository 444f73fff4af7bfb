// SPDX-License-Identifier: Apache-2.0
// clCommandCopyBufferToImageKHR (cl_khr_command_buffer).
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"

cl_int clCommandCopyBufferToImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                     cl_mem src_buffer, cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
                                     const size_t *region, cl_uint num_sync_points_in_wait_list,
                                     const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                     cl_mutable_command_khr *mutable_handle) {
  HEDDLE_CALL;
  const cl_int error = heddle_record_begin(command_buffer, command_queue, num_sync_points_in_wait_list,
                                           sync_point_wait_list, mutable_handle);
  if (error != CL_SUCCESS)
    return error;
  return heddle_record_end(command_buffer,
                           clEnqueueCopyBufferToImage(command_buffer->recorder, src_buffer, dst_image, src_offset,
                                                      dst_origin, region, 0, NULL, NULL),
                           sync_point);
}
