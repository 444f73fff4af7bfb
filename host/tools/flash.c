// SPDX-License-Identifier: Apache-2.0
// `heddle flash`: loads the bitstream of the board at hand, of a fat binary, by constraints/flash.py.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract/boards.h"
#include "contract/fat_binary.h"
#include "contract/product.h"
#include "contract/program.h"
#include "contract/work_folder.h"
#include "host/tools/client.h"
#include "host/tools/heddle.h"

static const char usage[] =
    "usage: heddle flash [--board NAME] [--spi] [--xvc HOST:PORT] FILE.fat\n"
    "\n"
    "Loads a board's bitstream of a fat binary (`heddle pack`) into the board, with the loader that its board has.\n"
    "\n"
    "  -b, --board NAME     the board; without it $HEDDLE_BOARD, else the one on USB that the file knows, else the "
    "only "
    "one\n"
    "                       that the file has a bitstream of\n"
    "      --spi            into the board's flash, so that it stays when power goes\n"
    "      --xvc HOST:PORT  through a virtual cable (XVC) instead of the board's own\n"
    "  -l, --list           say what the file has, and load nothing\n"
    "  -h, --help           this text\n"
    "\n"
    "Exit status: 0 the board works with it, 1 it does not or could not be reached, 2 wrong usage\n";

enum { MOST_BYTES = 1 << 30, FAILED = 1 };

static void list(const struct heddle_fat_binary *fat) {
  char digits[32];
  for (uint32_t i = 0; i < fat->count; i++) {
    const struct heddle_fat_part *part = &fat->parts[i];
    printf("%-12s %-18s %s bytes\n", part->kind == HEDDLE_FAT_BITSTREAM ? "bitstream" : "kernel file", part->name,
           grouped(part->size, digits));
  }
}

static const struct heddle_fat_part *choose(const struct heddle_fat_binary *fat, const char *board) {
  char boards[HEDDLE_FAT_PARTS_MOST * (HEDDLE_FAT_NAME_BYTES + 2)];
  const struct heddle_fat_part *only = NULL, *part = board ? heddle_fat_bitstream(fat, board) : NULL;
  heddle_fat_boards(fat, boards, sizeof boards);
  if (board && !part)
    die(EXIT_USAGE,
        "the file has no bitstream of %s, but of: %s. `make bitstream BOARD=%s KERNELS=FILE.cl` makes one, `heddle "
        "pack` packs it",
        board, boards, board);
  uint32_t count = 0;
  if (!part)
    part = heddle_product_choose(fat, NULL);
  for (uint32_t i = 0; i < fat->count && !part; i++)
    if (fat->parts[i].kind == HEDDLE_FAT_BITSTREAM) {
      only = &fat->parts[i];
      count++;
    }
  if (!part && count != 1)
    die(EXIT_USAGE, count == 0 ? "the file has no bitstream" : "which board is it? --board NAME says so; there are: %s",
        boards);
  return part ? part : only;
}

// Runs the loader, whose output is ours. Its exit status.
static int load(const struct heddle_fat_part *part, bool spi, const char *xvc) {
  char python[PATH_MAX], folder[PATH_MAX], path[PATH_MAX + 32];
  char *script = shared_file("constraints/flash.py");
  if (access(script, R_OK) != 0)
    die(FAILED, "%s is not there: Heddle is not installed whole", script);
  if (!heddle_program_find("python3", python))
    die(FAILED, "python3 is not there, which runs the loader");
  const int owned = heddle_work_folder_make(folder, sizeof folder);
  if (owned < 0)
    die(FAILED, "%s: %s", folder, strerror(errno));
  snprintf(path, sizeof path, "%s/bitstream", folder);
  FILE *file = fopen(path, "wb");
  const bool is_written = file && fwrite(part->bytes, 1, part->size, file) == part->size;
  if (!file || fclose(file) != 0 || !is_written) {
    heddle_work_folder_remove(folder);
    die(FAILED, "%s cannot be written", path);
  }
  char *arguments[9] = {python, script, "--bitstream", path};
  int count = 4;
  if (spi)
    arguments[count++] = "--spi";
  if (xvc) {
    arguments[count++] = "--xvc";
    arguments[count++] = (char *)xvc;
  }
  arguments[count] = (char *)part->name;
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    execv(python, arguments);
    _exit(FAILED);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  heddle_work_folder_remove(folder);
  close(owned);
  free(script);
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

int command_flash(int argc, char **argv) {
  static const struct option options[] = {{"board", required_argument, NULL, 'b'}, {"spi", no_argument, NULL, 's'},
                                          {"xvc", required_argument, NULL, 'x'},   {"list", no_argument, NULL, 'l'},
                                          {"help", no_argument, NULL, 'h'},        {0}};
  argv[0] = (char[]){"heddle flash"};  // getopt begins its messages with it
  const char *board = getenv("HEDDLE_BOARD"), *xvc = NULL;
  bool spi = false, only_list = false;
  for (int option; (option = getopt_long(argc, argv, "b:lh", options, NULL)) != -1;)
    switch (option) {
      case 'b':
        board = optarg;
        break;
      case 's':
        spi = true;
        break;
      case 'x':
        xvc = optarg;
        break;
      case 'l':
        only_list = true;
        break;
      case 'h':
        fputs(usage, stdout);
        return 0;
      default:
        die(EXIT_USAGE, "see `heddle flash --help`");
    }
  if (optind + 1 != argc)
    die(EXIT_USAGE, "one fat binary is wanted; see `heddle flash --help`");
  struct heddle_fat_binary fat;
  struct heddle_error error;
  size_t bytes;
  char *file = read_file_up_to(argv[optind], MOST_BYTES, &bytes);
  if (heddle_fat_read(file, bytes, &fat, &error) != 0)
    die(EXIT_USAGE, "%s: %s", argv[optind], error.text);
  int status = 0;
  if (only_list)
    list(&fat);
  else
    status = load(choose(&fat, board && *board ? board : NULL), spi, xvc);
  free(file);
  return status;
}
