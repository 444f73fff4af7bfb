// SPDX-License-Identifier: Apache-2.0
// Goes through the printf buffer (printf_records.h). Kernels can write anything there: each record is checked against
// the kernel file's layouts, and strings are taken from the file.
#include "host/device/printf_records.h"

#include <errno.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/little_endian.h"
#include "host/c_numbers.h"
#include "host/device/printf_format.h"
#include "host/device/printf_lines.h"

// Characters that one dispatch prints, or that are read of formats for it: a record of 16 bytes may ask for a string of
// megabytes.
enum { PRINTED_MOST = 64 << 20 };

// Where strings are looked up.
struct strings {
  const struct heddle_kernel_file *file;
  uint32_t base;
  const struct heddle_kernel *pipeline;  // NULL: the image has them
};

static const char *string_at(void *user, uint32_t address) {
  const struct strings *strings = user;
  return strings->pipeline ? heddle_kernel_pipeline_string(strings->pipeline, address)
                           : heddle_kernel_file_string(strings->file, address - strings->base);
}

static uint32_t word_at(const uint8_t *record, uint32_t word) {
  return heddle_get32(record + 4 * (size_t)word);
}

static int write_record(struct strings *strings, const struct heddle_printf_layout *layout, const uint8_t *record,
                        struct heddle_text *text, struct heddle_printf_lines *lines, size_t *left) {
  const char *format = string_at(strings, word_at(record, HEDDLE_PRINTF_FORMAT));
  if (!format)
    return -EBADMSG;
  const size_t format_bytes = strlen(format);
  if (*left <= format_bytes)
    return -EFBIG;
  text->count = 0;
  text->most = *left;
  const bool formatted = heddle_printf_format(text, format, layout, record, string_at, strings);
  if (!formatted && text->is_full)
    return -EFBIG;
  *left -= text->count > format_bytes ? text->count : format_bytes;
  const bool written =
      formatted && heddle_printf_lines_add(lines, word_at(record, HEDDLE_PRINTF_WORK_ITEM), text->bytes, text->count);
  return written ? 0 : -ENOMEM;
}

int heddle_printf_write(const struct heddle_kernel_file *file, uint32_t base, const struct heddle_kernel *pipeline,
                        const struct heddle_printed *printed, FILE *out) {
  const struct heddle_printf_layouts *layouts = pipeline ? &pipeline->pipeline_layouts : &file->printf_layouts;
  struct strings strings = {file, base, pipeline};
  struct heddle_printf_lines lines = {.out = out};
  struct heddle_text text = {0};
  struct heddle_c_numbers before;
  heddle_c_numbers_enter(&before);
  size_t left = PRINTED_MOST;
  int result = 0;
  for (uint32_t at = 0; printed->bytes - at >= 4 && result != -EBADMSG && result != -EFBIG;) {
    const uint8_t *record = printed->records + at;
    const uint32_t first = word_at(record, HEDDLE_PRINTF_LAYOUT), number = first & ~HEDDLE_PRINTF_COMPLETE;
    if (first == 0) {  // reserved, and not come further
      at += 4;
      continue;
    }
    if (number == 0 || number > layouts->count || layouts->items[number - 1].record_bytes > printed->bytes - at) {
      result = -EBADMSG;
      break;
    }
    const struct heddle_printf_layout *layout = &layouts->items[number - 1];
    if (first & HEDDLE_PRINTF_COMPLETE) {
      const int of_record = write_record(&strings, layout, record, &text, &lines, &left);
      result = of_record != 0 ? of_record : result;
    }
    at += layout->record_bytes;
  }
  heddle_printf_lines_finish(&lines);
  heddle_c_numbers_leave(&before);
  heddle_text_free(&text);
  return result;
}
