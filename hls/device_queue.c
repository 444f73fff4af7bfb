// SPDX-License-Identifier: Apache-2.0
// Kernels name a block by a number: where it is, is for whoever runs it to know. As a number is no address, functions
// that enqueue each other, or themselves, do not call each other: their stacks do not add up, and nothing recurses.
#include "hls/device_queue.h"

#include <stdlib.h>
#include <string.h>

#include "hls/call_graph.h"

#define FLAG "__heddle_has_debug"
// Of lib/device_queue.cl. What follows in the name is of our making (retarget.c).
#define DEVICE_QUEUE "__heddle_device_queue"

static void announce(LLVMModuleRef module, bool has_debug) {
  LLVMValueRef flag = LLVMGetNamedGlobal(module, FLAG);
  if (flag) {
    LLVMSetInitializer(flag, LLVMConstInt(LLVMGlobalGetValueType(flag), has_debug, 0));
    LLVMSetGlobalConstant(flag, 1);
    LLVMSetLinkage(flag, LLVMInternalLinkage);
  }
}

// Block literals hold the address of the block's function, in a constant of its own. clang calls blocks by their name,
// so that nobody reads it.
static void forget_invoke(LLVMValueRef function) {
  LLVMValueRef constant;
  do {
    constant = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use && !constant; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      // One that nobody uses is only still there.
      if (LLVMIsAConstantExpr(user) && LLVMGetFirstUse(user))
        constant = user;
    }
    if (constant)
      LLVMReplaceAllUsesWith(constant, LLVMConstNull(LLVMTypeOf(constant)));
  } while (constant);
}

void device_queue_number_blocks(LLVMModuleRef module, const struct kernels *kernels, bool has_debug) {
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  announce(module, has_debug);
  uint32_t number = 0;
  for (size_t i = 0; i < kernels->count; i++) {
    LLVMValueRef body = kernels->items[i].body;
    if (kernels->items[i].is_block)
      LLVMReplaceAllUsesWith(body, LLVMConstIntToPtr(LLVMConstInt(word, ++number, 0), LLVMTypeOf(body)));
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    forget_invoke(f);
}

void device_queue_find_kernels(struct kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++) {
    struct kernel *kernel = &kernels->items[i];
    struct reach reach = {0};
    reach_from(kernel->entry, &reach);
    for (size_t j = 0; j < reach.count && !kernel->enqueues; j++) {
      size_t length;
      const char *name = LLVMGetValueName2(reach.values[j], &length);
      kernel->enqueues = strncmp(name, DEVICE_QUEUE, strlen(DEVICE_QUEUE)) == 0;
    }
    reach_free(&reach);
  }
}
