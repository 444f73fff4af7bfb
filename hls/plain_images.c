// SPDX-License-Identifier: Apache-2.0
// The library tests one bit of each image's descriptor at every read and write (lib/images.cl). Here it is tested once
// for all images; what is then part of the entry is told the answer.
#include "hls/plain_images.h"

#include <string.h>

#include "contract/argument.h"
#include "contract/image.h"
#include "hls/call_graph.h"

static bool is_image(const struct kernel *kernel, uint32_t index) {
  return kernel->arguments[index].kind == HEDDLE_IMAGE;
}

static bool has_images(const struct kernel *kernel) {
  for (uint32_t i = 0; i < kernel->argument_count; i++)
    if (is_image(kernel, i))
      return true;
  return false;
}

// Inline assembly with an effect, which collectives are (retarget.c).
static bool is_meeting(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) &&
         LLVMGetCallSiteEnumAttribute(instruction, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                      LLVMGetEnumAttributeKindForName("noduplicate", strlen("noduplicate")));
}

static bool has_meetings(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (is_meeting(at))
        return true;
  return false;
}

bool plain_images_matter(const struct kernel *kernel) {
  if (!has_images(kernel))
    return false;
  struct reach reach = {0};
  bool meets = false;
  reach_from(kernel->body, &reach);
  for (size_t i = 0; i < reach.count; i++)
    meets |= LLVMIsAFunction(reach.values[i]) && has_meetings(reach.values[i]);
  reach_free(&reach);
  return !meets;
}

// Whether an image is plain: the sign of its form. Optimisation takes this test and the library's for the same: both
// are of constant memory.
static LLVMValueRef build_test(LLVMBuilderRef builder, LLVMValueRef image) {
  enum { CONSTANT_ADDRESS_SPACE = 2 };
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(image));
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(image)) != CONSTANT_ADDRESS_SPACE) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, CONSTANT_ADDRESS_SPACE);
    image = LLVMBuildAddrSpaceCast(builder, image, pointer, "");  // of SPIR-V
  }
  LLVMTypeRef word = LLVMInt32TypeInContext(context);
  LLVMValueRef index = LLVMConstInt(word, HEDDLE_IMAGE_FORM, 0);
  LLVMValueRef form = LLVMBuildLoad2(builder, word, LLVMBuildInBoundsGEP2(builder, word, image, &index, 1, ""), "");
  LLVMSetMetadata(form, LLVMGetMDKindIDInContext(context, "invariant.load", strlen("invariant.load")),
                  LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
  return LLVMBuildICmp(builder, LLVMIntSLT, form, LLVMConstInt(word, 0, 0), "");
}

static void build_assumption(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef condition) {
  static const char name[] = "llvm.assume";
  LLVMValueRef assume = LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(assume), assume, &condition, 1, "");
}

LLVMBasicBlockRef plain_images_branch(LLVMBuilderRef builder, const struct kernel *kernel,
                                      const LLVMValueRef *arguments) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(kernel->entry));
  LLVMBasicBlockRef plain = LLVMAppendBasicBlockInContext(context, kernel->entry, "");
  LLVMBasicBlockRef others = LLVMAppendBasicBlockInContext(context, kernel->entry, "");
  LLVMValueRef all = NULL;
  for (uint32_t i = 0; i < kernel->argument_count; i++) {
    if (is_image(kernel, i)) {
      LLVMValueRef one = build_test(builder, arguments[i]);
      all = all ? LLVMBuildAnd(builder, all, one, "") : one;
    }
  }
  LLVMBuildCondBr(builder, all, plain, others);
  LLVMPositionBuilderAtEnd(builder, plain);
  for (uint32_t i = 0; i < kernel->argument_count; i++)
    if (is_image(kernel, i))
      build_assumption(builder, LLVMGetGlobalParent(kernel->entry), build_test(builder, arguments[i]));
  return others;
}
