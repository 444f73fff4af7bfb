// SPDX-License-Identifier: Apache-2.0
// What went wrong in a kernel, for programs that read it.
#ifndef HEDDLE_RUN_FAULTS_H
#define HEDDLE_RUN_FAULTS_H

#include "host/tools/client.h"

// Prints a JSON array to standard output: an object for each fault, and for each finding of --check, with its text and
// its line of source. Empty where nothing went wrong.
void print_faults(cl_event event);

#endif
