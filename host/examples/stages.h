// SPDX-License-Identifier: Apache-2.0
// What the examples that work on pictures print of their kernels, and where they write.
#ifndef HEDDLE_EXAMPLES_STAGES_H
#define HEDDLE_EXAMPLES_STAGES_H

#include "host/tools/client.h"

// The memory of a device, and the names of the columns; then a line for each kernel.
void print_heading(cl_device_id device);
void print_stage(const char *name, const struct figures *figures, double seconds);

// A file in a folder, the caller's to free. make_folder makes it unless it is there, or dies.
char *path_in(const char *folder, const char *name);
void make_folder(const char *folder);

#endif
