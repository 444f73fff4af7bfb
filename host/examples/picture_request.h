// SPDX-License-Identifier: Apache-2.0
// What the command line of a program that takes a picture asks for.
#ifndef HEDDLE_EXAMPLES_PICTURE_REQUEST_H
#define HEDDLE_EXAMPLES_PICTURE_REQUEST_H

#include "host/tools/client.h"

struct picture_request {
  const char *input, *device, *folder;  // device is NULL where none is named
  const char *own;                      // value of the program's own option, NULL where it is not given
  enum progress progress;
};

// Reads PICTURE.png, --device, --output, --progress and the program's own option with a value, `own`, of which the
// first letter serves as well. Exits where --help is asked for, and with one line where something else is.
struct picture_request picture_request_of(int argc, char **argv, const char *usage, const char *own);

#endif
