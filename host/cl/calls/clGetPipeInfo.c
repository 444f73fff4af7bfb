// SPDX-License-Identifier: Apache-2.0
// clGetPipeInfo.
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/pipe.h"

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, void *param_value,
                     size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_pipe(pipe))
    return CL_INVALID_MEM_OBJECT;
  const cl_pipe_properties properties[] = {CL_PIPE_CONCURRENT_HEDDLE, pipe->is_concurrent, 0};
  switch (param_name) {
    case CL_PIPE_PACKET_SIZE:
      return heddle_answer_uint(&answer, pipe->packet_bytes);
    case CL_PIPE_MAX_PACKETS:
      return heddle_answer_uint(&answer, pipe->max_packets);
    case CL_PIPE_PROPERTIES:  // as clCreatePipe got them
      return heddle_answer_bytes(&answer, properties, pipe->with_properties ? sizeof properties : 0);
    default:
      return CL_INVALID_VALUE;
  }
}
