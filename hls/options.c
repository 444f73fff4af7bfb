// SPDX-License-Identifier: Apache-2.0
// Command line of heddlec. Build and link options may come one by one, or as the single string that an OpenCL program
// passes; they are looked at when the mode is known.
#include "hls/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/boards.h"
#include "contract/language.h"
#include "contract/output_file.h"
#include "hls/build_options.h"
#include "hls/isa.h"
#include "hls/object.h"

static const char help[] =
    "heddlec: compile OpenCL C kernels for a Heddle device\n"
    "\n"
    "  heddlec [option...] KERNELS.cl -o KERNELS.elf      build a kernel file\n"
    "  heddlec -c [option...] KERNELS.cl -o KERNELS.o     compile to an object file\n"
    "  heddlec --link [option...] FILE.o... -o KERNELS.elf      link object files and libraries\n"
    "  heddlec --link -create-library FILE.o... -o KERNELS.lib  make a library of them\n"
    "  heddlec --hardware [option...] KERNELS.cl -o KERNELS.hw      make hardware of kernels; also of FILE.o...\n"
    "\n"
    "KERNELS.cl may be - for standard input, or a SPIR-V module. -o - writes to standard output.\n"
    "\n"
    "  -c                      compile to an object file\n"
    "  --link                  link object files and libraries\n"
    "  --hardware              make a pipeline in Verilog of each kernel: -o names a folder for them, for the kernel "
    "file\n"
    "                          and for the report\n"
    "  -o FILE                 where the result goes (default: a.elf; with -c a.o, with --hardware a.hw, of a library "
    "a.lib)\n"
    "  --emit=elf|obj|asm|ll   what to write: kernel file (default), RISC-V object, assembly, LLVM IR\n"
    "  -S                      --emit=asm; `heddle disassemble` shows instructions beside source lines\n"
    "  --isa STRING            instruction set of the device, as its capability block says "
    "(default: " HEDDLE_DEFAULT_ISA
    ")\n"
    "  --check                 for a device that checks kernels (HEDDLE_CHECK=1): fences and atomic accesses are "
    "instructions\n"
    "  --double                offer double (cl_khr_fp64), computed in software\n"
    "  --build-options STRING  options as a program gives them to clBuildProgram, clCompileProgram or clLinkProgram\n"
    "  --build-options-file FILE  the same, of any length, in a file\n"
    "  --header NAME FILE      what #include of NAME finds, before it looks into folders of -I\n"
    "  --depend FILE           where a list of the files goes that the source includes; behind ! those that\n"
    "                          would take the place of one if they were there\n"
    "  --pipeline HASH:LANES:SLOTS:SITES  a kernel pipeline of the device: the kernel file says which kernel it is and "
    "where "
    "its\n"
    "                          faults are in the source; may be there several times\n"
    "  --scratch FOLDER        a heddle-build-... folder of the caller's for files in between; removed if the caller "
    "dies\n"
    "  --name NAME             what diagnostics and debug lines call the source\n"
    "  --kernel NAME           with --hardware: of this kernel, not of all; may be there several times\n"
    "  --pipe WRITER.PIPE=READER.PIPE  with --hardware: what kernel WRITER writes to its argument PIPE, kernel READER "
    "reads\n"
    "                          on the chip, while both run; may be there several times (default: pipes that have one "
    "name\n"
    "                          in one kernel that writes and one that reads)\n"
    "  --verilog FILE.v        with --hardware: modules that functions with verilog_module(\"NAME\", LATENCY) are; may "
    "be\n"
    "                          there several times\n"
    "  --lanes L               with --hardware: work-items side by side, 1 to 32 (default: what the kernel's\n"
    "                          intel_reqd_sub_group_size or num_simd_work_items says, else 4). For\n"
    "                          kernels of one work-item always 1: work-groups of one, or a loop and no id\n"
    "  --slots N               with --hardware: sub-groups in flight, 2 to 256 (default: 64, or 128\n"
    "                          where those are faster and hardly larger; 16 where private arrays are too large for "
    "64,\n"
    "                          and with --board where more take more block RAM than there is)\n"
    "  --copies N              with --hardware: so many pipelines of each kernel, 1 to 15, each a compute unit: they "
    "share\n"
    "                          out the work-groups of a dispatch; NAME=N of this kernel. A device has 15 units at "
    "most\n"
    "  --unroll N              with --hardware: N rounds in one, 1, 2, 4, 8 or 16, of innermost loops that have no\n"
    "                          hint in the source\n"
    "  --port-words N          with --hardware: pipelines of few lanes access at most N neighbouring words of memory "
    "a\n"
    "                          cycle, 1, 2 or 4 (default: as many as are of use); fewer are smaller\n"
    "  --share[=N]             with --hardware: lanes, and operations of the source, share float operators,\n"
    "                          multipliers and dividers, one after the other, also where that keeps sub-groups up to "
    "N\n"
    "                          cycles apart, 2 to 256 (default 4): smaller and slower\n"
    "  --board NAME            with --hardware: refuse what does not fit on this board, by the estimates; multipliers\n"
    "                          that it has left over shift floats, for fewer LUTs and a slower clock\n"
    "  --fit BOARD             with --hardware: choose lanes, slots, rounds in one, sharing and copies, of those that "
    "are\n"
    "                          not given: the fastest by the estimates that fit on this board, all kernels together;\n"
    "                          the report has all that were tried, and why\n"
    "  --work-group N          with --fit: work-groups of so many work-items have to run (default: 64, if that fits)\n"
    "  --beside-unit           with --board or --fit: beside the board's programmable unit, not instead of it\n"
    "  --report FILE           with --hardware: where the report goes as a page (default: report.html among the "
    "results)\n"
    "  --work-items N          with --hardware: how many the report tells cycles for, and --fit counts (default:\n"
    "                          4096; 1 for a kernel that does not ask which work-item it is)\n"
    "  --emit-ir               with --hardware: write the LLVM IR that pipelines are made of, and nothing else\n"
    "  --time-limit SECONDS    processor time of each tool that runs (default: 60)\n"
    "  --memory-limit MIB      for each tool that runs (default: 4096)\n"
    "  -v                      say what runs and how long it took\n"
    "  --help, --version\n"
    "\n"
    "Build options of OpenCL 3.0 (-D, -I, -cl-std=..., -cl-fast-relaxed-math, ...) are accepted directly as well, and\n"
    "with --link its link options. The language is OpenCL C 3.0 (-cl-std=CL3.0) unless -cl-std=CL1.2 or CL1.1 says\n"
    "otherwise. Programs that call clBuildProgram without a -cl-std get 1.2, as the OpenCL text has it.\n"
    "\n"
    "exit code  0 done   1 the kernels do not compile or link   2 invalid options   3 a tool is missing   4 a tool "
    "failed\n";

static enum status invalid(const char *what, const char *detail) {
  fprintf(stderr, "heddlec: %s '%s'\n", what, detail);
  return STATUS_INVALID_OPTIONS;
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

static enum status take_number(const char *value, const char *what, unsigned most, unsigned *result) {
  char *end;
  unsigned long number = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end != 0 || number == 0 || number > most)
    return invalid(what, value);
  *result = (unsigned)number;
  return STATUS_OK;
}

static enum status take_power(const char *value, const char *what, unsigned least, unsigned most, unsigned *power) {
  char *end;
  const unsigned long number = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end != 0 || number < least || number > most || (number & (number - 1)) != 0)
    return invalid(what, value);
  *power = (unsigned)number;
  return STATUS_OK;
}

// N of all kernels, or NAME=N, which beats it wherever it stands.
static enum status take_copies(const char *value, struct options *options) {
  const char *equals = strchr(value, '=');
  unsigned count;
  enum status status = take_number(equals ? equals + 1 : value, "--copies takes N or KERNEL=N, N from 1 to 15, not",
                                   MOST_COPIES, &count);
  if (status == STATUS_OK && equals == value)
    status = invalid("--copies takes N or KERNEL=N, N from 1 to 15, not", value);
  if (status == STATUS_OK && equals)
    strings_add(&options->kernel_copies, value);
  else if (status == STATUS_OK)
    options->copies = count;
  return status;
}

// --board, and --fit.
static enum status take_board(const char *value, struct options *options) {
  char names[512];
  if (options->board && strcmp(options->board, value) != 0)
    return invalid("--board and --fit name two boards; the second is", value);
  options->board = value;
  if (heddle_board_find(value))
    return STATUS_OK;
  fprintf(stderr, "heddlec: no board is called '%s'; there are: %s\n", value, heddle_board_names(names, sizeof names));
  return STATUS_INVALID_OPTIONS;
}

static enum status take_pipeline(const char *value, struct options *options) {
  unsigned lanes, slots, sites;
  int end = 0, more = 0;
  if (strspn(value, "0123456789abcdef") == 32 && sscanf(value + 32, ":%2u:%4u%n", &lanes, &slots, &end) == 2 &&
      value[32 + end] == ':' && sscanf(value + 32 + end, ":%6u%n", &sites, &more) == 1) {
    end += more;
    const size_t pipes = value[32 + end] == ':' ? strspn(value + 32 + end + 1, "rw0123456789") : 0;
    end += pipes > 0 ? 1 + (int)pipes : 0;
  }
  if (end == 0 || value[32 + end] != 0 || lanes == 0 || slots == 0)
    return invalid("--pipeline takes HASH:LANES:SLOTS, HASH:LANES:SLOTS:SITES or HASH:LANES:SLOTS:SITES:PIPES, not",
                   value);
  strings_add(&options->pipelines, value);
  return STATUS_OK;
}

// Splits the whole of a file.
static enum status take_options_file(const char *path, struct strings *words) {
  unsigned char *text;
  size_t size;
  enum status status = object_read_file(path, &text, &size);
  if (status != STATUS_OK)
    return STATUS_INVALID_OPTIONS;
  text[size] = 0;
  status = build_options_split((const char *)text, words);
  free(text);
  return status;
}

// If argv[*i] is NAME, with its value behind it or after '=', moves on and returns the value; *missing says there was
// none.
static const char *value_of(const char *name, int argc, char **argv, int *i, bool *missing) {
  size_t length = strlen(name);
  if (!argv[*i] || strncmp(argv[*i], name, length) != 0)
    return NULL;
  if (argv[*i][length] == '=')
    return argv[*i] + length + 1;
  if (argv[*i][length] != 0)
    return NULL;
  *missing = *i + 1 == argc;
  return *missing ? NULL : argv[++*i];
}

// The words of build or link options are gathered in `words`.
static enum status take_argument(int argc, char **argv, int *i, struct options *options, struct strings *words) {
  const char *word = argv[*i];
  const char *value;
  bool missing = false;
  if ((value = value_of("-o", argc, argv, i, &missing))) {
    options->output = value;
  } else if (!missing && (value = value_of("--isa", argc, argv, i, &missing))) {
    options->isa = value;
  } else if (!missing && (value = value_of("--name", argc, argv, i, &missing))) {
    options->name = value;
  } else if (!missing && (value = value_of("--depend", argc, argv, i, &missing))) {
    options->depend = value;
  } else if (!missing && (value = value_of("--build-options", argc, argv, i, &missing))) {
    return build_options_split(value, words);
  } else if (!missing && (value = value_of("--build-options-file", argc, argv, i, &missing))) {
    return take_options_file(value, words);
  } else if (!missing && (value = value_of("--scratch", argc, argv, i, &missing))) {
    options->scratch = value;
  } else if (!missing && (value = value_of("--header", argc, argv, i, &missing))) {
    if (*i + 1 == argc)
      return invalid("no file given for --header", value);
    strings_add(&options->headers, value);
    strings_add(&options->headers, argv[++*i]);
  } else if (!missing && (value = value_of("--emit", argc, argv, i, &missing))) {
    return take_emit(value, options);
  } else if (!missing && (value = value_of("--time-limit", argc, argv, i, &missing))) {
    return take_number(value, "--time-limit takes seconds, not", 1000000, &options->time_limit);
  } else if (!missing && (value = value_of("--memory-limit", argc, argv, i, &missing))) {
    return take_number(value, "--memory-limit takes MiB, not", 1000000, &options->memory_limit);
  } else if (!missing && (value = value_of("--lanes", argc, argv, i, &missing))) {
    return take_power(value, "--lanes takes a power of two from 1 to 32, not", 1, 32, &options->lanes);
  } else if (!missing && (value = value_of("--slots", argc, argv, i, &missing))) {
    return take_power(value, "--slots takes a power of two from 2 to 256, not", 2, OPTIONS_MOST_SHARE, &options->slots);
  } else if (!missing && (value = value_of("--copies", argc, argv, i, &missing))) {
    return take_copies(value, options);
  } else if (!missing && (value = value_of("--unroll", argc, argv, i, &missing))) {
    return take_power(value, "--unroll takes a power of two from 1 to 16, not", 1, 16, &options->unroll);
  } else if (!missing && (value = value_of("--port-words", argc, argv, i, &missing))) {
    return take_power(value, "--port-words takes 1, 2 or 4, not", 1, 4, &options->port_words);
  } else if (!missing && (value = value_of("--kernel", argc, argv, i, &missing))) {
    strings_add(&options->kernels, value);
  } else if (!missing && (value = value_of("--pipe", argc, argv, i, &missing))) {
    strings_add(&options->pipes, value);
  } else if (!missing && (value = value_of("--verilog", argc, argv, i, &missing))) {
    strings_add(&options->verilog, value);
  } else if (!missing && (value = value_of("--board", argc, argv, i, &missing))) {
    return take_board(value, options);
  } else if (!missing && (value = value_of("--fit", argc, argv, i, &missing))) {
    options->fit = true;
    return take_board(value, options);
  } else if (!missing && (value = value_of("--work-items", argc, argv, i, &missing))) {
    return take_number(value, "--work-items takes a number from 1 to 1000000000, not", 1000000000,
                       &options->work_items);
  } else if (!missing && (value = value_of("--work-group", argc, argv, i, &missing))) {
    return take_number(value, "--work-group takes a number from 1 to 1024, not", 1024, &options->work_group);
  } else if (!missing && (value = value_of("--report", argc, argv, i, &missing))) {
    options->report = value;
  } else if (!missing && (value = value_of("--pipeline", argc, argv, i, &missing))) {
    return take_pipeline(value, options);
  } else if (missing) {
    return invalid("no value given for", word);
  } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "--version") == 0) {
    options->asks = word;
  } else if (strcmp(word, "-S") == 0) {
    options->emit = EMIT_ASM;
  } else if (strcmp(word, "-c") == 0) {
    options->mode = MODE_COMPILE;
  } else if (strcmp(word, "--link") == 0) {
    options->mode = MODE_LINK;
  } else if (strcmp(word, "--hardware") == 0) {
    options->mode = MODE_HARDWARE;
  } else if (strcmp(word, "--share") == 0) {
    options->share = OPTIONS_USUAL_SHARE;
  } else if (strncmp(word, "--share=", strlen("--share=")) == 0) {
    return take_power(word + strlen("--share="), "--share= takes a power of two from 2 to 256, not", 2,
                      OPTIONS_MOST_SHARE, &options->share);
  } else if (strcmp(word, "--beside-unit") == 0) {
    options->beside_unit = true;
  } else if (strcmp(word, "--emit-ir") == 0) {
    options->emit_ir = true;
  } else if (strcmp(word, "--double") == 0) {
    options->has_double = true;
  } else if (strcmp(word, "--check") == 0) {
    options->has_checks = true;
  } else if (strcmp(word, "-v") == 0) {
    options->verbose = true;
  } else if (word[0] == '-' && word[1] != 0) {
    strings_add(words, word);
    if (build_option_has_value(word) && *i + 1 < argc)
      strings_add(words, argv[++*i]);
  } else {
    strings_add(&options->inputs, word);
  }
  return STATUS_OK;
}

// Where the result goes if nobody says it.
static const char *default_output(const struct options *options) {
  if (options->mode == MODE_HARDWARE)
    return "a.hw";
  if (options->mode == MODE_COMPILE)
    return "a.o";
  return options->create_library ? "a.lib" : "a.elf";
}

// What heddlec would write is none of what it reads, and no two results are one file.
static enum status check_files(const struct options *options) {
  const char *const outputs[] = {options->output, options->depend, options->report};
  enum { OUTPUTS = sizeof outputs / sizeof *outputs };
  for (size_t i = 0; i < OUTPUTS; i++) {
    const char *clash = NULL;
    for (size_t j = 0; outputs[i] && j < options->inputs.count; j++)
      if (strcmp(outputs[i], "-") != 0 && heddle_output_file_is(outputs[i], options->inputs.items[j]))
        clash = "is read, too";
    for (size_t j = 1; outputs[i] && j < options->headers.count; j += 2)  // behind its name
      if (heddle_output_file_is(outputs[i], options->headers.items[j]))
        clash = "is read, too";
    for (size_t j = 0; outputs[i] && j < i; j++)
      if (outputs[j] && heddle_output_file_is(outputs[i], outputs[j]))
        clash = "would be written twice";
    if (clash) {
      fprintf(stderr, "heddlec: cannot write %s: it %s\n", outputs[i], clash);
      return STATUS_INVALID_OPTIONS;
    }
  }
  return STATUS_OK;
}

// What fits together.
static enum status check(const struct options *options) {
  if (options->inputs.count == 0) {
    fputs("heddlec: no source file given; heddlec --help explains\n", stderr);
    return STATUS_INVALID_OPTIONS;
  }
  if (options->inputs.count > 1 && options->mode != MODE_LINK && options->mode != MODE_HARDWARE)
    return invalid("more than one source file:", options->inputs.items[1]);
  const bool is_about_hardware = options->kernels.count > 0 || options->pipes.count > 0 || options->lanes != 0 ||
                                 options->slots != 0 || options->report || options->work_items != 0 ||
                                 options->emit_ir || options->board || options->beside_unit || options->share ||
                                 options->port_words != 0 || options->unroll != 0 || options->copies != 0 ||
                                 options->kernel_copies.count > 0 || options->verilog.count > 0;
  if (is_about_hardware && options->mode != MODE_HARDWARE) {
    fputs(
        "heddlec: --kernel, --pipe, --lanes, --slots, --copies, --unroll, --port-words, --share, --report, "
        "--work-items, --emit-ir, "
        "--board, "
        "--verilog, --fit and --beside-unit are for --hardware\n",
        stderr);
    return STATUS_INVALID_OPTIONS;
  }
  if (options->work_group != 0 && !options->fit) {
    fputs("heddlec: --work-group is for --fit\n", stderr);
    return STATUS_INVALID_OPTIONS;
  }
  if (options->beside_unit && !options->board) {
    fputs("heddlec: --beside-unit is for --board and --fit\n", stderr);
    return STATUS_INVALID_OPTIONS;
  }
  if (options->mode == MODE_HARDWARE && options->emit != EMIT_ELF) {
    fputs("heddlec: --emit is not for --hardware\n", stderr);
    return STATUS_INVALID_OPTIONS;
  }
  if (options->mode == MODE_HARDWARE && strcmp(options->output, "-") == 0) {
    fputs("heddlec: --hardware writes a folder: name one with -o\n", stderr);
    return STATUS_INVALID_OPTIONS;
  }
  if (options->mode == MODE_HARDWARE && options->has_checks) {
    fputs("heddlec: --check is not for --hardware; the golden model checks\n", stderr);
    return STATUS_INVALID_OPTIONS;
  }
  if (options->emit != EMIT_ELF && (options->mode == MODE_COMPILE || options->create_library)) {
    fputs("heddlec: --emit is for kernel files, not for object files and libraries\n", stderr);
    return STATUS_INVALID_OPTIONS;
  }
  return check_files(options);
}

static void answer(const char *question) {
  if (strcmp(question, "--version") == 0) {
    char compiler[OBJECT_COMPILER_BYTES];
    object_compiler(compiler);
    printf("%s, kernel file version 1\n", compiler);
  } else {
    fputs(help, stdout);
  }
}

enum status options_parse(int argc, char **argv, struct options *options) {
  *options = (struct options){
      .isa = HEDDLE_DEFAULT_ISA,
      .emit = EMIT_ELF,
      .optimize = true,
      .version = HEDDLE_LANGUAGE_OF_COMMANDS,
      .time_limit = 60,
      .memory_limit = 4096,
  };
  struct strings words = {0};
  enum status status = STATUS_OK;
  for (int i = 1; i < argc && status == STATUS_OK && !options->asks; i++)
    status = take_argument(argc, argv, &i, options, &words);
  if (options->asks) {
    answer(options->asks);
    strings_free(&options->inputs);
  } else if (status == STATUS_OK) {
    status = build_options_take(&words, options);
    if (!options->output)
      options->output = default_output(options);
    status = status == STATUS_OK ? check(options) : status;
  }
  strings_free(&words);
  return status;
}

const char *options_source_name(const struct options *options) {
  return options->name ? options->name : options->inputs.items[0];
}

unsigned options_copies(const struct options *options, const char *kernel) {
  const size_t length = strlen(kernel);
  unsigned copies = options->copies;
  for (size_t i = 0; i < options->kernel_copies.count; i++) {
    const char *item = options->kernel_copies.items[i];
    if (strncmp(item, kernel, length) == 0 && item[length] == '=')
      copies = (unsigned)strtoul(item + length + 1, NULL, 10);
  }
  return copies;
}

void options_free(struct options *options) {
  strings_free(&options->inputs);
  strings_free(&options->headers);
  strings_free(&options->macros);
  strings_free(&options->folders);
  strings_free(&options->clang);
  strings_free(&options->kernels);
  strings_free(&options->kernel_copies);
  strings_free(&options->pipes);
  strings_free(&options->verilog);
  strings_free(&options->pipelines);
}
