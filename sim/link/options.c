// SPDX-License-Identifier: Apache-2.0
// See options.h.
#include "sim/link/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const char *program;
static void (*say_usage)(void);

void heddle_option_program(const char *name, void (*usage)(void)) {
  program = name;
  say_usage = usage;
}

_Noreturn void heddle_option_wrong(const char *what, const char *text) {
  fprintf(stderr, "%s: %s%s\n", program, what, text);
  say_usage();
  exit(2);
}

static uint32_t number(const char *text, uint32_t most, const char *what) {
  char *end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != 0 || errno != 0 || value == 0 || value > most)
    heddle_option_wrong(what, text);
  return (uint32_t)value;
}

void heddle_option_lanes(struct heddle_sim_config *config, const char *text) {
  config->lanes = number(text, 32, "--lanes wants a number from 1 to 32, not ");
}

void heddle_option_memory(struct heddle_sim_config *config, const char *text) {
  config->global_bytes = number(text, 1024, "--memory wants a number of MiB from 1 to 1024, not ") << 20;
}

struct sockaddr_un heddle_option_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path)
    heddle_option_wrong("a path of a socket has at most 107 bytes: ", path);
  memcpy(address.sun_path, path, strlen(path));
  return address;
}
