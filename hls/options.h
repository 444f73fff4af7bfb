// SPDX-License-Identifier: Apache-2.0
// Command line and build options of heddlec.
#ifndef HEDDLE_HLS_OPTIONS_H
#define HEDDLE_HLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "hls/status.h"

enum emit { EMIT_ELF, EMIT_OBJ, EMIT_ASM, EMIT_LL };

// A growing list of strings that it owns, ended by NULL so that it can serve as an argument vector.
struct strings {
  char **items;
  size_t count;
};

void strings_add(struct strings *list, const char *text);
void strings_add_format(struct strings *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strings_free(struct strings *list);

struct options {
  const char *input;   // path of the kernel source, "-" for standard input
  const char *output;  // path of the result
  const char *name;    // what diagnostics call the source; NULL: its path
  const char *isa;     // ISA string the device reports
  enum emit emit;
  bool has_double;  // --double: kernels are offered it, in software
  bool verbose;
  bool has_debug;         // -g: kernels are told why they cannot enqueue
  bool optimize;          // false with -cl-opt-disable
  unsigned time_limit;    // seconds a tool may run
  unsigned memory_limit;  // MiB a tool may map
  struct strings clang;   // the build options, spelled for clang
};

// Fills *options from the command line. On STATUS_OK with options->input == NULL everything asked for (--help,
// --version) has been printed. Errors are explained on stderr. options_free releases it in every case.
enum status options_parse(int argc, char **argv, struct options *options);
void options_free(struct options *options);

#endif
