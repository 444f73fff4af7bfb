// SPDX-License-Identifier: Apache-2.0
#include "hls/sycl/places.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/loop_options.h"

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
static bool is_place(LLVMMetadataRef part, LLVMContextRef context) {
  (void)context;
  return !part || LLVMGetMetadataKind(part) == LLVMDILocationMetadataKind;
}

static void drop_places(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    if (LLVMGetBasicBlockTerminator(block))
      loop_options_remove(LLVMGetBasicBlockTerminator(block), is_place);
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
