// SPDX-License-Identifier: Apache-2.0
// Entries of the cache of kernels (host/cl/cache.h), from inside: what was put is got, and of what is broken, or no
// longer true, nothing.
#include "host/cl/cache.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/temporary.h"

static char folder[TEMPORARY_BYTES], included[TEMPORARY_BYTES + 16], entry[PATH_MAX];
static const uint8_t key[HEDDLE_CACHE_KEY_BYTES] = {1, 2, 3};
static char output[] = "what came out";

enum { HASH_AT = 8, HASHED_FROM = 40, VERSION_AT = 40, FILES_AT = 44, LOG_AT = 48, OUTPUT_AT = 52 };

static void find_entry(void) {
  DIR *open_folder = opendir(folder);
  cr_assert_not_null(open_folder);
  for (const struct dirent *at; (at = readdir(open_folder));)
    if (strlen(at->d_name) == 64)
      snprintf(entry, sizeof entry, "%s/%s", folder, at->d_name);
  closedir(open_folder);
}

static void put(void) {
  const struct heddle_compilation result = {output, sizeof output, (char *)"a log"};
  char *paths[] = {included};
  heddle_cache_put(key, &result, &(struct heddle_files){paths, 1, false}, INT64_MAX);
  find_entry();
}

static bool get(void) {
  struct heddle_compilation result = {0};
  const bool got = heddle_cache_get(key, &result);
  if (got) {
    cr_expect_str_eq(result.log, "a log");
    cr_expect(result.output_bytes == sizeof output && memcmp(result.output, output, sizeof output) == 0);
  }
  free(result.log);
  free(result.output);
  return got;
}

static void write_included(const char *text) {
  FILE *file = fopen(included, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
}

static void set_up(void) {
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  setenv("HEDDLE_CACHE_DIR", folder, 1);
  unsetenv("HEDDLE_CACHE_BYTES");
  snprintf(included, sizeof included, "%s/included.h", folder);
  write_included("#define A 1\n");
  put();
}

static void tear_down(void) {
  unlink(entry);
  unlink(included);
  cr_expect_eq(rmdir(folder), 0, "something is left in %s", folder);
}

// cppcheck-suppress unknownMacro
TestSuite(cache, .init = set_up, .fini = tear_down);

static size_t read_entry(uint8_t bytes[4096]) {
  FILE *file = fopen(entry, "rb");
  cr_assert_not_null(file);
  const size_t size = fread(bytes, 1, 4096, file);
  fclose(file);
  return size;
}

static void write_entry(const uint8_t *bytes, size_t size) {
  FILE *file = fopen(entry, "wb");
  cr_assert_not_null(file);
  cr_assert_eq(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

// With a hash that fits.
static void write_signed_entry(uint8_t *bytes, size_t size) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, bytes + HASHED_FROM, size - HASHED_FROM);
  SHA256Final(bytes + HASH_AT, &context);
  write_entry(bytes, size);
}

Test(cache, what_was_put_is_got) {
  cr_assert(get());
  cr_assert(get());
}

Test(cache, another_key_has_nothing) {
  struct heddle_compilation result = {0};
  const uint8_t other[HEDDLE_CACHE_KEY_BYTES] = {1, 2, 4};
  cr_assert_not(heddle_cache_get(other, &result));
}

Test(cache, one_bit_changed_anywhere_is_found_and_the_entry_removed) {
  uint8_t bytes[4096];
  const size_t size = read_entry(bytes);
  for (size_t bit = 0; bit < 8 * size; bit++) {
    bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    write_entry(bytes, size);
    cr_assert_not(get(), "bit %zu", bit);
    cr_assert_neq(access(entry, F_OK), 0, "bit %zu: the entry is still there", bit);
    bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
}

Test(cache, cut_short_or_longer_it_is_none) {
  uint8_t bytes[4096] = {0};
  const size_t size = read_entry(bytes);
  for (size_t length = 0; length <= size + 4; length++) {
    write_entry(bytes, length);
    cr_assert_eq(get(), length == size, "%zu bytes", length);
  }
}

Test(cache, numbers_that_do_not_fit_are_refused_though_the_hash_does) {
  static const size_t places[] = {VERSION_AT, FILES_AT, LOG_AT, OUTPUT_AT};
  static const uint32_t values[] = {0, 3, 4, 6, 1000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  uint8_t whole[4096];
  const size_t size = read_entry(whole);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
      uint8_t bytes[4096];
      memcpy(bytes, whole, size);
      memcpy(bytes + places[i], &values[j], sizeof values[j]);
      write_signed_entry(bytes, size);
      cr_assert_not(get(), "word at %zu: 0x%x", places[i], values[j]);
    }
  }
  write_signed_entry(whole, size);
  cr_assert(get());
}

Test(cache, a_file_that_was_not_there_has_to_be_absent) {
  const struct heddle_compilation result = {output, sizeof output, (char *)"a log"};
  char absent[sizeof included + 8];
  snprintf(absent, sizeof absent, "!%s.new", included);
  char *paths[] = {included, absent};
  cr_assert_eq(unlink(entry), 0);
  cr_assert(temporary_write(absent + 1, "there"));
  heddle_cache_put(key, &result, &(struct heddle_files){paths, 2, false}, INT64_MAX);
  cr_assert_not(get(), "kept though it was there");
  cr_assert_eq(unlink(absent + 1), 0);
  heddle_cache_put(key, &result, &(struct heddle_files){paths, 2, false}, INT64_MAX);
  cr_assert(get());
  cr_assert(temporary_write(absent + 1, "there"));
  cr_assert_not(get(), "taken though it is there");
  cr_assert_eq(unlink(absent + 1), 0);
  cr_assert(get());
}

Test(cache, paths_that_do_not_fit_are_refused_though_the_hash_does) {
  uint8_t bytes[4096];
  const size_t size = read_entry(bytes), length_at = 88 + 32;
  for (uint32_t length = 0; length < 65536; length += 257) {
    const uint16_t value = (uint16_t)length;
    memcpy(bytes + length_at, &value, sizeof value);
    write_signed_entry(bytes, size);
    cr_assert_not(get(), "path of %u bytes", length);
  }
}

Test(cache, an_included_file_that_changed_is_found) {
  write_included("#define A 2\n");
  cr_assert_not(get());
  write_included("#define A 1\n");
  cr_assert(get());
  unlink(included);
  cr_assert_not(get());
}

Test(cache, what_was_made_of_unknown_or_late_files_is_not_kept) {
  const struct heddle_compilation result = {output, sizeof output, (char *)"a log"};
  char *paths[] = {included};
  unlink(entry);
  heddle_cache_put(key, &result, &(struct heddle_files){paths, 1, true}, INT64_MAX);
  cr_assert_not(get());
  heddle_cache_put(key, &result, &(struct heddle_files){paths, 1, false}, 1000);
  cr_assert_not(get());
  unlink(included);
  heddle_cache_put(key, &result, &(struct heddle_files){paths, 1, false}, INT64_MAX);
  cr_assert_not(get());
  heddle_cache_put(key, &result, &(struct heddle_files){0}, INT64_MAX);
  cr_assert(get());
}
