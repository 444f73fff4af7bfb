// SPDX-License-Identifier: Apache-2.0
// Command line of heddlec, and the build options of clBuildProgram (OpenCL API 3.0, section 5.8.6), which may come one
// by one on the command line or as the single string that an OpenCL program passes.
#include "hls/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/isa.h"

static const char help[] =
    "heddlec: compile OpenCL C kernels for a Heddle device\n"
    "\n"
    "  heddlec [option...] KERNELS.cl -o KERNELS.elf\n"
    "\n"
    "KERNELS.cl may be - for standard input.\n"
    "\n"
    "  -o FILE                 where the result goes (default: a.elf)\n"
    "  --emit=elf|obj|asm|ll   what to write: kernel file (default), object, assembly, LLVM IR\n"
    "  --isa STRING            instruction set of the device, as its capability block says "
    "(default: " HEDDLE_DEFAULT_ISA
    ")\n"
    "  --double                offer double (cl_khr_fp64), computed in software\n"
    "  --build-options STRING  options as a program gives them to clBuildProgram\n"
    "  --name NAME             what diagnostics and debug lines call the source\n"
    "  --time-limit SECONDS    for each tool that runs (default: 60)\n"
    "  --memory-limit MIB      for each tool that runs (default: 4096)\n"
    "  -v                      say what runs and how long it took\n"
    "  --help, --version\n"
    "\n"
    "Build options of OpenCL 3.0 (-D, -I, -cl-std=..., -cl-fast-relaxed-math, ...) are accepted directly as well.\n"
    "\n"
    "exit code  0 done   1 the kernels do not compile   2 invalid options   3 a tool is missing   4 a tool failed\n";

static void *checked(void *memory) {
  if (memory == NULL) {
    fputs("heddlec: out of memory\n", stderr);
    exit(STATUS_FAILED);
  }
  return memory;
}

static void strings_take(struct strings *list, char *text) {
  list->items = checked(realloc(list->items, (list->count + 2) * sizeof *list->items));
  list->items[list->count++] = text;
  list->items[list->count] = NULL;
}

void strings_add(struct strings *list, const char *text) {
  strings_take(list, checked(strdup(text)));
}

void strings_add_format(struct strings *list, const char *format, ...) {
  va_list arguments;
  char *text = NULL;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  strings_take(list, checked(length < 0 ? NULL : text));
}

void strings_free(struct strings *list) {
  for (size_t i = 0; i < list->count; i++) {
    free(list->items[i]);
  }
  free(list->items);
  *list = (struct strings){0};
}

static enum status invalid(const char *what, const char *detail) {
  fprintf(stderr, "heddlec: %s '%s'\n", what, detail);
  return STATUS_INVALID_OPTIONS;
}

// Splits the string of clBuildProgram at white space. Double and single quotes group, and a backslash before a quote,
// a backslash or a blank takes it literally: -DTEXT=\"a\", -I "dir with blanks".
static enum status split(const char *text, struct strings *words) {
  char *word = checked(malloc(strlen(text) + 1));
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

// Build options that clang knows by the same name.
static const char *const same_in_clang[] = {
    "-cl-single-precision-constant",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-uniform-work-group-size",
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
  if (word == NULL) {
    return invalid("missing", "build option");
  }
  if (starts_with(word, "-D") || starts_with(word, "-I")) {
    const char *value = word + 2;
    if (*value == 0) {
      if (*position + 1 == count) {
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
    strings_add(&options->clang, word);
    return STATUS_OK;
  }
  return IS_IN(word, always_satisfied) ? STATUS_OK : invalid("invalid build option", word);
}

static enum status take_build_options(const char *text, struct options *options) {
  struct strings words = {0};
  enum status status = split(text, &words);
  for (size_t i = 0; i < words.count && status == STATUS_OK; i++) {
    status = take_build_option(words.items, words.count, &i, options);
  }
  strings_free(&words);
  return status;
}

static enum status take_emit(const char *value, struct options *options) {
  static const char *const kinds[] = {[EMIT_ELF] = "elf", [EMIT_OBJ] = "obj", [EMIT_ASM] = "asm", [EMIT_LL] = "ll"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(value, kinds[i]) == 0) {
      options->emit = (enum emit)i;
      return STATUS_OK;
    }
  }
  return invalid("--emit takes elf, obj, asm or ll, not", value);
}

static enum status take_limit(const char *value, const char *what, unsigned *limit) {
  char *end;
  unsigned long number = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end != 0 || number == 0 || number > 1000000) {
    return invalid(what, value);
  }
  *limit = (unsigned)number;
  return STATUS_OK;
}

// If argv[*i] is NAME, with its value behind it or after '=', moves on and returns the value; *missing says there was
// none.
static const char *value_of(const char *name, int argc, char **argv, int *i, bool *missing) {
  size_t length = strlen(name);
  if (argv[*i] == NULL || strncmp(argv[*i], name, length) != 0) {
    return NULL;
  }
  if (argv[*i][length] == '=') {
    return argv[*i] + length + 1;
  }
  if (argv[*i][length] != 0) {
    return NULL;
  }
  *missing = *i + 1 == argc;
  return *missing ? NULL : argv[++*i];
}

static enum status take_argument(int argc, char **argv, int *i, struct options *options) {
  const char *word = argv[*i];
  const char *value;
  bool missing = false;
  if ((value = value_of("-o", argc, argv, i, &missing)) != NULL) {
    options->output = value;
  } else if (!missing && (value = value_of("--isa", argc, argv, i, &missing)) != NULL) {
    options->isa = value;
  } else if (!missing && (value = value_of("--name", argc, argv, i, &missing)) != NULL) {
    options->name = value;
  } else if (!missing && (value = value_of("--build-options", argc, argv, i, &missing)) != NULL) {
    return take_build_options(value, options);
  } else if (!missing && (value = value_of("--emit", argc, argv, i, &missing)) != NULL) {
    return take_emit(value, options);
  } else if (!missing && (value = value_of("--time-limit", argc, argv, i, &missing)) != NULL) {
    return take_limit(value, "--time-limit takes seconds, not", &options->time_limit);
  } else if (!missing && (value = value_of("--memory-limit", argc, argv, i, &missing)) != NULL) {
    return take_limit(value, "--memory-limit takes MiB, not", &options->memory_limit);
  } else if (missing) {
    return invalid("value missing behind", word);
  } else if (strcmp(word, "--double") == 0) {
    options->has_double = true;
  } else if (strcmp(word, "-v") == 0) {
    options->verbose = true;
  } else if (word[0] == '-' && word[1] != 0) {
    size_t position = (size_t)*i;
    enum status status = take_build_option(argv, (size_t)argc, &position, options);
    *i = (int)position;
    return status;
  } else if (options->input != NULL) {
    return invalid("more than one source file:", word);
  } else {
    options->input = word;
  }
  return STATUS_OK;
}

enum status options_parse(int argc, char **argv, struct options *options) {
  *options = (struct options){
      .output = "a.elf",
      .isa = HEDDLE_DEFAULT_ISA,
      .emit = EMIT_ELF,
      .optimize = true,
      .time_limit = 60,
      .memory_limit = 4096,
  };
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      fputs(help, stdout);
      options->input = NULL;
      return STATUS_OK;
    }
    if (strcmp(argv[i], "--version") == 0) {
      puts("heddlec 0.1, kernel file version 1");
      options->input = NULL;
      return STATUS_OK;
    }
    enum status status = take_argument(argc, argv, &i, options);
    if (status != STATUS_OK) {
      return status;
    }
  }
  if (options->input == NULL) {
    fputs("heddlec: no source file; heddlec --help explains\n", stderr);
    return STATUS_INVALID_OPTIONS;
  }
  return STATUS_OK;
}

void options_free(struct options *options) {
  strings_free(&options->clang);
}
