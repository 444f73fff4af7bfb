// SPDX-License-Identifier: Apache-2.0
// Work done in a process of its own, under limits: kernel sources are not to be trusted, and a compiler can crash.
#ifndef HEDDLE_HLS_CHILD_H
#define HEDDLE_HLS_CHILD_H

#include <stdbool.h>

#include "hls/options.h"

// One step at a time runs in a child. `what` names it in messages and in the times of -v.
struct child {
  const char *what;
  char *const *arguments;           // a program and its arguments, found in PATH, ...
  enum status (*function)(void *);  // ... or else a function of heddlec's own
  void *context;
  const char *messages;       // file that takes the program's stderr; NULL: heddlec's own
  const char *const *inputs;  // files and folders that it reads beside the scratch directory, ended by NULL; or NULL
  bool has_users_files;       // it reads and writes what the user may, such as results; else only as above
  bool reads_everything;      // that the user may read: kernels include files from wherever they are
};

// Runs it to its end, where it can read what it needs, write into the scratch directory and do nothing else
// (contract/jail.h). Returns the function's status; for a program, STATUS_OK for exit code 0, STATUS_REJECTED for 1,
// STATUS_TOOL_MISSING if there is no such program (the caller says what to install), and STATUS_FAILED, explained on
// stderr, for anything else: crashes and spent limits.
enum status child_run(const struct child *child, const struct options *options);

// Ends a running child, and returns when it is gone. Async-signal-safe.
void child_kill(void);

#endif
