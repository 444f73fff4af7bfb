// SPDX-License-Identifier: Apache-2.0
// clCommandNDRangeKernelKHR (cl_khr_command_buffer). No properties of such commands are defined.
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"

cl_int clCommandNDRangeKernelKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                 const cl_ndrange_kernel_command_properties_khr *properties, cl_kernel kernel,
                                 cl_uint work_dim, const size_t *global_work_offset, const size_t *global_work_size,
                                 const size_t *local_work_size, cl_uint num_sync_points_in_wait_list,
                                 const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                 cl_mutable_command_khr *mutable_handle) {
  HEDDLE_CALL;
  cl_int error = heddle_record_begin(command_buffer, command_queue, num_sync_points_in_wait_list, sync_point_wait_list,
                                     mutable_handle);
  if (error != CL_SUCCESS)
    return error;
  error = properties && properties[0] != 0
              ? CL_INVALID_VALUE
              : clEnqueueNDRangeKernel(command_buffer->recorder, kernel, work_dim, global_work_offset, global_work_size,
                                       local_work_size, 0, NULL, NULL);
  return heddle_record_end(command_buffer, error, sync_point);
}
