// SPDX-License-Identifier: Apache-2.0
// What the environment asks observers for (asked.h).
#include "host/observe/asked.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "host/environment.h"

static const char *const variables[HEDDLE_ASKED_FILES] = {[HEDDLE_ASKED_PROFILE] = "HEDDLE_PROFILE",
                                                          [HEDDLE_ASKED_TRACE] = "HEDDLE_TRACE",
                                                          [HEDDLE_ASKED_REPORT] = "HEDDLE_REPORT",
                                                          [HEDDLE_ASKED_KONATA] = "HEDDLE_KONATA"};
static struct heddle_asked asked;
static char paths[HEDDLE_ASKED_FILES][PATH_MAX];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_any(void) {
  bool any = false;
  for (enum heddle_asked_file file = 0; file < HEDDLE_ASKED_FILES; file++)
    any = any || asked.paths[file];
  return any;
}

// Keeps the name of a file, which may be relative to the folder of this moment.
static void keep_path(const char *path, char *kept) {
  char folder[PATH_MAX];
  const bool is_whole = path[0] == '/' || strcmp(path, "-") == 0 || !getcwd(folder, sizeof folder);
  const int length = is_whole ? snprintf(kept, PATH_MAX, "%s", path) : snprintf(kept, PATH_MAX, "%s/%s", folder, path);
  if (length >= PATH_MAX)
    snprintf(kept, PATH_MAX, "%.*s", PATH_MAX - 1, path);
}

// One file cannot hold two things: it has the first that is asked for.
static void part_files(void) {
  for (enum heddle_asked_file file = 0; file < HEDDLE_ASKED_FILES; file++)
    for (enum heddle_asked_file other = 0; other < file && asked.paths[file]; other++) {
      if (!asked.paths[other] || !heddle_output_file_is(asked.paths[file], asked.paths[other]))
        continue;
      fprintf(stderr, "heddle: %s: %s writes the same file, %s\n", variables[file], variables[other],
              asked.paths[file]);
      asked.paths[file] = NULL;
    }
}

// Which instructions are logged. If the variables are wrong that is said, and there is no log.
static void ask_for_konata(void) {
  static const struct heddle_variable bytes = {.name = "HEDDLE_KONATA_BYTES",
                                               .otherwise = UINT64_C(256) << 20,
                                               .least = 1 << 16,
                                               .most = UINT64_C(1) << 40,
                                               .what = "a number of bytes, 65536 at least"};
  static const struct heddle_variable from = {.name = "HEDDLE_KONATA_FROM", .most = UINT64_MAX, .what = "a cycle"};
  static const struct heddle_variable to = {
      .name = "HEDDLE_KONATA_TO", .otherwise = UINT64_MAX, .most = UINT64_MAX, .what = "a cycle"};
  struct heddle_error error;
  if (heddle_environment_number(&bytes, &asked.konata_bytes, &error) != 0 ||
      heddle_environment_number(&from, &asked.konata_from, &error) != 0 ||
      heddle_environment_number(&to, &asked.konata_to, &error) != 0) {
    fprintf(stderr, "heddle: no instructions are logged: %s\n", error.text);
    asked.paths[HEDDLE_ASKED_KONATA] = NULL;
  } else if (asked.konata_from > asked.konata_to) {
    fprintf(stderr,
            "heddle: no instructions are logged: HEDDLE_KONATA_FROM, %" PRIu64 ", is behind HEDDLE_KONATA_TO, %" PRIu64
            "\n",
            asked.konata_from, asked.konata_to);
    asked.paths[HEDDLE_ASKED_KONATA] = NULL;
  }
}

static void ask(void) {
  static const struct heddle_variable bytes = {.name = "HEDDLE_TRACE_BYTES",
                                               .otherwise = UINT64_C(256) << 20,
                                               .least = 1 << 16,
                                               .most = UINT64_C(1) << 40,
                                               .what = "a number of bytes, 65536 at least"};
  struct heddle_error error;
  for (enum heddle_asked_file file = 0; file < HEDDLE_ASKED_FILES; file++) {
    const char *path = secure_getenv(variables[file]);
    if (!path || !*path)
      continue;
    keep_path(path, paths[file]);
    asked.paths[file] = paths[file];
  }
  if (!is_any())
    return;
  part_files();
  if (heddle_environment_number(&bytes, &asked.trace_bytes, &error) != 0)
    fprintf(stderr, "heddle: %s\n", error.text);
  if (asked.paths[HEDDLE_ASKED_KONATA])
    ask_for_konata();
}

const struct heddle_asked *heddle_asked(void) {
  pthread_once(&once, ask);
  return &asked;
}

bool heddle_asked_any(void) {
  pthread_once(&once, ask);
  return is_any();
}

const char *heddle_asked_variable(enum heddle_asked_file file) {
  return variables[file];
}
