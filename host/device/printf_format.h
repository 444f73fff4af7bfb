// SPDX-License-Identifier: Apache-2.0
// Makes text of a format and the values in a record: printf of OpenCL C 3.0, section 6.15.14.
#ifndef HEDDLE_PRINTF_FORMAT_H
#define HEDDLE_PRINTF_FORMAT_H

#include "host/device/printf_layout.h"
#include "host/device/text.h"

// The string at an address of the device that %s may name; NULL: there is none.
typedef const char *heddle_printf_string(void *user, uint32_t address);

// Adds what a call prints. The record has layout->record_bytes. A conversion that is none, or whose argument is missing
// or of another kind, prints as it is written. False: host memory is out.
bool heddle_printf_format(struct heddle_text *text, const char *format, const struct heddle_printf_layout *layout,
                          const uint8_t *record, heddle_printf_string *string, void *user);

#endif
