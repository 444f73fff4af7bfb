// SPDX-License-Identifier: Apache-2.0
// What a user asks of `heddle run`. Not thread-safe.
#ifndef HEDDLE_TOOLS_RUN_OPTIONS_H
#define HEDDLE_TOOLS_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/tools/client.h"

enum { OUTPUTS_MAX = 64 };

// The texts are of the command line.
struct request {
  const char *path, *kernel, *device, *build_options;
  size_t global[3], local[3], offset[3];
  unsigned global_dim, local_dim, offset_dim;
  bool stats, json, quiet, hardware, checks;
  const char *lanes;     // of pipelines; NULL: whatever the kernel requires
  const char *copies;    // of pipelines; NULL: one
  const char **verilog;  // files of modules that functions are; num_verilog of them
  unsigned num_verilog;
  const char *profile;        // file, "-" for standard output; NULL: none
  const char *wave, *konata;  // files; NULL: none
  enum progress progress;
  const char *prints[OUTPUTS_MAX], *saves[OUTPUTS_MAX];
  unsigned print_count, save_count;
};

// Reads the options; getopt's `optind` is then the first argument of the kernel. What the library reads from the
// environment is set there. --help ends the program; wrong usage does, too, with one line.
struct request parse_options(int argc, char **argv);

#endif
