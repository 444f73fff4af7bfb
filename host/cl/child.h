// SPDX-License-Identifier: Apache-2.0
// Child processes: what reads untrusted input with a large tool (compiler, symbolizer) runs in one, with limits on its
// time and memory, on files in a private folder. Thread-safe.
#ifndef HEDDLE_CL_CHILD_H
#define HEDDLE_CL_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

// A new folder that only this user can enter; `path` has PATH_MAX bytes. False: errno says why.
bool heddle_child_make_folder(char *path);

bool heddle_child_write_file(const char *path, const void *bytes, size_t size);

// The path of a program that can be run, in the first folder of PATH that has one. False: there is none.
bool heddle_child_find(const char *name, char path[PATH_MAX]);

// Runs the program arguments[0] to its end, without input, and keeps what it says in `log` (log_bytes + 1 bytes,
// zeroed). Its exit code; STATUS_TOOL_MISSING when it is not there, STATUS_FAILED when it did not end by itself in
// time.
int heddle_child_run(char *const arguments[], int seconds, char *log, size_t log_bytes);

#endif
