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
#include <sys/wait.h>
#include <unistd.h>

#include "contract/kernel_lines.h"
#include "contract/program.h"
#include "contract/work_folder.h"
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

enum { TEXT_BYTES = 4096, NAME_BYTES = 256 };

// One line of the disassembly.
struct instruction {
  uint32_t address, word;
  char text[INSTRUCTION_TEXT_BYTES];
  char symbol[NAME_BYTES];  // of the function that begins here; "": none
  char file[TEXT_BYTES];    // of the user's line; "": not known
  unsigned line;
  char built_in[NAME_BYTES];  // the built-in function that it is of; "": none
};

struct listing {
  struct instruction *items;
  size_t count, room;
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

// Starts one of LLVM's programs; arguments[0] is filled in here. What it prints is read from the stream.
static FILE *start(const char *program, char **arguments, const char *input, pid_t *child) {
  char versioned[64], path[PATH_MAX];
  int ends[2];
  snprintf(versioned, sizeof versioned, "%s-22", program);
  if (!heddle_program_find(versioned, path) && !heddle_program_find(program, path))
    die(EXIT_KERNEL_FAILED, "%s not found: apt-get install llvm-22", versioned);
  arguments[0] = (char *)program;
  if (pipe(ends) != 0 || (*child = fork()) < 0)
    die(EXIT_KERNEL_FAILED, "cannot start %s: %s", program, strerror(errno));
  if (*child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (!freopen(input, "r", stdin))
      _exit(127);
    execv(path, arguments);
    _exit(127);
  }
  close(ends[1]);
  return fdopen(ends[0], "r");
}

static void end(const char *program, FILE *stream, pid_t child) {
  int status = -1;
  fclose(stream);
  if (waitpid(child, &status, 0) != child || status != 0)
    die(EXIT_KERNEL_FAILED, "%s failed", program);
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

static void read_instructions(const char *elf, struct listing *listing) {
  char *arguments[] = {NULL, (char *)"-d", (char *)elf, NULL};
  char line[TEXT_BYTES], symbol[NAME_BYTES] = "";
  pid_t child;
  FILE *stream = start("llvm-objdump", arguments, "/dev/null", &child);
  while (fgets(line, sizeof line, stream)) {
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
    const char *text = strchr(line + used, '\t');
    take_text(added, text ? text + 1 : "");
  }
  end("llvm-objdump", stream, child);
}

static bool is_built_in(const char *file) {
  const char *name = strncmp(file, "./", 2) == 0 ? file + 2 : file;
  return strcmp(name, HEDDLE_BUILT_IN_FILE) == 0;
}

// Frames of one address, innermost first: a function, then "file:line:column". The first that is no built-in function's
// is the user's; the one before it is the built-in function that the user called.
static void take_frames(FILE *stream, struct instruction *i) {
  char function[TEXT_BYTES], place[TEXT_BYTES];
  while (fgets(function, sizeof function, stream) && function[0] != '\n' && fgets(place, sizeof place, stream)) {
    char *column = strrchr(place, ':');
    if (column)
      *column = 0;
    char *number = strrchr(place, ':');
    if (!number || i->file[0] != 0)
      continue;
    *number = 0;
    function[strcspn(function, "\n(")] = 0;
    if (is_built_in(place)) {
      snprintf(i->built_in, sizeof i->built_in, "%.*s", NAME_BYTES - 1, function);
    } else if (strtoul(number + 1, NULL, 10) != 0) {
      snprintf(i->file, sizeof i->file, "%s", strncmp(place, "./", 2) == 0 ? place + 2 : place);
      i->line = (unsigned)strtoul(number + 1, NULL, 10);
    }
  }
}

static void find_lines(const char *folder, const char *elf, struct listing *listing) {
  char list[PATH_MAX + 16], object[PATH_MAX + 32];
  snprintf(list, sizeof list, "%s/addresses", folder);
  snprintf(object, sizeof object, "--obj=%s", elf);
  FILE *addresses = fopen(list, "w");
  if (!addresses)
    die(EXIT_KERNEL_FAILED, "cannot write %s: %s", list, strerror(errno));
  for (size_t i = 0; i < listing->count; i++)
    fprintf(addresses, "0x%" PRIx32 "\n", listing->items[i].address);
  fclose(addresses);
  char *arguments[] = {NULL, object, (char *)"--functions=short", (char *)"--output-style=LLVM", NULL};
  pid_t child;
  FILE *stream = start("llvm-symbolizer", arguments, list, &child);
  for (size_t i = 0; i < listing->count; i++)
    take_frames(stream, &listing->items[i]);
  end("llvm-symbolizer", stream, child);
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

static void print_instruction(const struct instruction *i) {
  const char *operands = strchr(i->text, ' '), *meaning = csr_meaning(i->word);
  char text[2 * INSTRUCTION_TEXT_BYTES];
  if (operands)
    snprintf(text, sizeof text, "%-10.*s %s", (int)(operands - i->text), i->text, operands + 1);
  else
    snprintf(text, sizeof text, "%s", i->text);
  printf("  %6" PRIx32 "  ", i->address);
  if (meaning)
    printf("%-44s # %s", text, meaning);
  else if (i->built_in[0] != 0)
    printf("%-44s # %s", text, i->built_in);
  else
    printf("%s", text);
  putchar('\n');
}

// False: there is no function of that name.
static bool print_listing(const struct listing *listing, const char *kernel) {
  bool is_wanted = !kernel, any = false, has_lines = false;
  const struct instruction *before = NULL;
  for (size_t n = 0; n < listing->count; n++) {
    const struct instruction *i = &listing->items[n];
    if (i->symbol[0] != 0) {
      is_wanted = !kernel || strcmp(kernel, i->symbol) == 0;
      if (is_wanted)
        printf("%s%s:\n", any ? "\n" : "", i->symbol);
      before = NULL;
    }
    if (!is_wanted)
      continue;
    any = true;
    has_lines = has_lines || i->file[0] != 0;
    if (i->file[0] != 0 && (!before || before->line != i->line || strcmp(before->file, i->file) != 0))
      print_source(i->file, i->line);
    if (i->file[0] != 0)
      before = i;
    print_instruction(i);
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

static void write_file(const char *path, const char *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
    die(EXIT_KERNEL_FAILED, "cannot write %s: %s", path, strerror(errno));
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
  char folder[PATH_MAX], elf[PATH_MAX + 16];
  const int lock = heddle_work_folder_make(folder, sizeof folder);
  if (lock < 0)
    die(EXIT_KERNEL_FAILED, "cannot make a folder in %s ($TMPDIR): %s", folder, strerror(errno));
  snprintf(elf, sizeof elf, "%s/kernels.elf", folder);
  write_file(elf, binary, bytes);
  struct listing listing = {0};
  read_instructions(elf, &listing);
  find_lines(folder, elf, &listing);
  heddle_work_folder_remove(folder);
  close(lock);
  const bool any = print_listing(&listing, kernel);
  free(listing.items);
  free(binary);
  if (!any && kernel)
    die(EXIT_USAGE, "%s has no kernel or function \"%s\"", argv[optind], kernel);
  return 0;
}
