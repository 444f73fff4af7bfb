// SPDX-License-Identifier: Apache-2.0
// Finds programs and picks their environment (program.h).
#include "contract/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static bool is_launcher(const char *path) {
  static const char *const launchers[] = {"ccache", "sccache", "distcc", "icecc"};
  char real[PATH_MAX];
  if (!realpath(path, real))
    return false;
  const char *name = strrchr(real, '/') + 1;
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    if (strcmp(name, launchers[i]) == 0)
      return true;
  return false;
}

bool heddle_program_find(const char *name, char path[PATH_MAX]) {
  const char *folder = secure_getenv("PATH");
  for (folder = folder ? folder : "/usr/local/bin:/usr/bin:/bin"; *folder;) {
    const int length = (int)strcspn(folder, ":");
    if (*folder == '/' && snprintf(path, PATH_MAX, "%.*s/%s", length, folder, name) < PATH_MAX &&
        access(path, X_OK) == 0 && !is_launcher(path))
      return true;
    folder += length;
    folder += *folder == ':';
  }
  return false;
}

void heddle_program_environment(const char *const *names, char **environment) {
  for (; *names; names++) {
    if (!secure_getenv(*names))
      continue;
    const size_t length = strlen(*names);
    for (char **entry = environ; entry && *entry; entry++) {
      if (strncmp(*entry, *names, length) == 0 && (*entry)[length] == '=') {
        *environment++ = *entry;
        break;
      }
    }
  }
  *environment = NULL;
}
