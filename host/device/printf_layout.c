// SPDX-License-Identifier: Apache-2.0
// Reader of layouts (printf_layout.h). Its input is hostile, like that of the rest of a kernel file.
#include "host/device/printf_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "contract/device_map.h"
#include "contract/little_endian.h"

// Bytes of a record that its number of values allows: far more than any, and far from what a word overflows at.
enum { VALUES_MAX = 65536 };

static bool is_power_of_two(uint32_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

static bool read_value(uint32_t word, struct heddle_printf_value *value) {
  const uint32_t kind = word & 0xFF, bytes = word >> 8 & 0xFF, count = word >> 16;
  *value = (struct heddle_printf_value){.kind = (uint8_t)kind, .bytes = (uint8_t)bytes, .count = (uint8_t)count};
  if (!is_power_of_two(bytes) || bytes > 8 || (!is_power_of_two(count) && count != 3) || count > 16)
    return false;
  switch (kind) {
    case HEDDLE_PRINTF_INTEGER:
      return true;
    case HEDDLE_PRINTF_FLOAT:
      return bytes != 1;
    case HEDDLE_PRINTF_POINTER:
      return bytes == 4 && count == 1;
    default:
      return false;
  }
}

// One layout from the front of the bytes, which move on.
static int read_layout(const uint8_t **bytes, size_t *size, struct heddle_printf_layout *layout) {
  if (*size < 4)
    return -EINVAL;
  const uint32_t num_values = heddle_get32(*bytes);
  *bytes += 4;
  *size -= 4;
  if (num_values > VALUES_MAX || num_values > *size / 4)
    return -EINVAL;
  layout->values = calloc(num_values ? num_values : 1, sizeof *layout->values);
  if (!layout->values)
    return -ENOMEM;
  layout->num_values = num_values;
  layout->record_bytes = HEDDLE_PRINTF_RECORD_VALUES * 4;
  for (uint32_t i = 0; i < num_values; i++) {
    struct heddle_printf_value *value = &layout->values[i];
    if (!read_value(heddle_get32(*bytes + 4 * (size_t)i), value))
      return -EINVAL;
    value->offset = layout->record_bytes;
    layout->record_bytes += ((uint32_t)value->bytes * value->count + 3) / 4 * 4;
  }
  *bytes += 4 * (size_t)num_values;
  *size -= 4 * (size_t)num_values;
  return 0;
}

int heddle_printf_layouts_read(const uint8_t *bytes, size_t size, uint32_t count,
                               struct heddle_printf_layouts *layouts) {
  *layouts = (struct heddle_printf_layouts){0};
  if (count > size / 4)
    return -EINVAL;
  layouts->items = calloc(count ? count : 1, sizeof *layouts->items);
  if (!layouts->items)
    return -ENOMEM;
  int result = 0;
  for (uint32_t i = 0; i < count && result == 0; i++) {
    layouts->count = i + 1;
    result = read_layout(&bytes, &size, &layouts->items[i]);
  }
  return result;
}

void heddle_printf_layouts_free(struct heddle_printf_layouts *layouts) {
  for (uint32_t i = 0; i < layouts->count; i++)
    free(layouts->items[i].values);
  free(layouts->items);
  *layouts = (struct heddle_printf_layouts){0};
}
