// SPDX-License-Identifier: Apache-2.0
// Which files of observers the environment asks for, and what goes in them. Read once, when first asked; what is wrong
// is said on stderr. Any thread may call these.
#ifndef HEDDLE_OBSERVE_ASKED_H
#define HEDDLE_OBSERVE_ASKED_H

#include <stdbool.h>
#include <stdint.h>

enum heddle_asked_file {
  HEDDLE_ASKED_PROFILE,
  HEDDLE_ASKED_TRACE,
  HEDDLE_ASKED_REPORT,
  HEDDLE_ASKED_KONATA,
  HEDDLE_ASKED_FILES
};

struct heddle_asked {
  // Of each file; "-" is standard output, others are whole: the program may be in another folder at its end. NULL: it
  // is not asked for.
  const char *paths[HEDDLE_ASKED_FILES];
  uint64_t trace_bytes, konata_bytes;  // at most
  uint64_t konata_from, konata_to;     // the cycles of which instructions are logged; all: 0 to UINT64_MAX
};

const struct heddle_asked *heddle_asked(void);
bool heddle_asked_any(void);

// The variable that asks for a file.
const char *heddle_asked_variable(enum heddle_asked_file file);

#endif
