// SPDX-License-Identifier: Apache-2.0
// heddle-sycl-link: checks and links the device code of SYCL programs. Run by heddle-sycl++. This file is the order of
// the steps; each step is a file of its own.
#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/isa.h"
#include "hls/sycl/check.h"
#include "hls/sycl/program.h"

static const char help[] =
    "heddle-sycl-link: check and link the device code of SYCL programs; heddle-sycl++ runs it\n"
    "\n"
    "  heddle-sycl-link SIZE:UNIT.bc... -o PREFIX   link units; SIZE is the sub-group size of functions without "
    "attribute\n"
    "  heddle-sycl-link --check SIZE:UNIT.bc        check one unit, of a program that is linked later\n"
    "\n"
    "  -o PREFIX      makes PREFIX-0.o, PREFIX-1.o ... for heddlec --link, and PREFIX.list, which names the kernels\n"
    "  --checks       for a device that checks kernels (HEDDLE_CHECK=1), as heddlec --check behind it\n"
    "  --isa STRING   instruction set of the device (default: " HEDDLE_DEFAULT_ISA
    ")\n"
    "\n"
    "exit code  0 done   1 the program does not link   2 invalid options   4 failed\n";

// LLVM's linker says here what it does not like.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  (void)context;
  char *text = LLVMGetDiagInfoDescription(info);
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    fprintf(stderr, "error: %s\n", text);
  LLVMDisposeMessage(text);
}

static enum status run(char **inputs, size_t count, bool is_alone, const char *prefix, const char *isa,
                       bool has_checks) {
  // To bring the debug information of an older clang up to date, LLVM verifies a file and ends the process unless it is
  // right, which clang 22's use of thread_local variables is not. Ours are of this clang; program.c verifies.
  static const char *const options[] = {"heddle-sycl-link", "-disable-auto-upgrade-debug-info"};
  LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, on_diagnostic, NULL);
  struct unit *units = calloc(count, sizeof *units);
  struct sycl_kernels kernels = {0};
  if (!units)
    abort();
  enum status status = STATUS_OK;
  for (size_t i = 0; i < count && status == STATUS_OK; i++) {
    status = unit_read(context, inputs[i], &units[i]);
    if (status == STATUS_OK)
      status = sycl_kernels_find(&units[i], &kernels);
  }
  if (status == STATUS_OK)
    status = check_kernels(units, count, &kernels, is_alone);
  if (status == STATUS_OK && !is_alone)
    status = program_write(units, count, &kernels, prefix, isa, has_checks);
  sycl_kernels_free(&kernels);
  for (size_t i = 0; i < count; i++)
    unit_free(&units[i]);
  free(units);
  return status;
}

int main(int argc, char **argv) {
  const char *prefix = NULL, *isa = HEDDLE_DEFAULT_ISA;
  bool is_alone = false, has_checks = false;
  size_t count = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(help, stdout);
      return STATUS_OK;
    }
    if (strcmp(argv[i], "--check") == 0) {
      is_alone = true;
    } else if (strcmp(argv[i], "--checks") == 0) {
      has_checks = true;
    } else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
      prefix = argv[++i];
    } else if (strcmp(argv[i], "--isa") == 0 && i + 1 < argc) {
      isa = argv[++i];
    } else if (argv[i][0] == '-') {
      fprintf(stderr,
              "heddle-sycl-link: there is no option '%s', or it lacks its value; heddle-sycl-link --help explains\n",
              argv[i]);
      return STATUS_INVALID_OPTIONS;
    } else {
      argv[count++] = argv[i];  // inputs move to the front
    }
  }
  if (count == 0 || (is_alone ? count != 1 || prefix : !prefix)) {
    fputs(is_alone ? "heddle-sycl-link: --check takes one file and no -o; heddle-sycl-link --help explains\n"
                   : "heddle-sycl-link: files and -o PREFIX are wanted; heddle-sycl-link --help explains\n",
          stderr);
    return STATUS_INVALID_OPTIONS;
  }
  return (int)run(argv, count, is_alone, prefix, isa, has_checks);
}
