// SPDX-License-Identifier: Apache-2.0
// The built-in library (builtins.h). clang is asked, also where there is no source any more: LLVM's linker has no
// switch in the LLVM-C API for what clang's does, which takes only what is used and makes it internal.
#include "hls/builtins.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hls/builtin_parts.h"
#include "hls/child.h"
#include "hls/data.h"
#include "hls/scratch.h"

// Those for kernel pipelines have the same names in a folder of their own.
static enum status add_library(struct strings *arguments, const struct options *options, const char *file) {
  static const char *const option[] = {"-Xclang", "-mlink-builtin-bitcode", "-Xclang"};
  char library[4096], name[256];
  snprintf(name, sizeof name, "%s%s", options->mode == MODE_HARDWARE ? "pipeline/" : "", file);
  enum status status = data_path(name, library, sizeof library);
  if (status == STATUS_OK) {
    strings_add_all(arguments, option, sizeof option / sizeof *option);
    strings_add(arguments, library);
  }
  return status;
}

enum status builtins_add_arguments(struct strings *arguments, const struct options *options, const char *source) {
  struct strings parts = {0};
  enum status status = add_library(arguments, options, "builtins.bc");
  if (status == STATUS_OK)
    status = builtin_parts(source, options, &parts);
  for (size_t i = 0; status == STATUS_OK && i < parts.count; i++)
    status = add_library(arguments, options, parts.items[i]);
  strings_free(&parts);
  return status == STATUS_OK && options->has_double ? add_library(arguments, options, "builtins-double.bc") : status;
}

enum status builtins_link(const struct options *options) {
  static const char *const always[] = {
      CLANG,
      "--no-default-config",
      "-target",
      "spir-unknown-unknown",
      "-x",
      "ir",
      "-c",
      "-w",
      "-emit-llvm",
      "-O2",
      "-fno-discard-value-names",
      "-fomit-frame-pointer",
      "-fno-crash-diagnostics",
      "-Xclang",
      "-disable-llvm-passes",
      "-Xclang",
      "-fno-temp-file",
  };
  struct strings arguments = {0};
  strings_add_all(&arguments, always, sizeof always / sizeof *always);
  enum status status = builtins_add_arguments(&arguments, options, NULL);
  if (status == STATUS_OK) {
    strings_add(&arguments, scratch_path(SCRATCH_BITCODE));
    strings_add(&arguments, "-o");
    strings_add(&arguments, scratch_path(SCRATCH_WITH_BUILTINS));
    struct child clang = {.what = "built-ins", .arguments = arguments.items};
    status = child_run(&clang, options);
    if (status == STATUS_TOOL_MISSING)
      fputs(CLANG_MISSING, stderr);
  }
  strings_free(&arguments);
  if (status == STATUS_OK && rename(scratch_path(SCRATCH_WITH_BUILTINS), scratch_path(SCRATCH_BITCODE)) != 0) {
    fprintf(stderr, "heddlec: cannot rename %s: %s\n", scratch_path(SCRATCH_WITH_BUILTINS), strerror(errno));
    status = STATUS_FAILED;
  }
  return status;
}
