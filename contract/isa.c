// SPDX-License-Identifier: Apache-2.0
// Reads ISA strings, as in "rv32im_zicsr_zba".
#include "contract/isa.h"

#include <string.h>

static bool has(const char *isa, const char *extension, size_t length) {
  const char *letters = isa + 4;
  if (length == 1)
    return memchr(letters, extension[0], strcspn(letters, "_z"));
  for (const char *at = letters + strcspn(letters, "_z"); *at;) {
    at += *at == '_';
    const size_t here = strcspn(at, "_");
    if (here == length && strncmp(at, extension, length) == 0)
      return true;
    at += here;
  }
  return false;
}

// M holds all of Zmmul.
bool heddle_isa_covers(const char *isa, const char *needed) {
  if (strncmp(isa, "rv32", 4) != 0 || strncmp(needed, "rv32", 4) != 0)
    return false;
  const char *at = needed + 4;
  for (; *at && *at != '_' && *at != 'z'; at++)
    if (!has(isa, at, 1))
      return false;
  while (*at) {
    at += *at == '_';
    const size_t length = strcspn(at, "_");
    const bool in_m = length == 5 && strncmp(at, "zmmul", length) == 0 && has(isa, "m", 1);
    if (length != 0 && !in_m && !has(isa, at, length))
      return false;
    at += length;
  }
  return true;
}

bool heddle_isa_has(const char *isa, const char *extension) {
  return strncmp(isa, "rv32", 4) == 0 && has(isa, extension, strlen(extension));
}
