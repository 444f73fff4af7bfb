// SPDX-License-Identifier: Apache-2.0
// Links object files. What is wrong with them is found before LLVM's linker is asked, so that it can be said in words
// of OpenCL; what is missing is only known when built-in functions are there too (undefined.c).
#include "hls/merge.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/isa.h"
#include "hls/child.h"
#include "hls/ir.h"
#include "hls/isa.h"
#include "hls/object.h"
#include "hls/scratch.h"

struct input {
  const char *name;  // the last part of its path
  unsigned char *bytes;
  struct heddle_object_file file;
  LLVMModuleRef module;
};

struct merge {
  const struct options *options;
  struct input *inputs;
  size_t count;
};

static enum status rejected(const struct input *input, const char *what, const char *detail) {
  fprintf(stderr, "error: %s: %s%s\n", input->name, what, detail);
  return STATUS_REJECTED;
}

static enum status open_input(struct input *input, const char *path, const char *isa) {
  struct heddle_error error;
  size_t size;
  char compiler[OBJECT_COMPILER_BYTES];
  const char *last = strrchr(path, '/');
  input->name = last ? last + 1 : path;
  enum status status = object_read_file(path, &input->bytes, &size);
  if (status != STATUS_OK)
    return status;
  if (heddle_object_file_read(input->bytes, size, &input->file, &error) != 0)
    return rejected(input, error.text, "");
  object_compiler(compiler);
  if (strcmp(input->file.compiler, compiler) != 0) {
    fprintf(stderr, "error: %s: compiled by %s, which is not this %s; compile it again\n", input->name,
            input->file.compiler, compiler);
    return STATUS_REJECTED;
  }
  if (!heddle_isa_covers(isa, input->file.isa)) {
    fprintf(stderr, "error: %s: compiled for %s, the device is %s\n", input->name, input->file.isa, isa);
    return STATUS_REJECTED;
  }
  return STATUS_OK;
}

static enum status parse(LLVMContextRef context, struct input *input) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange((const char *)input->file.bitcode,
                                                                     input->file.bitcode_bytes, input->name, false);
  char *message = NULL;
  LLVMBool is_broken = LLVMParseBitcodeInContext2(context, buffer, &input->module);
  LLVMDisposeMemoryBuffer(buffer);
  if (is_broken)
    return rejected(input, "holds no bitcode", "");
  if (LLVMVerifyModule(input->module, LLVMReturnStatusAction, &message))
    return rejected(input, "holds no valid code: ", message);
  LLVMDisposeMessage(message);
  return STATUS_OK;
}

static bool is_definition(LLVMValueRef value) {
  const LLVMLinkage linkage = LLVMGetLinkage(value);
  return !LLVMIsDeclaration(value) && linkage == LLVMExternalLinkage;
}

static LLVMValueRef find(LLVMModuleRef module, LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  return LLVMIsAFunction(value) ? LLVMGetNamedFunction(module, name) : LLVMGetNamedGlobal(module, name);
}

// clang makes a second function of each kernel; one message is enough.
static bool is_second_of_kernel(LLVMValueRef value) {
  size_t length;
  static const char prefix[] = "__clang_ocl_kern_imp_";
  return strncmp(LLVMGetValueName2(value, &length), prefix, strlen(prefix)) == 0;
}

static bool is_aggregate(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

// Whether structures, unions and arrays of them are of one size, which is all that can be told: clang gives a variable
// that has a value another type than one that has not, with padding written out, or of the union's first member.
static bool sizes_agree(LLVMTargetDataRef layout, LLVMTypeRef declared, LLVMTypeRef defined) {
  if (!LLVMTypeIsSized(declared) || !LLVMTypeIsSized(defined))
    return !LLVMTypeIsSized(declared) && !LLVMTypeIsSized(defined);
  const unsigned long long bytes = LLVMABISizeOfType(layout, defined);
  if (LLVMGetTypeKind(declared) == LLVMArrayTypeKind && LLVMGetArrayLength2(declared) == 0) {
    const unsigned long long element = LLVMABISizeOfType(layout, LLVMGetElementType(declared));
    return element == 0 || bytes % element == 0;
  }
  return LLVMABISizeOfType(layout, declared) == bytes;
}

// Whether something is declared as it is defined. An array may be declared without its length, and names of structures
// differ from module to module where they are the same in the source, so functions that have one are taken to agree.
static bool types_agree(LLVMTargetDataRef layout, LLVMValueRef declared, LLVMValueRef defined) {
  LLVMTypeRef type_a = LLVMGlobalGetValueType(declared), type_b = LLVMGlobalGetValueType(defined);
  if (is_aggregate(type_a) && is_aggregate(type_b))
    return sizes_agree(layout, type_a, type_b);
  if (LLVMGetTypeKind(type_a) == LLVMArrayTypeKind && LLVMGetTypeKind(type_b) == LLVMArrayTypeKind &&
      LLVMGetArrayLength2(type_a) == 0) {
    type_a = LLVMGetElementType(type_a);
    type_b = LLVMGetElementType(type_b);
  }
  if (type_a == type_b)
    return true;
  char *text_a = LLVMPrintTypeToString(type_a), *text_b = LLVMPrintTypeToString(type_b);
  bool agree = strchr(text_a, '%') && strchr(text_b, '%');
  LLVMDisposeMessage(text_a);
  LLVMDisposeMessage(text_b);
  return agree;
}

// What one value of an input means for another input.
static enum status compare(LLVMValueRef value, const struct input *input, const struct input *other, bool is_later) {
  LLVMValueRef there = find(other->module, value);
  const char *kind = LLVMIsAFunction(value) ? "function" : "variable";
  if (!there || !is_definition(there) || is_second_of_kernel(value))
    return STATUS_OK;
  int length;
  const char *name = ir_source_name(value, &length);
  if (is_definition(value)) {
    if (is_later) {
      fprintf(stderr, "error: %s '%.*s' is defined in %s and again in %s\n", kind, length, name, other->name,
              input->name);
      return STATUS_REJECTED;
    }
  } else if (LLVMIsDeclaration(value) && !types_agree(LLVMGetModuleDataLayout(other->module), value, there)) {
    fprintf(stderr, "error: %s '%.*s' is declared in %s with another type than %s defines it with\n", kind, length,
            name, input->name, other->name);
    return STATUS_REJECTED;
  }
  return STATUS_OK;
}

static enum status compare_all(const struct merge *merge, LLVMValueRef value, size_t own) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < merge->count; i++)
    if (i != own && compare(value, &merge->inputs[own], &merge->inputs[i], i < own) != STATUS_OK)
      status = STATUS_REJECTED;
  return status;
}

static enum status check_names(const struct merge *merge) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < merge->count; i++) {
    LLVMModuleRef module = merge->inputs[i].module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
      status = compare_all(merge, f, i) != STATUS_OK ? STATUS_REJECTED : status;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
      status = compare_all(merge, g, i) != STATUS_OK ? STATUS_REJECTED : status;
  }
  return status;
}

static void allow(LLVMValueRef instruction, void *context) {
  const unsigned *fast_math = context;
  if (LLVMCanValueUseFastMathFlags(instruction))
    LLVMSetFastMathFlags(instruction, LLVMGetFastMathFlags(instruction) | *fast_math);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  int *errors = context;
  char *text = LLVMGetDiagInfoDescription(info);
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) {
    fprintf(stderr, "error: %s\n", text);
    ++*errors;
  }
  LLVMDisposeMessage(text);
}

static enum status merge_in_child(void *context) {
  struct merge *merge = context;
  LLVMContextRef llvm = LLVMContextCreate();
  int errors = 0;
  LLVMContextSetDiagnosticHandler(llvm, on_diagnostic, &errors);
  for (size_t i = 0; i < merge->count; i++) {
    enum status status = parse(llvm, &merge->inputs[i]);
    if (status != STATUS_OK)
      return status;
  }
  if (check_names(merge) != STATUS_OK)
    return STATUS_REJECTED;
  unsigned fast_math = merge->options->fast_math;
  LLVMModuleRef whole = merge->inputs[0].module;
  for (size_t i = 0; i < merge->count; i++) {
    const struct input *input = &merge->inputs[i];
    if (input->file.kind == HEDDLE_COMPILED_OBJECT || (input->file.flags & HEDDLE_OBJECT_TAKES_LINK_OPTIONS) != 0)
      ir_each_instruction(input->module, allow, &fast_math);
    if (i > 0 && (LLVMLinkModules2(whole, input->module) || errors > 0))
      return rejected(input, "cannot be linked with those before it", "");
  }
  return LLVMWriteBitcodeToFile(whole, scratch_path(SCRATCH_BITCODE)) == 0 ? STATUS_OK : STATUS_FAILED;
}

// Options that only compilation has are those of the inputs.
static uint32_t take_flags(struct options *options, const struct merge *merge) {
  uint32_t all = UINT32_MAX, any = 0;
  for (size_t i = 0; i < merge->count; i++) {
    all &= merge->inputs[i].file.flags;
    any |= merge->inputs[i].file.flags;
  }
  options->is_uniform = (any & HEDDLE_OBJECT_UNIFORM) != 0;
  options->optimize = (all & HEDDLE_OBJECT_UNOPTIMIZED) == 0;
  options->has_debug = (any & HEDDLE_OBJECT_DEBUG) != 0;
  options->has_double = (any & HEDDLE_OBJECT_DOUBLE) != 0;
  return object_flags(options);
}

enum status merge_run(struct options *options, uint32_t *flags) {
  struct merge merge = {.options = options, .count = options->inputs.count};
  merge.inputs = calloc(merge.count, sizeof *merge.inputs);
  enum status status = merge.inputs ? STATUS_OK : STATUS_FAILED;
  for (size_t i = 0; i < merge.count && status == STATUS_OK; i++)
    status = open_input(&merge.inputs[i], options->inputs.items[i], options->isa);
  if (status == STATUS_OK) {
    *flags = take_flags(options, &merge);
    struct child child = {.what = "merge",
                          .function = merge_in_child,
                          .context = &merge,
                          .inputs = (const char *const *)options->inputs.items};
    status = child_run(&child, options);
  }
  for (size_t i = 0; merge.inputs && i < merge.count; i++)
    free(merge.inputs[i].bytes);
  free(merge.inputs);
  return status;
}
