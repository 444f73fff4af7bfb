// SPDX-License-Identifier: Apache-2.0
// clSetEventCallback.
#include <stdlib.h>

#include "host/cl/calls.h"
#include "host/cl/chain.h"
#include "host/cl/channel_waits.h"
#include "host/cl/event.h"

cl_int clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                          void(CL_CALLBACK *pfn_notify)(cl_event event, cl_int event_command_status, void *user_data),
                          void *user_data) {
  HEDDLE_CALL;
  if (!heddle_is_event(event))
    return CL_INVALID_EVENT;
  if (!pfn_notify || command_exec_callback_type < CL_COMPLETE || command_exec_callback_type > CL_SUBMITTED)
    return CL_INVALID_VALUE;
  struct heddle_event_callback *callback = malloc(sizeof *callback);
  if (!callback)
    return CL_OUT_OF_HOST_MEMORY;
  *callback =
      (struct heddle_event_callback){.type = command_exec_callback_type, .notify = pfn_notify, .user_data = user_data};
  pthread_mutex_lock(&heddle_lock);
  heddle_chain_release();
  heddle_channels_release_for(1, &event);
  const cl_int status = event->status;
  const bool due = status <= command_exec_callback_type;
  if (!due) {
    *event->callbacks_end = callback;
    event->callbacks_end = &callback->next;
  }
  pthread_mutex_unlock(&heddle_lock);
  // Already there: it is called here and now.
  if (due) {
    free(callback);
    pfn_notify(event, status < 0 ? status : command_exec_callback_type, user_data);
  }
  return CL_SUCCESS;
}
