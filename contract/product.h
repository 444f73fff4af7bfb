// SPDX-License-Identifier: Apache-2.0
// Which board is at hand: by the product strings of USB devices, as /sys has them.
#ifndef HEDDLE_PRODUCT_H
#define HEDDLE_PRODUCT_H

#include "contract/fat_binary.h"

// The bitstream whose board is plugged in: of the USB device behind a serial port such as /dev/ttyUSB0, or with NULL of
// all USB devices. NULL: no board of the fat binary is, or several are.
const struct heddle_fat_part *heddle_product_choose(const struct heddle_fat_binary *fat, const char *port);

#endif
