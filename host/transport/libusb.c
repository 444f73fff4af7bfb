// SPDX-License-Identifier: Apache-2.0
// Loads libusb-1.0 (libusb.h).
#include "host/transport/libusb.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static struct heddle_libusb functions;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct heddle_error why;

#define NAME_AND_PLACE(name) {"libusb_" #name, offsetof(struct heddle_libusb, name)},
static const struct {
  const char *name;
  size_t place;
} names[] = {HEDDLE_LIBUSB_FUNCTIONS(NAME_AND_PLACE)};

// It stays loaded: it may have threads.
static void load(void) {
  void *library = dlopen("libusb-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    heddle_fail(&why, -ENOENT, "boards on USB need libusb-1.0 (package libusb-1.0-0), which does not load here: %.120s",
                dlerror());
    return;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names && why.text[0] == 0; i++) {
    void *found = dlsym(library, names[i].name);
    *(void **)((char *)&functions + names[i].place) = found;
    if (!found)
      heddle_fail(&why, -ENOENT, "libusb-1.0 has no %s: it is too old", names[i].name);
  }
}

const struct heddle_libusb *heddle_libusb(struct heddle_error *error) {
  pthread_once(&once, load);
  if (why.text[0] == 0)
    return &functions;
  *error = why;
  return NULL;
}
