// SPDX-License-Identifier: Apache-2.0
// `heddle cache`: where compiled kernels are kept, how many there are, and a way to be rid of them.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/cl/cache_folder.h"
#include "host/tools/client.h"
#include "host/tools/heddle.h"

static const char usage[] =
    "usage: heddle cache [--clear]\n"
    "\n"
    "Says where kernels are kept that have been compiled, how many there are, and how much room they take and may "
    "take.\n"
    "HEDDLE_CACHE_DIR and HEDDLE_CACHE_BYTES in the environment change that; HEDDLE_CACHE_BYTES=0 keeps none.\n"
    "\n"
    "      --clear   removes all of them first\n"
    "  -h, --help    this text\n";

static void report(const char *path, size_t entries, uint64_t bytes) {
  char taken[32], limit[32], count[32];
  const uint64_t most = heddle_cache_limit();
  printf("folder    %s\nentries   %s\nbytes     %s of %s\n", path, grouped(entries, count), byte_words(bytes, taken),
         byte_words(most, limit));
  if (most == 0)
    puts("Nothing is kept (HEDDLE_CACHE_BYTES).");
}

int command_cache(int argc, char **argv) {
  static const struct option options[] = {{"clear", no_argument, NULL, 'c'}, {"help", no_argument, NULL, 'h'}, {0}};
  argv[0] = (char[]){"heddle cache"};  // getopt begins its messages with it
  bool clear = false;
  for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;)
    switch (option) {
      case 'c':
        clear = true;
        break;
      case 'h':
        fputs(usage, stdout);
        return 0;
      default:
        die(EXIT_USAGE, "see `heddle cache --help`");
    }
  if (optind < argc)
    die(EXIT_USAGE, "cache takes no argument \"%s\"; see `heddle cache --help`", argv[optind]);

  struct heddle_error why;
  if (heddle_cache_check(&why) != 0)
    die(EXIT_USAGE, "%s", why.text);

  char path[PATH_MAX];
  size_t entries = 0;
  uint64_t bytes = 0;
  if (!heddle_cache_path(path))
    die(EXIT_USAGE, "HEDDLE_CACHE_DIR, XDG_CACHE_HOME and HOME name no folder, so nothing is kept");
  const int folder = heddle_cache_open(false);
  if (folder < 0 && errno != ENOENT)
    die(EXIT_USAGE, "%s is not used, as it has to be a folder of this user alone: %s", path, strerror(errno));
  if (folder >= 0) {
    if (clear)
      heddle_cache_trim(folder, 0);
    heddle_cache_count(folder, &entries, &bytes);
    close(folder);
  }
  report(path, entries, bytes);
  return 0;
}
