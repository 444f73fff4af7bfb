// SPDX-License-Identifier: Apache-2.0
// In place of png_file.c where HEDDLE_NO_COMPILER=1 builds the command for embedded hosts, without libpng.
#include "host/tools/argument_file.h"
#include "host/tools/client.h"

static _Noreturn void refuse(const char *path) {
  die(EXIT_USAGE, "%s: this build of heddle has no pictures; take .npy or bytes", path);
}

void read_png_file(struct argument *a, const char *path) {
  (void)a;
  refuse(path);
}

void write_png_file(const struct argument *a, const char *path) {
  (void)a;
  refuse(path);
}
