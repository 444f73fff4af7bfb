// SPDX-License-Identifier: Apache-2.0
// clang calls a kernel by the type that names it: kernel_letters<'S', 'c', ...>, mangled.
#include "hls/sycl/kernel.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"

#define MANGLED "_ZTSN4sycl6detail14kernel_lettersIJ"
#define ANCHOR "_ZN4sycl6detail11user_kernelI"
#define ANCHOR_WITH_REDUCERS "_ZN4sycl6detail16user_kernel_withI"
#define GLUE "_ZN4sycl6detail"
#define NO_ARGUMENTS "JEEEvRT_DpT0_"

enum { HASH_LETTERS = 16 + 8 + 2 };

static void *allocated(void *memory) {
  if (!memory)
    abort();
  return memory;
}

// Letters come as Lc83E; NULL: this is no such name.
static char *letters_of(const char *mangled) {
  if (strncmp(mangled, MANGLED, strlen(MANGLED)) != 0)
    return NULL;
  char *text = allocated(calloc(strlen(mangled), 1));
  size_t count = 0;
  for (const char *at = mangled + strlen(MANGLED); strncmp(at, "Lc", 2) == 0;) {
    char *end;
    const long letter = strtol(at + 2, &end, 10);
    if (*end != 'E' || letter <= ' ' || letter > '~') {
      free(text);
      return NULL;
    }
    text[count++] = (char)letter;
    at = end + 1;
  }
  return text;
}

static bool is_ours(const char *name) {
  static const char *const starts[] = {"__heddle_builtin", "_ZN4sycl", "_ZNK4sycl"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(name, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

// The user's function that a kernel runs: what the anchor calls, which is reached through glue. The anchor of a single
// task gets the user's function alone, others an item, too.
static LLVMValueRef find_user(LLVMValueRef function, int depth, bool *is_single_task) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  const bool is_anchor = strncmp(name, ANCHOR, strlen(ANCHOR)) == 0 ||
                         strncmp(name, ANCHOR_WITH_REDUCERS, strlen(ANCHOR_WITH_REDUCERS)) == 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      LLVMValueRef callee = ir_callee(at);
      if (!callee || LLVMGetIntrinsicID(callee) != 0)
        continue;
      size_t callee_length;
      // Arguments may be converted first.
      if (is_anchor && !is_ours(LLVMGetValueName2(callee, &callee_length)) && LLVMGetSubprogram(callee)) {
        *is_single_task =
            length > strlen(NO_ARGUMENTS) && strcmp(name + length - strlen(NO_ARGUMENTS), NO_ARGUMENTS) == 0;
        return callee;
      }
      LLVMValueRef user =
          !is_anchor && depth > 0 && strncmp(LLVMGetValueName2(callee, &callee_length), GLUE, strlen(GLUE)) == 0
              ? find_user(callee, depth - 1, is_single_task)
              : NULL;
      if (user)
        return user;
    }
  }
  return NULL;
}

static void find_place(struct sycl_kernel *kernel) {
  LLVMMetadataRef subprogram = kernel->user ? LLVMGetSubprogram(kernel->user) : NULL;
  if (subprogram) {
    unsigned length = 0;
    const char *file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(subprogram), &length);
    snprintf(kernel->place, sizeof kernel->place, "%.*s:%u", (int)length, file, LLVMDISubprogramGetLine(subprogram));
  } else {
    snprintf(kernel->place, sizeof kernel->place, "%s", kernel->unit->path);
  }
  // The list of kernels has a line for each, whatever is in a path.
  for (char *c = kernel->place; (c = strpbrk(c, "\r\n"));)
    *c = ' ';
}

// clang-22 emits a kernel again that uses a static variable of the function around it. LLVM gives the second name a
// point and a number.
static bool is_again(LLVMValueRef kernel) {
  size_t length;
  return strchr(LLVMGetValueName2(kernel, &length), '.');
}

enum status sycl_kernels_find(const struct unit *unit, struct sycl_kernels *kernels) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!ir_is_kernel(f))
      continue;
    if (is_again(f)) {
      LLVMDeleteFunction(f);
      continue;
    }
    size_t length;
    const char *mangled = LLVMGetValueName2(f, &length);
    char *letters = letters_of(mangled);
    if (!letters || strlen(letters) <= HASH_LETTERS) {
      fprintf(stderr, "error: %s: kernel %s was not made by <sycl/sycl.hpp>\n", unit->path, mangled);
      free(letters);
      return STATUS_REJECTED;
    }
    kernels->items = allocated(realloc(kernels->items, (kernels->count + 1) * sizeof *kernels->items));
    struct sycl_kernel *kernel = &kernels->items[kernels->count++];
    *kernel = (struct sycl_kernel){.unit = unit, .entry = f};
    kernel->user = find_user(f, 10, &kernel->is_single_task);
    kernel->name = letters;
    kernel->readable = allocated(strndup(letters, strlen(letters) - HASH_LETTERS));
    const struct sized *sized = kernel->user ? unit_attribute(unit, kernel->user) : NULL;
    snprintf(kernel->size, sizeof kernel->size, "%s", sized ? sized->size : unit->default_size);
    kernel->size_is_standard = sized && sized->is_standard;
    const struct shaped *shaped = kernel->user ? unit_work_group(unit, kernel->user) : NULL;
    if (shaped)
      kernel->work_group = *shaped;
    kernel->aspects = kernel->user ? unit_aspects(unit, kernel->user) : 0;
    find_place(kernel);
  }
  return STATUS_OK;
}

void sycl_kernels_free(struct sycl_kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++) {
    free(kernels->items[i].name);
    free(kernels->items[i].readable);
    free(kernels->items[i].pipes);
  }
  free(kernels->items);
  *kernels = (struct sycl_kernels){0};
}
