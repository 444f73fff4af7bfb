// SPDX-License-Identifier: Apache-2.0
// Runs stock clang on the kernel source. The target is spir, not riscv32: only there do kernels, address spaces and
// vectors keep their OpenCL form until the kernel pass takes them to RISC-V.
#include "hls/front_end.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/features.h"
#include "contract/isa.h"
#include "contract/language.h"
#include "hls/builtins.h"
#include "hls/child.h"
#include "hls/data.h"
#include "hls/depend.h"
#include "hls/kernel_hints.h"
#include "hls/newer_language.h"
#include "hls/overlay.h"
#include "hls/scratch.h"

enum { SOURCE_BYTES_MAX = 64 << 20 };

// Appends ",+name" to a text for each name of a list.
static void append_names(char *text, size_t size, const char *names) {
  size_t used = strlen(text);
  while (*names != 0 && used < size) {
    int length = (int)strcspn(names, " ");
    used += (size_t)snprintf(text + used, size - used, ",+%.*s", length, names);
    names += length + (names[length] == ' ');
  }
}

// "-all,+name,+name,...": what the device offers, and nothing of what clang's spir target would claim.
static void add_extensions(struct strings *arguments, const struct options *options) {
  char list[4096] = "-cl-ext=-all";
  append_names(list, sizeof list, HEDDLE_EXTENSIONS " " HEDDLE_FEATURES);
  if (heddle_isa_has(options->isa, "a"))
    append_names(list, sizeof list, HEDDLE_ATOMIC_EXTENSIONS " " HEDDLE_ATOMIC_FEATURES);
  if (options->has_double)
    append_names(list, sizeof list, HEDDLE_DOUBLE_EXTENSIONS " " HEDDLE_DOUBLE_FEATURES);
  strings_add(arguments, "-Xclang");
  strings_add(arguments, list);
}

// Macros: clang defines few of an extension's before the version of the language it has been made for, and declares the
// functions of some wherever they are defined.
static void define_all(struct strings *arguments, const char *names) {
  while (*names != 0) {
    int length = (int)strcspn(names, " ");
    strings_add_format(arguments, "-D%.*s=1", length, names);
    names += length + (names[length] == ' ');
  }
}

// Whether nothing but comments is left of a line.
static bool ends(const char *at, const char *end) {
  while (at < end && isspace((unsigned char)*at) != 0)
    at++;
  if (at == end || (end - at >= 2 && memcmp(at, "//", 2) == 0))
    return true;
  const char *close =
      end - at >= 4 && memcmp(at, "/*", 2) == 0 ? memmem(at + 2, (size_t)(end - at) - 2, "*/", 2) : NULL;
  return close && ends(close + 2, end);
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

// What is behind these words, between which there may be blanks; NULL: the line does not begin with them.
static const char *behind_words(const char *at, const char *end, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    at = skip_blanks(at, end);
    const size_t size = strlen(words[i]);
    if ((size_t)(end - at) < size || memcmp(at, words[i], size) != 0)
      return NULL;
    at += size;
  }
  return at;
}

// Whether a line is #pragma ivdep, as Intel's SDK has it: for all memory of the loop that follows. With array(NAME) or
// safelen(N) it promises less, and is none of ours.
static bool is_ivdep(const char *line, size_t length) {
  static const char *const words[] = {"#", "pragma", "ivdep"};
  const char *behind = behind_words(line, line + length, words, sizeof words / sizeof *words);
  return behind && ends(behind, line + length);
}

#define INTEGERS_OF_ANY_WIDTH "include/ihc_apint.h"

// The header of what a line enables that is Intel's SDK's: channels, by their name or the one that they had before, and
// integers of any width. NULL: none.
static const char *header_of_extension(const char *line, size_t length) {
  static const char *const extensions[][2] = {
      {"cl_intel_channels", "channels.h"},
      {"cl_altera_channels", "channels.h"},
      {"cl_intel_arbitrary_precision_integers", INTEGERS_OF_ANY_WIDTH},
  };
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
    const char *const words[] = {"#", "pragma", "OPENCL", "EXTENSION", extensions[i][0], ":", "enable"};
    if (behind_words(line, line + length, words, sizeof words / sizeof *words))
      return extensions[i][1];
  }
  return NULL;
}

// A pipeline's rounds overlap where that is right, which #pragma ivdep says; clang knows it by another name. In a
// header it is an unknown pragma, as it is for a programmable unit, where nothing overlaps. Of several for one loop the
// first counts: `is_said` is whether nothing but pragmas and empty lines came since.
static void write_line(const char *line, size_t length, bool is_for_hardware, bool *is_said, FILE *to) {
  const char *const end = line + length, *const at = skip_blanks(line, end);
  const char *extension = header_of_extension(line, length);
  if (extension) {
    char header[4096];
    if (data_path(extension, header, sizeof header) == STATUS_OK)
      fprintf(to, "#include \"%s\"\n", header);
    return;
  }
  if (is_for_hardware && is_ivdep(line, length)) {
    fputs(*is_said ? "\n" : "#pragma clang loop vectorize(assume_safety)\n", to);
    *is_said = true;
    return;
  }
  *is_said = *is_said && (ends(at, end) || *at == '#');
  fwrite(line, 1, length, to);
}

// Writes a line directive, which gives the lines behind it the name, and the source.
static enum status copy(FILE *from, FILE *to, const char *name, bool is_for_hardware) {
  fputs("#line 1 \"", to);
  for (const char *c = name; *c != 0; c++) {
    if (*c == '"' || *c == '\\')
      fputc('\\', to);
    fputc(*c == '\n' || *c == '\r' ? ' ' : *c, to);
  }
  fputs("\"\n", to);
  char *line = NULL;
  size_t room = 0, total = 0;
  ssize_t length;
  char last = 0;
  bool is_said = false;
  while (total <= SOURCE_BYTES_MAX && (length = getline(&line, &room, from)) > 0) {
    write_line(line, (size_t)length, is_for_hardware, &is_said, to);
    total += (size_t)length;
    last = line[length - 1];
  }
  free(line);
  // In a last line without an end clang counts columns from its beginning each time, which is all of a source in one
  // line.
  if (last != '\n')
    fputc('\n', to);
  if (total > SOURCE_BYTES_MAX) {
    fprintf(stderr, "heddlec: %s: more than %d bytes of source\n", name, SOURCE_BYTES_MAX);
    return STATUS_REJECTED;
  }
  if (ferror(from) != 0 && from == stdin) {
    fprintf(stderr, "heddlec: standard input cannot be read: %s\n", strerror(errno));
    return STATUS_FAILED;
  }
  if (ferror(from) != 0 || ferror(to) != 0 || fflush(to) != 0) {
    fprintf(stderr, "heddlec: cannot copy %s: %s\n", name, strerror(errno));
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

// Copies the source into the scratch directory, under the name that diagnostics are to call it by.
static enum status copy_source(const char *input, const char *name, bool is_for_hardware) {
  bool is_stdin = strcmp(input, "-") == 0;
  FILE *from = is_stdin ? stdin : fopen(input, "rb");
  if (!from) {
    fprintf(stderr, "heddlec: cannot read %s: %s\n", input, strerror(errno));
    return STATUS_INVALID_OPTIONS;
  }
  enum status status = STATUS_FAILED;
  FILE *to = fopen(scratch_path(SCRATCH_SOURCE), "wb");
  if (!to) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", scratch_path(SCRATCH_SOURCE), strerror(errno));
  } else {
    status = copy(from, to, name, is_for_hardware);
    fclose(to);
  }
  if (!is_stdin)
    fclose(from);
  return status;
}

// Adds an option with a path. One that clang would take for something else (@FILE is a file of options, -I- an option,
// =PATH below a system root) is a path all the same.
static void add_path(struct strings *arguments, const char *option, const char *path, size_t length) {
  const bool is_path = length > 0 && !strchr("@-=", path[0]);
  strings_add_format(arguments, "%s%s%.*s", option, is_path ? "" : "./", (int)length, path);
}

// A copied source no longer lies beside the files it includes with quotes.
static void add_folder_of_input(struct strings *arguments, const char *option, const char *input) {
  const char *last = strrchr(input, '/');
  add_path(arguments, option, input, last ? (size_t)(last - input) + 1 : 0);
}

// Macros of -D are a file: whatever is in them, they cannot become options of clang's, and may be of any length.
static enum status write_macros(const struct strings *macros) {
  FILE *file = fopen(scratch_path(SCRATCH_MACROS), "w");
  if (file) {
    fputs("#line 1 \"<build options>\"\n", file);
    for (size_t i = 0; i < macros->count; i++) {
      // The empty line takes a backslash at the end of a value.
      fprintf(file, "#define %s\n\n", macros->items[i]);
    }
  }
  const bool is_written = file && ferror(file) == 0;
  if (!file || fclose(file) != 0 || !is_written) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", scratch_path(SCRATCH_MACROS), strerror(errno));
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

static enum status add_build_options(const struct options *options, struct strings *arguments) {
  strings_add_format(arguments, "-cl-std=%s", options->version);
  for (size_t i = 0; i < options->folders.count; i++)
    add_path(arguments, "-I", options->folders.items[i], strlen(options->folders.items[i]));
  for (size_t i = 0; i < options->clang.count; i++)
    strings_add(arguments, options->clang.items[i]);
  // Behind all folders of the program's.
  char folder[PATH_MAX];
  if (data_folder(folder)) {
    strings_add(arguments, "-idirafter");
    strings_add_format(arguments, "%s/include", folder);
  }
  if (options->macros.count == 0)
    return STATUS_OK;
  strings_add(arguments, "-include");  // behind the language's headers, whose names a program may define, too
  strings_add(arguments, scratch_path(SCRATCH_MACROS));
  return write_macros(&options->macros);
}

// Whether devices have the version of the language; says which they have.
static enum status check_version(const char *version) {
#define NAME(major, minor) "CL" #major "." #minor,
#define TEXT(major, minor) " " #major "." #minor
  static const char *const versions[] = {HEDDLE_LANGUAGE_VERSIONS(NAME)};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
    if (strcmp(version, versions[i]) == 0)
      return STATUS_OK;
  fprintf(stderr,
          "error: -cl-std=%s: this device has OpenCL C" HEDDLE_LANGUAGE_VERSIONS(
              TEXT) " (CL_DEVICE_OPENCL_C_ALL_VERSIONS). What it has of 2.0 is there with -cl-std=CL3.0\n",
          version);
  return STATUS_REJECTED;
#undef NAME
#undef TEXT
}

static const char *confinement(void) {
  const char *wanted = getenv("HEDDLE_CONFINE_INCLUDES");
  return wanted && *wanted ? wanted : "0";
}

// Who says "yes" means what is meant by 1, and is not to be let down.
static enum status check_confinement(void) {
  if (strcmp(confinement(), "0") == 0 || strcmp(confinement(), "1") == 0)
    return STATUS_OK;
  fprintf(stderr, "error: HEDDLE_CONFINE_INCLUDES must be 0 or 1, not '%.60s'\n", confinement());
  return STATUS_REJECTED;
}

// Folders that kernels may include files from with HEDDLE_CONFINE_INCLUDES=1: those of -I, and the source's own.
// False: from all that the user may read.
static bool confine_includes(const struct options *options, bool is_stdin, struct strings *readable) {
  if (strcmp(confinement(), "1") != 0)
    return false;
  for (size_t i = 0; i < options->folders.count; i++)
    strings_add(readable, options->folders.items[i]);
  for (size_t i = 1; i < options->headers.count; i += 2)
    strings_add(readable, options->headers.items[i]);
  if (!is_stdin && !options->scratch)
    add_folder_of_input(readable, "", options->inputs.items[0]);
  return true;
}

// Without A, clang does not know the names of OpenCL C 2.0's atomics, nor pipes; says why, if the source has any.
static void explain_missing_atomics(const char *isa) {
  FILE *source = fopen(scratch_path(SCRATCH_SOURCE), "r");
  char line[4096];
  bool has_atomics = false, has_pipes = false;
  while (source && fgets(line, sizeof line, source)) {
    has_atomics |= strstr(line, "atomic_") || strstr(line, "atom_");
    has_pipes |= strstr(line, "_pipe") || strstr(line, " pipe ");
  }
  if (source)
    fclose(source);
  if (has_atomics || has_pipes) {
    fprintf(stderr, "note: this device (%s) has no atomic instructions (A), and so no %s\n", isa,
            !has_pipes    ? "functions for them"
            : has_atomics ? "functions for them and no pipes"
                          : "pipes");
  }
}

// Passes clang's messages on. Where double is what it did not know, says what there is.
static void explain(const struct options *options) {
  FILE *messages = fopen(scratch_path(SCRATCH_MESSAGES), "r");
  char line[4096];
  bool wants_double = false;
  while (messages && fgets(line, sizeof line, messages)) {
    overlay_say(line);
    const char *error = strstr(line, "error: ");
    wants_double |= error && (strstr(error, "double") || strstr(error, "cl_khr_fp64"));
  }
  if (messages)
    fclose(messages);
  if (wants_double && !options->has_double) {
    fputs(
        "note: double is computed in software and not offered unless asked for: HEDDLE_DOUBLE=1 in the environment of "
        "an OpenCL program, --double for heddlec\n",
        stderr);
  }
}

// Whether clang refused channels, which a header that the source includes enables, or nobody.
static bool wants_channels(void) {
  FILE *messages = fopen(scratch_path(SCRATCH_MESSAGES), "r");
  char line[4096];
  bool wants = false;
  while (!wants && messages && fgets(line, sizeof line, messages)) {
    const char *error = strstr(line, "error: ");
    wants = error && (strstr(error, "type name 'channel'") || strstr(error, "_channel_"));
  }
  if (messages)
    fclose(messages);
  return wants;
}

// Whether clang refused the source for nothing but pointers that become pointers to another type without a cast, which
// earlier compilers of OpenCL C warn of, and programs do. Where the pointer goes to something volatile it stays an
// error: that is an atomic of 32 bits, given memory of another size.
static bool pointers_need_casts_only(const struct options *options) {
  static const char error[] = "error: ", refused[] = "incompatible pointer types ",
                    atomic[] = "to parameter of type 'volatile ";
  for (size_t i = 0; i < options->clang.count; i++)
    if (strcmp(options->clang.items[i], "-Werror") == 0)
      return false;
  FILE *messages = fopen(scratch_path(SCRATCH_MESSAGES), "r");
  char line[4096];
  bool any = false, others = !messages;
  while (!others && fgets(line, sizeof line, messages)) {
    const char *at = strstr(line, error);
    if (!at)
      continue;
    at += sizeof error - 1;
    while (*at == '\033') {  // of a terminal's colours
      at += strcspn(at, "m");
      at += *at == 'm';
    }
    any = true;
    others = strncmp(at, refused, sizeof refused - 1) != 0 || strstr(at, atomic);
  }
  if (messages)
    fclose(messages);
  return any && !others;
}

// clang's arguments, but for the source and the result. `declarations` is the path of heddle.h, `libraries` are options
// for the built-in library.
static enum status add_arguments(struct strings *arguments, const struct options *options, const char *declarations,
                                 const struct strings *libraries) {
  static const char *const always[] = {
      CLANG,
      "--no-default-config",
      "-target",
      "spir-unknown-unknown",
      "-x",
      "cl",
      "-c",
      "-emit-llvm",
      // spir's own macro makes clang's header claim extensions that are not there.
      "-U__SPIR__",
      "-D__OPENCL_VERSION__=300",  // of the device; clang only knows the language's
      "-D__EMBEDDED_PROFILE__=1",  // CL_DEVICE_PROFILE
      "-cl-kernel-arg-info",
      // Faults are reported with their source line.
      "-gline-tables-only",
      "-fdebug-compilation-dir=.",
      // Optimised by the kernel pass, which runs once everything is in one module and RISC-V.
      "-O2",
      "-Xclang",
      "-disable-llvm-passes",
      // Those of blocks say where loops begin and end (loop_scopes.c).
      "-fno-discard-value-names",
      "-fomit-frame-pointer",
      "-fno-crash-diagnostics",
      // Written in place: a clang that is killed leaves no file of a name that nobody knows.
      "-Xclang",
      "-fno-temp-file",
  };
  strings_add_all(arguments, always, sizeof always / sizeof *always);
  strings_add_all(arguments, kernel_hints_macros, KERNEL_HINTS_MACROS);
  add_extensions(arguments, options);
  define_all(arguments, HEDDLE_EXTENSIONS " " HEDDLE_EXTENSION_FEATURES);
  if (options->has_double)
    define_all(arguments, HEDDLE_DOUBLE_EXTENSIONS);
  strings_add(arguments, "-include");
  strings_add(arguments, declarations);
  if (options->mode != MODE_COMPILE)
    strings_add_all(arguments, (const char *const *)libraries->items, libraries->count);
  const enum status status = overlay_offer(&options->headers, arguments);
  return status == STATUS_OK ? add_build_options(options, arguments) : status;
}

// Runs clang; where it refuses what older compilers allow, or channels that nobody has enabled, once more with these.
static enum status run_clang(const struct options *options, struct child *clang, struct strings *arguments) {
  clang->arguments = arguments->items;
  enum status status = child_run(clang, options);
  if (status == STATUS_REJECTED && pointers_need_casts_only(options)) {
    strings_add(arguments, "-Wno-error=incompatible-pointer-types");
    clang->arguments = arguments->items;  // which may have moved
    status = child_run(clang, options);
  }
  char channels[4096];
  if (status == STATUS_REJECTED && wants_channels() &&
      data_path("channels.h", channels, sizeof channels) == STATUS_OK) {
    strings_add(arguments, "-include");
    strings_add(arguments, channels);
    clang->arguments = arguments->items;
    status = child_run(clang, options);
  }
  if (status != STATUS_OK || !options->is_quiet)
    explain(options);
  if (status == STATUS_TOOL_MISSING) {
    fputs(CLANG_MISSING, stderr);
  } else if (status == STATUS_REJECTED) {
    if (!heddle_isa_has(options->isa, "a"))
      explain_missing_atomics(options->isa);
    newer_language_explain(options, clang, arguments);
  }
  return status;
}

enum status front_end_run(const struct options *options) {
  const char *input = options->inputs.items[0];
  bool is_stdin = strcmp(input, "-") == 0;
  const char *name = options->name ? options->name : is_stdin ? "<stdin>" : input;
  char declarations[PATH_MAX], source[PATH_MAX];
  struct strings arguments = {0}, libraries = {0}, readable = {0};
  enum status status = data_path("heddle.h", declarations, sizeof declarations);
  if (status == STATUS_OK)
    status = overlay_source(source);
  if (status == STATUS_OK)
    status = check_version(options->version);
  if (status == STATUS_OK)
    status = check_confinement();
  if (status == STATUS_OK)
    status = copy_source(input, name, options->mode == MODE_HARDWARE);
  if (status == STATUS_OK)
    status = builtins_add_arguments(&libraries, options, scratch_path(SCRATCH_SOURCE));
  if (status == STATUS_OK)
    status = add_arguments(&arguments, options, declarations, &libraries);
  strings_free(&libraries);
  if (status != STATUS_OK) {
    strings_free(&arguments);
    return status;
  }
  if (!is_stdin && !options->scratch)  // the lender's source has no folder either
    add_folder_of_input(&arguments, "-iquote", input);
  if (heddle_isa_has(options->isa, "zfinx"))
    strings_add(&arguments, "-DFP_FAST_FMAF=1");
  if (isatty(STDERR_FILENO) != 0)
    strings_add(&arguments, "-fcolor-diagnostics");  // clang itself writes to a file
  strings_add_format(&arguments, "-fdebug-prefix-map=%s=%s", source, name);
  depend_ask(options, &arguments);
  strings_add(&arguments, source);
  strings_add(&arguments, "-o");
  strings_add(&arguments, scratch_path(SCRATCH_BITCODE));

  struct child clang = {.what = "front end", .messages = scratch_path(SCRATCH_MESSAGES)};
  clang.reads_everything = !confine_includes(options, is_stdin, &readable);
  clang.inputs = (const char *const *)readable.items;
  status = run_clang(options, &clang, &arguments);
  strings_free(&readable);
  strings_free(&arguments);
  return status;
}
