// SPDX-License-Identifier: Apache-2.0
// `heddle disassemble`: the instructions of a kernel file beside the lines of source that they were compiled from.
// llvm-objdump reads the instructions, llvm-symbolizer finds the lines.
#include <elf.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/observe/disassembly.h"
#include "host/observe/lines.h"
#include "host/observe/source_text.h"
#include "host/tools/client.h"
#include "host/tools/heddle.h"

static const char usage[] =
    "usage: heddle disassemble KERNEL.cl|KERNEL.elf [OPTION...]\n"
    "\n"
    "Prints the instructions of a kernel file, or of what a source (or SPIR-V) is compiled to, beside the lines of "
    "source.\n"
    "Needs llvm-objdump and llvm-symbolizer of the package llvm-22.\n"
    "\n"
    "  -k, --kernel NAME        only this kernel or function\n"
    "  -b, --build-options OPT  for the compiler, as in clBuildProgram; the language is OpenCL C 3.0 unless they hold "
    "a\n"
    "                           -cl-std\n"
    "  -d, --device WHICH       that it is compiled for: sim, model (the default), a number of `heddle info`, or part "
    "of "
    "a\n"
    "                           name\n"
    "  -h, --help               this text\n"
    "\n"
    "Example\n"
    "  heddle disassemble scan.cl -k scan\n"
    "\n"
    "Exit status: 0 fine, 1 a tool is missing or failed, 2 wrong usage, 3 the kernel does not build, 4 no device\n";

struct listing {
  struct heddle_disassembly instructions;
  struct heddle_lines *lines;  // of the instructions
};

static void find_lines(const char *elf, size_t elf_bytes, struct listing *listing) {
  const size_t count = listing->instructions.count;
  uint32_t *addresses = allocate((count + 1) * sizeof *addresses);
  for (size_t i = 0; i < count; i++)
    addresses[i] = listing->instructions.items[i].offset;
  listing->lines = heddle_lines_find(elf, elf_bytes, addresses, count);
  free(addresses);
  if (!listing->lines)
    die(EXIT_KERNEL_FAILED, "out of memory");
}

// Prints line number `line` of a file; without it if the file has gone.
static void print_source(struct heddle_profile_program *sources, const char *file, unsigned line) {
  struct heddle_profile_line found = {.file = file, .line = line};
  heddle_source_text_find(sources, &found);
  printf("\n%s:%u", file, line);
  if (found.text)
    printf("   %.*s", found.text_bytes, found.text);
  putchar('\n');
}

static void print_instruction(const struct heddle_instruction *i, const struct heddle_line *line) {
  const char *operands = strchr(i->text, ' '), *meaning = csr_meaning(i->word);
  char text[2 * INSTRUCTION_TEXT_BYTES];
  if (operands)
    snprintf(text, sizeof text, "%-10.*s %s", (int)(operands - i->text), i->text, operands + 1);
  else
    snprintf(text, sizeof text, "%s", i->text);
  printf("  %6" PRIx32 "  ", i->offset);
  if (meaning)
    printf("%-44s # %s", text, meaning);
  else if (line->file && line->function)
    printf("%-44s # %s", text, line->function);
  else
    printf("%s", text);
  putchar('\n');
}

// False: there is no function of that name.
static bool print_listing(const struct listing *listing, const char *kernel) {
  bool is_wanted = !kernel, any = false, has_lines = false;
  const struct heddle_line *before = NULL;
  struct heddle_profile_program sources = {0};  // its files are read once
  for (size_t n = 0; n < listing->instructions.count; n++) {
    const struct heddle_instruction *i = &listing->instructions.items[n];
    const struct heddle_line *line = &listing->lines->lines[n];
    if (i->symbol[0] != 0) {
      is_wanted = !kernel || strcmp(kernel, i->symbol) == 0;
      if (is_wanted)
        printf("%s%s:\n", any ? "\n" : "", i->symbol);
      before = NULL;
    }
    if (!is_wanted)
      continue;
    any = true;
    has_lines = has_lines || line->file;
    if (line->file && (!before || before->line != line->line || strcmp(before->file, line->file) != 0))
      print_source(&sources, line->file, line->line);
    if (line->file)
      before = line;
    print_instruction(i, line);
  }
  heddle_source_texts_free(sources.texts);
  if (any && !has_lines)
    fprintf(
        stderr,
        "%s: there is no line information: the kernel file was stripped, or is of SPIR-V that has none; make it from "
        "source\n",
        program_name);
  return any;
}

// The ELF file of another machine has other instructions.
static bool is_of_device(const char *elf, size_t bytes) {
  Elf32_Ehdr header;
  if (bytes < sizeof header)
    return false;
  memcpy(&header, elf, sizeof header);
  return header.e_ident[EI_CLASS] == ELFCLASS32 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_machine == EM_RISCV;
}

// The kernel file of a source as it is compiled for the device, or the file itself if it is one.
static char *kernel_file(const char *path, const char *device, const char *build_options, size_t *bytes) {
  char *source = read_file(path, bytes);
  if (*bytes >= SELFMAG && memcmp(source, ELFMAG, SELFMAG) == 0) {
    if (!is_of_device(source, *bytes))
      die(EXIT_BUILD_FAILED, "%s is no kernel file: an ELF file of another machine, or a piece of one", path);
    return source;
  }
  struct session session = open_session(choose_device(device));
  char *options = allocate(strlen(build_options) + 64);
  sprintf(options, "-cl-std=CL3.0 %s", build_options);
  cl_program program = build_program(&session, source, *bytes, options, path);
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL), "clGetProgramInfo");
  char *binary = allocate(*bytes + 1);
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), "clGetProgramInfo");
  free(options);
  free(source);
  return binary;
}

int command_disassemble(int argc, char **argv) {
  static const struct option options[] = {{"kernel", required_argument, NULL, 'k'},
                                          {"build-options", required_argument, NULL, 'b'},
                                          {"device", required_argument, NULL, 'd'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  const char *kernel = NULL, *build_options = "", *device = "model";
  argv[0] = (char[]){"heddle disassemble"};  // getopt begins its messages with it
  for (int option; (option = getopt_long(argc, argv, "k:b:d:h", options, NULL)) != -1;)
    switch (option) {
      case 'k':
        kernel = optarg;
        break;
      case 'b':
        build_options = optarg;
        break;
      case 'd':
        device = optarg;
        break;
      case 'h':
        fputs(usage, stdout);
        return 0;
      default:
        die(EXIT_USAGE, "see `heddle disassemble --help`");
    }
  if (optind + 1 != argc)
    die(EXIT_USAGE, "which kernel file? see `heddle disassemble --help`");
  size_t bytes;
  char *binary = kernel_file(argv[optind], device, build_options, &bytes);
  struct listing listing = {0};
  struct heddle_error error;
  if (heddle_disassemble(binary, bytes, &listing.instructions, &error) != 0)
    die(EXIT_KERNEL_FAILED, "%s", error.text);
  find_lines(binary, bytes, &listing);
  const bool any = print_listing(&listing, kernel);
  heddle_lines_free(listing.lines);
  free(listing.instructions.items);
  free(binary);
  if (!any && kernel)
    die(EXIT_USAGE, "%s has no kernel or function \"%s\"", argv[optind], kernel);
  if (!any)
    die(EXIT_BUILD_FAILED, "%s has no kernel in it", argv[optind]);
  return 0;
}
