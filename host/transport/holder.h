// SPDX-License-Identifier: Apache-2.0
// Locks a port or device node, so that only one process uses it. Called by serial.c and usb.c.
#ifndef HEDDLE_HOLDER_H
#define HEDDLE_HOLDER_H

#include "contract/error.h"

// Takes the lock without waiting; it is held as long as the descriptor is open. 0, or -EBUSY: another process has it,
// and *error names the process if that is known.
int heddle_hold(int descriptor, const char *path, struct heddle_error *error);

// The id of another process that has the same file open; 0: none is known.
long heddle_other_user(int descriptor);

#endif
