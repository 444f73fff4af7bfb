// SPDX-License-Identifier: Apache-2.0
// What `heddle run` prints of a kernel's cycles.
#ifndef HEDDLE_TOOLS_RUN_STATS_H
#define HEDDLE_TOOLS_RUN_STATS_H

#include <CL/cl.h>

#include "host/tools/client.h"
#include "host/tools/run_options.h"

// Where --stats or --json asks for it: the figures of the kernel that `event` is of, on standard output. `seconds` is
// how long the host waited for it.
void show_stats(struct session *session, cl_kernel kernel, cl_event event, const struct request *request,
                double seconds);

#endif
