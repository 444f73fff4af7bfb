// SPDX-License-Identifier: Apache-2.0
// ISA string to LLVM features. Called by heddlec before anything runs, so that a typing error costs no compilation.
#include "hls/isa.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Extensions with more than one letter. Zicond is known but not used: its selects make both arms run.
// What xindex has is placed by indexed.c.
static const struct {
  const char *name;
  const char *feature;  // "" if knowing it is enough
} extensions[] = {
    {"zicsr", "+zicsr"}, {"zmmul", "+zmmul"}, {"zba", "+zba"}, {"zbb", "+zbb"},
    {"zbs", "+zbs"},     {"zfinx", "+zfinx"}, {"zicond", ""},  {"xindex", ""},
};

static enum status unknown(const char *isa, const char *extension, int length) {
  fprintf(stderr,
          "heddlec: --isa %s: unknown extension '%.*s' (known: m a zicsr zmmul zba zbb zbs zfinx zicond xindex)\n", isa,
          length, extension);
  return STATUS_INVALID_OPTIONS;
}

enum status isa_features(const char *isa, char *features, size_t size) {
  // relax lets the linker turn calls into one instruction: each saved one is an issue slot.
  size_t used = (size_t)snprintf(features, size, "+relax");
  if (strncmp(isa, "rv32i", 5) != 0 || strlen(isa) > 64) {
    fprintf(stderr,
            "heddlec: --isa '%.64s': a Heddle device is rv32i with extensions, for example " HEDDLE_DEFAULT_ISA "\n",
            isa);
    return STATUS_INVALID_OPTIONS;
  }
  const char *at = isa + 5;
  for (; isalpha((unsigned char)*at) && *at != 'z'; at++) {
    if (*at != 'm' && *at != 'a')
      return unknown(isa, at, 1);
    used += (size_t)snprintf(features + used, size - used, ",+%c", *at);
  }
  while (*at != 0) {
    at += *at == '_';
    int length = (int)strcspn(at, "_");
    size_t i = 0;
    while (i < sizeof extensions / sizeof *extensions &&
           (strlen(extensions[i].name) != (size_t)length || strncmp(extensions[i].name, at, (size_t)length) != 0)) {
      i++;
    }
    if (i == sizeof extensions / sizeof *extensions)
      return unknown(isa, at, length);
    if (extensions[i].feature[0] != 0)
      used += (size_t)snprintf(features + used, size - used, ",%s", extensions[i].feature);
    at += length;
  }
  return used < size ? STATUS_OK : unknown(isa, isa, 64);
}
