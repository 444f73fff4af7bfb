// SPDX-License-Identifier: Apache-2.0
// Notes of a kernel file, for kernel_file.c alone.
#ifndef HEDDLE_KERNEL_NOTES_H
#define HEDDLE_KERNEL_NOTES_H

#include "host/device/kernel_file.h"
#include "host/device/kernel_range.h"

// Adds what the notes of one SHT_NOTE section say to *file, whose segments have been read. Notes of other owners and
// types are skipped. Strings of kernels stay in the file's bytes. 0; -EINVAL: a note is wrong, and *error says what;
// -ENOMEM. After an error the caller closes the file.
int heddle_kernel_notes_read(struct heddle_kernel_file *file, struct kernel_range notes, struct heddle_error *error);

#endif
