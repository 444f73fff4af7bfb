// SPDX-License-Identifier: Apache-2.0
// LLVM has a pass for this, which asks the target which address space is the generic one. The numbers of the address
// spaces of OpenCL C are those of SPIR-V's target, so it is asked.
#include "hls/pipeline/address_spaces.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdio.h>

#include "hls/address_spaces.h"
#include "hls/ir.h"
#include "hls/pipeline/primitives.h"

#define GENERIC_TARGET "spirv32-unknown-unknown"

static bool is_generic(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == GENERIC_ADDRESS_SPACE;
}

static void find_generic(LLVMValueRef instruction, void *context) {
  bool *found = context;
  *found |= is_generic(LLVMTypeOf(instruction));
  for (int i = 0; i < LLVMGetNumOperands(instruction) && !*found; i++)
    *found = is_generic(LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i)));
}

static bool is_of_argument(LLVMValueRef value) {
  while (LLVMIsATruncInst(value) || LLVMIsAZExtInst(value))
    value = LLVMGetOperand(value, 0);
  return LLVMIsAArgument(value) || primitive_of(value).meaning == PRIMITIVE_ARGUMENT_WORD;
}

// A pointer of a structure that is an argument, or of what a SYCL kernel captures, is the host's, who knows global
// memory alone.
static void place_argument(LLVMValueRef at, void *context) {
  (void)context;
  if (!LLVMIsAIntToPtrInst(at) || !is_generic(LLVMTypeOf(at)) || !is_of_argument(LLVMGetOperand(at, 0)))
    return;
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(at));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm);
  LLVMPositionBuilderBefore(builder, at);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
  LLVMValueRef global =
      LLVMBuildIntToPtr(builder, LLVMGetOperand(at, 0), LLVMPointerTypeInContext(llvm, GLOBAL_ADDRESS_SPACE), "");
  LLVMReplaceAllUsesWith(at, LLVMBuildAddrSpaceCast(builder, global, LLVMTypeOf(at), ""));
  LLVMDisposeBuilder(builder);
}

enum status address_spaces_infer(LLVMModuleRef module) {
  bool has_generic = false;
  ir_each_instruction(module, find_generic, &has_generic);
  if (!has_generic)
    return STATUS_OK;
  ir_each_instruction(module, place_argument, NULL);
  LLVMInitializeSPIRVTargetInfo();
  LLVMInitializeSPIRVTarget();
  LLVMInitializeSPIRVTargetMC();
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(GENERIC_TARGET, &target, &message)) {
    fprintf(stderr, "heddlec: preparing a pipeline: %s\n", message);
    LLVMDisposeMessage(message);
    return STATUS_FAILED;
  }
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineRef machine = LLVMCreateTargetMachineWithOptions(target, GENERIC_TARGET, options);
  LLVMDisposeTargetMachineOptions(options);
  enum status status = ir_run_passes(module, machine, "preparing a pipeline", "function(sroa,infer-address-spaces)");
  LLVMDisposeTargetMachine(machine);
  return status;
}
