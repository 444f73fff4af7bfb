// SPDX-License-Identifier: Apache-2.0
// The type of a value cannot be changed through the LLVM-C API. So a module that has opaque types, which is rare, is
// printed, the types in its text are replaced, and the text is parsed again.
#include "hls/opaque_types.h"

#include <llvm-c/IRReader.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_opaque(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMTargetExtTypeKind ||
         (LLVMGetTypeKind(type) == LLVMArrayTypeKind && is_opaque(LLVMGetElementType(type)));
}

// A variable, or what a call gives: the function that it calls may be ours, which has pointers already.
static bool has_opaque_value(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (is_opaque(LLVMTypeOf(at)) || (LLVMIsAAllocaInst(at) && is_opaque(LLVMGetAllocatedType(at))))
        return true;
  }
  return false;
}

static bool has_opaque_types(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_opaque(LLVMGetReturnType(LLVMGlobalGetValueType(f))) || has_opaque_value(f))
      return true;
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
      if (is_opaque(LLVMTypeOf(LLVMGetParam(f, i))))
        return true;
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (is_opaque(LLVMGlobalGetValueType(g)))
      return true;
  return false;
}

// The end of a type that starts with target("spirv. ...": its closing parenthesis, not counting those in strings.
static const char *end_of_type(const char *at) {
  int depth = 0;
  bool is_string = false;
  for (; *at != 0; at++)
    if (*at == '"')
      is_string = !is_string;
    else if (!is_string && *at == '(')
      depth++;
    else if (!is_string && *at == ')' && --depth == 0)
      return at + 1;
  return at;
}

#define OPENING "target(\"spirv."

// What an opaque type becomes, and what zero of it is then called. The functions of lib/pipes.cl take pipes and
// reservation ids as such, those of lib/images.cl images and samplers: an image is its descriptor, in constant memory.
struct replacement {
  const char *opening, *type, *zero;
};

static const struct replacement *replacement_of(const char *text) {
  static const struct replacement replacements[] = {
      {OPENING "Pipe\"", "ptr addrspace(1)", "null"},
      {OPENING "ReserveId\"", "i32", "0"},
      {OPENING "Image\"", "ptr addrspace(2)", "null"},
      {OPENING "Sampler\"", "i32", "0"},
      {OPENING, "ptr", "null"},
  };
  size_t i = 0;
  while (strncmp(text, replacements[i].opening, strlen(replacements[i].opening)) != 0)
    i++;
  return &replacements[i];
}

// In place: what replaces a type is shorter, by more than the zero that stpcpy puts behind it.
static void replace_types(char *text) {
  static const char zero[] = " zeroinitializer";
  char *to = text;
  for (const char *from = text; *from != 0;) {
    if (strncmp(from, OPENING, strlen(OPENING)) != 0) {
      *to++ = *from++;
      continue;
    }
    const struct replacement *replacement = replacement_of(from);
    from = end_of_type(from);
    to = stpcpy(to, replacement->type);
    if (strncmp(from, zero, strlen(zero)) == 0) {
      to = stpcpy(stpcpy(to, " "), replacement->zero);
      from += strlen(zero);
    }
  }
  *to = 0;
}

enum status opaque_types_lower(LLVMModuleRef *module) {
  if (!has_opaque_types(*module))
    return STATUS_OK;
  LLVMContextRef context = LLVMGetModuleContext(*module);
  char *text = LLVMPrintModuleToString(*module);
  LLVMDisposeModule(*module);
  *module = NULL;
  replace_types(text);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "kernels");
  LLVMDisposeMessage(text);
  char *message = NULL;
  if (LLVMParseIRInContext2(context, buffer, module, &message)) {
    fprintf(stderr, "heddlec: replacing opaque types: %s\n", message);
    LLVMDisposeMessage(message);
    return STATUS_FAILED;
  }
  return STATUS_OK;
}
