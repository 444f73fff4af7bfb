// SPDX-License-Identifier: Apache-2.0
// clGetEventProfilingInfo: device time (platform.h, queue.c).
#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/queue.h"

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_event(event))
    return CL_INVALID_EVENT;
  if (!event->queue || (event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  pthread_mutex_lock(&heddle_lock);
  const struct heddle_times times = event->times;
  const cl_int status = event->status;
  pthread_mutex_unlock(&heddle_lock);
  if (status != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  switch (param_name) {
    case CL_PROFILING_COMMAND_QUEUED:
      return heddle_answer_ulong(&answer, times.queued);
    case CL_PROFILING_COMMAND_SUBMIT:
      return heddle_answer_ulong(&answer, times.submit);
    case CL_PROFILING_COMMAND_START:
      return heddle_answer_ulong(&answer, times.start);
    case CL_PROFILING_COMMAND_END:
      return heddle_answer_ulong(&answer, times.end);
    case CL_PROFILING_COMMAND_COMPLETE:
      return heddle_answer_ulong(&answer, times.complete);
    default:
      return CL_INVALID_VALUE;
  }
}
