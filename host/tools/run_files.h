// SPDX-License-Identifier: Apache-2.0
// Files that `heddle run` or the library writes when it ends. Not thread-safe.
#ifndef HEDDLE_TOOLS_RUN_FILES_H
#define HEDDLE_TOOLS_RUN_FILES_H

enum expected_file {
  EXPECTED_FILE,          // of the library: a file
  EXPECTED_FILE_OR_NONE,  // the same, but there may be nothing to write
  EXPECTED_OUTPUT,        // of the library: a file, a device, or standard output (`-`)
  EXPECTED_SAVED,         // of heddle run itself: a file or a device
};

// Such a file, and the option that asks for it; both stay the caller's, to the end of the program. One that cannot be
// written, is of another kind, or is another option's, too, ends the program with one line. Call before the library is
// used. Returns what the library is to write: the file, or one in memory for a device, which is written last of all, so
// that a device that is full ends the program with EXIT_KERNEL_FAILED.
const char *expect_file(const char *option, const char *path, enum expected_file what);

// The kernel file, after all of these: an option that would write over it ends the program with one line.
void expect_source(const char *path);

// From now on the program ends with EXIT_KERNEL_FAILED, not 0, if a file is not there that the library was to write: it
// removes what it could not write whole, and has said why.
void need_files(void);

#endif
