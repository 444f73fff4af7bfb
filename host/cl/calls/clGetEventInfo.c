// SPDX-License-Identifier: Apache-2.0
// clGetEventInfo, and the figures of a dispatch (CL/cl_heddle.h).
#include <CL/cl_ext.h>
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/chain.h"
#include "host/cl/channel_waits.h"
#include "host/cl/info.h"
#include "host/cl/queue.h"

static cl_int answer_dispatch(cl_event event, cl_event_info param_name, const struct heddle_answer *answer) {
  if (event->type != CL_COMMAND_NDRANGE_KERNEL && event->type != CL_COMMAND_TASK &&
      event->type != CL_COMMAND_COMMAND_BUFFER_KHR)
    return CL_INVALID_VALUE;
  pthread_mutex_lock(&heddle_lock);
  const struct heddle_dispatch_record record = event->dispatch;
  pthread_mutex_unlock(&heddle_lock);
  switch (param_name) {
    case CL_EVENT_CYCLES_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.cycles);
    case CL_EVENT_ISSUES_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.issues);
    case CL_EVENT_ACTIVE_LANES_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.active_lanes);
    case CL_EVENT_MEMORY_REQUESTS_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.memory_requests);
    case CL_EVENT_MEMORY_WAIT_CYCLES_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.memory_wait_cycles);
    case CL_EVENT_CONFLICT_CYCLES_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.conflict_cycles);
    case CL_EVENT_CACHE_REQUESTS_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.cache_requests);
    case CL_EVENT_CACHE_MISSES_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.cache_misses);
    case CL_EVENT_GROUPS_DONE_HEDDLE:
      return heddle_answer_ulong(answer, record.figures.groups_done);
    case CL_EVENT_GROUPS_TOTAL_HEDDLE:
      return heddle_answer_ulong(answer, record.groups_total);
    case CL_EVENT_LANES_HEDDLE:
      return heddle_answer_ulong(answer, record.lanes);
    case CL_EVENT_UNITS_HEDDLE:
      return heddle_answer_ulong(answer, record.units);
    case CL_EVENT_FAULT_TEXT_HEDDLE:
      return heddle_answer_string(answer, record.fault_text ? record.fault_text : "");
    case CL_EVENT_FAULT_PC_HEDDLE:
      return heddle_answer_ulong(answer, record.fault_offset);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size, void *param_value,
                      size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_event(event))
    return CL_INVALID_EVENT;
  switch (param_name) {
    case CL_EVENT_COMMAND_QUEUE:
      return heddle_answer_pointer(&answer, event->queue);
    case CL_EVENT_CONTEXT:
      return heddle_answer_pointer(&answer, event->context);
    case CL_EVENT_COMMAND_TYPE:
      return heddle_answer_uint(&answer, event->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS: {
      pthread_mutex_lock(&heddle_lock);
      heddle_chain_release();  // a program may ask until it has ended
      heddle_channels_release_for(1, &event);
      const cl_int status = event->status;
      pthread_mutex_unlock(&heddle_lock);
      return heddle_answer_bytes(&answer, &status, sizeof status);
    }
    case CL_EVENT_REFERENCE_COUNT:
      return heddle_answer_uint(&answer, heddle_object_references(event));
    default:
      return answer_dispatch(event, param_name, &answer);
  }
}
