// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/hardware.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>

#include "hls/child.h"
#include "hls/kernel.h"
#include "hls/pipeline/prepare.h"
#include "hls/scratch.h"

static enum status failed(const char *what, char *message) {
  fprintf(stderr, "heddlec: %s: %s\n", what, message != NULL ? message : "no reason given");
  LLVMDisposeMessage(message);
  return STATUS_FAILED;
}

static enum status parse(LLVMModuleRef *module) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMCreateMemoryBufferWithContentsOfFile(scratch_path(SCRATCH_BITCODE), &buffer, &message) ||
      LLVMParseIRInContext2(LLVMContextCreate(), buffer, module, &message)) {
    return failed("reading the front end's output", message);
  }
  return STATUS_OK;
}

static enum status write_ir(LLVMModuleRef module) {
  char *message = NULL;
  return LLVMPrintModuleToFile(module, scratch_path(SCRATCH_OBJECT), &message) ? failed("writing", message) : STATUS_OK;
}

static enum status run(void *context) {
  const struct options *options = context;
  LLVMModuleRef module = NULL;
  struct kernels kernels = {0};
  enum status status = parse(&module);
  if (status == STATUS_OK) {
    status = pipeline_prepare(&module, options, &kernels);
  }
  if (module != NULL && options->emit_ir) {
    write_ir(module);
  }
  kernels_free(&kernels);
  return status;
}

enum status hardware_run(const struct options *options) {
  struct child child = {.what = "pipelines", .function = run, .context = (void *)options};
  return child_run(&child, options);
}
