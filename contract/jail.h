// SPDX-License-Identifier: Apache-2.0
// What a child process that reads untrusted input gives up before it does: the network, other processes, and files
// that it has no business with. SECURITY.md says what is promised.
#ifndef HEDDLE_CONTRACT_JAIL_H
#define HEDDLE_CONTRACT_JAIL_H

#include <stdbool.h>

struct heddle_jail {
  bool has_users_files;   // files are not its matter: only the rest is given up
  bool reads_everything;  // that the user may read; else what the next two name, and nothing else
  bool runs_program;      // goes on to execute a program: the system's programs and libraries may be read
  const char *const
      *readable;         // files and folders, ended by NULL; NULL is an empty list. What is not there is left out
  const char *writable;  // folder to read, and to make, change and remove files in; NULL: none
};

// Puts the calling process, for good, where it can read and write only so, open no socket, start no process and reach
// none; threads are allowed. Open descriptors stay. Files are Landlock's matter (Linux 5.13), the rest seccomp's; where
// the kernel lacks one of them, the other still holds. Async-signal-safe, for the time between fork and exec.
void heddle_jail_enter(const struct heddle_jail *jail);

#endif
