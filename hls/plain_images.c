// SPDX-License-Identifier: Apache-2.0
// The library tests one bit of each image's descriptor at every read and write (lib/images.cl). Here it is tested once
// for all images; what is then part of the entry is told the answer.
#include "hls/plain_images.h"

#include <string.h>

#include "contract/argument.h"
#include "contract/image.h"
#include "hls/address_spaces.h"
#include "hls/ir.h"

static bool is_image(const struct kernel *kernel, uint32_t index) {
  return kernel->arguments[index].kind == HEDDLE_IMAGE;
}

bool plain_images_matter(const struct kernel *kernel) {
  for (uint32_t i = 0; i < kernel->argument_count; i++)
    if (is_image(kernel, i))
      return true;
  return false;
}

// A word of an image's descriptor. Optimisation takes this load and the library's for the same: both are of constant
// memory.
static LLVMValueRef build_word(LLVMBuilderRef builder, LLVMValueRef image, enum heddle_image_word number) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(image));
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(image)) != CONSTANT_ADDRESS_SPACE) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, CONSTANT_ADDRESS_SPACE);
    image = LLVMBuildAddrSpaceCast(builder, image, pointer, "");  // of SPIR-V
  }
  LLVMTypeRef word = LLVMInt32TypeInContext(context);
  LLVMValueRef index = LLVMConstInt(word, number, 0);
  LLVMValueRef value = LLVMBuildLoad2(builder, word, LLVMBuildInBoundsGEP2(builder, word, image, &index, 1, ""), "");
  ir_mark_invariant(value);
  return value;
}

// Whether an image is plain: the sign of its form.
static LLVMValueRef build_test(LLVMBuilderRef builder, LLVMValueRef image) {
  LLVMValueRef form = build_word(builder, image, HEDDLE_IMAGE_FORM);
  return LLVMBuildICmp(builder, LLVMIntSLT, form, LLVMConstInt(LLVMTypeOf(form), 0, 0), "");
}

// The order of a plain image, which kernels may ask for.
static LLVMValueRef build_order_test(LLVMBuilderRef builder, LLVMValueRef image) {
  LLVMValueRef order = build_word(builder, image, HEDDLE_IMAGE_ORDER);
  return LLVMBuildICmp(builder, LLVMIntEQ, order, LLVMConstInt(LLVMTypeOf(order), HEDDLE_IMAGE_PLAIN_ORDER, 0), "");
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
  for (uint32_t i = 0; i < kernel->argument_count; i++) {
    if (is_image(kernel, i)) {
      build_assumption(builder, LLVMGetGlobalParent(kernel->entry), build_test(builder, arguments[i]));
      build_assumption(builder, LLVMGetGlobalParent(kernel->entry), build_order_test(builder, arguments[i]));
    }
  }
  return others;
}
