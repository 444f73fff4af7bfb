// SPDX-License-Identifier: Apache-2.0
// How records of printf look: the layouts of a kernel file's printf note (contract/DEVICE.md).
#ifndef HEDDLE_PRINTF_LAYOUT_H
#define HEDDLE_PRINTF_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

// One argument of a call: a scalar, or a vector of `count` elements.
struct heddle_printf_value {
  uint8_t kind;     // enum heddle_printf_kind
  uint8_t bytes;    // of an element: 1, 2, 4 or 8
  uint8_t count;    // 1, 2, 3, 4, 8 or 16
  uint32_t offset;  // in the record
};

struct heddle_printf_layout {
  struct heddle_printf_value *values;
  uint32_t num_values;
  uint32_t record_bytes;
};

struct heddle_printf_layouts {
  struct heddle_printf_layout *items;
  uint32_t count;
};

// Reads `count` layouts, each a count of values and a word for each. 0; -EINVAL: these bytes are none; -ENOMEM.
// *layouts is to be freed in every case.
int heddle_printf_layouts_read(const uint8_t *bytes, size_t size, uint32_t count,
                               struct heddle_printf_layouts *layouts);
void heddle_printf_layouts_free(struct heddle_printf_layouts *layouts);

#endif
