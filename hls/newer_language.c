// SPDX-License-Identifier: Apache-2.0
// Compares what clang does not know of a kernel in an old and in the newest version of OpenCL C (newer_language.h).
#include "hls/newer_language.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/language.h"
#include "hls/scratch.h"

enum { NAMES_MOST = 5 };

// What is behind -Wimplicit-function-declaration, and errors about names.
static const char *const unknown[] = {"undeclared ", "unknown type name "};

// What clang said. `names` has each name once that it did not know.
struct messages {
  size_t errors;  // of the source
  struct strings names;
};

static bool is_in(const struct strings *list, const char *name) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i], name) == 0)
      return true;
  return false;
}

// Adds the first name in quotes of an error of those kinds.
static void take_name(const char *error, struct strings *names) {
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    const char *at = strstr(error, unknown[i]);
    const char *quote = at ? strchr(at, '\'') : NULL;
    const size_t length = quote ? strcspn(quote + 1, "'\n") : 0;
    if (length > 0) {
      char *name = strndup(quote + 1, length);
      if (name && !is_in(names, name))
        strings_add(names, name);
      free(name);
      return;
    }
  }
}

static struct messages read_messages(void) {
  struct messages messages = {0};
  const char *names = scratch_path(SCRATCH_NAMES);
  FILE *file = fopen(scratch_path(SCRATCH_MESSAGES), "r");
  char line[4096];
  while (file && fgets(line, sizeof line, file)) {
    const char *error = strstr(line, "error: ");
    if (error) {
      messages.errors += strncmp(line, names, strlen(names)) != 0;
      take_name(error, &messages.names);
    }
  }
  if (file)
    fclose(file);
  return messages;
}

// Makes the file that asks for each name before the source is there: what this declares does not become a name of the
// language because clang understands its declaration in the newer one only.
static bool ask_for(const struct strings *names) {
  FILE *file = fopen(scratch_path(SCRATCH_NAMES), "w");
  if (!file)
    return false;
  for (size_t i = 0; i < names->count; i++)
    fprintf(file, "typedef __typeof__(%s) heddle_asks_%zu;\n", names->items[i], i);
  return fclose(file) == 0;
}

static void say(const struct options *options, const struct messages *old, const struct messages *new) {
  size_t told = 0;
  for (size_t i = 0; i < old->names.count && told < NAMES_MOST; i++) {
    if (!is_in(&new->names, old->names.items[i])) {
      fprintf(stderr, "%s'%s'", told == 0 ? "note: " : ", ", old->names.items[i]);
      told++;
    }
  }
  if (told > 0 || (new->errors == 0 && old->errors > 0)) {
    fprintf(stderr,
            "%s OpenCL C %s; this was compiled as OpenCL C %s. Build with -cl-std=" HEDDLE_LANGUAGE_OF_COMMANDS "\n",
            told == 0  ? "note: the source is"
            : told > 1 ? " are of"
                       : " is of",
            HEDDLE_LANGUAGE_OF_COMMANDS + 2, options->version + 2);
  }
}

void newer_language_explain(const struct options *options, struct child *clang, struct strings *arguments) {
  if (strcmp(options->version, HEDDLE_LANGUAGE_OF_COMMANDS) == 0)
    return;
  static const char *const again[] = {("-cl-std=" HEDDLE_LANGUAGE_OF_COMMANDS),
                                      "-fsyntax-only",
                                      "-w",
                                      "-Wno-error",
                                      "-ferror-limit=0",
                                      "-fno-color-diagnostics"};
  struct messages old = read_messages();
  strings_add_all(arguments, again, sizeof again / sizeof *again);
  if (old.names.count > 0 && ask_for(&old.names)) {
    strings_add(arguments, "-include");
    strings_add(arguments, scratch_path(SCRATCH_NAMES));
  }
  clang->arguments = arguments->items;
  if (old.errors > 0) {
    child_run(clang, options);
    struct messages new = read_messages();
    say(options, &old, &new);
    strings_free(&new.names);
  }
  strings_free(&old.names);
}
