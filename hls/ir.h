// SPDX-License-Identifier: Apache-2.0
// Small things over the LLVM-C API that several steps of the kernel pass need.
#ifndef HEDDLE_HLS_IR_H
#define HEDDLE_HLS_IR_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/status.h"

// Operands of a metadata node. The caller frees them with ir_metadata_free. count is 0 if there is no node.
struct ir_metadata {
  LLVMValueRef *operands;
  unsigned count;
};

// The operands of the node of this kind that is attached to a function; and of a node, where NULL, and a value that is
// no node, have none.
struct ir_metadata ir_metadata_of(LLVMValueRef function, const char *kind);
struct ir_metadata ir_metadata_of_node(LLVMValueRef node);
void ir_metadata_free(struct ir_metadata *metadata);
// Attaches a node of these operands to a function, in place of its node of this kind.
void ir_set_metadata(LLVMValueRef function, const char *kind, LLVMMetadataRef *items, size_t count);
const char *ir_metadata_string(const struct ir_metadata *metadata, unsigned index, unsigned *length);
uint32_t ir_metadata_number(const struct ir_metadata *metadata, unsigned index);

// Attributes of a function.
void ir_add_attribute(LLVMValueRef function, const char *name);
void ir_remove_attribute(LLVMValueRef function, const char *name);
// Passes leave a function as it is, while that is asked for. Afterwards it may be inlined and
// optimised.
void ir_leave_alone(LLVMValueRef function, bool alone);
bool ir_has_attribute(LLVMValueRef function, const char *name);
void ir_set_string_attribute(LLVMValueRef function, const char *name, const char *value);

// clang says at each call, too, what it says of the function: takes it from there. Nothing if it is no call.
void ir_remove_call_attribute(LLVMValueRef call, const char *name);

// Says of a function without a body, and of its calls, that its value depends on its arguments alone and that it may be
// called where it is not asked for.
void ir_make_pure(LLVMValueRef function);

// A constant without the casts around it, as of pointers to other address spaces; NULL stays NULL.
LLVMValueRef ir_without_casts(LLVMValueRef value);
// The characters of the global string that a constant points to, without its zero; NULL: it is none.
const char *ir_constant_string(LLVMValueRef value, size_t *length);

// Attribute of a function's parameter, NULL if it has none of that name.
LLVMAttributeRef ir_parameter_attribute(LLVMValueRef function, unsigned index, const char *name);

// Calls visit for every instruction of the module. Visitors may not remove instructions.
void ir_each_instruction(LLVMModuleRef module, void (*visit)(LLVMValueRef instruction, void *context), void *context);

// Calls visit for every block of the module. Visitors may cut the block in front of what they look at.
void ir_each_block(LLVMModuleRef module, void (*visit)(void *context, LLVMBasicBlockRef block), void *context);

// Calls `replacement` for every instruction of the module, with the builder before it and at its place in the source.
// The value that it returns takes the instruction's place; NULL: the instruction stays. Instructions that it builds are
// not visited. Returns whether an instruction was replaced.
bool ir_replace_each(LLVMModuleRef module, LLVMBuilderRef builder,
                     LLVMValueRef (*replacement)(void *context, LLVMValueRef instruction), void *context);

// Builds an instruction of no bytes (empty assembly) that keeps its place in the control flow: LLVM neither duplicates
// it nor merges it with another one.
void ir_build_nothing(LLVMBuilderRef builder);

// LLVM 22 hands what a round has stored to a load of the next one although bytes of it have been stored over in
// between: leaves that pass (loop-load-elim) out of all that run from then on.
void ir_leave_out_wrong_passes(void);

// Runs LLVM's passes, named as opt names them. When they fail, says so with `what` they were for.
enum status ir_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *what, const char *passes);

bool ir_is_intrinsic(LLVMValueRef function);
// Whether an instruction calls the intrinsic of this name, whatever types it is overloaded for.
bool ir_calls_intrinsic(LLVMValueRef instruction, const char *name);
// Builds a call of an intrinsic that LLVM overloads by the type of its first argument.
LLVMValueRef ir_build_intrinsic(LLVMBuilderRef builder, const char *name, LLVMValueRef *arguments, unsigned count);

// Whether a value is made by this operation, of an instruction or of a constant expression.
bool ir_is_operation(LLVMValueRef value, LLVMOpcode opcode);

// Of a getelementptr: adds the bytes of its fields to *offset, and calls `visit` for each index, with the bytes of what
// it counts. False: a visit has returned that, and no further index was visited.
bool ir_each_index(LLVMTargetDataRef layout, LLVMValueRef gep, uint32_t *offset,
                   bool (*visit)(void *context, LLVMValueRef index, uint32_t bytes), void *context);

// Whether a load or store is neither volatile nor atomic.
bool ir_is_plain(LLVMValueRef access);

// The function that an instruction calls; NULL: it calls none, or one that is known only when it runs.
LLVMValueRef ir_callee(LLVMValueRef instruction);
// Whether it calls one whose name begins so.
bool ir_calls(LLVMValueRef instruction, const char *begin);

// Whether a function is a kernel with a body, before retarget.c.
bool ir_is_kernel(LLVMValueRef function);

// The first instruction of a function behind its allocas.
LLVMValueRef ir_first_behind_allocas(LLVMValueRef function);

// Of two instructions of a block: whether the first is the second, or stands before it. Time goes by how far.
bool ir_comes_before(LLVMValueRef first, LLVMValueRef second);

// The assembly that an instruction calls, if its text begins so; NULL: it calls none, or another one.
LLVMValueRef ir_assembly(LLVMValueRef instruction, const char *begin);

// Whether it is a call of assembly of this text that may access memory, has no operand and no result.
bool ir_is_memory_assembly(LLVMValueRef instruction, const char *text);

// Marks of an instruction: metadata of this name that says nothing more. Passes of LLVM that do not know the name drop
// it from what they make anew.
void ir_mark(LLVMValueRef instruction, const char *name);
bool ir_is_marked(LLVMValueRef instruction, const char *name);
void ir_unmark(LLVMValueRef instruction, const char *name);
// What holds of an access holds of those that take its place; not so what is said of its type or its value.
void ir_copy_access(LLVMValueRef from, LLVMValueRef to);

// Marks a load as invariant: nothing stores to that memory while the kernel runs.
void ir_mark_invariant(LLVMValueRef load);

// Where an instruction is in the source; of one of a built-in function, where that is called. A line of 0: not known.
struct ir_place {
  const char *file;  // the module's, not zero-terminated
  unsigned file_length, line, column;
};
struct ir_place ir_place_of(LLVMValueRef instruction);

// Writes where an instruction is, as "file:line:column: ", to stderr; nothing if debug information does not say.
void ir_print_place(LLVMValueRef instruction);
// The same of where a function begins.
void ir_print_place_of_function(LLVMValueRef function);

// Name of a function as its source has it: "atomic_add" for _Z10atomic_addPU3AS1Vii. Points into the function's name.
const char *ir_source_name(LLVMValueRef function, int *length);

#endif
