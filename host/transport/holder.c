// SPDX-License-Identifier: Apache-2.0
// Locks on ports, and who has them (holder.h).
#include "host/transport/holder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// Who has locked the file, 0 if that cannot be told: a line of /proc/locks is "1: FLOCK ADVISORY WRITE 1234 08:01:5678
// 0 EOF".
static long holder_of(const struct stat *file) {
  char line[256];
  long holder = 0;
  FILE *locks = fopen("/proc/locks", "re");
  while (locks && fgets(line, sizeof line, locks)) {
    char *state = NULL;
    const char *words[6] = {0};
    for (size_t i = 0; i < 6; i++)
      words[i] = strtok_r(i == 0 ? line : NULL, " ", &state);
    if (!words[5] || strcmp(words[1], "FLOCK") != 0)
      continue;
    char *end;
    const unsigned long high = strtoul(words[5], &end, 16);
    const unsigned long low = *end == ':' ? strtoul(end + 1, &end, 16) : 0;
    const unsigned long inode = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
    if (high == major(file->st_dev) && low == minor(file->st_dev) && inode == file->st_ino)
      holder = strtol(words[4], NULL, 10);
  }
  if (locks)
    fclose(locks);
  return holder;
}

int heddle_hold(int descriptor, const char *path, struct heddle_error *error) {
  struct stat file;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return 0;
  const long holder = fstat(descriptor, &file) == 0 ? holder_of(&file) : 0;
  return holder > 0 ? heddle_fail(error, -EBUSY, "%.120s is in use by process %ld", path, holder)
                    : heddle_fail(error, -EBUSY, "%.120s is in use by another process", path);
}

// Whether a process has the file open, as far as this one may know.
static bool has_open(long process, const struct stat *file) {
  char path[64];
  bool has = false;
  snprintf(path, sizeof path, "/proc/%ld/fd", process);
  DIR *folder = opendir(path);
  for (struct dirent *entry; folder && !has && (entry = readdir(folder));) {
    struct stat other;
    snprintf(path, sizeof path, "/proc/%ld/fd/%.16s", process, entry->d_name);
    has = stat(path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
  }
  if (folder)
    closedir(folder);
  return has;
}

long heddle_other_user(int descriptor) {
  struct stat file;
  long user = 0;
  DIR *folder = fstat(descriptor, &file) == 0 ? opendir("/proc") : NULL;
  for (struct dirent *entry; folder && user == 0 && (entry = readdir(folder));) {
    const long process = strtol(entry->d_name, NULL, 10);
    if (process > 0 && process != (long)getpid() && has_open(process, &file))
      user = process;
  }
  if (folder)
    closedir(folder);
  return user;
}
