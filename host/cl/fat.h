// SPDX-License-Identifier: Apache-2.0
// Fat binaries (contract/FAT_BINARY.md) as clCreateProgramWithBinary takes them: which kernel file is for the device,
// and whether the board gets another bitstream first.
//
// Environment: HEDDLE_RECONFIGURE=1 allows that; HEDDLE_BOARD names the board, where its USB product string does not.
#ifndef HEDDLE_CL_FAT_H
#define HEDDLE_CL_FAT_H

#include <CL/cl.h>
#include <stddef.h>

#include "contract/fat_binary.h"

// The kernel file for the device, inside `bytes`. CL_SUCCESS; else CL_INVALID_BINARY, or CL_OUT_OF_RESOURCES for a
// device that does not open, and *why says what is wrong with it: the caller's to free, NULL without host memory.
cl_int heddle_fat_choose(cl_device_id device, const void *bytes, size_t size, const unsigned char **file,
                         size_t *file_bytes, char **why);

#endif
