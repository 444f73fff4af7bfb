// SPDX-License-Identifier: Apache-2.0
// Programs that Heddle runs: where they are, and what of the environment they see.
#ifndef HEDDLE_CONTRACT_PROGRAM_H
#define HEDDLE_CONTRACT_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

// The path of a program in the first folder of PATH that has it; where PATH is unset, of the system's folders. Folders
// that are named relative to the working directory do not count, nor do launchers of compilers (ccache), which start
// programs of their own. False: there is none. A process with more rights than whoever started it, who set its
// environment, takes PATH for unset.
bool heddle_program_find(const char *name, char path[PATH_MAX]);

// The environment of a program that reads untrusted input: of the process's own the variables of these names
// (`names` is ended by NULL), so nothing that loads code into it or adds options. `environment` has room for each and
// for a NULL at the end. The strings are the process's own; of one with more rights than whoever started it there are
// none.
void heddle_program_environment(const char *const *names, char **environment);

#endif
