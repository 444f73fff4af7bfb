// SPDX-License-Identifier: Apache-2.0
// Markers and barriers (marker.h).
#include "host/cl/marker.h"

cl_int heddle_enqueue_marker(cl_command_queue queue, cl_command_type type, bool barrier, cl_uint num_waits,
                             const cl_event *waits, cl_event *event) {
  if (!heddle_is_host_queue(queue))
    return CL_INVALID_COMMAND_QUEUE;
  const cl_int error = heddle_check_wait_list(queue->context, num_waits, waits);
  if (error != CL_SUCCESS)
    return error;
  struct heddle_command *command = heddle_command_create(sizeof *command, queue, type, num_waits, waits);
  if (!command)
    return CL_OUT_OF_HOST_MEMORY;
  command->after_all = num_waits == 0;
  command->barrier = barrier;
  return heddle_enqueue(command, false, event);
}
