// SPDX-License-Identifier: Apache-2.0
// Runs a workload on a device, from the kernel's source to the result.
#ifndef HEDDLE_TESTS_RUN_PROBLEM_H
#define HEDDLE_TESTS_RUN_PROBLEM_H

#include "host/tools/client.h"
#include "tests/bench/workload.h"

// Builds kernels/<workload->name>.cl and runs the problem's launches. Returns the result, to be freed; adds what they
// took to *figures. Dies when the kernel does not build or does not complete.
void *run_problem(struct session *session, const struct workload *workload, const struct problem *problem,
                  struct figures *figures);

// Whether the device has the instructions that the workload cannot do without (atomics).
bool device_can_run(const struct session *session, const struct workload *workload);

// Work-items that the device has resident when every slot is busy.
unsigned resident_work_items(const struct session *session);

#endif
