// SPDX-License-Identifier: Apache-2.0
// `heddle disassemble`: the instructions of a kernel file beside the lines of source that they were compiled from.
// llvm-objdump reads the instructions, llvm-symbolizer finds the lines; what they do not know of Heddle's own
// instructions is in instruction.c.
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/status.h"
#include "contract/work_folder.h"
#include "host/cl/child.h"
#include "host/observe/lines.h"
#include "host/tools/client.h"
#include "host/tools/heddle.h"
#include "host/tools/instruction.h"

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

enum {
  NAME_BYTES = 256,
  SECONDS = 60,
  LISTING_BYTES = 1 << 16,  // of a kernel file without instructions
  LISTING_BYTES_A_BYTE = 64,
};

// One line of the disassembly.
struct instruction {
  uint32_t address, word;
  char text[INSTRUCTION_TEXT_BYTES];
  char symbol[NAME_BYTES];  // of the function that begins here; "": none
};

struct listing {
  struct instruction *items;
  size_t count, room;
  struct heddle_lines *lines;  // of the items
};

static struct instruction *add(struct listing *listing) {
  if (listing->count == listing->room) {
    listing->room = listing->room != 0 ? 2 * listing->room : 256;
    listing->items = realloc(listing->items, listing->room * sizeof *listing->items);
    if (!listing->items)
      die(EXIT_KERNEL_FAILED, "out of memory");
  }
  struct instruction *added = &listing->items[listing->count++];
  *added = (struct instruction){0};
  return added;
}

// The word of "24c: 04452603 <tab> text", or of "240: 73 21 e0 cc <tab> .word ...", where bytes lie in memory's order.
static bool take_word(const char *bytes, uint32_t *word) {
  unsigned part[4];
  if (sscanf(bytes, "%2x %2x %2x %2x", &part[0], &part[1], &part[2], &part[3]) != 4)
    return false;
  const bool is_word = bytes[2] != ' ';
  *word = is_word ? (uint32_t)strtoul(bytes, NULL, 16) : part[3] << 24 | part[2] << 16 | part[1] << 8 | part[0];
  return true;
}

static void take_text(struct instruction *i, const char *text) {
  if (custom_0_text(i->word, i->text) || csr_read_text(i->word, i->text))
    return;
  size_t used = 0;
  for (const char *at = text; *at && *at != '\n' && used + 1 < sizeof i->text; at++)
    i->text[used++] = *at == '\t' ? ' ' : *at;
  i->text[used] = 0;
}

// What llvm-objdump says of a kernel file, which may be of any origin; the caller's to free.
static char *disassembled(const char *elf, size_t elf_bytes) {
  char folder[PATH_MAX], path[PATH_MAX + 16];
  const int lock = heddle_work_folder_make(folder, sizeof folder);
  if (lock < 0)
    die(EXIT_KERNEL_FAILED, "cannot make a folder in %s ($TMPDIR): %s", folder, strerror(errno));
  snprintf(path, sizeof path, "%s/kernels.elf", folder);
  const size_t most = LISTING_BYTES + LISTING_BYTES_A_BYTE * elf_bytes;
  char *said = allocate(most + 1), *arguments[] = {NULL, (char *)"-d", path, NULL};
  const bool written = heddle_child_write_file(path, elf, elf_bytes);
  const int status =
      written ? heddle_child_run_llvm("llvm-objdump", arguments, folder, SECONDS, said, most) : STATUS_FAILED;
  heddle_work_folder_remove(folder);
  close(lock);
  if (!written)
    die(EXIT_KERNEL_FAILED, "cannot write %s: %s", path, strerror(errno));
  if (status == STATUS_TOOL_MISSING)
    die(EXIT_KERNEL_FAILED, "llvm-objdump-22 not found: apt-get install llvm-22");
  if (status != STATUS_OK)
    die(EXIT_KERNEL_FAILED, "llvm-objdump failed: %.200s", said);
  return said;
}

static void read_instructions(char *text, struct listing *listing) {
  char symbol[NAME_BYTES] = "";
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    uint32_t address, word;
    int used = 0;
    if (sscanf(line, "%8" SCNx32 " <%255[^>]>:", &address, symbol) == 2)
      continue;
    if (sscanf(line, " %" SCNx32 ": %n", &address, &used) != 1 || used == 0 || !take_word(line + used, &word))
      continue;
    struct instruction *added = add(listing);
    added->address = address;
    added->word = word;
    memcpy(added->symbol, symbol, sizeof symbol);
    symbol[0] = 0;
    const char *operation = strchr(line + used, '\t');
    take_text(added, operation ? operation + 1 : "");
  }
}

static void find_lines(const char *elf, size_t elf_bytes, struct listing *listing) {
  uint32_t *addresses = allocate((listing->count + 1) * sizeof *addresses);
  for (size_t i = 0; i < listing->count; i++)
    addresses[i] = listing->items[i].address;
  listing->lines = heddle_lines_find(elf, elf_bytes, addresses, listing->count);
  free(addresses);
  if (!listing->lines)
    die(EXIT_KERNEL_FAILED, "out of memory");
}

// Prints line number `line` of a file; without it if the file has gone.
static void print_source(const char *file, unsigned line) {
  static char text[1 << 16];
  FILE *source = fopen(file, "r");
  printf("\n%s:%u", file, line);
  for (unsigned at = 1; source && fgets(text, sizeof text, source); at++) {
    if (at == line) {
      printf("   %s", text);
      break;
    }
    text[0] = 0;
  }
  if (!source || !strchr(text, '\n'))
    putchar('\n');
  if (source)
    fclose(source);
}

static void print_instruction(const struct instruction *i, const struct heddle_line *line) {
  const char *operands = strchr(i->text, ' '), *meaning = csr_meaning(i->word);
  char text[2 * INSTRUCTION_TEXT_BYTES];
  if (operands)
    snprintf(text, sizeof text, "%-10.*s %s", (int)(operands - i->text), i->text, operands + 1);
  else
    snprintf(text, sizeof text, "%s", i->text);
  printf("  %6" PRIx32 "  ", i->address);
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
  for (size_t n = 0; n < listing->count; n++) {
    const struct instruction *i = &listing->items[n];
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
      print_source(line->file, line->line);
    if (line->file)
      before = line;
    print_instruction(i, line);
  }
  if (any && !has_lines)
    fprintf(stderr,
            "%s: the kernel file has no line information: make it from source, without -cl-opt-disable-debug "
            "tools\n",
            program_name);
  return any;
}

// The kernel file of a source as it is compiled for the device, or the file itself if it is one.
static char *kernel_file(const char *path, const char *device, const char *build_options, size_t *bytes) {
  char *source = read_file(path, bytes);
  if (*bytes >= 4 && memcmp(source, "\177ELF", 4) == 0)
    return source;
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
  char *text = disassembled(binary, bytes);
  read_instructions(text, &listing);
  free(text);
  find_lines(binary, bytes, &listing);
  const bool any = print_listing(&listing, kernel);
  heddle_lines_free(listing.lines);
  free(listing.items);
  free(binary);
  if (!any && kernel)
    die(EXIT_USAGE, "%s has no kernel or function \"%s\"", argv[optind], kernel);
  return 0;
}
