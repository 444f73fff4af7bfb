// SPDX-License-Identifier: Apache-2.0
// Child processes: what reads untrusted input with a large tool (compiler, symbolizer) runs in one, with limits on its
// time and memory, on files in a private folder. Thread-safe.
#ifndef HEDDLE_CL_CHILD_H
#define HEDDLE_CL_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "contract/jail.h"

bool heddle_child_write_file(const char *path, const void *bytes, size_t size);

// Runs the program arguments[0] to its end, without input, and keeps what it says in `log` (log_bytes + 1 bytes,
// zeroed). It ends when the calling thread does, sees little of the environment, and is in a jail, unless that is NULL.
// Its exit code; STATUS_TOOL_MISSING when it is not there, STATUS_FAILED when it did not end by itself in time or could
// not be started, which the log says.
int heddle_child_run(char *const arguments[], const struct heddle_jail *jail, int seconds, char *log, size_t log_bytes);

// The same with a program of LLVM that reads files of `folder` and nothing else of the user's. `tool` is its name,
// which is looked for with and without the version behind it, as distributions have both; arguments[0] is filled in.
int heddle_child_run_llvm(const char *tool, char *arguments[], const char *folder, int seconds, char *log,
                          size_t log_bytes);

#endif
