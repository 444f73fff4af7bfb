// SPDX-License-Identifier: Apache-2.0
// LLVM's C interface copies modules, not functions. So a copy is made of a module that has nothing but one kernel and
// what it uses, and it is linked to where the kernel came from.
#include "hls/compute_ids.h"

#include <llvm-c/Linker.h>
#include <stdio.h>
#include <string.h>

#include "hls/autorun.h"
#include "hls/ir.h"
#include "hls/kernel_hints.h"
#include "hls/more_arguments.h"

#define COMPUTE_ID "__heddle_compute_id"

enum { MOST_COPIES = 256, NAME_BYTES = 256 };

struct copies {
  LLVMValueRef kernel;
  char name[NAME_BYTES];
  uint32_t sizes[KERNEL_HINTS_DIMENSIONS];
  unsigned dimensions, count;
};

// ---- numbers

static LLVMValueRef id_of(LLVMValueRef call, const uint32_t id[KERNEL_HINTS_DIMENSIONS]) {
  LLVMValueRef dimension = LLVMGetOperand(call, 0);
  LLVMTypeRef word = LLVMTypeOf(call);
  LLVMValueRef value = LLVMConstInt(word, 0, 0);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(word));
  LLVMPositionBuilderBefore(builder, call);
  for (unsigned d = 0; d < KERNEL_HINTS_DIMENSIONS; d++) {
    LLVMValueRef is_this = LLVMBuildICmp(builder, LLVMIntEQ, dimension, LLVMConstInt(LLVMTypeOf(dimension), d, 0), "");
    value = LLVMBuildSelect(builder, is_this, LLVMConstInt(word, id[d], 0), value, "");
  }
  LLVMDisposeBuilder(builder);
  return value;
}

static void set_ids(LLVMValueRef kernel, const uint32_t id[KERNEL_HINTS_DIMENSIONS]) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
      next = LLVMGetNextInstruction(at);
      if (!ir_calls(at, COMPUTE_ID))
        continue;
      LLVMReplaceAllUsesWith(at, id_of(at, id));
      LLVMInstructionEraseFromParent(at);
    }
}

// Autorun kernels without copies are number 0; others have no numbers. What is left of functions is never called.
static enum status take_others(LLVMModuleRef module) {
  static const uint32_t none[KERNEL_HINTS_DIMENSIONS];
  LLVMValueRef function = LLVMGetNamedFunction(module, COMPUTE_ID);
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetFirstUse(function)) {
    LLVMValueRef call = LLVMGetUser(use), caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    if (ir_is_kernel(caller) && !kernel_hints_autorun(caller)) {
      size_t length;
      ir_print_place(call);
      fprintf(stderr, "error: kernel '%s' calls get_compute_id, which numbers copies of autorun kernels\n",
              LLVMGetValueName2(caller, &length));
      return STATUS_REJECTED;
    }
    set_ids(caller, none);
  }
  if (function)
    LLVMDeleteFunction(function);
  return STATUS_OK;
}

// ---- copies

static enum status name_copy(LLVMModuleRef module, const struct copies *copies,
                             const uint32_t id[KERNEL_HINTS_DIMENSIONS], char name[NAME_BYTES]) {
  size_t used = (size_t)snprintf(name, NAME_BYTES, "%s", copies->name);
  for (unsigned d = 0; d < copies->dimensions && used < NAME_BYTES; d++)
    used += (size_t)snprintf(name + used, NAME_BYTES - used, "_%u", id[d]);
  if (used >= NAME_BYTES)
    return autorun_refuse(copies->kernel, "has a name that is too long for one with copies");
  if (!LLVMGetNamedFunction(module, name) && !LLVMGetNamedGlobal(module, name))
    return STATUS_OK;
  ir_print_place_of_function(copies->kernel);
  fprintf(stderr, "error: a copy of autorun kernel '%s' is called '%s', as something else in the program is\n",
          copies->name, name);
  return STATUS_REJECTED;
}

// A module of the kernel alone.
static enum status take_out(const struct copies *copies, LLVMModuleRef *alone) {
  char passes[NAME_BYTES + 64];
  *alone = LLVMCloneModule(LLVMGetGlobalParent(copies->kernel));
  snprintf(passes, sizeof passes, "internalize<preserve-gv=%s>,globaldce", copies->name);
  return ir_run_passes(*alone, NULL, "copies of autorun kernels", passes);
}

static enum status add_copy(LLVMModuleRef module, LLVMModuleRef alone, const struct copies *copies, unsigned number) {
  uint32_t id[KERNEL_HINTS_DIMENSIONS] = {0};
  char name[NAME_BYTES];
  for (unsigned d = 0, left = number; d < copies->dimensions; d++) {
    id[d] = left % copies->sizes[d];
    left /= copies->sizes[d];
  }
  enum status status = name_copy(module, copies, id, name);
  if (status != STATUS_OK)
    return status;
  LLVMModuleRef other = number == 0 ? NULL : LLVMCloneModule(alone);
  LLVMValueRef kernel = other ? LLVMGetNamedFunction(other, copies->name) : copies->kernel;
  LLVMSetValueName2(kernel, name, strlen(name));
  set_ids(kernel, id);
  kernel_hints_clear_compute_units(kernel);
  if (other && LLVMLinkModules2(module, other)) {  // which frees it
    fprintf(stderr, "heddlec: copies of autorun kernels: they cannot be linked\n");
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

static enum status copy_kernel(LLVMModuleRef module, LLVMValueRef kernel) {
  struct copies copies = {.kernel = kernel};
  size_t length;
  copies.count = kernel_hints_compute_units(kernel);
  copies.dimensions = kernel_hints_compute_unit_sizes(kernel, copies.sizes);
  if (copies.count > MOST_COPIES)
    return autorun_refuse(kernel, "has more than 256 copies (num_compute_units)");
  if ((size_t)snprintf(copies.name, NAME_BYTES, "%s", LLVMGetValueName2(kernel, &length)) >= NAME_BYTES)
    return autorun_refuse(kernel, "has a name that is too long for one with copies");
  LLVMModuleRef alone;
  enum status status = take_out(&copies, &alone);
  for (unsigned i = 0; i < copies.count && status == STATUS_OK; i++)
    status = add_copy(module, alone, &copies, i);
  LLVMDisposeModule(alone);
  return status;
}

void compute_ids_show(LLVMModuleRef module) {
  LLVMValueRef function = LLVMGetNamedFunction(module, COMPUTE_ID);
  if (function)
    more_arguments_show(function);
}

enum status compute_ids_make(LLVMModuleRef module, bool *are_made) {
  enum status status = STATUS_OK;
  *are_made = LLVMGetNamedFunction(module, COMPUTE_ID);
  // Copies come behind the last function.
  for (LLVMValueRef f = LLVMGetFirstFunction(module), last = LLVMGetLastFunction(module), next;
       f && status == STATUS_OK; f = next) {
    next = f == last ? NULL : LLVMGetNextFunction(f);
    if (!ir_is_kernel(f) || !kernel_hints_autorun(f))
      continue;
    uint32_t sizes[KERNEL_HINTS_DIMENSIONS];
    const bool has_sizes = kernel_hints_compute_unit_sizes(f, sizes) != 0;
    if (has_sizes && kernel_hints_compute_units(f) == 0)
      return autorun_refuse(f, "has no copies: a size in num_compute_units is 0");
    if (kernel_hints_compute_units(f) < 2)
      continue;
    *are_made = true;
    status = copy_kernel(module, f);
  }
  return status == STATUS_OK ? take_others(module) : status;
}
