// SPDX-License-Identifier: Apache-2.0
// The private directory that the files between heddlec's steps live in.
#ifndef HEDDLE_HLS_SCRATCH_H
#define HEDDLE_HLS_SCRATCH_H

#include "contract/status.h"

// The files that may be there. Fixed names, so that a signal handler can remove them.
enum scratch_file {
  SCRATCH_SOURCE,
  SCRATCH_MACROS,   // those of -D
  SCRATCH_OVERLAY,  // where clang finds the source and embedded headers
  SCRATCH_NAMES,    // that an older language does not have
  SCRATCH_DEPEND,   // what it includes
  SCRATCH_BITCODE,
  SCRATCH_WITH_BUILTINS,
  SCRATCH_OBJECT,
  SCRATCH_IMAGE,
  SCRATCH_MESSAGES,   // in memory, where the system can do that
  SCRATCH_PIPELINES,  // what is known of them for the kernel file
  SCRATCH_FILES
};

// Makes the directory (contract/work_folder.h) and removes it again when heddlec ends: by returning from main, by exit,
// or by a signal that ends a program. `lent`, unless NULL, is used instead: a folder that the program which started
// heddlec made so, and is removed only if that program is there no more; else heddlec's files in it are.
enum status scratch_open(const char *lent);

const char *scratch_path(enum scratch_file file);

// The directory itself, without a slash behind it.
const char *scratch_directory(void);

#endif
