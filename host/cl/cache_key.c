// SPDX-License-Identifier: Apache-2.0
// Keys of the cache (cache_key.h). Contents of the compiler's own files, tens of MiB, are not read: package managers
// and builds change size or time with them.
#include "host/cl/cache_key.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/program.h"
#include "contract/words.h"
#include "host/cl/platform.h"

// Each with its length, so that no two lists give the same bytes.
static void add(SHA2_CTX *hash, const void *bytes, size_t size) {
  const uint64_t length = size;
  SHA256Update(hash, (const uint8_t *)&length, sizeof length);
  if (size != 0)
    SHA256Update(hash, bytes, size);
}

static void add_text(SHA2_CTX *hash, const char *text) {
  add(hash, text, strlen(text));
}

// A file that is not there is a fact too.
static void add_file(SHA2_CTX *hash, const char *path) {
  struct stat facts;
  int64_t values[6] = {0};
  add_text(hash, path);
  if (stat(path, &facts) == 0) {
    values[0] = 1;
    values[1] = (int64_t)facts.st_size;
    values[2] = (int64_t)facts.st_mtim.tv_sec;
    values[3] = (int64_t)facts.st_mtim.tv_nsec;
    values[4] = (int64_t)facts.st_ino;
    values[5] = (int64_t)facts.st_dev;
  }
  add(hash, values, sizeof values);
}

// A program as the compiler finds it.
static void add_program(SHA2_CTX *hash, const char *name) {
  char path[PATH_MAX];
  add_file(hash, heddle_program_find(name, path) ? path : "");
}

static int is_data(const struct dirent *entry) {
  static const char *const ends[] = {".bc", ".a", ".h", ".ld", ".parts"};
  const char *end = strrchr(entry->d_name, '.');
  bool is = false;
  for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
    is = is || strcmp(end, ends[i]) == 0;
  return is;
}

// The compiler's data, of programmable units or of pipelines, and headers that sources name.
static void add_data(SHA2_CTX *hash, const char *folder) {
  char path[2 * PATH_MAX];
  struct dirent **entries;
  const int count = scandir(folder, &entries, is_data, alphasort);
  for (int i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    add_file(hash, path);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

static void add_tools(SHA2_CTX *hash, const char *compiler) {
  static const char *const programs[] = {"clang-22", "ld.lld-22", "llvm-spirv-15"};
  static const char *const data[] = {"", "/pipeline", "/include"};
  char path[PATH_MAX + 64], real[PATH_MAX] = "";
  Dl_info here;
  if (dladdr((const void *)heddle_cache_key, &here))
    add_file(hash, here.dli_fname);
  add_file(hash, compiler);
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    add_program(hash, programs[i]);
  const char *folder = secure_getenv("HEDDLE_DATA");
  if (!realpath(compiler, real))
    real[0] = 0;
  const int length = strrchr(real, '/') ? (int)(strrchr(real, '/') - real) : 0;
  for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
    if (folder && *folder)
      snprintf(path, sizeof path, "%s%s", folder, data[i]);
    else
      snprintf(path, sizeof path, "%.*s/../share/heddle%s", length, real, data[i]);
    add_data(hash, path);
  }
}

// What heddlec is told.
static void add_environment(SHA2_CTX *hash) {
  static const char *const names[] = {"HEDDLE_DATA", "HEDDLE_CONFINE_INCLUDES", "SOURCE_DATE_EPOCH"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    add(hash, value, value ? strlen(value) : 0);
  }
}

bool heddle_cache_text_varies(const void *text, size_t size) {
  static const char *const words[] = {"__TIME__",  "__DATE__", "__TIMESTAMP__", "has_include",
                                      "has_embed", "incbin",   ".include"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (size != 0 && memmem(text, size, words[i], strlen(words[i])))
      return true;
  return false;
}

static bool any_varies(const struct heddle_input *inputs, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (heddle_cache_text_varies(inputs[i].bytes, inputs[i].size))
      return true;
  return false;
}

static void add_inputs(SHA2_CTX *hash, const struct heddle_input *inputs, size_t count) {
  add(hash, &count, sizeof count);
  for (size_t i = 0; i < count; i++) {
    add_text(hash, inputs[i].name ? inputs[i].name : "");
    add(hash, inputs[i].bytes, inputs[i].size);
  }
}

// Where a relative folder of -I begins. False: that is not known.
static bool add_place(SHA2_CTX *hash, const char *options) {
  char place[PATH_MAX];
  size_t count;
  char **words = heddle_words_split(options, &count);
  bool is_relative = false;
  for (size_t i = 0; words && i < count; i++) {
    const char *path = strncmp(words[i], "-I", 2) != 0 ? "/"
                       : words[i][2] || i + 1 == count ? words[i] + 2
                                                       : words[i + 1];
    is_relative = is_relative || path[0] != '/';
  }
  free(words);
  if (is_relative && !getcwd(place, sizeof place))
    return false;
  add_text(hash, is_relative ? place : "");
  return true;
}

bool heddle_cache_key(const struct heddle_job *job, const char *compiler, uint8_t key[HEDDLE_CACHE_KEY_BYTES]) {
  SHA2_CTX hash;
  const uint8_t facts[] = {(uint8_t)job->step, job->has_double, job->has_checks};
  if (heddle_cache_text_varies(job->options, strlen(job->options)) || any_varies(job->headers, job->num_headers) ||
      any_varies(job->inputs, job->num_inputs))
    return false;
  SHA256Init(&hash);
  add_text(&hash, "Heddle " HEDDLE_VERSION);
  add(&hash, facts, sizeof facts);
  add_text(&hash, job->isa);
  add_text(&hash, job->options);
  add_text(&hash, job->pipelines);
  add_inputs(&hash, job->inputs, job->num_inputs);
  add_inputs(&hash, job->headers, job->num_headers);
  add_environment(&hash);
  add_tools(&hash, compiler);
  const bool is_known = add_place(&hash, job->options);
  SHA256Final(key, &hash);
  return is_known;
}
