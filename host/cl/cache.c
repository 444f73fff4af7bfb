// SPDX-License-Identifier: Apache-2.0
// Entries of the cache (cache.h). One is a file, named for its key:
//
// | byte | | (integers of this machine, as is all of the folder)
// |---|---|
// | 0  | "HEDDLEKC" |
// | 8  | SHA-256 of all that follows |
// | 40 | version of the format, 2; number of files, n; bytes of the log; bytes of the output: 32 bits each |
// | 56 | the key |
// | 88 | n times: SHA-256 of a file's contents, or zeros (below); 16 bits with the bytes of its path, path |
// | …  | log, output |
//
// A path behind "!" is that of a file that is not there, and would be included in the place of another if it were.
#include "host/cl/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sha2.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "host/cl/cache_folder.h"
#include "host/cl/cache_key.h"

enum { HASH_BYTES = 32, VERSION = 2, FILES_MAX = 1 << 17, FILE_BYTES_MAX = 64 << 20 };
static const int64_t clock_slack = 100000000;  // nanoseconds that a file's time of change may be behind

struct header {
  char magic[8];
  uint8_t hash[HASH_BYTES];
  uint32_t version, num_files, log_bytes, output_bytes;
  uint8_t key[HEDDLE_CACHE_KEY_BYTES];
};
enum { HASHED_FROM = offsetof(struct header, version) };

static const char magic[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'K', 'C'};

static void hash_of(const void *bytes, size_t size, uint8_t hash[HASH_BYTES]) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, bytes, size);
  SHA256Final(hash, &context);
}

static void name_of(const uint8_t key[HEDDLE_CACHE_KEY_BYTES], char name[HEDDLE_CACHE_NAME_BYTES]) {
  for (int i = 0; i < HEDDLE_CACHE_KEY_BYTES; i++)
    snprintf(name + 2 * i, 3, "%02x", key[i]);
}

bool heddle_cache_enabled(void) {
  return heddle_cache_limit() != 0;
}

// A regular file from `folder` (AT_FDCWD for whole paths), NULL when there is none of that size. The descriptor stays
// open for the caller.
static uint8_t *read_file(int folder, const char *name, size_t most, size_t *size, int *file, struct stat *facts) {
  uint8_t *bytes = NULL;
  // A pipe of that name would not open until somebody writes.
  *file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (folder == AT_FDCWD ? 0 : O_NOFOLLOW));
  if (*file < 0)
    return NULL;
  if (fstat(*file, facts) == 0 && S_ISREG(facts->st_mode) && (uint64_t)facts->st_size <= most)
    bytes = malloc((size_t)facts->st_size + 1);
  *size = 0;
  while (bytes && *size < (size_t)facts->st_size) {
    const ssize_t got = read(*file, bytes + *size, (size_t)facts->st_size - *size);
    if (got <= 0 && !(got < 0 && errno == EINTR)) {
      free(bytes);
      return NULL;
    }
    *size += got > 0 ? (size_t)got : 0;
  }
  return bytes;
}

// The hash of a file's contents; zeros for "!" and a path where none is. False: it cannot be read, or was changed after
// `since`, or holds another text each time.
static bool hash_file(const char *path, int64_t since, uint8_t hash[HASH_BYTES]) {
  struct stat facts;
  size_t size;
  int file;
  if (path[0] == '!') {
    memset(hash, 0, HASH_BYTES);
    return access(path + 1, F_OK) != 0;
  }
  uint8_t *bytes = read_file(AT_FDCWD, path, FILE_BYTES_MAX, &size, &file, &facts);
  bool is_fit = bytes;
  if (is_fit) {
    is_fit = (int64_t)facts.st_mtim.tv_sec * 1000000000 + facts.st_mtim.tv_nsec < since - clock_slack &&
             !heddle_cache_text_varies(bytes, size);
    hash_of(bytes, size, hash);
  }
  free(bytes);
  if (file >= 0)
    close(file);
  return is_fit;
}

// Whether the files of an entry are as they were; *at, from the first of them to `end`, is then behind the last.
static bool files_agree(const uint8_t **at, const uint8_t *end, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint8_t hash[HASH_BYTES];
    uint16_t length;
    char path[PATH_MAX];
    if ((size_t)(end - *at) < HASH_BYTES + sizeof length)
      return false;
    const uint8_t *expected = *at;
    memcpy(&length, *at + HASH_BYTES, sizeof length);
    *at += HASH_BYTES + sizeof length;
    if (length >= sizeof path || length > end - *at)
      return false;
    memcpy(path, *at, length);
    path[length] = 0;
    *at += length;
    if (!hash_file(path, INT64_MAX, hash) || memcmp(hash, expected, HASH_BYTES) != 0)
      return false;
  }
  return true;
}

static void *copy_of(const uint8_t *bytes, size_t size) {
  char *copy = malloc(size + 1);
  if (copy) {
    memcpy(copy, bytes, size);
    copy[size] = 0;
  }
  return copy;
}

// Whether the bytes are a whole entry of that key.
static bool is_whole(const uint8_t *bytes, size_t size, const uint8_t key[HEDDLE_CACHE_KEY_BYTES],
                     struct header *header) {
  uint8_t hash[HASH_BYTES];
  if (size < sizeof *header)
    return false;
  memcpy(header, bytes, sizeof *header);
  if (memcmp(header->magic, magic, sizeof magic) != 0 || header->version != VERSION ||
      memcmp(header->key, key, sizeof header->key) != 0)
    return false;
  hash_of(bytes + HASHED_FROM, size - HASHED_FROM, hash);
  return memcmp(hash, header->hash, sizeof hash) == 0;
}

// What a whole entry holds. False: it is out of date.
static bool take(const uint8_t *bytes, size_t size, const struct header *header, struct heddle_compilation *result) {
  const uint8_t *at = bytes + sizeof *header, *end = bytes + size;
  if (!files_agree(&at, end, header->num_files) ||
      (uint64_t)(end - at) != (uint64_t)header->log_bytes + header->output_bytes || header->output_bytes == 0)
    return false;
  result->log = copy_of(at, header->log_bytes);
  result->output = copy_of(at + header->log_bytes, header->output_bytes);
  result->output_bytes = header->output_bytes;
  if (!result->log || !result->output) {
    free(result->log);
    free(result->output);
    *result = (struct heddle_compilation){0};
    return false;
  }
  return true;
}

bool heddle_cache_get(const uint8_t key[HEDDLE_CACHE_KEY_BYTES], struct heddle_compilation *result) {
  char name[HEDDLE_CACHE_NAME_BYTES];
  struct header header;
  struct stat facts;
  size_t size = 0;
  int file = -1;
  const int folder = heddle_cache_open(false);
  if (folder < 0)
    return false;
  name_of(key, name);
  uint8_t *bytes = read_file(folder, name, (size_t)HEDDLE_OUTPUT_BYTES_MAX * 2, &size, &file, &facts);
  bool is_there = false;
  if (bytes && is_whole(bytes, size, key, &header)) {
    is_there = take(bytes, size, &header, result);
    if (is_there)
      futimens(file, NULL);  // used now
  } else if (file >= 0) {
    unlinkat(folder, name, 0);
  }
  free(bytes);
  if (file >= 0)
    close(file);
  close(folder);
  return is_there;
}

// Bytes that grow. Out of memory there are none, and none are added.
struct bytes {
  uint8_t *data;
  size_t size;
  bool failed;
};

static void add(struct bytes *bytes, const void *data, size_t size) {
  uint8_t *longer = bytes->failed ? NULL : realloc(bytes->data, bytes->size + size + 1);
  bytes->failed = !longer;
  if (longer) {
    memcpy(longer + bytes->size, data, size);
    bytes->data = longer;
    bytes->size += size;
  }
}

static void add_files(struct bytes *bytes, const struct heddle_files *files, int64_t since) {
  bytes->failed |= files->unknown || files->count > FILES_MAX;
  for (size_t i = 0; i < files->count && !bytes->failed; i++) {
    uint8_t hash[HASH_BYTES];
    const uint16_t length = (uint16_t)strlen(files->paths[i]);
    bytes->failed = !hash_file(files->paths[i], since, hash);
    add(bytes, hash, sizeof hash);
    add(bytes, &length, sizeof length);
    add(bytes, files->paths[i], length);
  }
}

static bool write_all(int file, const uint8_t *bytes, size_t size) {
  while (size > 0) {
    const ssize_t written = write(file, bytes, size);
    if (written < 0 && errno != EINTR)
      return false;
    bytes += written > 0 ? written : 0;
    size -= written > 0 ? (size_t)written : 0;
  }
  return true;
}

// Writes under a name that nobody else has, and renames when all is there.
static void write_entry(int folder, const char *name, const struct bytes *bytes) {
  unsigned long long number;
  char new_name[HEDDLE_CACHE_NAME_BYTES];
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    return;
  snprintf(new_name, sizeof new_name, HEDDLE_CACHE_NEW "%llx", number);
  const int file = openat(folder, new_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  struct heddle_output_limit limit;
  heddle_output_limit_enter(&limit);
  const bool is_written = write_all(file, bytes->data, bytes->size);
  heddle_output_limit_leave(&limit);
  if (close(file) != 0 || !is_written || renameat(folder, new_name, folder, name) != 0)
    unlinkat(folder, new_name, 0);
}

void heddle_cache_put(const uint8_t key[HEDDLE_CACHE_KEY_BYTES], const struct heddle_compilation *result,
                      const struct heddle_files *files, int64_t since) {
  struct header header = {.version = VERSION,
                          .num_files = (uint32_t)files->count,
                          .log_bytes = (uint32_t)strlen(result->log),
                          .output_bytes = (uint32_t)result->output_bytes};
  struct bytes bytes = {0};
  const uint64_t limit = heddle_cache_limit();
  memcpy(header.magic, magic, sizeof magic);
  memcpy(header.key, key, sizeof header.key);
  add(&bytes, &header, sizeof header);
  add_files(&bytes, files, since);
  add(&bytes, result->log, header.log_bytes);
  add(&bytes, result->output, header.output_bytes);
  const int folder = bytes.failed || bytes.size > limit ? -1 : heddle_cache_open(true);
  if (folder >= 0) {
    char name[HEDDLE_CACHE_NAME_BYTES];
    hash_of(bytes.data + HASHED_FROM, bytes.size - HASHED_FROM, header.hash);
    memcpy(bytes.data, &header, sizeof header);
    name_of(key, name);
    write_entry(folder, name, &bytes);
    heddle_cache_trim(folder, limit);
    close(folder);
  }
  free(bytes.data);
}
