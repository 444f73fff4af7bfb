// SPDX-License-Identifier: Apache-2.0
// The headers mark with calls where the work-group's code begins and ends, and which functions are for all work-items
// (include/sycl/group.hpp). What is between becomes part of the entry. There the first work-item is the leader, which
// runs the work-group's code, and the others wait in a hub for what it leads them to:
//
//   dispatch:  leader: goes on behind the call it came from; others: to the hub
//   call N:    number and arguments to local memory; to the hub
//   hub:       barrier; to the function of this number, or to the end
//   function:  all work-items; where the leader came from is read; then barrier; dispatch
//
// So all work-items are at the same two barriers, whatever branches and loops are around the calls. Variables of the
// work-group's code that have addresses are moved to local memory. What is captured stays in private memory: it has one
// address and one value in all work-items.
#include "hls/sycl/group_scope.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/address_spaces.h"
#include "hls/ir.h"
#include "hls/sycl/check.h"

#define GROUP_MARK "heddle.group"

enum { FENCE_LOCAL_AND_GLOBAL = 3, COPY_ALIGNMENT = 8 };

// A function that all work-items run. It is the user's parallel_for_work_item, or one of the headers such as a copy.
struct item_function {
  LLVMValueRef function;
  bool is_users, was_always_inline;
};

// A function on the way from a kernel, and the answer to a question about it.
struct answer {
  LLVMValueRef function;
  bool of_group, is_true;
};

struct answers {
  struct answer *items;
  size_t count;
};

struct scope {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef word;
  LLVMValueRef begin, end, items, room;  // the marks; NULL: the module has none
  struct item_function *functions;
  size_t count;
};

static void *grown(void *memory, size_t count, size_t bytes) {
  memory = realloc(memory, (count + 1) * bytes);
  if (!memory)
    abort();
  return memory;
}

static LLVMValueRef function_of(LLVMValueRef instruction) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

static const struct item_function *item_function_of(const struct scope *scope, LLVMValueRef function) {
  for (size_t i = 0; i < scope->count; i++)
    if (scope->functions[i].function == function)
      return &scope->functions[i];
  return NULL;
}

static bool calls(LLVMValueRef function, LLVMValueRef callee) {
  for (LLVMUseRef use = callee ? LLVMGetFirstUse(callee) : NULL; use; use = LLVMGetNextUse(use))
    if (LLVMIsACallInst(LLVMGetUser(use)) && function_of(LLVMGetUser(use)) == function)
      return true;
  return false;
}

static const struct answer *answer_of(const struct answers *answers, LLVMValueRef function, bool of_group) {
  for (size_t i = 0; i < answers->count; i++)
    if (answers->items[i].function == function && answers->items[i].of_group == of_group)
      return &answers->items[i];
  return NULL;
}

static bool remember(struct answers *answers, LLVMValueRef function, bool of_group, bool is_true) {
  answers->items = grown(answers->items, answers->count, sizeof *answers->items);
  answers->items[answers->count++] = (struct answer){function, of_group, is_true};
  return is_true;
}

// The marks of functions for all work-items go; until the kernels are made these are not inlined.
static void find_item_functions(struct scope *scope) {
  for (LLVMUseRef use = scope->items ? LLVMGetFirstUse(scope->items) : NULL, next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use), function = function_of(call);
    scope->functions = grown(scope->functions, scope->count, sizeof *scope->functions);
    scope->functions[scope->count++] = (struct item_function){
        .function = function,
        .is_users = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)) != 0,
        .was_always_inline = ir_has_attribute(function, "alwaysinline"),
    };
    ir_remove_attribute(function, "alwaysinline");
    ir_add_attribute(function, "noinline");
    LLVMInstructionEraseFromParent(call);
  }
}

static void release_item_functions(const struct scope *scope) {
  for (size_t i = 0; i < scope->count; i++) {
    ir_remove_attribute(scope->functions[i].function, "noinline");
    if (scope->functions[i].was_always_inline)
      ir_add_attribute(scope->functions[i].function, "alwaysinline");
  }
}

// Whether a function leads to parallel_for_work_item where the work-group's code is not.
static bool is_misused(const struct scope *scope, struct answers *answers, LLVMValueRef function, bool of_group) {
  const struct answer *known = answer_of(answers, function, of_group);
  if (known)
    return known->is_true;
  bool is_true = false;
  const bool begins = calls(function, scope->begin);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && !is_true; at = LLVMGetNextInstruction(at)) {
      LLVMValueRef callee = ir_callee(at);
      const struct item_function *items = callee ? item_function_of(scope, callee) : NULL;
      if (items && items->is_users && !of_group)
        is_true = true;
      else if (callee && !LLVMIsDeclaration(callee))
        is_true = is_misused(scope, answers, callee, (of_group || begins) && !items);
    }
  }
  return remember(answers, function, of_group, is_true);
}

static enum status check_use(const struct scope *scope, const struct sycl_kernels *kernels) {
  enum status status = STATUS_OK;
  struct answers answers = {0};
  for (size_t i = 0; i < kernels->count; i++) {
    if (!is_misused(scope, &answers, kernels->items[i].entry, false))
      continue;
    fprintf(stderr,
            "%s: error: kernel '%s' calls parallel_for_work_item where it is not the code of a work-group "
            "(parallel_for_work_group) that does\n",
            kernels->items[i].place, kernels->items[i].readable);
    status = STATUS_REJECTED;
  }
  free(answers.items);
  return status;
}

// ---- what is inlined into the entries

// Whether a function of the work-group's code leads to one for all work-items, or has private memory for them.
static bool leads_to_items(const struct scope *scope, struct answers *answers, LLVMValueRef function) {
  const struct answer *known = answer_of(answers, function, true);
  if (known)
    return known->is_true;
  bool is_true = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      LLVMValueRef callee = ir_callee(at);
      if (!callee)
        continue;
      if (callee == scope->room || item_function_of(scope, callee))
        is_true = true;
      else if (!LLVMIsDeclaration(callee) && leads_to_items(scope, answers, callee))
        is_true = true;
    }
  }
  return remember(answers, function, true, is_true);
}

static enum status run_on_function(LLVMValueRef function, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPassesOnFunction(function, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return STATUS_OK;
  char *message = LLVMGetErrorMessage(error);
  fprintf(stderr, "heddle-sycl-link: hierarchical kernels: %s\n", message);
  LLVMDisposeErrorMessage(message);
  return STATUS_FAILED;
}

// A parameter that is passed as a copy becomes a variable: the copy that inlining makes has no mark.
static void copy_parameters(const struct scope *scope, LLVMValueRef function) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval")), count = LLVMCountParams(function);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(scope->module);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
    if (!attribute || !LLVMGetFirstUse(parameter))
      continue;
    LLVMTypeRef type = LLVMGetTypeAttributeValue(attribute);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMPositionBuilderBefore(scope->builder, first);
    LLVMSetCurrentDebugLocation2(scope->builder, NULL);
    LLVMValueRef variable = LLVMBuildAlloca(scope->builder, type, "");
    LLVMSetAlignment(variable, COPY_ALIGNMENT);
    LLVMReplaceAllUsesWith(parameter,
                           LLVMTypeOf(parameter) == LLVMTypeOf(variable)
                               ? variable
                               : LLVMBuildAddrSpaceCast(scope->builder, variable, LLVMTypeOf(parameter), ""));
    LLVMBuildMemCpy(scope->builder, variable, COPY_ALIGNMENT, parameter, 1,
                    LLVMConstInt(scope->word, LLVMABISizeOfType(layout, type), 0));
  }
}

// Variables without address become values of the leader's; the others are marked, and known when they are the entry's.
static enum status prepare_function(const struct scope *scope, LLVMValueRef function) {
  ir_remove_attribute(function, "noinline");
  ir_remove_attribute(function, "optnone");
  ir_add_attribute(function, "alwaysinline");
  copy_parameters(scope, function);
  if (run_on_function(function, "sroa") != STATUS_OK)
    return STATUS_FAILED;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      if (!LLVMIsAAllocaInst(at))
        continue;
      if (!LLVMIsAConstantInt(LLVMGetOperand(at, 0)) || block != LLVMGetEntryBasicBlock(function)) {
        ir_print_place(at);
        fprintf(stderr, "error: an array of a work-group whose size is not constant\n");
        return STATUS_REJECTED;
      }
      ir_mark(at, GROUP_MARK);
    }
  }
  return STATUS_OK;
}

static enum status prepare(const struct scope *scope) {
  enum status status = STATUS_OK;
  struct answers answers = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(scope->begin); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef function = function_of(LLVMGetUser(use));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        LLVMValueRef callee = ir_callee(at);
        if (callee && !LLVMIsDeclaration(callee))
          leads_to_items(scope, &answers, callee);
      }
    }
  }
  for (size_t i = 0; i < answers.count && status == STATUS_OK; i++)
    if (answers.items[i].is_true)
      status = prepare_function(scope, answers.items[i].function);
  free(answers.items);
  return status == STATUS_OK ? ir_run_passes(scope->module, NULL, "hierarchical kernels", "always-inline") : status;
}

// ---- variables

static LLVMValueRef add_local(const struct scope *scope, LLVMTypeRef type, unsigned alignment, const char *name) {
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(scope->module, type, name, LOCAL_ADDRESS_SPACE);
  LLVMSetInitializer(variable, LLVMGetUndef(type));
  LLVMSetLinkage(variable, LLVMInternalLinkage);
  LLVMSetAlignment(variable, alignment);
  return variable;
}

// A variable of the work-group: local memory. The ends of its life, which are of variables on the stack, go.
static void move_to_local(const struct scope *scope, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGetAllocatedType(variable);
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  if (LLVMConstIntGetZExtValue(count) != 1)
    type = LLVMArrayType2(type, LLVMConstIntGetZExtValue(count));
  LLVMValueRef made = add_local(scope, type, LLVMGetAlignment(variable), "work_group_variable");
  for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (ir_calls(user, "llvm.lifetime.")) {
      LLVMInstructionEraseFromParent(user);
    } else if (LLVMIsAAddrSpaceCastInst(user)) {
      LLVMReplaceAllUsesWith(user, LLVMConstAddrSpaceCast(made, LLVMTypeOf(user)));
      LLVMInstructionEraseFromParent(user);
    }
  }
  LLVMReplaceAllUsesWith(variable, LLVMConstAddrSpaceCast(made, LLVMTypeOf(variable)));
  LLVMInstructionEraseFromParent(variable);
}

static void move_variables(const struct scope *scope, LLVMValueRef entry) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(entry); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
      next = LLVMGetNextInstruction(at);
      if (!LLVMIsAAllocaInst(at) || !ir_is_marked(at, GROUP_MARK))
        continue;
      // Uses that go may be the next instruction.
      LLVMValueRef previous = LLVMGetPreviousInstruction(at);
      move_to_local(scope, at);
      next = previous ? LLVMGetNextInstruction(previous) : LLVMGetFirstInstruction(block);
    }
  }
}

static LLVMValueRef add_private(const struct scope *scope, LLVMValueRef function, LLVMTypeRef type) {
  LLVMPositionBuilderBefore(scope->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMSetCurrentDebugLocation2(scope->builder, NULL);
  return LLVMBuildAlloca(scope->builder, type, "");
}

// private_memory: a variable of each work-item, at one address in all of them.
static enum status make_rooms(const struct scope *scope) {
  for (LLVMUseRef use = scope->room ? LLVMGetFirstUse(scope->room) : NULL, next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use), bytes = LLVMGetOperand(call, 0), alignment = LLVMGetOperand(call, 1);
    if (!LLVMIsAConstantInt(bytes) || !LLVMIsAConstantInt(alignment)) {
      fprintf(stderr, "error: private_memory of a size that is not known\n");
      return STATUS_REJECTED;
    }
    LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(scope->context), LLVMConstIntGetZExtValue(bytes));
    LLVMValueRef variable = add_private(scope, function_of(call), type);
    LLVMSetAlignment(variable, (unsigned)LLVMConstIntGetZExtValue(alignment));
    LLVMPositionBuilderBefore(scope->builder, call);
    LLVMReplaceAllUsesWith(call, LLVMTypeOf(call) == LLVMTypeOf(variable)
                                     ? variable
                                     : LLVMBuildAddrSpaceCast(scope->builder, variable, LLVMTypeOf(call), ""));
    LLVMInstructionEraseFromParent(call);
  }
  return STATUS_OK;
}

// ---- the flow of control

static void replace_in(LLVMValueRef user, LLVMValueRef old, LLVMValueRef made) {
  const unsigned count = (unsigned)LLVMGetNumOperands(user);
  for (unsigned i = 0; i < count; i++)
    if (LLVMGetOperand(user, i) == old)
      LLVMSetOperand(user, i, made);
}

// A value that is used behind the end of its block is kept in private memory. The block has no end yet.
static void keep_value(const struct scope *scope, LLVMValueRef value, LLVMBasicBlockRef behind) {
  LLVMValueRef made = NULL, room = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(value), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetInstructionParent(user) != behind)
      continue;
    if (!made) {
      room = add_private(scope, function_of(value), LLVMTypeOf(value));
      LLVMPositionBuilderBefore(scope->builder, LLVMGetFirstInstruction(behind));
      made = LLVMBuildLoad2(scope->builder, LLVMTypeOf(value), room, "");
      LLVMPositionBuilderAtEnd(scope->builder, LLVMGetInstructionParent(value));
      LLVMBuildStore(scope->builder, value, room);
    }
    replace_in(user, value, made);
    next = LLVMGetFirstUse(value);  // a user may have it twice
  }
}

// The block ends with this instruction, without a branch; the rest is a block that is returned. There are no phis.
static LLVMBasicBlockRef split_behind(const struct scope *scope, LLVMValueRef at) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
  LLVMBasicBlockRef behind = LLVMAppendBasicBlockInContext(scope->context, LLVMGetBasicBlockParent(block), "");
  LLVMMoveBasicBlockAfter(behind, block);
  LLVMSetCurrentDebugLocation2(scope->builder, NULL);
  for (LLVMValueRef next; (next = LLVMGetNextInstruction(at));) {
    LLVMInstructionRemoveFromParent(next);
    LLVMPositionBuilderAtEnd(scope->builder, behind);
    LLVMInsertIntoBuilder(scope->builder, next);
  }
  for (LLVMValueRef value = LLVMGetFirstInstruction(block); value; value = LLVMGetNextInstruction(value))
    if (!LLVMIsAAllocaInst(value) && LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVoidTypeKind)
      keep_value(scope, value, behind);
  return behind;
}

// At a place: what is inlined into a function that has places has one, too.
static void build_barrier(const struct scope *scope, LLVMMetadataRef place) {
  static const char name[] = BUILTIN_PREFIX "_Z7barrierj";
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(scope->context), (LLVMTypeRef[]){scope->word}, 1, 0);
  LLVMValueRef barrier = LLVMGetNamedFunction(scope->module, name);
  if (!barrier) {
    barrier = LLVMAddFunction(scope->module, name, type);
    LLVMSetFunctionCallConv(barrier, LLVMSPIRFUNCCallConv);
    ir_add_attribute(barrier, "convergent");
    ir_add_attribute(barrier, "nounwind");
  }
  LLVMSetCurrentDebugLocation2(scope->builder, place);
  LLVMValueRef fence = LLVMConstInt(scope->word, FENCE_LOCAL_AND_GLOBAL, 0);
  LLVMValueRef call = LLVMBuildCall2(scope->builder, type, barrier, &fence, 1, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(barrier));
  LLVMSetCurrentDebugLocation2(scope->builder, NULL);
}

// The blocks of one kernel that all others lead to.
struct hub {
  LLVMMetadataRef place;    // in the source
  LLVMValueRef step, from;  // the number of the call, in local memory; where the leader came from
  LLVMBasicBlockRef dispatch, hub, join;
  LLVMValueRef resume, run;  // switches: of the leader, and of all
};

static LLVMBasicBlockRef add_block(const struct scope *scope, LLVMValueRef entry, const char *name) {
  return LLVMAppendBasicBlockInContext(scope->context, entry, name);
}

static LLVMValueRef number(const struct scope *scope, unsigned value) {
  return LLVMConstInt(scope->word, value, 0);
}

// Where the work-group's code begins.
static void build_hub(const struct scope *scope, LLVMValueRef entry, LLVMValueRef begin, struct hub *hub) {
  LLVMBuilderRef builder = scope->builder;
  LLVMBasicBlockRef first = split_behind(scope, begin), resume = add_block(scope, entry, "group.resume");
  LLVMValueRef leads = LLVMGetOperand(begin, 0);
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(begin), function = LLVMGetSubprogram(entry);
  if (!place && function)
    place = LLVMDIBuilderCreateDebugLocation(scope->context, LLVMDISubprogramGetLine(function), 0, function, NULL);
  *hub = (struct hub){
      .place = place,
      .step = add_local(scope, scope->word, 4, "work_group_step"),
      .from = add_private(scope, entry, scope->word),
      .dispatch = add_block(scope, entry, "group.dispatch"),
      .hub = add_block(scope, entry, "group.hub"),
      .join = add_block(scope, entry, "group.join"),
  };
  LLVMPositionBuilderAtEnd(builder, LLVMGetInstructionParent(begin));
  LLVMValueRef is_leader = LLVMBuildICmp(builder, LLVMIntNE, leads, LLVMConstNull(LLVMTypeOf(leads)), "group.leads");
  LLVMBuildStore(builder, number(scope, 0), hub->from);
  LLVMBuildBr(builder, hub->dispatch);
  LLVMInstructionEraseFromParent(begin);
  LLVMPositionBuilderAtEnd(builder, hub->dispatch);
  LLVMBuildCondBr(builder, is_leader, resume, hub->hub);
  LLVMPositionBuilderAtEnd(builder, resume);
  hub->resume = LLVMBuildSwitch(builder, LLVMBuildLoad2(builder, scope->word, hub->from, ""), first, 0);
  LLVMPositionBuilderAtEnd(builder, hub->join);
  // Read ahead of the barrier: behind it the leader writes the next number.
  LLVMBuildStore(builder, LLVMBuildLoad2(builder, scope->word, hub->step, ""), hub->from);
  build_barrier(scope, place);
  LLVMBuildBr(builder, hub->dispatch);
}

// A call of a function for all work-items becomes number N.
static void build_step(const struct scope *scope, LLVMValueRef entry, LLVMValueRef call, unsigned n,
                       const struct hub *hub) {
  LLVMBuilderRef builder = scope->builder;
  LLVMBasicBlockRef behind = split_behind(scope, call), before = LLVMGetInstructionParent(call);
  LLVMBasicBlockRef body = add_block(scope, entry, "group.items");
  const unsigned count = LLVMGetNumArgOperands(call);
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
  LLVMInstructionRemoveFromParent(call);
  LLVMSetCurrentDebugLocation2(builder, place);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (LLVMIsAConstant(argument))
      continue;
    LLVMTypeRef type = LLVMTypeOf(argument);
    LLVMValueRef variable = add_local(scope, type, 8, "work_group_argument");
    LLVMPositionBuilderAtEnd(builder, before);
    LLVMBuildStore(builder, argument, variable);
    LLVMPositionBuilderAtEnd(builder, body);
    LLVMSetOperand(call, i, LLVMBuildLoad2(builder, type, variable, ""));
  }
  LLVMPositionBuilderAtEnd(builder, before);
  LLVMBuildStore(builder, number(scope, n), hub->step);
  LLVMBuildBr(builder, hub->hub);
  LLVMPositionBuilderAtEnd(builder, body);
  LLVMInsertIntoBuilder(builder, call);
  LLVMBuildBr(builder, hub->join);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  LLVMAddCase(hub->resume, number(scope, n), behind);
  LLVMAddCase(hub->run, number(scope, n), body);
}

static LLVMValueRef find_call(LLVMValueRef entry, LLVMValueRef callee) {
  for (LLVMUseRef use = callee ? LLVMGetFirstUse(callee) : NULL; use; use = LLVMGetNextUse(use))
    if (function_of(LLVMGetUser(use)) == entry)
      return LLVMGetUser(use);
  return NULL;
}

static enum status make_kernel(const struct scope *scope, LLVMValueRef entry) {
  move_variables(scope, entry);
  // Values of several blocks are in private memory while blocks are taken apart.
  if (run_on_function(entry, "reg2mem") != STATUS_OK)
    return STATUS_FAILED;
  struct hub hub;
  build_hub(scope, entry, find_call(entry, scope->begin), &hub);
  LLVMValueRef end = find_call(entry, scope->end);
  LLVMBasicBlockRef behind = split_behind(scope, end);
  LLVMPositionBuilderAtEnd(scope->builder, LLVMGetInstructionParent(end));
  LLVMBuildStore(scope->builder, number(scope, 0), hub.step);
  LLVMBuildBr(scope->builder, hub.hub);
  LLVMInstructionEraseFromParent(end);
  LLVMPositionBuilderAtEnd(scope->builder, hub.hub);
  build_barrier(scope, hub.place);
  hub.run = LLVMBuildSwitch(scope->builder, LLVMBuildLoad2(scope->builder, scope->word, hub.step, ""), behind, 0);
  unsigned n = 1;
  for (size_t i = 0; i < scope->count; i++) {
    for (LLVMUseRef use = LLVMGetFirstUse(scope->functions[i].function); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef call = LLVMGetUser(use);
      if (ir_callee(call) == scope->functions[i].function && function_of(call) == entry)
        build_step(scope, entry, call, n++, &hub);
    }
  }
  return STATUS_OK;
}

static enum status make_kernels(const struct scope *scope, const struct sycl_kernels *kernels) {
  enum status status = prepare(scope);
  if (status == STATUS_OK)
    status = make_rooms(scope);
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++)
    if (find_call(kernels->items[i].entry, scope->begin))
      status = make_kernel(scope, kernels->items[i].entry);
  return status;
}

enum status group_scope_make_parallel(LLVMModuleRef module, const struct sycl_kernels *kernels) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  struct scope scope = {
      .module = module,
      .context = context,
      .builder = LLVMCreateBuilderInContext(context),
      .word = LLVMInt32TypeInContext(context),
      .begin = LLVMGetNamedFunction(module, BUILTIN_PREFIX "_group_scope_begin"),
      .end = LLVMGetNamedFunction(module, BUILTIN_PREFIX "_group_scope_end"),
      .items = LLVMGetNamedFunction(module, BUILTIN_PREFIX "_work_items"),
      .room = LLVMGetNamedFunction(module, BUILTIN_PREFIX "_private_memory"),
  };
  find_item_functions(&scope);
  enum status status = check_use(&scope, kernels);
  if (status == STATUS_OK)
    status = scope.begin ? make_kernels(&scope, kernels) : make_rooms(&scope);
  release_item_functions(&scope);
  // Functions that no kernel is made of any more may still have the marks.
  LLVMValueRef marks[] = {scope.begin, scope.end, scope.items, scope.room};
  for (size_t i = 0; i < sizeof marks / sizeof *marks && status == STATUS_OK; i++) {
    for (LLVMUseRef use = marks[i] ? LLVMGetFirstUse(marks[i]) : NULL, next; use; use = next) {
      next = LLVMGetNextUse(use);
      LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
    if (marks[i])
      LLVMDeleteFunction(marks[i]);
  }
  LLVMDisposeBuilder(scope.builder);
  free(scope.functions);
  return status;
}
