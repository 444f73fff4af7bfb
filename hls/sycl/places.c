// SPDX-License-Identifier: Apache-2.0
#include "hls/sycl/places.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool place_is_users(const char *file, size_t length) {
  static const char *const others[] = {"/usr/include/", "/usr/lib/", "/heddle-sycl/"};
  char path[PLACE_BYTES];
  snprintf(path, sizeof path, "%.*s", (int)length, file);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const char *found = strstr(path, others[i]);
    if (found && (i == 2 || found == path))
      return false;
  }
  return !strstr(path, "/c++/");
}

static bool is_users_function(LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  unsigned length = 0;
  const char *file = subprogram ? LLVMDIFileGetFilename(LLVMDIScopeGetFile(subprogram), &length) : NULL;
  return !file || place_is_users(file, length);
}

// A loop's metadata says where it begins and ends; what else it says stays.
static void drop_place_of_loop(LLVMContextRef context, unsigned kind, LLVMValueRef end) {
  LLVMValueRef node = LLVMGetMetadata(end, kind);
  if (!node)
    return;
  const unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *operands = calloc(count + 1, sizeof *operands);
  LLVMMetadataRef *kept = calloc(count + 1, sizeof *kept);
  if (!operands || !kept)
    abort();
  LLVMGetMDNodeOperands(node, operands);
  // Its first operand is itself.
  LLVMMetadataRef itself = LLVMTemporaryMDNode(context, NULL, 0);
  unsigned number = 0;
  kept[number++] = itself;
  for (unsigned i = 1; i < count; i++) {
    LLVMMetadataRef operand = operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;
    if (operand && LLVMGetMetadataKind(operand) != LLVMDILocationMetadataKind)
      kept[number++] = operand;
  }
  LLVMMetadataRef made = LLVMMDNodeInContext2(context, kept, number);
  LLVMMetadataReplaceAllUsesWith(itself, made);
  LLVMSetMetadata(end, kind, LLVMMetadataAsValue(context, made));
  free(operands);
  free(kept);
}

static void drop_places(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  const unsigned loop = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    if (LLVMGetBasicBlockTerminator(block))
      drop_place_of_loop(context, loop, LLVMGetBasicBlockTerminator(block));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      LLVMInstructionSetDebugLoc(at, NULL);
  LLVMGlobalEraseMetadata(function, LLVMGetMDKindIDInContext(context, "dbg", strlen("dbg")));
}

void places_leave_users(LLVMModuleRef module, const struct sycl_kernels *kernels) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    bool stays = LLVMIsDeclaration(f) || is_users_function(f);
    for (size_t i = 0; i < kernels->count && !stays; i++)
      stays = kernels->items[i].entry == f;
    if (!stays)
      drop_places(f);
  }
}
