// SPDX-License-Identifier: Apache-2.0
// Options of programs that take a picture (picture_request.h).
#include "host/examples/picture_request.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct picture_request picture_request_of(int argc, char **argv, const char *usage, const char *own) {
  const struct option options[] = {{own, required_argument, NULL, own[0]},   {"device", required_argument, NULL, 'd'},
                                   {"output", required_argument, NULL, 'o'}, {"progress", required_argument, NULL, 'p'},
                                   {"help", no_argument, NULL, 'h'},         {0}};
  const char letters[] = {own[0], ':', 'd', ':', 'o', ':', 'h', 0};
  struct picture_request r = {.folder = "."};
  for (int option; (option = getopt_long(argc, argv, letters, options, NULL)) != -1;)
    switch (option) {
      case 'd':
        r.device = optarg;
        break;
      case 'o':
        r.folder = optarg;
        break;
      case 'p':
        r.progress = strcmp(optarg, "always") == 0  ? PROGRESS_ON
                     : strcmp(optarg, "never") == 0 ? PROGRESS_OFF
                                                    : PROGRESS_AUTO;
        break;
      case 'h':
        fputs(usage, stdout);
        exit(0);
      default:
        if (option != own[0])
          die(EXIT_USAGE, "see `%s --help`", program_name);
        r.own = optarg;
    }
  if (optind + 1 != argc)
    die(EXIT_USAGE, "which picture? see `%s --help`", program_name);
  r.input = argv[optind];
  return r;
}
