// SPDX-License-Identifier: Apache-2.0
// The cache's folder (cache_folder.h).
#include "host/cl/cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/environment.h"

enum { SECONDS_TO_WRITE = 3600 };
enum { DEFAULT_LIMIT = 128 << 20 };

// secure_getenv: who has more rights than the one that set the environment does not write where that says.
bool heddle_cache_path(char path[PATH_MAX]) {
  static const struct {
    const char *variable, *below;
  } places[] = {{"HEDDLE_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/heddle"}, {"HOME", "/.cache/heddle"}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const char *value = secure_getenv(places[i].variable);
    // Like XDG_CACHE_HOME by its specification, a relative path counts for none.
    if (value && value[0] == '/')
      return snprintf(path, PATH_MAX, "%s%s", value, places[i].below) < PATH_MAX;
  }
  return false;
}

static const struct heddle_variable limit_variable = {.name = "HEDDLE_CACHE_BYTES",
                                                      .otherwise = DEFAULT_LIMIT,
                                                      .most = UINT64_MAX,
                                                      .what = "a whole number of bytes, or 0 for no cache"};

int heddle_cache_check(struct heddle_error *error) {
  uint64_t limit;
  return heddle_environment_number(&limit_variable, &limit, error);
}

uint64_t heddle_cache_limit(void) {
  const char *text = getenv(limit_variable.name);
  struct heddle_error error;
  uint64_t limit;
  const bool is_number = heddle_environment_number(&limit_variable, &limit, &error) == 0 && (!text || *text);
  return is_number ? limit : 0;
}

// All of the path; what is there already is left as it is.
static void make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  mkdir(path, 0700);
}

int heddle_cache_open(bool make) {
  enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
  char path[PATH_MAX];
  struct stat facts;
  if (!heddle_cache_path(path)) {
    errno = ENOENT;
    return -1;
  }
  int folder = open(path, FLAGS);
  if (folder < 0 && errno == ENOENT && make) {
    make_folders(path);
    folder = open(path, FLAGS);
  }
  if (folder >= 0 && (fstat(folder, &facts) != 0 || facts.st_uid != geteuid() || (facts.st_mode & 077) != 0)) {
    close(folder);
    errno = EPERM;
    return -1;
  }
  return folder;
}

struct entry {
  char name[HEDDLE_CACHE_NAME_BYTES];
  uint64_t bytes;
  struct timespec used;
};

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const struct entry *)a)->used, *y = &((const struct entry *)b)->used;
  if (x->tv_sec != y->tv_sec)
    return x->tv_sec < y->tv_sec ? -1 : 1;
  return x->tv_nsec != y->tv_nsec ? (x->tv_nsec < y->tv_nsec ? -1 : 1) : 0;
}

// Whether the file is an entry; removes one that was begun and left.
static bool take_entry(int folder, const char *name, struct entry *entry) {
  struct stat facts;
  const size_t length = strlen(name);
  const bool is_new = strncmp(name, HEDDLE_CACHE_NEW, strlen(HEDDLE_CACHE_NEW)) == 0;
  if (length >= sizeof entry->name || (!is_new && strspn(name, "0123456789abcdef") != HEDDLE_CACHE_NAME_BYTES - 1) ||
      fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode))
    return false;
  if (is_new && facts.st_mtim.tv_sec + SECONDS_TO_WRITE < time(NULL)) {
    unlinkat(folder, name, 0);
    return false;
  }
  memcpy(entry->name, name, length + 1);
  entry->bytes = (uint64_t)facts.st_size;
  entry->used = facts.st_mtim;
  return true;
}

// All entries, for the caller to free.
static struct entry *list(int folder, size_t *count, uint64_t *bytes) {
  struct entry *entries = NULL;
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *open_folder = copy >= 0 ? fdopendir(copy) : NULL;
  *count = 0;
  *bytes = 0;
  if (!open_folder) {
    if (copy >= 0)
      close(copy);
    return NULL;
  }
  for (const struct dirent *at; (at = readdir(open_folder));) {
    struct entry *more = *count % 64 == 0 ? realloc(entries, (*count + 64) * sizeof *entries) : entries;
    if (!more)
      break;
    entries = more;
    if (take_entry(folder, at->d_name, &entries[*count]))
      *bytes += entries[(*count)++].bytes;
  }
  closedir(open_folder);
  return entries;
}

void heddle_cache_count(int folder, size_t *entries, uint64_t *bytes) {
  free(list(folder, entries, bytes));
}

void heddle_cache_trim(int folder, uint64_t limit) {
  size_t count;
  uint64_t bytes;
  struct entry *entries = list(folder, &count, &bytes);
  if (bytes > limit) {
    qsort(entries, count, sizeof *entries, by_use);
    // Some more than has to be, so that not each new entry finds it full.
    for (size_t i = 0; i < count && bytes > limit - limit / 8; i++) {
      if (entries[i].name[0] != '.') {
        unlinkat(folder, entries[i].name, 0);
        bytes -= entries[i].bytes;
      }
    }
  }
  free(entries);
}
