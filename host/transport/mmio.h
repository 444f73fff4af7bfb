// SPDX-License-Identifier: Apache-2.0
// The transport of a device on this chip, for Linux: bus.h by UIO. Control registers are map 0 of a UIO device, which
// also tells of the interrupt; global memory is its map 1, or a file that maps the same memory better.
#ifndef HEDDLE_MMIO_H
#define HEDDLE_MMIO_H

#include "contract/error.h"
#include "host/transport/transport.h"

enum { HEDDLE_MMIO_MOST = 4 };  // devices; with more none is opened

// How many devices $HEDDLE_UIO names, such as /dev/uio0,/dev/uio1: HEDDLE_MMIO_MOST at most.
unsigned heddle_mmio_count(void);

// Opens device `number` of these, from 0, for this process alone. 0, or a negative errno with *error in words: -EBUSY
// names the process that has it, -EACCES what to do, -ENODEV what is there instead: somebody else's device, or one
// whose maps are not those of a Heddle device.
int heddle_mmio_open(unsigned number, struct heddle_link *link, struct heddle_error *error);

#endif
