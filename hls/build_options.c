// SPDX-License-Identifier: Apache-2.0
// Build, compile and link options (build_options.h).
#include "hls/build_options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/words.h"

// What is long is cut short.
static enum status invalid(const char *what, const char *detail) {
  enum { MOST = 200 };
  const bool is_long = strlen(detail) > MOST;
  fprintf(stderr, "heddlec: %s '%.*s%s'\n", what, MOST, detail, is_long ? "..." : "");
  return STATUS_INVALID_OPTIONS;
}

enum status build_options_split(const char *text, struct strings *words) {
  size_t count;
  char **split = heddle_words_split(text, &count);
  if (!split && errno == EINVAL)
    return invalid("unterminated quote in build options", text);
  if (!split)
    abort();
  for (size_t i = 0; i < count; i++)
    strings_add(words, split[i]);
  free(split);
  return STATUS_OK;
}

static const char uniform[] = "-cl-uniform-work-group-size";

// Build options that clang knows by the same name.
static const char *const same_in_clang[] = {
    "-cl-single-precision-constant",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    uniform,
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-w",
    "-Werror",
};

// Build options that ask for nothing that is not so anyway: subnormals are always kept (the option merely permits
// flushing them), sub-groups never depend on independent forward progress, and argument names, strict aliasing and
// line tables are always there.
static const char *const always_satisfied[] = {
    "-cl-denorms-are-zero",
    "-cl-no-subgroup-ifp",
    "-cl-strict-aliasing",
    "-cl-kernel-arg-info",
};

// Values of -cl-std (API 5.8.6.5). The front end refuses those that devices do not have.
static const char *const versions[] = {"CL1.1", "CL1.2", "CL2.0", "CL3.0"};

static bool is_in(const char *word, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, list[i]) == 0)
      return true;
  return false;
}
#define IS_IN(word, list) is_in(word, list, sizeof(list) / sizeof *(list))

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static size_t name_length(const char *text) {
  size_t length = 0;
  while (text[length] == '_' || text[length] == '$' || (text[length] & 0x80) != 0 ||
         isalnum((unsigned char)text[length]) != 0) {
    length++;
  }
  return length;
}

// -D NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE: the line that #define takes. What follows a line break is not of the
// macro.
static enum status take_macro(const char *value, struct options *options) {
  const size_t name = strspn(value, "0123456789") > 0 ? 0 : name_length(value);
  if (name == 0 || (value[name] != 0 && !strchr("=(\r\n", value[name])))
    return invalid("-D takes NAME or NAME=VALUE, not", value);
  const size_t length = strcspn(value, "\r\n"), equals = strcspn(value, "=\r\n");
  if (equals == length) {
    strings_add_format(&options->macros, "%.*s 1", (int)length, value);
  } else {
    strings_add_format(&options->macros, "%.*s %.*s", (int)equals, value, (int)(length - equals - 1),
                       value + equals + 1);
  }
  return STATUS_OK;
}

static enum status take_folder(const char *value, struct options *options) {
  if (strlen(value) >= PATH_MAX)
    return invalid("the path of -I is too long:", value);
  strings_add(&options->folders, value);
  return STATUS_OK;
}

// Takes the build option at words[*position], and the word behind it where the option has its value there.
static enum status take_build_option(char *const *words, size_t count, size_t *position, struct options *options) {
  const char *word = words[*position];
  if (starts_with(word, "-D") || starts_with(word, "-I")) {
    const char *value = word + 2;
    if (*value == 0) {
      if (*position + 1 >= count || *words[*position + 1] == 0)
        return invalid("no value given for build option", word);
      value = words[++*position];
    }
    return word[1] == 'D' ? take_macro(value, options) : take_folder(value, options);
  }
  if (starts_with(word, "-cl-std=")) {
    const char *version = word + strlen("-cl-std=");
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
      if (strcmp(version, versions[i]) == 0) {
        options->version = versions[i];
        return STATUS_OK;
      }
    }
    return invalid("-cl-std takes CL1.1, CL1.2 or CL3.0:", word);
  }
  if (strcmp(word, "-cl-opt-disable") == 0) {
    options->optimize = false;
    return STATUS_OK;
  }
  if (strcmp(word, "-g") == 0) {
    options->has_debug = true;
    return STATUS_OK;
  }
  if (IS_IN(word, same_in_clang)) {
    options->is_uniform |= strcmp(word, uniform) == 0;
    if (!is_in(word, (const char *const *)options->clang.items, options->clang.count))
      strings_add(&options->clang, word);
    return STATUS_OK;
  }
  return IS_IN(word, always_satisfied) ? STATUS_OK : invalid("invalid build option", word);
}

bool build_option_has_value(const char *word) {
  return strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0;
}

// What link options allow. Both spellings of the third are in the specification.
static const struct {
  const char *option;
  unsigned fast_math;
} program_link_options[] = {
    {"-cl-denorms-are-zero", 0},
    {"-cl-no-subgroup-ifp", 0},
    {"-cl-no-signed-zeros", LLVMFastMathNoSignedZeros},
    {"-cl-no-signed-zeroes", LLVMFastMathNoSignedZeros},
    {"-cl-finite-math-only", LLVMFastMathNoNaNs | LLVMFastMathNoInfs},
    {"-cl-unsafe-math-optimizations", LLVMFastMathAll & ~(LLVMFastMathNoNaNs | LLVMFastMathNoInfs)},
    {"-cl-fast-relaxed-math", LLVMFastMathAll},
};

static enum status take_link_option(const char *word, struct options *options) {
  if (strcmp(word, "-create-library") == 0) {
    options->create_library = true;
    return STATUS_OK;
  }
  if (strcmp(word, "-enable-link-options") == 0) {
    options->enable_link_options = true;
    return STATUS_OK;
  }
  for (size_t i = 0; i < sizeof program_link_options / sizeof *program_link_options; i++) {
    if (strcmp(word, program_link_options[i].option) == 0) {
      options->fast_math |= program_link_options[i].fast_math;
      return STATUS_OK;
    }
  }
  return invalid("invalid link option", word);
}

static enum status take_link_options(const struct strings *words, struct options *options) {
  for (size_t i = 0; i < words->count; i++) {
    enum status status = take_link_option(words->items[i], options);
    if (status != STATUS_OK)
      return status;
  }
  return options->enable_link_options && !options->create_library
             ? invalid("link option that needs -create-library:", "-enable-link-options")
             : STATUS_OK;
}

enum status build_options_take(const struct strings *words, struct options *options) {
  if (options->mode == MODE_LINK)
    return take_link_options(words, options);
  enum status status = STATUS_OK;
  for (size_t i = 0; i < words->count && status == STATUS_OK; i++)
    status = take_build_option(words->items, words->count, &i, options);
  return status;
}
