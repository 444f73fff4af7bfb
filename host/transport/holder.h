// SPDX-License-Identifier: Apache-2.0
// A port or device node for one process alone, as long as it has the descriptor. Called by serial.c and usb.c.
#ifndef HEDDLE_HOLDER_H
#define HEDDLE_HOLDER_H

#include "contract/error.h"

// Takes it, without waiting: 0, or -EBUSY, and *error names the process that has it where that can be told.
int heddle_hold(int descriptor, const char *path, struct heddle_error *error);

// Another process that has the same file open, 0 if that cannot be told.
long heddle_other_user(int descriptor);

#endif
