// SPDX-License-Identifier: Apache-2.0
// Kernels of one work-item that do not say so by an attribute, as in sources for Intel's SDK and in SYCL's single_task.
#ifndef HEDDLE_HLS_PIPELINE_TASKS_H
#define HEDDLE_HLS_PIPELINE_TASKS_H

#include "hls/kernel.h"

// Marks them: SYCL's single tasks, and kernels with a loop in which all work-items would do the same. In such a kernel
// no work-item asks for its id, the size of its work-group or values of other work-items, and no attribute names
// work-groups, sub-groups or lanes. It may still be enqueued with any NDRange; its work-items then run one after
// another. A kernel that reads a pipe until it is empty is not one of these: several work-items may share the packets.
// To be called after inlining and optimisation.
void tasks_find(struct kernels *kernels);

#endif
