// SPDX-License-Identifier: Apache-2.0
// Copies of autorun kernels (hls/autorun.h): num_compute_units(X, Y, Z) makes X * Y * Z kernels of one, and
// get_compute_id(dimension) tells them apart, as in Intel's SDK for FPGAs. A copy of `pe` is called pe_1, pe_1_0 or
// pe_1_0_2, by how many sizes there are.
#ifndef HEDDLE_HLS_COMPUTE_IDS_H
#define HEDDLE_HLS_COMPUTE_IDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "contract/status.h"

// Functions that ask for a number are to become part of the kernels that use them. To be called before they do.
void compute_ids_show(LLVMModuleRef module);

// Makes the copies, and constants of their numbers. *are_made: there are some. Kernels that have no copies and yet ask
// for a number are explained on stderr (STATUS_REJECTED).
enum status compute_ids_make(LLVMModuleRef module, bool *are_made);

#endif
