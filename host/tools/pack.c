// SPDX-License-Identifier: Apache-2.0
// `heddle pack`: one file of kernel files and of bitstreams that have their kernels as pipelines.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/boards.h"
#include "contract/fat_binary.h"
#include "contract/output_file.h"
#include "host/device/kernel_file.h"
#include "host/tools/client.h"
#include "host/tools/heddle.h"

static const char usage[] =
    "usage: heddle pack -o FILE.fat KERNELS.elf... BOARD=BITSTREAM...\n"
    "\n"
    "Makes a fat binary: a file that clCreateProgramWithBinary takes, with bitstreams that `heddle flash` loads.\n"
    "\n"
    "  KERNELS.elf          a kernel file, as heddlec makes it (kernels.elf in the folder of heddlec --hardware)\n"
    "  BOARD=BITSTREAM      what `make bitstream BOARD=... KERNELS=...` made of these kernels for a board\n"
    "  -o, --output FILE    the fat binary\n"
    "  -h, --help           this text\n";

enum { MOST_BYTES = 64 << 20 };  // of a part

// NULL: the argument is a kernel file, and not of a board's bitstream.
static const char *bitstream_of(const char *argument, char board[HEDDLE_FAT_NAME_BYTES]) {
  const char *equals = strchr(argument, '=');
  if (!equals)
    return NULL;
  char names[512];
  if (equals - argument < HEDDLE_FAT_NAME_BYTES) {
    snprintf(board, HEDDLE_FAT_NAME_BYTES, "%.*s", (int)(equals - argument), argument);
    if (heddle_board_find(board))
      return equals + 1;
  }
  die(EXIT_USAGE, "no board is called \"%.*s\"; there are: %s", (int)(equals - argument), argument,
      heddle_board_names(names, sizeof names));
}

// A damaged file is found here, not by the program that is to build it.
static void check_kernel_file(const struct heddle_fat_part *part, const char *path) {
  struct heddle_kernel_file *file;
  struct heddle_error error;
  const int status = heddle_kernel_file_open(part->bytes, part->size, &file, &error);
  if (status == -ENOMEM)
    die(EXIT_USAGE, "%s: out of memory", path);
  if (status != 0)
    die(EXIT_USAGE, "%s is no kernel file of heddlec's: %s; of a bitstream say BOARD=%s", path, error.text, path);
  heddle_kernel_file_close(file);
}

static void add_part(struct heddle_fat_binary *fat, const char *argument) {
  if (fat->count == HEDDLE_FAT_PARTS_MOST)
    die(EXIT_USAGE, "a fat binary has at most %d parts", HEDDLE_FAT_PARTS_MOST);
  struct heddle_fat_part *part = &fat->parts[fat->count];
  const char *path = bitstream_of(argument, part->name);
  part->kind = path ? HEDDLE_FAT_BITSTREAM : HEDDLE_FAT_KERNEL_FILE;
  if (path) {
    const struct heddle_board *board = heddle_board_find(part->name);
    if (heddle_fat_bitstream(fat, part->name))
      die(EXIT_USAGE, "two bitstreams of %s; a board has one", part->name);
    snprintf(part->product, sizeof part->product, "%s", board->product ? board->product : "");
  } else {
    path = argument;
    snprintf(part->name, sizeof part->name, "kernels");
  }
  part->bytes = (const uint8_t *)read_file_up_to(path, MOST_BYTES, &part->size);
  if (part->size == 0)
    die(EXIT_USAGE, "%s is empty", path);
  if (part->kind == HEDDLE_FAT_KERNEL_FILE)
    check_kernel_file(part, path);
  fat->count++;
}

static void write_out(const struct heddle_fat_binary *fat, const char *path) {
  const size_t header_bytes = heddle_fat_header_bytes(fat);
  uint8_t *header = allocate(header_bytes);
  heddle_fat_header(fat, header);
  FILE *file = fopen(path, "wb");
  bool is_written = file && fwrite(header, 1, header_bytes, file) == header_bytes;
  for (uint32_t i = 0; i < fat->count && is_written; i++)
    is_written = fwrite(fat->parts[i].bytes, 1, fat->parts[i].size, file) == fat->parts[i].size;
  if (file && fclose(file) != 0)
    is_written = false;
  if (!is_written) {
    if (file)
      heddle_output_file_withdraw(path);
    die(EXIT_USAGE, "%s cannot be written", path);
  }
  free(header);
}

int command_pack(int argc, char **argv) {
  static const struct option options[] = {
      {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {0}};
  argv[0] = (char[]){"heddle pack"};  // getopt begins its messages with it
  const char *output = NULL;
  for (int option; (option = getopt_long(argc, argv, "o:h", options, NULL)) != -1;)
    switch (option) {
      case 'o':
        output = optarg;
        break;
      case 'h':
        fputs(usage, stdout);
        return 0;
      default:
        die(EXIT_USAGE, "see `heddle pack --help`");
    }
  if (!output || optind == argc)
    die(EXIT_USAGE, "an output, kernel files and bitstreams are wanted; see `heddle pack --help`");
  struct heddle_fat_binary fat = {0};
  uint32_t kernel_files = 0;
  for (int i = optind; i < argc; i++) {
    const char *bitstream = strchr(argv[i], '=');
    if (heddle_output_file_is(output, argv[i]) || (bitstream && heddle_output_file_is(output, bitstream + 1)))
      die(EXIT_USAGE, "--output %s: that is one of the files to pack", output);
    add_part(&fat, argv[i]);
    kernel_files += fat.parts[i - optind].kind == HEDDLE_FAT_KERNEL_FILE;
  }
  if (kernel_files == 0)
    die(EXIT_USAGE, "no kernel file is among them; heddlec --hardware leaves kernels.elf in its folder");
  write_out(&fat, output);
  for (uint32_t i = 0; i < fat.count; i++)
    free((void *)(uintptr_t)fat.parts[i].bytes);
  return 0;
}
