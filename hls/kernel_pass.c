// SPDX-License-Identifier: Apache-2.0
// The way of a module through heddlec: retarget to RISC-V, entries, optimisation, local memory, notes, emission.
#include "hls/kernel_pass.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hls/call_graph.h"
#include "hls/child.h"
#include "hls/ir.h"
#include "hls/isa.h"
#include "hls/kernel_entry.h"
#include "hls/local_memory.h"
#include "hls/note.h"
#include "hls/opaque_types.h"
#include "hls/scratch.h"

static const char triple[] = "riscv32-unknown-unknown-elf";

enum { CONSTANT_ADDRESS_SPACE = 2 };

// Everything a run holds, so that one place releases it.
struct pass {
  const struct options *options;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMTargetDataRef layout;
  struct kernels kernels;
};

// Takes over the message.
static enum status failed(const char *what, char *message) {
  fprintf(stderr, "heddlec: %s: %s\n", what, message != NULL ? message : "no reason given");
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

static enum status make_target(struct pass *pass) {
  char *message = NULL, features[256];
  enum status status = isa_features(pass->options->isa, features, sizeof features);
  if (status != STATUS_OK) {
    return status;
  }
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  LLVMInitializeRISCVAsmParser();
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    return failed("target", message);
  }
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(options, "generic-rv32");
  LLVMTargetMachineOptionsSetFeatures(options, features);
  LLVMTargetMachineOptionsSetABI(options, "ilp32");
  // Position independent, and "medany": the host places the image anywhere.
  LLVMTargetMachineOptionsSetRelocMode(options, LLVMRelocPIC);
  LLVMTargetMachineOptionsSetCodeModel(options, LLVMCodeModelMedium);
  LLVMTargetMachineOptionsSetCodeGenOptLevel(options, LLVMCodeGenLevelDefault);
  pass->machine = LLVMCreateTargetMachineWithOptions(target, triple, options);
  LLVMDisposeTargetMachineOptions(options);
  pass->layout = LLVMCreateTargetDataLayout(pass->machine);
  return STATUS_OK;
}

static bool is_spir_convention(unsigned convention) {
  return convention == LLVMSPIRFUNCCallConv || convention == LLVMSPIRKERNELCallConv;
}

static bool is_collective(LLVMValueRef callee) {
  size_t length;
  if (LLVMIsAInlineAsm(callee) == NULL) {
    return false;
  }
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  return text != NULL && strstr(text, "CUSTOM_0") != NULL;
}

static void retarget_instruction(LLVMValueRef instruction, void *context) {
  if (LLVMIsACallInst(instruction) != NULL) {
    if (is_spir_convention(LLVMGetInstructionCallConv(instruction))) {
      LLVMSetInstructionCallConv(instruction, LLVMCCallConv);
    }
    if (is_collective(LLVMGetCalledValue(instruction))) {
      // Lanes meet at a PC: a collective copied by loop unrolling would be two places to wait at.
      LLVMAddCallSiteAttribute(instruction, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                               LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("noduplicate", 11), 0));
    }
  } else if (LLVMIsALoadInst(instruction) != NULL) {
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    if (LLVMGetPointerAddressSpace(pointer) == CONSTANT_ADDRESS_SPACE && !LLVMGetVolatile(instruction)) {
      // Constant memory does not change while a kernel runs, whatever the stores in between.
      LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(context, "invariant.load", strlen("invariant.load")),
                      LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
    }
  }
}

// From here on the module is a RISC-V one in which nothing but the entries, still to come, is visible outside.
static void retarget(struct pass *pass) {
  LLVMSetTarget(pass->module, triple);
  LLVMSetModuleDataLayout(pass->module, pass->layout);
  ir_each_instruction(pass->module, retarget_instruction, pass->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f)) {
    if (is_spir_convention(LLVMGetFunctionCallConv(f))) {
      LLVMSetFunctionCallConv(f, LLVMCCallConv);
    }
    if (!LLVMIsDeclaration(f)) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
      // No loop is to become a call of memset, and no function to be taken for one of C's.
      ir_set_string_attribute(f, "no-builtins", "");
      // A function of the user may have a name that code generation gives a meaning (memcpy, sqrtf).
      size_t length;
      char *name = NULL;
      const char *given = LLVMGetValueName2(f, &length);
      if (strncmp(given, "_Z", 2) != 0) {
        if (asprintf(&name, "%s.cl", given) < 0) {
          abort();
        }
        LLVMSetValueName2(f, name, strlen(name));
        free(name);
      }
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(pass->module); g; g = LLVMGetNextGlobal(g)) {
    if (!LLVMIsDeclaration(g)) {
      LLVMSetLinkage(g, LLVMInternalLinkage);
      if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE) {
        // Other work-items write it too: what this one stored is not what it finds.
        LLVMSetExternallyInitialized(g, 1);
      }
    }
  }
}

static enum status optimize(struct pass *pass) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  const char *passes = pass->options->optimize ? "default<O2>" : "default<O0>,globaldce";
  LLVMErrorRef error = LLVMRunPasses(pass->module, passes, pass->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error != NULL) {
    char *message = LLVMGetErrorMessage(error);
    fprintf(stderr, "heddlec: optimisation: %s\n", message);
    LLVMDisposeErrorMessage(message);
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

// Where a value is used first, as "file:line:column: " if the debug information says so.
static void print_place(LLVMValueRef value) {
  LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(value));
  unsigned length = 0, line = 0;
  const char *file = NULL;
  if (LLVMIsAInstruction(user) != NULL) {
    file = LLVMGetDebugLocFilename(user, &length);
    line = LLVMGetDebugLocLine(user);
  }
  if (file != NULL && line != 0) {
    fprintf(stderr, "%.*s:%u:%u: ", (int)length, file, line, LLVMGetDebugLocColumn(user));
  }
}

// Built-in functions that clang declares and this device does not have, and functions the user never defined.
static enum status check_undefined(struct pass *pass) {
  enum status status = STATUS_OK;
  for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) && !ir_is_intrinsic(f) && LLVMGetFirstUse(f) != NULL) {
      int length;
      const char *name = ir_source_name(f, &length);
      print_place(f);
      fprintf(stderr, "error: function '%.*s' is not defined for these arguments, neither here nor on this device\n",
              length, name);
      status = STATUS_REJECTED;
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(pass->module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g) != NULL) {
      size_t length;
      const char *name = LLVMGetValueName2(g, &length);
      print_place(g);
      fprintf(stderr, "error: variable '%s' is declared but not defined\n", name);
      status = STATUS_REJECTED;
    }
  }
  return status;
}

static bool is_entry(const struct pass *pass, LLVMValueRef function) {
  for (size_t i = 0; i < pass->kernels.count; i++) {
    if (pass->kernels.items[i].entry == function) {
      return true;
    }
  }
  return false;
}

// Where lanes disagree the smallest PC runs, so code is to lie in the order it is run: callees first, and loops without
// blocks moved out of line. optsize is LLVM's switch for that; before optimisation it would cost unrolling and inlining.
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

static enum status emit(struct pass *pass) {
  char *message = NULL;
  const char *path = scratch_path(SCRATCH_OBJECT);
  if (pass->options->emit == EMIT_LL) {
    return LLVMPrintModuleToFile(pass->module, path, &message) ? failed("writing", message) : STATUS_OK;
  }
  const char *arguments[] = {"heddlec", "-enable-ipra"};
  LLVMParseCommandLineOptions(2, arguments, NULL);
  LLVMCodeGenFileType type = pass->options->emit == EMIT_ASM ? LLVMAssemblyFile : LLVMObjectFile;
  if (LLVMTargetMachineEmitToFile(pass->machine, pass->module, path, type, &message)) {
    return failed("code generation", message);
  }
  return STATUS_OK;
}

static enum status verify(struct pass *pass, const char *when) {
  char *message = NULL;
  if (LLVMVerifyModule(pass->module, LLVMReturnStatusAction, &message)) {
    return failed(when, message);
  }
  LLVMDisposeMessage(message);
  return STATUS_OK;
}

static enum status run_steps(struct pass *pass) {
  enum status status = parse(pass);
  if (status == STATUS_OK) {
    status = make_target(pass);
  }
  if (status == STATUS_OK) {
    status = kernels_find(pass->module, pass->layout, &pass->kernels);
  }
  if (status == STATUS_OK) {
    // Found once to refuse arguments of opaque types by name, and again in the module that has none.
    kernels_free(&pass->kernels);
    status = opaque_types_lower(&pass->module);
  }
  if (status == STATUS_OK) {
    status = kernels_find(pass->module, pass->layout, &pass->kernels);
  }
  if (status == STATUS_OK) {
    status = call_graph_check(pass->module);
  }
  if (status != STATUS_OK) {
    return status;
  }
  retarget(pass);
  kernels_make_entries(pass->module, &pass->kernels);
  status = verify(pass, "after making entries");
  if (status == STATUS_OK) {
    status = optimize(pass);
  }
  if (status == STATUS_OK) {
    status = check_undefined(pass);
  }
  if (status == STATUS_OK) {
    status = local_memory_place(pass->module, pass->layout, &pass->kernels);
  }
  if (status != STATUS_OK) {
    return status;
  }
  lay_out(pass);
  notes_add(pass->module, &pass->kernels, pass->options->isa);
  status = verify(pass, "before code generation");
  return status == STATUS_OK ? emit(pass) : status;
}

static enum status run(void *context) {
  struct pass pass = {.options = context, .context = LLVMContextCreate()};
  int errors = 0;
  LLVMInstallFatalErrorHandler(on_fatal_error);
  LLVMContextSetDiagnosticHandler(pass.context, on_diagnostic, &errors);
  enum status status = run_steps(&pass);
  kernels_free(&pass.kernels);
  return status == STATUS_OK && errors > 0 ? STATUS_REJECTED : status;
}

enum status kernel_pass_run(const struct options *options) {
  struct child child = {.what = "kernel pass", .function = run, .context = (void *)options};
  return child_run(&child, options);
}
