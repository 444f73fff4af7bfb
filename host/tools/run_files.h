// SPDX-License-Identifier: Apache-2.0
// Files that the library writes when `heddle run` ends. Not thread-safe.
#ifndef HEDDLE_TOOLS_RUN_FILES_H
#define HEDDLE_TOOLS_RUN_FILES_H

#include <stdbool.h>

// Such a file, and the option that asks for it. One that cannot be written, or is no file, ends the program with one
// line. Call before the library is used. `is_needed`: need_files looks for it.
void expect_file(const char *option, const char *path, bool is_needed);

// From now on the program ends with EXIT_KERNEL_FAILED, not 0, if a needed file is not there: the library removes what
// it could not write whole, and has said why.
void need_files(void);

#endif
