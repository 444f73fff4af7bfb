// SPDX-License-Identifier: Apache-2.0
// The order of the steps from the front end's module to the generator's (prepare.h).
#include "hls/pipeline/prepare.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

#include "hls/address_spaces.h"
#include "hls/call_graph.h"
#include "hls/channels.h"
#include "hls/checks.h"
#include "hls/defined.h"
#include "hls/device_queue.h"
#include "hls/float_unit.h"
#include "hls/half.h"
#include "hls/ir.h"
#include "hls/opaque_types.h"
#include "hls/pipeline/address_spaces.h"
#include "hls/pipeline/aggregates.h"
#include "hls/pipeline/arguments.h"
#include "hls/pipeline/carried_words.h"
#include "hls/pipeline/choices.h"
#include "hls/pipeline/coalesce.h"
#include "hls/pipeline/compare_exchange.h"
#include "hls/pipeline/doubles.h"
#include "hls/pipeline/exclusive.h"
#include "hls/pipeline/fields.h"
#include "hls/pipeline/forwarding.h"
#include "hls/pipeline/hash.h"
#include "hls/pipeline/inner_totals.h"
#include "hls/pipeline/ivdep.h"
#include "hls/pipeline/memory_calls.h"
#include "hls/pipeline/misaligned.h"
#include "hls/pipeline/narrow_vectors.h"
#include "hls/pipeline/pipe_waits.h"
#include "hls/pipeline/primitives.h"
#include "hls/pipeline/private_arrays.h"
#include "hls/pipeline/reload.h"
#include "hls/pipeline/rounding.h"
#include "hls/pipeline/tasks.h"
#include "hls/pipeline/unroll.h"
#include "hls/pipeline/variables.h"
#include "hls/pipeline/vectors.h"
#include "hls/pipeline/verilog_functions.h"
#include "hls/samplers.h"
#include "hls/shift_registers.h"

// Loops stay loops, but for those that the source asks to unroll; copying memory stays loads and stores.
static enum status run_passes(LLVMModuleRef module, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
  LLVMPassBuilderOptionsSetLoopInterleaving(options, 0);
  LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
  LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
  LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) {
    char *message = LLVMGetErrorMessage(error);
    fprintf(stderr, "heddlec: preparing a pipeline: %s\n", message);
    LLVMDisposeErrorMessage(message);
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

static enum status verify(LLVMModuleRef module, const char *when) {
  char *message = NULL;
  enum status status = STATUS_OK;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    fprintf(stderr, "heddlec: %s: %s\n", when, message);
    status = STATUS_FAILED;
  }
  LLVMDisposeMessage(message);
  return status;
}

static enum status find_kernels(LLVMModuleRef *module, const struct options *options, struct kernels *kernels) {
  // Found once to refuse arguments of opaque types by name, and again in the module that has none.
  enum status status = channels_make_arguments(*module, false);
  if (status == STATUS_OK)
    status = kernels_find(*module, LLVMGetModuleDataLayout(*module), options->isa, kernels);
  kernels_free(kernels);
  if (status == STATUS_OK)
    status = opaque_types_lower(module);
  if (status == STATUS_OK)
    status = kernels_find(*module, LLVMGetModuleDataLayout(*module), options->isa, kernels);
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++)
    pipeline_hash(kernels->items[i].body, kernels->items[i].hash, &kernels->items[i].variables);
  if (status == STATUS_OK) {
    device_queue_number_blocks(*module, kernels, options->has_debug);
    status = call_graph_check(*module);
  }
  return status;
}

static bool is_kernel(const struct kernels *kernels, LLVMValueRef function) {
  for (size_t i = 0; i < kernels->count; i++)
    if (kernels->items[i].body == function)
      return true;
  return false;
}

// Everything becomes part of the kernels that use it.
static void make_internal(LLVMModuleRef module, const struct kernels *kernels) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    ir_remove_attribute(f, "optnone");
    ir_remove_attribute(f, "noinline");
    ir_remove_attribute(f, "minsize");
    ir_remove_attribute(f, "optsize");
    ir_set_string_attribute(f, "no-builtins", "");
    ir_set_string_attribute(f, "no-jump-tables", "true");  // nor a table of values
    if (!is_kernel(kernels, f)) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
      ir_add_attribute(f, "alwaysinline");
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (!LLVMIsDeclaration(g)) {
      LLVMSetLinkage(g, LLVMInternalLinkage);
      if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE)
        LLVMSetExternallyInitialized(g, 1);  // other work-items write it too
    }
  }
}

// Calls say, too, that they are not to be inlined.
static void allow_inlining(LLVMValueRef instruction, void *context) {
  (void)context;
  ir_remove_call_attribute(instruction, "noinline");
}

// Constant memory does not change while a kernel runs, whatever the stores in between.
static void mark_constant_load(LLVMValueRef instruction, void *context) {
  (void)context;
  if (LLVMIsALoadInst(instruction) && !LLVMGetVolatile(instruction) &&
      LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == CONSTANT_ADDRESS_SPACE)
    ir_mark_invariant(instruction);
}

// Of assembly that is empty the result is what it was given: it only hides from the compiler where that is from. What
// gives several results, or one of nothing, stays, and is refused.
static void remove_assembly(LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef value = LLVMGetNumArgOperands(call) == 1 ? LLVMGetOperand(call, 0) : NULL;
  if (LLVMGetFirstUse(call)) {
    if (value && LLVMTypeOf(value) != type && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
        LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind) {
      LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
      LLVMPositionBuilderBefore(builder, call);
      value = LLVMBuildIntCast2(builder, value, type, 0, "");
      LLVMDisposeBuilder(builder);
    }
    if (!value || LLVMTypeOf(value) != type)
      return;
    LLVMReplaceAllUsesWith(call, value);
  }
  LLVMInstructionEraseFromParent(call);
}

// Fences of the compiler alone have done their work.
static void remove_empty_assembly(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      LLVMValueRef next;
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
        next = LLVMGetNextInstruction(at);
        LLVMValueRef assembly = LLVMIsACallInst(at) ? LLVMIsAInlineAsm(LLVMGetCalledValue(at)) : NULL;
        size_t length = 1;
        if (assembly && (LLVMGetInlineAsmAsmString(assembly, &length), length == 0))
          remove_assembly(at);
      }
    }
  }
}

static enum status optimize(LLVMModuleRef module) {
  return run_passes(module, "default<O2>");
}

static void set_llvm_options(void) {
  static bool are_set;
  if (are_set)
    return;
  are_set = true;
  // Branches are conditions here: where a block is made twice for the ways into it, so are its accesses and the test at
  // the end of a loop, which is then no loop that counts.
  // And a loop that is made twice, for a size that happens to be 1, is as much more.
  const char *arguments[] = {"heddlec",
                             "-disable-loop-idiom-all",
                             "-disable-vector-combine",
                             "-vectorize-loops=false",
                             "-jump-threading-threshold=0",
                             "-enable-mem-access-versioning=false"};
  ir_leave_out_wrong_passes();
  LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
}

// What makes scalars of vectors, and then sees what that has laid open.
#define SCALARS "function(scalarizer<load-store>,sroa,instcombine<no-verify-fixpoint>,early-cse,simplifycfg,adce)"

// What makes control flow structured. The last but one may leave branches that are never taken.
#define STRUCTURE \
  "function(lower-switch,mergereturn,fix-irreducible,unify-loop-exits,loop-simplify,structurizecfg,instsimplify,adce)"

// What coalescing takes, and what it leaves.
#define BEFORE_COALESCING "function(lower-switch,loop-simplify)"
#define BEHIND_COALESCING "function(mem2reg,instsimplify,early-cse,adce)"

static enum status make_shift_registers(LLVMModuleRef module, const struct kernels *kernels) {
  bool any = false;
  for (size_t i = 0; i < kernels->count; i++)
    // With an index that is not known the array stays in a memory of its own, and what moves its elements is a loop.
    any |= kernel_is_of_one(&kernels->items[i])
               ? shift_registers_make(kernels->items[i].body, true, SHIFT_REGISTERS_STAY)
               : shift_registers_make(kernels->items[i].body, false, SHIFT_REGISTERS_SPREAD);
  return any ? optimize(module) : STATUS_OK;
}

static enum status make_waits(LLVMModuleRef module, const struct kernels *kernels) {
  bool any = false;
  for (size_t i = 0; i < kernels->count; i++)
    any |= pipe_waits_make(kernels->items[i].body);
  return any ? run_passes(module, "function(simplifycfg,instcombine<no-verify-fixpoint>,adce)") : STATUS_OK;
}

static enum status coalesce(LLVMModuleRef module, struct kernels *kernels, coalesce_plan plan) {
  bool has_nest = false, any = false;
  for (size_t i = 0; i < kernels->count; i++)
    has_nest |= kernel_is_of_one(&kernels->items[i]);
  enum status status = has_nest ? run_passes(module, BEFORE_COALESCING) : STATUS_OK;
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++) {
    struct kernel *kernel = &kernels->items[i];
    if (kernel_is_of_one(kernel))
      ivdep_mark(kernel->body);
    const coalesce_plan nests = coalesce_nests(kernel->body);
    kernel->nests = kernel_is_of_one(kernel) ? nests : 0;
    any |= plan != 0 && kernel->nests != 0 && coalesce_loops(kernel->body, plan);
  }
  return any && status == STATUS_OK ? run_passes(module, BEHIND_COALESCING) : status;
}

static enum status forward_elements(LLVMModuleRef module, const struct kernels *kernels) {
  bool any = false;
  for (size_t i = 0; i < kernels->count; i++)
    any |= kernel_is_of_one(&kernels->items[i]) && forwarding_make(kernels->items[i].body);
  return any ? run_passes(module, "function(mem2reg,instsimplify,adce)") : STATUS_OK;
}

// What a round loads that the one before it has had.
static enum status carry_words(LLVMModuleRef module, const struct kernels *kernels) {
  bool any = false, has_one = false;
  for (size_t i = 0; i < kernels->count; i++)
    has_one |= kernel_is_of_one(&kernels->items[i]);
  enum status status = has_one ? run_passes(module, BEFORE_COALESCING) : STATUS_OK;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++)
    any |= kernel_is_of_one(&kernels->items[i]) && carried_words_make(layout, kernels->items[i].body);
  return any ? run_passes(module, "function(instsimplify,adce)") : status;
}

// What rounds of loops with loops in them have from the round before, and need not.
static enum status free_rounds(LLVMModuleRef module, const struct kernels *kernels) {
  bool any = false;
  for (size_t i = 0; i < kernels->count; i++) {
    if (!kernel_is_of_one(&kernels->items[i]))
      continue;
    any |= reload_make(kernels->items[i].body);
    any |= inner_totals_make(kernels->items[i].body);
  }
  return any ? run_passes(module, "function(instsimplify,adce)") : STATUS_OK;
}

static enum status join_branches(LLVMModuleRef module, struct kernels *kernels, bool joins) {
  enum status status = run_passes(module, "function(lower-switch)");
  bool any = false;
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++) {
    struct kernel *kernel = &kernels->items[i];
    if (!joins) {
      kernel->has_exclusive = exclusive_is_there(kernel->body) || choices_are_there(kernel->body);
      continue;
    }
    const struct exclusive_joined joined = exclusive_join(kernel->body);
    // Joined operations may be chosen from now.
    const unsigned chosen = choices_join(kernel->body);
    kernel->exclusive = joined.of + 2 * chosen;
    kernel->joined = joined.left + chosen;
    any = any || kernel->joined > 0;
  }
  return any && status == STATUS_OK ? run_passes(module, "function(early-cse,instsimplify,adce)") : status;
}

// Everything that a kernel calls becomes part of it, but for primitives. The built-in library is told what it asks.
static enum status inline_calls(LLVMModuleRef module, const struct kernels *kernels) {
  checks_announce(module, false);
  float_unit_announce(module, true);
  enum status status = verilog_functions_open(module);
  if (status != STATUS_OK)
    return status;
  ir_each_instruction(module, mark_constant_load, NULL);
  ir_each_instruction(module, allow_inlining, NULL);
  arguments_split(module, kernels);
  make_internal(module, kernels);
  for (size_t i = 0; i < kernels->count; i++)
    variables_share(module, &kernels->items[i]);
  primitives_describe(module);
  defined_protect(module, true);
  status = verify(module, "before optimisation");
  samplers_ask(module);
  return status == STATUS_OK ? run_passes(module, "always-inline,globaldce") : status;
}

// LLVM's O2, with what the source and the options ask of loops, and what can only be seen behind it. The module may be
// another one afterwards.
static enum status optimize_kernels(LLVMModuleRef *module, const struct options *options, struct kernels *kernels) {
  ivdep_ask_for_no_vectors(*module);
  bool has_shift_registers = false;
  enum status status = shift_registers_find(*module, NULL, &has_shift_registers);
  unroll_warn_of_requests(*module);
  for (size_t i = 0; i < kernels->count && status == STATUS_OK && options->unroll > 1; i++)
    unroll_ask(kernels->items[i].body, options->unroll);
  if (status == STATUS_OK)
    status = address_spaces_infer(*module);
  if (status == STATUS_OK)
    status = optimize(*module);
  unroll_warn_no_more(*module);
  if (status == STATUS_OK)
    status = address_spaces_infer(*module);  // of pointers that were in memory
  if (status == STATUS_OK)
    tasks_find(kernels);
  if (status == STATUS_OK && has_shift_registers)
    status = make_shift_registers(*module, kernels);
  return status == STATUS_OK ? private_arrays_remove(module, kernels, optimize) : status;
}

// Leaves operations on scalars of the types that pipelines have, and accesses of whole words or parts of one.
static enum status lower_to_scalars(LLVMModuleRef module) {
  memory_calls_expand(module);
  primitives_settle(module);
  remove_empty_assembly(module);
  half_widen(module, true);
  rounding_expand(module);
  narrow_vectors_join(module);
  vectors_take_apart(module);
  enum status status = run_passes(module, SCALARS);
  if (status == STATUS_OK)
    status = doubles_expand(module);
  if (status == STATUS_OK)
    status = run_passes(module, "always-inline,globaldce");
  if (status == STATUS_OK)
    status = optimize(module);
  if (status == STATUS_OK) {
    narrow_vectors_join(module);  // that optimisation has made
    vectors_take_apart(module);
    status = run_passes(module, SCALARS);
  }
  if (status == STATUS_OK && misaligned_split(module))
    status = run_passes(module, SCALARS);
  if (status == STATUS_OK && fields_take_apart(module))
    status = run_passes(module, SCALARS);
  if (status == STATUS_OK) {
    compare_exchange_expand(module);
    if (aggregates_take_apart(module))
      status = run_passes(module, "function(instsimplify,adce)");
  }
  return status;
}

// Gives loops and branches the form that the graph is made of.
static enum status structure(LLVMModuleRef module, struct kernels *kernels, coalesce_plan plan, bool joins) {
  enum status status = make_waits(module, kernels);
  if (status == STATUS_OK)
    status = carry_words(module, kernels);
  if (status == STATUS_OK)
    status = coalesce(module, kernels, plan);
  if (status == STATUS_OK)
    status = forward_elements(module, kernels);
  if (status == STATUS_OK)
    status = free_rounds(module, kernels);
  if (status == STATUS_OK)
    status = join_branches(module, kernels, joins);
  if (status == STATUS_OK)
    status = run_passes(module, STRUCTURE);
  if (status == STATUS_OK)
    defined_show(module);
  return status == STATUS_OK ? verify(module, "after preparation") : status;
}

enum status pipeline_prepare(LLVMModuleRef *module, const struct options *options, coalesce_plan plan, bool joins,
                             struct kernels *kernels, struct printf_layouts *layouts) {
  set_llvm_options();
  enum status status = find_kernels(module, options, kernels);
  if (status == STATUS_OK)
    status = printf_lower_for_pipelines(*module, options->isa, layouts);
  if (status == STATUS_OK)
    status = inline_calls(*module, kernels);
  if (status == STATUS_OK)
    status = optimize_kernels(module, options, kernels);
  if (status == STATUS_OK)
    status = lower_to_scalars(*module);
  return status == STATUS_OK ? structure(*module, kernels, plan, joins) : status;
}
