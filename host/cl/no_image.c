// SPDX-License-Identifier: Apache-2.0
// The image commands (no_image.h).
#include "host/cl/no_image.h"

#include "host/cl/queue.h"

cl_int heddle_no_image(cl_command_queue queue) {
  return heddle_is_host_queue(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
