// SPDX-License-Identifier: Apache-2.0
// Hints for a kernel's hardware: from the front end's annotations to attributes of its function (kernel_hints.h).
#include "hls/kernel_hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"

#define SIMD_WORK_ITEMS "heddle.num_simd_work_items"
#define COMPUTE_UNITS "heddle.num_compute_units"
#define AUTORUN "heddle.autorun"

const char *const kernel_hints_macros[KERNEL_HINTS_MACROS] = {
    "-Dnum_simd_work_items(...)=annotate(\"" SIMD_WORK_ITEMS "\",__VA_ARGS__)",
    "-Dnum_compute_units(...)=annotate(\"" COMPUTE_UNITS "\",__VA_ARGS__)",
    "-Dverilog_module(...)=annotate(\"" KERNEL_HINTS_VERILOG_MODULE "\",__VA_ARGS__)",
    "-Dmax_global_work_dim(dimensions)=__heddle_work_dim_##dimensions",
    "-D__heddle_work_dim_0=reqd_work_group_size(1,1,1)",
    "-D__heddle_work_dim_1=annotate(\"heddle.work_dim\")",
    "-D__heddle_work_dim_2=__heddle_work_dim_1",
    "-D__heddle_work_dim_3=__heddle_work_dim_1",
};

enum { MOST_VALUES = 8, VALUES_BYTES = 512 };

// Fields of an annotation.
enum { OF_FUNCTION, OF_TEXT, OF_FILE, OF_LINE, OF_ARGUMENTS, FIELDS };

// The values of an annotation, with commas. A number that does not fit is the largest; what is neither number nor
// string is 0. Strings stand as they are, as far as there is room.
static void values_of(LLVMValueRef arguments, char *text, size_t room) {
  LLVMValueRef global = ir_without_casts(arguments);
  LLVMValueRef values = LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
  const int count = values && LLVMIsAConstantStruct(values) ? LLVMGetNumOperands(values) : 0;
  size_t used = 0, length;
  text[0] = '\0';
  for (int i = 0; i < count && i < MOST_VALUES && used < room; i++) {
    LLVMValueRef one = LLVMGetOperand(values, (unsigned)i);
    const char *string = LLVMIsAConstantInt(one) ? NULL : ir_constant_string(one, &length), *before = i > 0 ? "," : "";
    const uint64_t value = LLVMIsAConstantInt(one) ? LLVMConstIntGetZExtValue(one) : 0;
    used += (size_t)(string ? snprintf(text + used, room - used, "%s%.*s", before,
                                       (int)(length < VALUES_BYTES ? length : VALUES_BYTES), string)
                            : snprintf(text + used, room - used, "%s%u", before,
                                       value > UINT32_MAX ? UINT32_MAX : (uint32_t)value));
  }
}

static void set(LLVMValueRef function, const char *name, LLVMValueRef arguments) {
  char value[VALUES_BYTES];
  values_of(arguments, value, sizeof value);
  ir_set_string_attribute(function, name, value);
}

void kernel_hints_set_verilog_module(LLVMValueRef function, LLVMValueRef arguments) {
  set(function, KERNEL_HINTS_VERILOG_MODULE, arguments);
}

static void take(LLVMValueRef annotation) {
  if (LLVMGetNumOperands(annotation) != FIELDS)
    return;
  size_t length;
  LLVMValueRef function = ir_without_casts(LLVMGetOperand(annotation, OF_FUNCTION));
  const char *name = ir_constant_string(LLVMGetOperand(annotation, OF_TEXT), &length);
  if (!LLVMIsAFunction(function) || !name)
    return;
  static const char *const known[] = {SIMD_WORK_ITEMS, COMPUTE_UNITS, AUTORUN, KERNEL_HINTS_VERILOG_MODULE};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (length == strlen(known[i]) && memcmp(name, known[i], length) == 0)
      set(function, known[i], LLVMGetOperand(annotation, OF_ARGUMENTS));
}

void kernel_hints_take(LLVMModuleRef module) {
  LLVMValueRef all = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  if (!all)
    return;
  LLVMValueRef list = LLVMGetInitializer(all);
  for (int i = 0; list && i < LLVMGetNumOperands(list); i++)
    take(LLVMGetOperand(list, (unsigned)i));
  LLVMDeleteGlobal(all);
  // Their texts and numbers, which nothing else uses.
  for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    const char *section = LLVMGetSection(g);
    if (section && strcmp(section, "llvm.metadata") == 0 && !LLVMGetFirstUse(g))
      LLVMDeleteGlobal(g);
  }
}

// What an attribute has, up to three numbers; returns how many.
static unsigned read_numbers(LLVMValueRef function, const char *name, uint32_t numbers[KERNEL_HINTS_DIMENSIONS]) {
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                             name, (unsigned)strlen(name));
  unsigned length, count = 0;
  const char *text = attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
  while (*text != '\0' && count < KERNEL_HINTS_DIMENSIONS) {
    char *end;
    numbers[count++] = (uint32_t)strtoul(text, &end, 10);
    text = *end == ',' ? end + 1 : "";
  }
  return count;
}

// Their product, of which one that does not fit is the largest number. 0: there are none.
static uint32_t number_of(LLVMValueRef function, const char *name) {
  uint32_t numbers[KERNEL_HINTS_DIMENSIONS];
  const unsigned count = read_numbers(function, name, numbers);
  uint64_t product = count > 0 ? 1 : 0;
  for (unsigned i = 0; i < count; i++) {
    product *= numbers[i];
    product = product > UINT32_MAX ? UINT32_MAX : product;
  }
  return (uint32_t)product;
}

uint32_t kernel_hints_simd_work_items(LLVMValueRef function) {
  return number_of(function, SIMD_WORK_ITEMS);
}

uint32_t kernel_hints_compute_units(LLVMValueRef function) {
  return number_of(function, COMPUTE_UNITS);
}

unsigned kernel_hints_compute_unit_sizes(LLVMValueRef function, uint32_t sizes[KERNEL_HINTS_DIMENSIONS]) {
  return read_numbers(function, COMPUTE_UNITS, sizes);
}

void kernel_hints_clear_compute_units(LLVMValueRef function) {
  LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, COMPUTE_UNITS,
                                   sizeof COMPUTE_UNITS - 1);
}

bool kernel_hints_args_restrict(LLVMValueRef function) {
  return number_of(function, KERNEL_HINTS_ARGS_RESTRICT) != 0;
}

bool kernel_hints_is_restrict(LLVMValueRef function, unsigned argument) {
  return kernel_hints_args_restrict(function) || ir_parameter_attribute(function, argument, "noalias");
}

bool kernel_hints_verilog_module(LLVMValueRef function, const char **text, unsigned *length) {
  LLVMAttributeRef attribute =
      LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    KERNEL_HINTS_VERILOG_MODULE, sizeof KERNEL_HINTS_VERILOG_MODULE - 1);
  *text = attribute ? LLVMGetStringAttributeValue(attribute, length) : NULL;
  return !!*text;
}

bool kernel_hints_autorun(LLVMValueRef function) {
  return number_of(function, AUTORUN) != 0;
}

bool kernel_hints_single_task(LLVMValueRef function) {
  return number_of(function, KERNEL_HINTS_SINGLE_TASK) != 0;
}
