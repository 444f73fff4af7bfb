// SPDX-License-Identifier: Apache-2.0
// Kernels of one work-item that do not say so, as sources for Intel's SDK and SYCL's single_task have them.
#ifndef HEDDLE_HLS_PIPELINE_TASKS_H
#define HEDDLE_HLS_PIPELINE_TASKS_H

#include "hls/kernel.h"

// Marks SYCL's single tasks, and kernels with a loop of which all work-items would do the same: none asks which one it
// is, how large its work-group is or what the others have, and the source says nothing of work-groups, sub-groups or
// lanes. They may be started with any range, and take their work-items one after another. A kernel that reads a pipe
// until it is empty is for as many work-items as share the packets out. Run behind inlining and optimisation.
void tasks_find(struct kernels *kernels);

#endif
