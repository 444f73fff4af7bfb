// SPDX-License-Identifier: Apache-2.0
// Private folders with an owner (work_folder.h).
#include "contract/work_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A folder has the first name until it is locked.
static const char unlocked[] = "heddle-start-", locked[] = "heddle-build-";
enum { PREFIX_BYTES = sizeof locked - 1, RANDOM_BYTES = 6, TRIES = 100, DEPTH = 2, START_SECONDS = 60 };

static int open_folder(int parent, const char *name) {
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// What the kernel writes for each name of a folder. (readdir is not async-signal-safe: it allocates.)
struct kernel_entry {
  uint64_t inode;
  int64_t next;
  unsigned short bytes;
  unsigned char type;
  char name[];
};

static void remove_at(int parent, const char *name, int depth) {
  const int folder = open_folder(parent, name);
  if (folder >= 0) {
    _Alignas(struct kernel_entry) char entries[4096];
    long length;
    while ((length = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
      for (long at = 0; at < length;) {
        const struct kernel_entry *entry = (const struct kernel_entry *)(entries + at);
        at += entry->bytes;
        const char *inner = entry->name;
        if (strcmp(inner, ".") == 0 || strcmp(inner, "..") == 0)
          continue;
        if (unlinkat(folder, inner, 0) != 0 && (errno == EISDIR || errno == EPERM) && depth > 1)
          remove_at(folder, inner, depth - 1);
      }
    }
    close(folder);
  }
  unlinkat(parent, name, AT_REMOVEDIR);
}

bool heddle_work_folder_is_one(const char *path) {
  const char *last = strrchr(path, '/');
  return last && strlen(last + 1) == PREFIX_BYTES + RANDOM_BYTES && strncmp(last + 1, locked, PREFIX_BYTES) == 0;
}

void heddle_work_folder_remove(const char *path) {
  if (heddle_work_folder_is_one(path))
    remove_at(AT_FDCWD, path, DEPTH);
}

// Of this user and nobody else's to enter.
static int is_ours(int folder, struct stat *facts) {
  return fstat(folder, facts) == 0 && facts->st_uid == geteuid() && (facts->st_mode & 0777) == 0700;
}

// Removes a folder if it has no owner. One that has not got its name yet is left alone for a minute.
static void remove_if_dead(int parent, const char *name, int has_name) {
  struct stat facts;
  const int folder = open_folder(parent, name);
  if (folder < 0)
    return;
  if (is_ours(folder, &facts) && flock(folder, LOCK_EX | LOCK_NB) == 0 &&
      (has_name || time(NULL) - facts.st_mtim.tv_sec > START_SECONDS))
    remove_at(parent, name, DEPTH);
  close(folder);
}

static void remove_dead(const char *place) {
  DIR *folder = opendir(place);
  const int parent = folder ? dirfd(folder) : -1;
  for (struct dirent *entry; parent >= 0 && (entry = readdir(folder));) {
    if (strlen(entry->d_name) != PREFIX_BYTES + RANDOM_BYTES)
      continue;
    if (strncmp(entry->d_name, locked, PREFIX_BYTES) == 0)
      remove_if_dead(parent, entry->d_name, 1);
    else if (strncmp(entry->d_name, unlocked, PREFIX_BYTES) == 0)
      remove_if_dead(parent, entry->d_name, 0);
  }
  if (folder)
    closedir(folder);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int have_removed_dead;

static void remove_dead_once(const char *place) {
  pthread_mutex_lock(&lock);
  if (!have_removed_dead)
    remove_dead(place);
  have_removed_dead = 1;
  pthread_mutex_unlock(&lock);
}

// Locks a folder that has just been made and gives it its name. Returns the lock, or -1.
static int lock_and_name(char *start, char *path, size_t size) {
  const int descriptor = open_folder(AT_FDCWD, start);
  const size_t place = strlen(start) - PREFIX_BYTES - RANDOM_BYTES;
  snprintf(path, size, "%.*s%s%s", (int)place, start, locked, start + place + PREFIX_BYTES);
  if (descriptor >= 0) {
    flock(descriptor, LOCK_SH);  // where files cannot be locked, nobody takes a folder for dead either
    if (renameat2(AT_FDCWD, start, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
      return descriptor;
    // File systems without this flag: the name is random, so only a folder that is empty could be replaced.
    if (errno == EINVAL && rename(start, path) == 0)
      return descriptor;
    close(descriptor);
  }
  return -1;
}

int heddle_work_folder_make(char *path, size_t size) {
  const char *place = secure_getenv("TMPDIR");
  char start[4096];
  if (!place || place[0] != '/')
    place = "/tmp";
  snprintf(path, size, "%s", place);
  if (snprintf(start, sizeof start, "%s/%sXXXXXX", place, unlocked) >= (int)sizeof start || strlen(start) >= size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  remove_dead_once(place);
  const size_t length = strlen(start);
  for (int i = 0; i < TRIES; i++) {
    memset(start + length - RANDOM_BYTES, 'X', RANDOM_BYTES);
    if (!mkdtemp(start)) {
      snprintf(path, size, "%s", place);
      return -1;
    }
    const int descriptor = lock_and_name(start, path, size);
    if (descriptor >= 0)
      return descriptor;
    const int error = errno;
    rmdir(start);
    if (error != EEXIST) {
      snprintf(path, size, "%s", place);
      errno = error;
      return -1;
    }
  }
  errno = EEXIST;
  return -1;
}
