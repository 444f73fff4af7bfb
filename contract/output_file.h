// SPDX-License-Identifier: Apache-2.0
// Files that a tool or the library writes because a user named them. A path may be a link, of which the file behind it
// is meant, and a device. Nothing of the user's is removed: neither links nor devices.
#ifndef HEDDLE_CONTRACT_OUTPUT_FILE_H
#define HEDDLE_CONTRACT_OUTPUT_FILE_H

#include <signal.h>
#include <stdbool.h>

// Whether the path can be written: 0, or a negative errno. `is_file`: it is a file, or will be one. What is there keeps
// its contents, where nothing is nothing is left, and of a pipe the other end may come later. Thread-safe.
int heddle_output_file_probe(const char *path, bool *is_file);

// Removes a file that could not be written whole, so that nobody takes it for more. A link to it stays, and so do
// devices, pipes, and the files that standard output and standard error go to. Keeps errno. Thread-safe.
void heddle_output_file_withdraw(const char *path);

// Between these a limit on the size of files (RLIMIT_FSIZE) ends no program by what this thread writes: the write fails
// (EFBIG). A signal of it that came before stays. Thread-safe.
struct heddle_output_limit {
  sigset_t before;
  bool has_come;
};
void heddle_output_limit_enter(struct heddle_output_limit *limit);
void heddle_output_limit_leave(const struct heddle_output_limit *limit);

// Whether two paths name one file, or are the same words and nothing is there. Thread-safe.
bool heddle_output_file_is(const char *path, const char *other);

#endif
