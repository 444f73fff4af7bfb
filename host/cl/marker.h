// SPDX-License-Identifier: Apache-2.0
// Markers and barriers: commands that do nothing but wait.
#ifndef HEDDLE_CL_MARKER_H
#define HEDDLE_CL_MARKER_H

#include "host/cl/queue.h"

// Without a wait list it waits for everything enqueued before. A barrier also holds back what comes after it.
cl_int heddle_enqueue_marker(cl_command_queue queue, cl_command_type type, bool barrier, cl_uint num_waits,
                             const cl_event *waits, cl_event *event);

#endif
