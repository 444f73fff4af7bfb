// SPDX-License-Identifier: Apache-2.0
// Reads of CSRs are assembly without side effects (hls/lib/device.h), but clang calls all assembly of OpenCL C
// convergent, so that LLVM moves none. That is for instructions which depend on the lanes that run them together; a
// CSR's value does not. Of the packet LLVM would have to think that any store may change it.
#include "hls/dispatch_values.h"

#include <stdbool.h>
#include <string.h>

#include "contract/csrs.h"
#include "hls/ir.h"

// Whether the value is the result of assembly that begins so and has no side effects.
static bool is_assembly(LLVMValueRef value, const char *begin) {
  LLVMValueRef assembly = ir_assembly(value, begin);
  return assembly && !LLVMGetInlineAsmHasSideEffects(assembly);
}

static bool is_packet(LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsAIntToPtrInst(address) || LLVMIsAAddrSpaceCastInst(address))
    address = LLVMGetOperand(address, 0);
  return is_assembly(address, "csrr $0, " HEDDLE_CSR_TEXT(HEDDLE_CSR_PACKET));
}

static void visit(LLVMValueRef instruction, void *none) {
  (void)none;
  if (is_assembly(instruction, "csrr $0, "))
    ir_remove_call_attribute(instruction, "convergent");
  if (LLVMIsALoadInst(instruction) && is_packet(LLVMGetOperand(instruction, 0)))
    ir_mark_invariant(instruction);
}

void dispatch_values_are_constant(LLVMModuleRef module) {
  ir_each_instruction(module, visit, NULL);
}
