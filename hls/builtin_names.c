// SPDX-License-Identifier: Apache-2.0
// Built-in functions get a subprogram each, in a compile unit of their own (builtin_names.h).
#include "hls/builtin_names.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

#include "contract/kernel_lines.h"
#include "hls/ir.h"

// Of every instruction of a built-in function. Not 0, for which line tables would name the file of another line.
enum { LINE = 1 };

struct naming {
  LLVMDIBuilderRef builder;
  LLVMMetadataRef file, type;
};

static void start(struct naming *naming, LLVMModuleRef module) {
  static const char producer[] = "heddlec";
  naming->builder = LLVMCreateDIBuilder(module);
  naming->file = LLVMDIBuilderCreateFile(naming->builder, HEDDLE_BUILT_IN_FILE, strlen(HEDDLE_BUILT_IN_FILE), "", 0);
  LLVMDIBuilderCreateCompileUnit(naming->builder, LLVMDWARFSourceLanguageOpenCL, naming->file, producer,
                                 strlen(producer), true, "", 0, 0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0, true,
                                 false, "", 0, "", 0);
  naming->type = LLVMDIBuilderCreateSubroutineType(naming->builder, naming->file, NULL, 0, LLVMDIFlagZero);
}

// Calls `visit` for each instruction of a function.
static void for_each(LLVMValueRef f, void (*visit)(LLVMValueRef instruction, void *user), void *user) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      visit(at, user);
}

static void find_place(LLVMValueRef instruction, void *user) {
  bool *has_place = user;
  *has_place = *has_place || LLVMInstructionGetDebugLoc(instruction);
}

static bool is_of_library(LLVMValueRef f) {
  bool has_place = LLVMGetSubprogram(f);
  for_each(f, find_place, &has_place);
  return !has_place;
}

static void set_place(LLVMValueRef instruction, void *user) {
  LLVMInstructionSetDebugLoc(instruction, user);
}

static LLVMMetadataRef place_at(LLVMValueRef f, unsigned line) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  return LLVMDIBuilderCreateDebugLocation(context, line, 0, LLVMGetSubprogram(f), NULL);
}

// LLVM wants every call of a function that has a subprogram to have a place, where the caller has a subprogram, too.
static void place_call(LLVMValueRef instruction, void *user) {
  LLVMValueRef callee = ir_callee(instruction);
  if (callee && LLVMGetSubprogram(callee) && !LLVMInstructionGetDebugLoc(instruction))
    LLVMInstructionSetDebugLoc(instruction, user);
}

void builtin_names_give(LLVMModuleRef module) {
  struct naming naming = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !is_of_library(f))
      continue;
    if (!naming.builder)
      start(&naming, module);
    int length;
    const char *name = ir_source_name(f, &length);
    LLVMSetSubprogram(
        f, LLVMDIBuilderCreateFunction(naming.builder, naming.file, name, (size_t)length, "", 0, naming.file, LINE,
                                       naming.type, true, true, LINE, LLVMDIFlagZero, true));
    for_each(f, set_place, place_at(f, LINE));
  }
  if (!naming.builder)
    return;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetSubprogram(f))
      for_each(f, place_call, place_at(f, 0));
  LLVMDIBuilderFinalize(naming.builder);
  LLVMDisposeDIBuilder(naming.builder);
}

// Whether the function is one that builtin_names_give named.
static bool is_named(LLVMValueRef f) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
  if (!subprogram)
    return false;
  unsigned length;
  const char *file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(subprogram), &length);
  return length == strlen(HEDDLE_BUILT_IN_FILE) && memcmp(file, HEDDLE_BUILT_IN_FILE, length) == 0;
}

void builtin_names_take(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!is_named(f))
      continue;
    LLVMSetSubprogram(f, NULL);
    for_each(f, set_place, NULL);
  }
}
