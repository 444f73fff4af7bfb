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

// Bytes from here on that stand for themselves in a string.
static size_t plain_bytes(const char *text, size_t most) {
  size_t bytes = 0;
  while (bytes < most && text[bytes] != 0) {
    const unsigned char *at = (const unsigned char *)text + bytes;
    const size_t length = character(at, most - bytes);
    if (length == 0 || *at < ' ' || *at == '<' || *at == 127 || *at == '"' || *at == '\\')
      break;
    bytes += length;
  }
  return bytes;
}

void heddle_json_string(FILE *out, const char *text, size_t bytes) {
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (size_t i = 0;; i++) {
    const size_t plain = plain_bytes(text + i, bytes - i);
    fwrite(text + i, 1, plain, out);
    i += plain;
    if (i >= bytes || text[i] == 0)
      break;
    const unsigned char byte = (unsigned char)text[i];
    if (byte == '"' || byte == '\\')
      fprintf(out, "\\%c", byte);
    else if (byte < ' ' || byte == '<' || byte == 127)
      fprintf(out, "\\u%04x", byte);
    else
      fputc('?', out);
  }
  fputc('"', out);
}
