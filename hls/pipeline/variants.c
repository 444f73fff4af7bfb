// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/variants.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>

#include "hls/pipeline/prepare.h"
#include "hls/scratch.h"

static enum status parse(LLVMModuleRef *module) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMCreateMemoryBufferWithContentsOfFile(scratch_path(SCRATCH_BITCODE), &buffer, &message) ||
      LLVMParseIRInContext2(LLVMContextCreate(), buffer, module, &message)) {
    fprintf(stderr, "heddlec: reading the front end's output: %s\n", message ? message : "no reason given");
    LLVMDisposeMessage(message);
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

enum status variants_find(struct variants *variants, unsigned unroll, const struct variant **found) {
  for (size_t i = 0; i < variants->count; i++) {
    *found = &variants->items[i];
    if ((*found)->unroll == unroll)
      return STATUS_OK;
  }
  struct variant *variant = &variants->items[variants->count++];
  struct options options = *variants->options;
  options.unroll = unroll;
  *variant = (struct variant){.unroll = unroll};
  *found = variant;
  const enum status status = parse(&variant->module);
  return status == STATUS_OK ? pipeline_prepare(&variant->module, &options, &variant->kernels, &variant->layouts)
                             : status;
}

void variants_free(struct variants *variants) {
  for (size_t i = 0; i < variants->count; i++) {
    kernels_free(&variants->items[i].kernels);
    printf_layouts_free(&variants->items[i].layouts);
  }
}
