// SPDX-License-Identifier: Apache-2.0
// Strings of JSON (json.h).
#include "host/observe/json.h"

#include <stdbool.h>

// Bytes of the character that begins here, if it is UTF-8 and shorter than `most`; 0: it is not.
static size_t character(const unsigned char *at, size_t most) {
  const size_t length = at[0] < 0x80                    ? 1
                        : at[0] >= 0xC2 && at[0] < 0xE0 ? 2
                        : at[0] >= 0xE0 && at[0] < 0xF0 ? 3
                        : at[0] >= 0xF0 && at[0] < 0xF5 ? 4
                                                        : 0;
  if (length > most)
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xC0) != 0x80)
      return 0;
  return length;
}

void heddle_json_string(FILE *out, const char *text, size_t bytes) {
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (size_t i = 0; i < bytes && text[i] != 0;) {
    const unsigned char byte = (unsigned char)text[i];
    const size_t length = character((const unsigned char *)text + i, bytes - i);
    if (length == 0)
      fputc('?', out);
    else if (byte < ' ' || byte == '<' || byte == 127)
      fprintf(out, "\\u%04x", byte);
    else if (byte == '"' || byte == '\\')
      fprintf(out, "\\%c", byte);
    else
      fwrite(text + i, 1, length, out);
    i += length != 0 ? length : 1;
  }
  fputc('"', out);
}
