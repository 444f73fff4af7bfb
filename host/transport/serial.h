// SPDX-License-Identifier: Apache-2.0
// The transport of boards behind a serial port: a UART of 8 data bits, no parity, one stop bit, and the frames of
// frames.h on it.
#ifndef HEDDLE_SERIAL_H
#define HEDDLE_SERIAL_H

#include <stdbool.h>

#include "contract/error.h"
#include "host/transport/transport.h"

// Whether a port is named: $HEDDLE_SERIAL, such as /dev/ttyUSB0.
bool heddle_serial_present(void);

// Opens that port at $HEDDLE_SERIAL_BAUD bits a second (default 3,000,000), for this process alone, and the device
// behind it. 0, or a negative errno with *error in words: -EBUSY names the process that has it, -EACCES what to do.
int heddle_serial_open(struct heddle_link *link, struct heddle_error *error);

#endif
