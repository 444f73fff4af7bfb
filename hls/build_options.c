// SPDX-License-Identifier: Apache-2.0
// Build, compile and link options (build_options.h).
#include "hls/build_options.h"

#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status invalid(const char *what, const char *detail) {
  fprintf(stderr, "heddlec: %s '%s'\n", what, detail);
  return STATUS_INVALID_OPTIONS;
}

enum status build_options_split(const char *text, struct strings *words) {
  char *word = malloc(strlen(text) + 1);
  if (word == NULL) {
    abort();
  }
  size_t length = 0;
  bool in_word = false;
  char quote = 0;
  for (const char *c = text; *c != 0; c++) {
    if (*c == '\\' && quote != '\'' && c[1] != 0 && strchr("\"'\\ ", c[1]) != NULL) {
      word[length++] = *++c;
      in_word = true;
    } else if (quote != 0) {
      if (*c == quote) {
        quote = 0;
      } else {
        word[length++] = *c;
      }
    } else if (*c == '"' || *c == '\'') {
      quote = *c;
      in_word = true;
    } else if (strchr(" \t\r\n\f\v", *c) != NULL) {
      if (in_word) {
        word[length] = 0;
        strings_add(words, word);
      }
      length = 0;
      in_word = false;
    } else {
      word[length++] = *c;
      in_word = true;
    }
  }
  if (in_word) {
    word[length] = 0;
    strings_add(words, word);
  }
  free(word);
  return quote == 0 ? STATUS_OK : invalid("unterminated quote in build options", text);
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

static const char *const versions[] = {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"};

static bool is_in(const char *word, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(word, list[i]) == 0) {
      return true;
    }
  }
  return false;
}
#define IS_IN(word, list) is_in(word, list, sizeof(list) / sizeof *(list))

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Takes the build option at words[*position], and the word behind it where the option has its value there.
static enum status take_build_option(char *const *words, size_t count, size_t *position, struct options *options) {
  const char *word = words[*position];
  if (starts_with(word, "-D") || starts_with(word, "-I")) {
    const char *value = word + 2;
    if (*value == 0) {
      if (*position + 1 >= count) {
        return invalid("value missing behind build option", word);
      }
      value = words[++*position];
    }
    strings_add_format(&options->clang, "%.2s%s", word, value);
    return STATUS_OK;
  }
  if (starts_with(word, "-cl-std=")) {
    if (!IS_IN(word + strlen("-cl-std="), versions)) {
      return invalid("invalid build option", word);
    }
    options->has_no_remainders = starts_with(word, "-cl-std=CL1");
    strings_add(&options->clang, word);
    return STATUS_OK;
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
    if (status != STATUS_OK) {
      return status;
    }
  }
  return options->enable_link_options && !options->create_library
             ? invalid("link option without -create-library:", "-enable-link-options")
             : STATUS_OK;
}

enum status build_options_take(const struct strings *words, struct options *options) {
  if (options->mode == MODE_LINK) {
    return take_link_options(words, options);
  }
  enum status status = STATUS_OK;
  for (size_t i = 0; i < words->count && status == STATUS_OK; i++) {
    status = take_build_option(words->items, words->count, &i, options);
  }
  return status;
}
