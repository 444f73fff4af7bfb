// SPDX-License-Identifier: Apache-2.0
// The `heddle` command: looks at Heddle devices and runs kernels on them from the command line. Plain OpenCL
// underneath.
#include "host/tools/heddle.h"

#include <stdio.h>
#include <string.h>

#include "host/tools/client.h"

static const char usage[] =
    "usage: heddle COMMAND [OPTION...] [ARGUMENT...]\n"
    "\n"
    "Commands\n"
    "  info         list the Heddle devices and what each reports\n"
    "  run          run an OpenCL kernel with buffers from files, ranges or constants\n"
    "  disassemble  the instructions of kernels beside the lines of source\n"
    "  cache        where compiled kernels are kept, how many, and how to be rid of them\n"
    "  pack         make one file of kernels and of the bitstreams that have them as hardware\n"
    "  flash        load the bitstream of the board at hand, of such a file\n"
    "\n"
    "  heddle COMMAND --help    all about one command\n"
    "  heddle --version         the version\n"
    "\n"
    "Try it\n"
    "  heddle run host/examples/scan.cl --global 8 --local 8 3,1,7,0,4,1,6,3 'zeros(8)' 'zeros(8)'\n"
    "\n"
    "Exit status: 0 fine, 1 the kernel failed, 2 wrong usage, 3 the kernel does not build, 4 no device\n";

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } commands[] = {{"info", command_info},   {"run", command_run},   {"disassemble", command_disassemble},
                  {"cache", command_cache}, {"pack", command_pack}, {"flash", command_flash}};

  if (argc < 2) {
    fputs(usage, stderr);
    return EXIT_USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
    if (argc == 2 || strcmp(word, "help") != 0) {
      fputs(usage, stdout);
      return 0;
    }
    argv[1] = argv[2];  // `heddle help run` is `heddle run --help`
    static char option[] = "--help";
    argv[2] = option;
    word = argv[1];
  }
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(word, commands[i].name) == 0)
      return commands[i].run(argc - 1, argv + 1);
  die(EXIT_USAGE, "there is no command \"%s\"; `heddle --help` lists them", word);
}
