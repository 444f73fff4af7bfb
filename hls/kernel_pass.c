// SPDX-License-Identifier: Apache-2.0
// The way of a module through heddlec: retarget to RISC-V, entries, optimisation, local memory, notes, emission.
#include "hls/kernel_pass.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/isa.h"
#include "hls/atomics.h"
#include "hls/builtin_names.h"
#include "hls/call_graph.h"
#include "hls/channels.h"
#include "hls/checks.h"
#include "hls/child.h"
#include "hls/complements.h"
#include "hls/counters.h"
#include "hls/defined.h"
#include "hls/device_queue.h"
#include "hls/dispatch_values.h"
#include "hls/element_order.h"
#include "hls/float_unit.h"
#include "hls/half.h"
#include "hls/indexed.h"
#include "hls/ir.h"
#include "hls/isa.h"
#include "hls/jumps.h"
#include "hls/kernel_entry.h"
#include "hls/local_memory.h"
#include "hls/loop_counts.h"
#include "hls/loop_ends.h"
#include "hls/loop_scopes.h"
#include "hls/note.h"
#include "hls/opaque_types.h"
#include "hls/overlay.h"
#include "hls/pauses.h"
#include "hls/pipeline_note.h"
#include "hls/printf.h"
#include "hls/products.h"
#include "hls/retarget.h"
#include "hls/samplers.h"
#include "hls/scratch.h"
#include "hls/shift_registers.h"
#include "hls/undefined.h"

// Everything a run holds, so that one place releases it.
struct pass {
  const struct options *options;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMTargetDataRef layout;
  struct kernels kernels;
  struct printf_layouts printf_layouts;
  bool has_samplers;  // or may have: it calls functions that ask
  bool is_in_order;   // its blocks, which code generation leaves so
};

// Takes over the message.
static enum status failed(const char *what, char *message) {
  fprintf(stderr, "heddlec: %s: %s\n", what, message ? message : "no reason given");
  LLVMDisposeMessage(message);
  return STATUS_FAILED;
}

static void on_fatal_error(const char *reason) {
  fprintf(stderr, "heddlec: code generation: %s\n", reason);
  fflush(NULL);
  _exit(STATUS_FAILED);
}

// Errors that LLVM finds in the user's code only now, such as wrong inline assembly.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  int *errors = context;
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) {
    char *text = LLVMGetDiagInfoDescription(info);
    fprintf(stderr, "error: %s\n", text);
    LLVMDisposeMessage(text);
    ++*errors;
  }
}

static enum status parse(struct pass *pass) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMCreateMemoryBufferWithContentsOfFile(scratch_path(SCRATCH_BITCODE), &buffer, &message) ||
      LLVMParseIRInContext2(pass->context, buffer, &pass->module, &message)) {
    return failed("reading the front end's output", message);
  }
  return STATUS_OK;
}

// Loops of few instructions are unrolled by 8, also where the number of iterations is known only when they run, but not
// those with calls or collectives: LLVM's name for its back end's own way of unrolling.
#define UNROLL_LOOPS "+no-default-unroll,"

// How instructions are ordered: a model with loads that take a while, which then come before all that uses them, but
// registers enough for what is unrolled.
#define TUNE_CPU "generic-ooo"

static enum status make_target(struct pass *pass) {
  char *message = NULL, features[256] = UNROLL_LOOPS;
  size_t used = strlen(features);
  enum status status = isa_features(pass->options->isa, features + used, sizeof features - used);
  if (status != STATUS_OK)
    return status;
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  LLVMInitializeRISCVAsmParser();
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(RETARGET_TRIPLE, &target, &message))
    return failed("target", message);
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(options, "generic-rv32");
  LLVMTargetMachineOptionsSetFeatures(options, features);
  LLVMTargetMachineOptionsSetABI(options, "ilp32");
  // Position independent, and "medany": the host places the image anywhere.
  LLVMTargetMachineOptionsSetRelocMode(options, LLVMRelocPIC);
  LLVMTargetMachineOptionsSetCodeModel(options, LLVMCodeModelMedium);
  LLVMTargetMachineOptionsSetCodeGenOptLevel(options, LLVMCodeGenLevelDefault);
  pass->machine = LLVMCreateTargetMachineWithOptions(target, RETARGET_TRIPLE, options);
  LLVMDisposeTargetMachineOptions(options);
  pass->layout = LLVMCreateTargetDataLayout(pass->machine);
  return STATUS_OK;
}

static void tune(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    ir_set_string_attribute(f, "tune-cpu", TUNE_CPU);
}

static enum status make_shift_registers(struct pass *pass) {
  bool any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
    any |= shift_registers_make(f, true, SHIFT_REGISTERS_SPREAD);
  return any ? ir_run_passes(pass->module, pass->machine, "shift registers",
                             "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce)")
             : STATUS_OK;
}

static enum status optimize(struct pass *pass) {
  // What the unrolled loop leaves over is not unrolled too. Interprocedural register allocation: kernel_entry.c. Of
  // more accesses to memory in a block than any kernel has that counts, not each is held against each. A loop's end is
  // not made one with the test before the loop: that is a jump in each round.
  const char *arguments[] = {"heddlec", "-unroll-remainder=false", "-enable-ipra", "-dag-maps-huge-region=256",
                             "-enable-tail-merge=false"};
  ir_leave_out_wrong_passes();
  LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
  // Answered before optimisation looks what functions are called with: a read by a sampler that is known is then no
  // call with that sampler any more, and what is called with one sampler only is made for that.
  if (pass->has_samplers && pass->options->optimize) {
    enum status status = ir_run_passes(pass->module, pass->machine, "optimisation",
                                       "always-inline,function(sroa,instsimplify,simplifycfg)");
    if (status != STATUS_OK)
      return status;
  }
  // Checks have a mark for each byte of a variable.
  bool has_shift_registers = false;
  enum status status = pass->options->optimize && !pass->options->has_checks
                           ? shift_registers_find(pass->module, pass->machine, &has_shift_registers)
                           : STATUS_OK;
  // Even without optimisation, built-in functions lose what the device has no instructions for.
  if (status == STATUS_OK)
    status = ir_run_passes(
        pass->module, pass->machine, "optimisation",
        pass->options->optimize ? "default<O2>" : "function(instsimplify,simplifycfg),default<O0>,globaldce");
  return status == STATUS_OK && has_shift_registers ? make_shift_registers(pass) : status;
}

static bool is_entry(const struct pass *pass, LLVMValueRef function) {
  for (size_t i = 0; i < pass->kernels.count; i++)
    if (pass->kernels.items[i].entry == function)
      return true;
  return false;
}

// Where lanes disagree the smallest PC runs, so code is to lie in the order it is run: callees first, and loops without
// blocks moved out of line. optsize is LLVM's switch for that; before optimisation it would cost unrolling and
// inlining.
static void lay_out(struct pass *pass) {
  struct reach order = {0};
  call_graph_order(pass->module, &order);
  for (size_t i = 0; i < order.count; i++) {
    LLVMValueRef f = order.values[i];
    ir_remove_attribute(f, "optnone");
    ir_add_attribute(f, "optsize");
    ir_set_string_attribute(f, "no-jump-tables", "true");
    char section[64];
    if (is_entry(pass, f)) {
      snprintf(section, sizeof section, ".text.kernel");
    } else {
      // Not an exact definition: callers then rely on the calling convention, not on interprocedural allocation.
      LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
      LLVMSetVisibility(f, LLVMHiddenVisibility);
      snprintf(section, sizeof section, ".text.function.%06zu", i);  // the linker script sorts by name
    }
    LLVMSetSection(f, section);
  }
  reach_free(&order);
  kernels_finish_entries(pass->module, &pass->kernels);
}

// The text of a module as assembly without needless jumps, in a module of its own.
static enum status leave_out_jumps(struct pass *pass) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMTargetMachineEmitToMemoryBuffer(pass->machine, pass->module, LLVMAssemblyFile, &message, &buffer))
    return failed("code generation", message);
  char *text = jumps_leave_out(LLVMGetBufferStart(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  pass->module = LLVMModuleCreateWithNameInContext("", pass->context);
  LLVMSetTarget(pass->module, RETARGET_TRIPLE);
  LLVMSetModuleDataLayout(pass->module, pass->layout);
  LLVMSetModuleInlineAsm2(pass->module, text, strlen(text));
  free(text);
  return STATUS_OK;
}

static enum status emit(struct pass *pass) {
  char *message = NULL;
  const char *path = scratch_path(SCRATCH_OBJECT);
  if (pass->options->emit == EMIT_LL)
    return LLVMPrintModuleToFile(pass->module, path, &message) ? failed("writing", message) : STATUS_OK;
  if (pass->is_in_order) {
    enum status status = leave_out_jumps(pass);
    if (status != STATUS_OK)
      return status;
  }
  LLVMCodeGenFileType type = pass->options->emit == EMIT_ASM ? LLVMAssemblyFile : LLVMObjectFile;
  if (LLVMTargetMachineEmitToFile(pass->machine, pass->module, path, type, &message))
    return failed("code generation", message);
  return STATUS_OK;
}

static enum status verify(struct pass *pass, const char *when) {
  char *message = NULL;
  if (LLVMVerifyModule(pass->module, LLVMReturnStatusAction, &message))
    return failed(when, message);
  LLVMDisposeMessage(message);
  return STATUS_OK;
}

// Finds the kernels, and lowers what depends on OpenCL's types and blocks. The module may be another one afterwards.
static enum status find_kernels(struct pass *pass) {
  enum status status = channels_make_arguments(pass->module, true);
  if (status == STATUS_OK)
    status = kernels_find(pass->module, pass->layout, pass->options->isa, &pass->kernels);
  if (status == STATUS_OK) {
    // Found once to refuse arguments of opaque types by name, and again in the module that has none.
    kernels_free(&pass->kernels);
    status = opaque_types_lower(&pass->module);
  }
  if (status == STATUS_OK)
    status = kernels_find(pass->module, pass->layout, pass->options->isa, &pass->kernels);
  if (status == STATUS_OK) {
    device_queue_number_blocks(pass->module, &pass->kernels, pass->options->has_debug);
    status = call_graph_check(pass->module);
  }
  if (status == STATUS_OK)
    status = printf_lower(pass->module, pass->layout, pass->options->isa, &pass->printf_layouts);
  if (status == STATUS_OK && !heddle_isa_has(pass->options->isa, "a"))
    status = atomics_refuse(pass->module, pass->options->isa);
  return status;
}

// Makes the module one for RISC-V: with entries of kernels, and with what the built-in library asks of the device.
static enum status retarget_kernels(struct pass *pass) {
  const struct options *options = pass->options;
  counters_make_narrow(pass->module);
  retarget(pass->module, pass->layout);
  if (options->pipelines.count > 0) {
    const enum status kept = pipeline_note_keep_variables(pass->module, scratch_path(SCRATCH_PIPELINES));
    if (kept != STATUS_OK)
      return kept;
  }
  if (options->has_checks && heddle_isa_has(options->isa, "a"))
    checks_show_orders(pass->module);
  if (options->has_checks) {
    checks_keep_stack(pass->module, pass->layout);
    checks_know_variables(pass->module, pass->layout);
    checks_inline_library(pass->module);
  }
  checks_announce(pass->module, options->has_checks);
  float_unit_announce(pass->module, heddle_isa_has(options->isa, "zfinx"));
  pass->has_samplers = samplers_ask(pass->module);
  kernels_make_entries(pass->module, &pass->kernels, options->optimize);
  dispatch_values_are_constant(pass->module);
  tune(pass->module);
  loop_scopes_keep(pass->module);
  defined_protect(pass->module, options->optimize);
  return verify(pass, "after making entries");
}

static enum status optimize_kernels(struct pass *pass) {
  builtin_names_give(pass->module);
  enum status status = optimize(pass);
  builtin_names_take(pass->module);
  if (status == STATUS_OK)
    status = undefined_check(pass->module);
  if (status == STATUS_OK && pass->options->has_checks)
    checks_mark_variables(pass->module, pass->layout);
  return status == STATUS_OK ? local_memory_place(pass->module, pass->layout, &pass->kernels) : status;
}

// What LLVM does not do for this device, or would undo: behind optimisation, in front of code generation.
static enum status finish_code(struct pass *pass) {
  const struct options *options = pass->options;
  const bool has_float_unit = heddle_isa_has(options->isa, "zfinx");
  enum status status = STATUS_OK;
  // A half that is used twice is widened once.
  if (half_widen(pass->module, has_float_unit) && options->optimize)
    status = ir_run_passes(pass->module, pass->machine, "optimisation", "function(early-cse)");
  if (status != STATUS_OK)
    return status;
  if (has_float_unit)
    float_unit_round_inline(pass->module);
  if (options->optimize)
    status = element_order_make(pass->module, pass->machine);
  if (status == STATUS_OK)
    pauses_put(pass->module);
  if (status == STATUS_OK)
    status = loop_ends_join(pass->module, pass->machine, &pass->is_in_order);
  if (status == STATUS_OK)
    status = defined_restore(pass->module, pass->machine, heddle_isa_has(options->isa, "m"));
  if (status != STATUS_OK || !options->optimize)
    return status;
  products_share(pass->module);
  // A device that checks kernels knows pointers by the instructions that make them.
  if (!options->has_checks && heddle_isa_has(options->isa, "xindex"))
    indexed_place(pass->module, pass->layout, has_float_unit);
  loop_counts_tell(pass->module);
  complements_subtract(pass->module);
  return STATUS_OK;
}

static enum status run_steps(struct pass *pass) {
  enum status status = parse(pass);
  if (status == STATUS_OK)
    status = make_target(pass);
  // Before functions become part of their callers and loops are unrolled, for channels.
  if (status == STATUS_OK && pass->options->has_checks) {
    checks_store_elements(pass->module, pass->layout);
    checks_show_reads(pass->module);
    checks_show_returns(pass->module);
    checks_show_indices(pass->module);
    checks_show_unwritten(pass->module, pass->layout);
  }
  if (status == STATUS_OK)
    status = find_kernels(pass);
  if (status == STATUS_OK)
    status = retarget_kernels(pass);
  if (status == STATUS_OK)
    status = optimize_kernels(pass);
  if (status == STATUS_OK)
    status = finish_code(pass);
  if (status != STATUS_OK)
    return status;
  printf_find_kernels(&pass->kernels);
  device_queue_find_kernels(&pass->kernels);
  lay_out(pass);
  notes_add(pass->module, &pass->kernels, &pass->printf_layouts, pass->options,
            pass->options->pipelines.count > 0 ? scratch_path(SCRATCH_PIPELINES) : NULL);
  status = verify(pass, "before code generation");
  return status == STATUS_OK ? emit(pass) : status;
}

static enum status run(void *context) {
  struct pass pass = {.options = context, .context = LLVMContextCreate()};
  int errors = 0;
  LLVMInstallFatalErrorHandler(on_fatal_error);
  LLVMContextSetDiagnosticHandler(pass.context, on_diagnostic, &errors);
  enum status status = run_steps(&pass);
  printf_layouts_free(&pass.printf_layouts);
  kernels_free(&pass.kernels);
  return status == STATUS_OK && errors > 0 ? STATUS_REJECTED : status;
}

static enum status check(void *context) {
  struct pass pass = {.options = context, .context = LLVMContextCreate()};
  enum status status = parse(&pass);
  if (status == STATUS_OK)
    status = make_target(&pass);
  if (status == STATUS_OK)
    status = kernels_find(pass.module, pass.layout, pass.options->isa, &pass.kernels);
  kernels_free(&pass.kernels);
  // clang's is a path on this machine. Kernel files keep its last part, which is the same without an object file.
  static const char name[] = OVERLAY_SOURCE;
  LLVMSetSourceFileName(pass.module, name, strlen(name));
  if (status == STATUS_OK && LLVMWriteBitcodeToFile(pass.module, scratch_path(SCRATCH_BITCODE)) != 0) {
    fprintf(stderr, "heddlec: cannot write %s\n", scratch_path(SCRATCH_BITCODE));
    status = STATUS_FAILED;
  }
  return status;
}

enum status kernel_pass_check(const struct options *options) {
  struct child child = {.what = "check", .function = check, .context = (void *)options};
  return child_run(&child, options);
}

enum status kernel_pass_run(const struct options *options) {
  struct child child = {.what = "kernel pass", .function = run, .context = (void *)options};
  return child_run(&child, options);
}
