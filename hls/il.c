// SPDX-License-Identifier: Apache-2.0
// SPIR-V through llvm-spirv, which comes from LLVM 15 and calls built-in functions as clang does. It is made for input
// that it likes, and stops with an assertion at some that it does not: that is a build failure like others.
#include "hls/il.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/spirv.h"
#include "hls/address_spaces.h"
#include "hls/checks.h"
#include "hls/child.h"
#include "hls/il_bit_fields.h"
#include "hls/il_blocks.h"
#include "hls/il_images.h"
#include "hls/il_rewrite.h"
#include "hls/ir.h"
#include "hls/object.h"
#include "hls/scratch.h"

#define TRANSLATOR "llvm-spirv-15"

// The target of clang's front end, and of the built-in library.
#define TRIPLE "spir-unknown-unknown"
#define LAYOUT "e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"

bool il_is_input(const struct options *options) {
  unsigned char start[4];
  FILE *file = strcmp(options->inputs.items[0], "-") != 0 ? fopen(options->inputs.items[0], "rb") : NULL;
  bool is_il = file && fread(start, 1, sizeof start, file) == sizeof start && heddle_spirv_claimed(start, sizeof start);
  if (file)
    fclose(file);
  return is_il;
}

// Writes SCRATCH_SOURCE: the module as the translator takes it.
static enum status prepare(void *context) {
  const struct options *options = context;
  struct heddle_error error;
  unsigned char *bytes = NULL;
  size_t size, count;
  enum status status = object_read_file(options->inputs.items[0], &bytes, &size);
  if (status != STATUS_OK)
    return status;
  uint32_t *words = heddle_spirv_open(bytes, size, &count, &error);
  if (!words) {
    fprintf(stderr, "error: %s\n", error.text);
    return STATUS_REJECTED;
  }
  uint32_t *rewritten = NULL;
  status = il_rewrite(words, count, &rewritten, &count);
  if (status != STATUS_OK)
    return status;
  uint32_t *spelled = heddle_spirv_spell_out(rewritten, count, &count);
  FILE *file = spelled ? fopen(scratch_path(SCRATCH_SOURCE), "wb") : NULL;
  bool is_written = file && fwrite(spelled, sizeof *spelled, count, file) == count;
  if (file && fclose(file) != 0)
    is_written = false;
  return is_written ? STATUS_OK : STATUS_FAILED;
}

// What the translator said, up to where it asks for a report to those who no longer keep it.
static void explain(void) {
  char line[4096];
  FILE *messages = fopen(scratch_path(SCRATCH_MESSAGES), "r");
  while (messages && fgets(line, sizeof line, messages) && strncmp(line, "PLEASE submit", 13) != 0)
    fprintf(stderr, "error: %s", line);
  if (messages)
    fclose(messages);
}

static enum status translate(const struct options *options) {
  char *const arguments[] = {TRANSLATOR,
                             "-r",
                             "--spirv-target-env=CL2.0",
                             (char *)scratch_path(SCRATCH_SOURCE),
                             "-o",
                             (char *)scratch_path(SCRATCH_WITH_BUILTINS),
                             NULL};
  struct child child = {.what = "translator", .arguments = arguments, .messages = scratch_path(SCRATCH_MESSAGES)};
  enum status status = child_run(&child, options);
  if (status == STATUS_TOOL_MISSING)
    fputs("heddlec: " TRANSLATOR " not found: apt-get install llvm-spirv-15\n", stderr);
  else if (status != STATUS_OK)
    explain();
  return status;
}

// clang takes every function of OpenCL C for one that calls collectives, until LLVM finds that it does not.
static void make_convergent(LLVMValueRef instruction, void *context) {
  if (LLVMIsACallInst(instruction)) {
    LLVMAddCallSiteAttribute(instruction, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("convergent", 10), 0));
  }
}

// The translator drops how many sub-groups a kernel asks for: it becomes metadata as clang's, "reqd_num_sub_groups".
static enum status note_sub_groups(LLVMModuleRef module) {
  struct heddle_error error;
  unsigned char *bytes = NULL;
  size_t size, count;
  enum status status = object_read_file(scratch_path(SCRATCH_SOURCE), &bytes, &size);
  uint32_t *words = status == STATUS_OK ? heddle_spirv_open(bytes, size, &count, &error) : NULL;
  size_t num_kernels = 0;
  struct heddle_spirv_kernel *kernels = words ? heddle_spirv_kernels(words, count, &num_kernels) : NULL;
  if (!kernels)
    return status == STATUS_OK ? STATUS_FAILED : status;
  LLVMContextRef llvm = LLVMGetModuleContext(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    uint32_t number = heddle_spirv_sub_groups(kernels, num_kernels, LLVMGetValueName2(f, &length));
    if (number != 0) {
      LLVMMetadataRef value = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(llvm), number, 0));
      LLVMGlobalSetMetadata(f, LLVMGetMDKindIDInContext(llvm, "reqd_num_sub_groups", 19),
                            LLVMMDNodeInContext2(llvm, &value, 1));
    }
  }
  return STATUS_OK;
}

// The amount of a shift is taken modulo the width, as clang has it in OpenCL C.
static void mask_shift(LLVMValueRef instruction, void *context) {
  LLVMBuilderRef builder = context;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
    LLVMValueRef mask = LLVMConstInt(element, LLVMGetIntTypeWidth(element) - 1, 0);
    if (is_vector) {
      LLVMValueRef masks[16] = {mask};
      for (unsigned i = 0; i < LLVMGetVectorSize(type) && i < 16; i++)
        masks[i] = mask;
      mask = LLVMConstVector(masks, LLVMGetVectorSize(type));
    }
    LLVMPositionBuilderBefore(builder, instruction);
    LLVMSetOperand(instruction, 1, LLVMBuildAnd(builder, LLVMGetOperand(instruction, 1), mask, ""));
  }
}

static void mask_shifts(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_each_instruction(module, mask_shift, builder);
  LLVMDisposeBuilder(builder);
}

// "_Z4fmodff" and its like: the function of OpenCL C for what frem takes.
static void name_of_fmod(LLVMTypeRef type, char *name, size_t size) {
  const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  const LLVMTypeKind kind = LLVMGetTypeKind(is_vector ? LLVMGetElementType(type) : type);
  const char *element = kind == LLVMHalfTypeKind ? "Dh" : kind == LLVMFloatTypeKind ? "f" : "d";
  if (is_vector)
    snprintf(name, size, "_Z4fmodDv%u_%sS_", LLVMGetVectorSize(type), element);
  else
    snprintf(name, size, "_Z4fmod%s%s", element, element);
}

// LLVM's remainder of floating point would be a call of C's library.
static LLVMValueRef fmod_for(void *context, LLVMValueRef remainder) {
  if (LLVMGetInstructionOpcode(remainder) != LLVMFRem)
    return NULL;
  LLVMBuilderRef builder = context;
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(remainder)));
  char name[32];
  LLVMTypeRef type = LLVMTypeOf(remainder), function_type = LLVMFunctionType(type, (LLVMTypeRef[]){type, type}, 2, 0);
  name_of_fmod(type, name, sizeof name);
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function) {
    function = LLVMAddFunction(module, name, function_type);
    LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
  }
  LLVMValueRef arguments[] = {LLVMGetOperand(remainder, 0), LLVMGetOperand(remainder, 1)};
  LLVMValueRef call = LLVMBuildCall2(builder, function_type, function, arguments, 2, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  return call;
}

static void call_fmod(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_replace_each(module, builder, fmod_for, builder);
  LLVMDisposeBuilder(builder);
}

// Nobody writes what lies in constant memory, also where a module does not say so of a variable.
static void mark_constants(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == CONSTANT_ADDRESS_SPACE)
      LLVMSetGlobalConstant(g, 1);
}

// What the translator leaves is made what clang leaves.
static enum status adapt(void *context) {
  (void)context;
  LLVMContextRef llvm = LLVMContextCreate();
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(scratch_path(SCRATCH_WITH_BUILTINS), &buffer, &message) ||
      LLVMParseBitcodeInContext2(llvm, buffer, &module)) {
    fprintf(stderr, "heddlec: the translator's output cannot be read\n");
    return STATUS_FAILED;
  }
  enum status status = note_sub_groups(module);
  if (status != STATUS_OK)
    return status;
  LLVMSetTarget(module, TRIPLE);
  LLVMSetDataLayout(module, LAYOUT);
  il_bit_fields_take_uint(module);
  il_blocks_adapt(module);
  il_images_adapt(module);
  call_fmod(module);
  ir_each_instruction(module, make_convergent, llvm);
  mask_shifts(module);
  mark_constants(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!ir_is_intrinsic(f))
      ir_add_attribute(f, "convergent");
    if (!LLVMIsDeclaration(f))
      ir_set_string_attribute(f, CHECKS_COPIES_PIECES, "");
  }
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    fprintf(stderr, "error: the module is not valid: %s\n", message);
    return STATUS_REJECTED;
  }
  return LLVMWriteBitcodeToFile(module, scratch_path(SCRATCH_BITCODE)) == 0 ? STATUS_OK : STATUS_FAILED;
}

enum status il_run(const struct options *options) {
  struct child first = {.what = "prepare",
                        .function = prepare,
                        .context = (void *)options,
                        .inputs = (const char *const *)options->inputs.items};
  struct child last = {.what = "adapt", .function = adapt};
  enum status status = child_run(&first, options);
  if (status == STATUS_OK)
    status = translate(options);
  return status == STATUS_OK ? child_run(&last, options) : status;
}
