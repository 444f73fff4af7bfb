// SPDX-License-Identifier: Apache-2.0
// Names of the source in the Verilog, the files and the page of a kernel (graph.h). Those of SPIR-V are any bytes.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hls/pipeline/graph.h"

enum { ESCAPED_BYTES = 5 };  // _X3C_

static bool is_plain(const char *at, const char *also) {
  const char c = *at;
  if (c == '_')
    return at[1] != 'X';  // where an escaped byte would begin
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr(also, c);
}

char *graph_word(const char *name, const char *also) {
  char *word = graph_allocate(ESCAPED_BYTES * strlen(name) + 1), *to = word;
  for (; *name; name++)
    if (is_plain(name, also))
      *to++ = *name;
    else
      to += sprintf(to, "_X%02X_", (unsigned char)*name);
  *to = 0;
  return word;
}
