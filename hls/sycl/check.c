// SPDX-License-Identifier: Apache-2.0
// Walks from each kernel through what it calls, depth first, over code that is not yet optimised: what is found does
// not depend on what an optimiser could have made of it. A place is the innermost on the way that is the user's own,
// not in a header of the system or of ours.
#include "hls/sycl/check.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/sycl/c_functions.h"
#include "hls/sycl/places.h"

enum { DEPTH_MAX = 512, NAME_BYTES = 512 };

// The one variable of kernels (include/sycl/atomic_ref.hpp).
#define LOCK_NAME "heddle_sycl_lock"

// A call on the way, and in which unit.
struct step {
  LLVMValueRef call, function;
  const struct unit *unit;
};

struct walk {
  const struct unit *units;
  size_t unit_count;
  const struct sycl_kernel *kernel;
  bool is_alone;
  struct step path[DEPTH_MAX];
  size_t depth;
  LLVMValueRef *seen;  // functions that are done, variables that have been told
  size_t seen_count;
  enum status status;
};

// ---- messages

static bool print_if_users(LLVMValueRef instruction) {
  unsigned length = 0;
  const char *file = instruction ? LLVMGetDebugLocFilename(instruction, &length) : NULL;
  const unsigned line = file ? LLVMGetDebugLocLine(instruction) : 0;
  if (line == 0 || !place_is_users(file, length))
    return false;
  fprintf(stderr, "%.*s:%u:%u: ", (int)length, file, line, LLVMGetDebugLocColumn(instruction));
  return true;
}

// Begins a message: "file:line:column: error: kernel 'Scale' ".
static void begin(struct walk *walk, LLVMValueRef at) {
  walk->status = STATUS_REJECTED;
  bool is_said = print_if_users(at);
  for (size_t i = walk->depth; i > 0 && !is_said; i--)
    is_said = print_if_users(walk->path[i - 1].call);
  if (!is_said)
    fprintf(stderr, "%s: ", walk->kernel->place);
  fprintf(stderr, "error: kernel '%s' ", walk->kernel->readable);
}

static void end(const struct walk *walk) {
  fprintf(stderr, "\n%s: note: the kernel is here\n", walk->kernel->place);
}

// What the source calls a function or variable: of a mangled name the last identifier that is not an argument's, `foo`
// of _Z3fooi, `bar` of _ZN1A3barEv, `calls` of _ZZ4nextiE5calls.
static const char *name_of(LLVMValueRef value, char text[NAME_BYTES]) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  snprintf(text, NAME_BYTES, "%s", name);
  if (strncmp(name, "_Z", 2) != 0)
    return text;
  const char *at = name + 2;
  if (*at == 'Z') {  // of a function's own
    const char *end = strrchr(at, 'E');
    at = end ? end + 1 : at;
  }
  at += strspn(at, "NKLZ");
  while (*at >= '1' && *at <= '9') {
    char *identifier;
    const unsigned long count = strtoul(at, &identifier, 10);
    if (count > strlen(identifier))
      break;
    snprintf(text, NAME_BYTES, "%.*s", (int)count, identifier);
    at = identifier + count;
  }
  return text;
}

// ---- what is wrong

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

// A name that no function of a kernel has, in words; NULL: it is none of these.
static const char *forbidden(const char *name) {
  static const struct {
    const char *start, *words;
  } all[] = {
      {"_Znw", "uses new; the device has no heap"},
      {"_Zna", "uses new; the device has no heap"},
      {"_Zdl", "uses delete; the device has no heap"},
      {"_Zda", "uses delete; the device has no heap"},
      {"__cxa_throw", "throws an exception; the device has none"},
      {"__cxa_rethrow", "throws an exception; the device has none"},
      {"__cxa_allocate_exception", ""},  // with the throw
      {"__cxa_free_exception", ""},
      {"_ZSt17__throw_bad_alloc", "allocates memory; the device has no heap"},
      {"__cxa_pure_virtual", "calls a virtual function that has no body"},
      {"__dynamic_cast", "uses dynamic_cast; the device has no type information"},
      {"__cxa_guard_", ""},  // with the variable
      {"__cxa_atexit", ""},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (starts_with(name, all[i].start))
      return all[i].words;
  static const char *const heap[] = {"malloc", "calloc", "realloc", "free", "aligned_alloc"};
  for (size_t i = 0; i < sizeof heap / sizeof *heap; i++)
    if (strcmp(name, heap[i]) == 0)
      return "allocates or frees memory; the device has no heap";
  return strstr(name, "__throw_") ? "may throw an exception; the device has none" : NULL;
}

static bool is_seen(const struct walk *walk, LLVMValueRef value) {
  for (size_t i = 0; i < walk->seen_count; i++)
    if (walk->seen[i] == value)
      return true;
  return false;
}

static void set_seen(struct walk *walk, LLVMValueRef value) {
  walk->seen = realloc(walk->seen, (walk->seen_count + 1) * sizeof(LLVMValueRef));
  if (!walk->seen)
    abort();
  walk->seen[walk->seen_count++] = value;
}

static void check_variable(struct walk *walk, LLVMValueRef variable, LLVMValueRef at) {
  size_t length;
  char text[NAME_BYTES];
  const char *name = LLVMGetValueName2(variable, &length);
  const char *words = LLVMIsThreadLocal(variable) || !LLVMIsGlobalConstant(variable) ? "which is not constant"
                      : LLVMIsDeclaration(variable) && !starts_with(name, "_ZTV") && !starts_with(name, "_ZTI")
                          ? "whose value is not known here"
                          : NULL;
  if (words && strcmp(name, LOCK_NAME) != 0 && !starts_with(name, "llvm.") && !starts_with(name, "_ZGV") &&
      !is_seen(walk, variable)) {
    set_seen(walk, variable);
    begin(walk, at);
    fprintf(stderr, "uses the variable '%s', %s", name_of(variable, text), words);
    end(walk);
  }
}

// Variables that an operand names, also inside a constant.
static void check_operand(struct walk *walk, LLVMValueRef operand, LLVMValueRef at) {
  if (LLVMIsAGlobalVariable(operand)) {
    check_variable(walk, operand, at);
  } else if (LLVMIsAConstantExpr(operand)) {
    const int count = LLVMGetNumOperands(operand);
    for (int i = 0; i < count; i++)
      check_operand(walk, LLVMGetOperand(operand, (unsigned)i), at);
  }
}

static const struct unit *unit_that_defines(const struct walk *walk, const char *name, LLVMValueRef *function) {
  for (size_t i = 0; i < walk->unit_count; i++) {
    LLVMValueRef found = LLVMGetNamedFunction(walk->units[i].module, name);
    if (found && !LLVMIsDeclaration(found) && LLVMGetLinkage(found) != LLVMInternalLinkage) {
      *function = found;
      return &walk->units[i];
    }
  }
  return NULL;
}

// Whether a function has the kernel's size; if not, says so.
static bool compare_size(struct walk *walk, LLVMValueRef call, LLVMValueRef callee, const struct unit *unit,
                         bool has_default, const char *how) {
  const struct sized *sized = unit_attribute(unit, callee);
  const char *size = sized ? sized->size : unit->default_size;
  char text[NAME_BYTES];
  if ((sized || has_default) && strcmp(size, walk->kernel->size) != 0) {
    begin(walk, call);
    fprintf(stderr, "has sub-group size %s but calls '%s', which is %s with %s%s", walk->kernel->size,
            name_of(callee, text), how, size, !sized ? ", as it has no attribute there" : "");
    end(walk);
    if (sized)
      fprintf(stderr, "%s: note: the function is here\n", sized->place);
    return false;
  }
  return true;
}

static void visit(struct walk *walk, LLVMValueRef function, const struct unit *unit);

static void enter(struct walk *walk, LLVMValueRef call, LLVMValueRef callee, const struct unit *unit) {
  char text[NAME_BYTES];
  for (size_t i = 0; i < walk->depth; i++) {
    if (walk->path[i].function == callee) {
      begin(walk, call);
      fprintf(stderr, "calls '%s', which calls itself; the device has no recursion", name_of(callee, text));
      end(walk);
      return;
    }
  }
  if (walk->depth == DEPTH_MAX) {
    begin(walk, call);
    fprintf(stderr, "has calls that are more than %d deep", DEPTH_MAX);
    end(walk);
    return;
  }
  walk->path[walk->depth++] = (struct step){.call = call, .function = callee, .unit = unit};
  visit(walk, callee, unit);
  walk->depth--;
}

static void check_missing(struct walk *walk, LLVMValueRef call, LLVMValueRef callee, const struct unit *unit) {
  size_t length;
  char text[NAME_BYTES];
  const char *name = LLVMGetValueName2(callee, &length);
  const char *words = forbidden(name);
  LLVMValueRef function;
  if (words) {
    if (words[0] != 0) {
      begin(walk, call);
      fprintf(stderr, "%s", words);
      end(walk);
    }
    return;
  }
  if (starts_with(name, BUILTIN_PREFIX) || library_function(name) || c_function_is_known(callee))
    return;
  if (!compare_size(walk, call, callee, unit, true, "declared") || walk->is_alone)
    return;
  const struct unit *other = unit_that_defines(walk, name, &function);
  if (!other) {
    begin(walk, call);
    fprintf(stderr, "calls '%s', which is not defined for the device%s", name_of(callee, text),
            starts_with(name, "_Z") ? ": is it SYCL_EXTERNAL, and linked?" : "");
    end(walk);
    return;
  }
  if (compare_size(walk, call, function, other, true, "defined"))
    enter(walk, call, function, other);
}

// A call through a pointer: clang calls the pointer of a virtual function `vfn` (or, when optimised, `vtable`).
static void check_pointer(struct walk *walk, LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  LLVMValueRef from = LLVMIsALoadInst(callee) ? LLVMGetOperand(callee, 0) : callee;
  const char *name = LLVMGetValueName2(from, &length);
  begin(walk, call);
  fprintf(stderr, "calls %s; the device has calls by name only",
          starts_with(name, "vfn") || starts_with(name, "vtable") || starts_with(name, "memptr.virtual")
              ? "a virtual function"
              : "a function through a pointer");
  end(walk);
}

static void visit_instruction(struct walk *walk, LLVMValueRef at, const struct unit *unit) {
  const bool is_call = LLVMIsACallInst(at) || LLVMIsAInvokeInst(at);
  LLVMValueRef callee = is_call ? LLVMGetCalledValue(at) : NULL;
  const int count = LLVMGetNumOperands(at);
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
    if (operand && operand != callee && LLVMIsAConstant(operand))
      check_operand(walk, operand, at);
  }
  if (!is_call || LLVMIsAInlineAsm(callee))
    return;
  if (!LLVMIsAFunction(callee)) {
    check_pointer(walk, at);
  } else if (c_function_is_missing(callee)) {
    size_t length;
    begin(walk, at);
    fprintf(stderr, "calls '%s', which the device does not have", LLVMGetValueName2(callee, &length));
    end(walk);
  } else if (LLVMGetIntrinsicID(callee) == 0) {
    if (LLVMIsDeclaration(callee))
      check_missing(walk, at, callee, unit);
    else if (compare_size(walk, at, callee, unit, false, "defined"))
      enter(walk, at, callee, unit);
  }
}

static void visit(struct walk *walk, LLVMValueRef function, const struct unit *unit) {
  if (is_seen(walk, function))
    return;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      visit_instruction(walk, at, unit);
  set_seen(walk, function);
}

enum status check_kernels(const struct unit *units, size_t count, const struct sycl_kernels *kernels, bool is_alone) {
  enum status status = STATUS_OK;
  struct walk *walk = malloc(sizeof *walk);
  if (!walk)
    abort();
  for (size_t i = 0; i < kernels->count; i++) {
    const struct sycl_kernel *kernel = &kernels->items[i];
    for (size_t j = 0; j < i; j++) {
      if (strcmp(kernels->items[j].name, kernel->name) == 0) {
        fprintf(stderr, "%s: error: kernel '%s' is there twice\n%s: note: the other is here\n", kernel->place,
                kernel->readable, kernels->items[j].place);
        status = STATUS_REJECTED;
      }
    }
    *walk = (struct walk){.units = units, .unit_count = count, .kernel = kernel, .is_alone = is_alone};
    enter(walk, NULL, kernel->entry, kernel->unit);
    free(walk->seen);
    status = walk->status != STATUS_OK ? walk->status : status;
  }
  free(walk);
  return status;
}
