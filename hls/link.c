// SPDX-License-Identifier: Apache-2.0
// Runs lld with the linker script of kernel files.
#include "hls/link.h"

#include <stdio.h>

#include "contract/isa.h"
#include "hls/child.h"
#include "hls/data.h"
#include "hls/scratch.h"

#define LINKER "ld.lld-22"

// lld's messages are about symbols nobody wrote: what is undefined has been found by the kernel pass, with better
// words. So whatever lld says is a fault of heddlec, not of the kernel.
static enum status explain(enum status status) {
  FILE *messages = fopen(scratch_path(SCRATCH_MESSAGES), "r");
  if (messages) {
    char line[1024];
    while (fgets(line, sizeof line, messages))
      fputs(line, stderr);
    fclose(messages);
  }
  return status == STATUS_REJECTED ? STATUS_FAILED : status;
}

enum status link_run(const struct options *options) {
  char script[4096], library[4096];
  enum status status = data_path("device.ld", script, sizeof script);
  if (status == STATUS_OK) {
    // The device's code may call what is compiled for less: runtime-i.a neither multiplies nor divides.
    const char *name = heddle_isa_has(options->isa, "m") ? "runtime.a" : "runtime-i.a";
    status = data_path(name, library, sizeof library);
  }
  if (status != STATUS_OK)
    return status;
  struct strings arguments = {0};
  static const char *const always[] = {
      LINKER,
      "-m",
      "elf32lriscv",
      "-pie",
      "--no-dynamic-linker",
      "-z",
      "norelro",
      "-z",
      "text",
      "-z",
      "max-page-size=4096",
      "--hash-style=sysv",
      "--orphan-handling=place",
      "--error-limit=5",
      "-e",
      "0",
      "--no-undefined",
      "--threads=1",
      "--discard-locals",
      "--no-dependent-libraries",  // else #pragma comment(lib) names files to link
  };
  strings_add_all(&arguments, always, sizeof always / sizeof *always);
  strings_add(&arguments, "-T");
  strings_add(&arguments, script);
  strings_add(&arguments, scratch_path(SCRATCH_OBJECT));
  strings_add(&arguments, library);
  strings_add(&arguments, "-o");
  strings_add(&arguments, scratch_path(SCRATCH_IMAGE));
  struct child lld = {.what = "linker", .arguments = arguments.items, .messages = scratch_path(SCRATCH_MESSAGES)};
  status = child_run(&lld, options);
  if (status == STATUS_TOOL_MISSING)
    fputs("heddlec: " LINKER " not found: apt-get install lld-22\n", stderr);
  else if (status != STATUS_OK)
    status = explain(status);
  strings_free(&arguments);
  return status;
}
