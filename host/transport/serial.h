// SPDX-License-Identifier: Apache-2.0
// The transport of boards behind a serial port: a UART of 8 data bits, no parity, one stop bit, and the frames of
// frames.h on it.
#ifndef HEDDLE_SERIAL_H
#define HEDDLE_SERIAL_H

#include "contract/error.h"
#include "host/transport/transport.h"

enum { HEDDLE_SERIAL_MOST = 16 };  // ports; with more none is opened

// How many ports $HEDDLE_SERIAL names, such as /dev/ttyUSB0,/dev/ttyUSB1: HEDDLE_SERIAL_MOST at most.
unsigned heddle_serial_count(void);

// Opens port `number` of these, from 0, at $HEDDLE_SERIAL_BAUD bits a second (default 3,000,000), for this process
// alone, and the device behind it. 0, or a negative errno with *error in words: -EBUSY names the process that has it,
// -EACCES what to do.
int heddle_serial_open(unsigned number, struct heddle_link *link, struct heddle_error *error);

#endif
