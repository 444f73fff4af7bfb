// SPDX-License-Identifier: Apache-2.0
// Loads a bitstream into a board. Any thread may call.
#ifndef HEDDLE_CL_RECONFIGURE_H
#define HEDDLE_CL_RECONFIGURE_H

#include "contract/fat_binary.h"

// Runs constraints/flash.py, which has to be installed beside heddlec's data, for the part's board. 0, or a negative
// errno with *error in words.
int heddle_bitstream_load(const struct heddle_fat_part *part, struct heddle_error *error);

#endif
