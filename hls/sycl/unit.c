// SPDX-License-Identifier: Apache-2.0
// Attributes come as annotations: heddle-sycl++ writes [[intel::sub_group_size(8)]] as
// annotate("heddle.sub_group_size", 8), [[sycl::reqd_sub_group_size(8)]] as
// annotate("heddle.reqd_sub_group_size", 8), [[intel::named_sub_group_size(primary)]] as
// annotate("heddle.sub_group_size", "primary") and [[sycl::reqd_work_group_size(4, 8)]] as
// annotate("heddle.work_group_size", 4, 8), and [[intel::kernel_args_restrict]] as
// annotate("heddle.kernel_args_restrict"), and [[sycl::device_has(sycl::aspect::fp16)]] as
// annotate("heddle.device_has", number of the aspect), which clang knows in every place that a function's attribute may
// have.
#include "hls/sycl/unit.h"

#include <limits.h>
#include <llvm-c/BitReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/kernel_hints.h"
#include "hls/sycl/addresses.h"

#define SUB_GROUP_ANNOTATION "heddle.sub_group_size"
#define STANDARD_SUB_GROUP_ANNOTATION "heddle.reqd_sub_group_size"
#define WORK_GROUP_ANNOTATION "heddle.work_group_size"
#define DEVICE_HAS_ANNOTATION "heddle.device_has"

bool size_is_valid(const char *size) {
  if (strcmp(size, SIZE_PRIMARY) == 0 || strcmp(size, SIZE_AUTOMATIC) == 0)
    return true;
  char *end;
  const unsigned long number = strtoul(size, &end, 10);
  return size[0] >= '1' && size[0] <= '9' && *end == 0 && number <= 1ul << 31 && (number & (number - 1)) == 0;
}

// As SYCL 2020 has it, any number above 0: a device has it or lacks it.
static bool size_is_number(const char *size) {
  char *end;
  const unsigned long number = strtoul(size, &end, 10);
  return size[0] >= '1' && size[0] <= '9' && *end == 0 && number <= UINT32_MAX;
}

const struct sized *unit_attribute(const struct unit *unit, LLVMValueRef function) {
  for (size_t i = 0; i < unit->sized_count; i++)
    if (unit->sized[i].function == function)
      return &unit->sized[i];
  return NULL;
}

const struct shaped *unit_work_group(const struct unit *unit, LLVMValueRef function) {
  for (size_t i = 0; i < unit->shaped_count; i++)
    if (unit->shaped[i].function == function)
      return &unit->shaped[i];
  return NULL;
}

uint64_t unit_aspects(const struct unit *unit, LLVMValueRef function) {
  uint64_t aspects = 0;
  for (size_t i = 0; i < unit->needing_count; i++)
    if (unit->needing[i].function == function)
      aspects |= unit->needing[i].aspects;
  return aspects;
}

// What the annotation's arguments are; NULL: there are none.
static LLVMValueRef arguments_of(LLVMValueRef arguments) {
  arguments = ir_without_casts(arguments);
  return arguments && LLVMIsAGlobalVariable(arguments) ? LLVMGetInitializer(arguments) : NULL;
}

// The annotation's argument as text: a number, or the string it points to.
static bool argument_of(LLVMValueRef arguments, char size[SIZE_BYTES]) {
  LLVMValueRef all = arguments_of(arguments);
  LLVMValueRef first = all && LLVMGetNumOperands(all) == 1 ? LLVMGetOperand(all, 0) : NULL;
  if (!first)
    return false;
  if (LLVMIsAConstantInt(first)) {
    snprintf(size, SIZE_BYTES, "%lld", LLVMConstIntGetSExtValue(first));
    return true;
  }
  size_t length;
  const char *name = ir_constant_string(first, &length);
  if (name)
    snprintf(size, SIZE_BYTES, "%.*s", (int)length, name);
  return name;
}

static enum status add_size(struct sized sized, struct unit *unit) {
  const struct sized *other = unit_attribute(unit, sized.function);
  if (other) {
    // A declaration and the definition may both have it, as long as they agree.
    if (strcmp(other->place, sized.place) != 0 && strcmp(other->size, sized.size) == 0)
      return STATUS_OK;
    fprintf(stderr, "%s: error: only one sub-group size attribute may be on a kernel or SYCL_EXTERNAL function\n",
            sized.place);
    return STATUS_REJECTED;
  }
  unit->sized = realloc(unit->sized, (unit->sized_count + 1) * sizeof *unit->sized);
  if (!unit->sized)
    abort();
  unit->sized[unit->sized_count++] = sized;
  return STATUS_OK;
}

static enum status take_size(LLVMValueRef function, const char *place, LLVMValueRef arguments, bool is_standard,
                             struct unit *unit) {
  struct sized sized = {.function = function, .is_standard = is_standard};
  snprintf(sized.place, sizeof sized.place, "%s", place);
  if (argument_of(arguments, sized.size) && (is_standard ? size_is_number(sized.size) : size_is_valid(sized.size)))
    return add_size(sized, unit);
  fprintf(stderr, "%s: error: a sub-group size is a %s, not %s\n", place,
          is_standard ? "number above 0" : "power of two, primary or automatic",
          sized.size[0] != 0 ? sized.size : "this");
  return STATUS_REJECTED;
}

static enum status take_sub_group(LLVMValueRef function, const char *place, LLVMValueRef arguments, struct unit *unit) {
  return take_size(function, place, arguments, false, unit);
}

static enum status take_standard_sub_group(LLVMValueRef function, const char *place, LLVMValueRef arguments,
                                           struct unit *unit) {
  return take_size(function, place, arguments, true, unit);
}

static enum status take_work_group(LLVMValueRef function, const char *place, LLVMValueRef arguments,
                                   struct unit *unit) {
  LLVMValueRef all = arguments_of(arguments);
  const int count = all ? LLVMGetNumOperands(all) : 0;
  struct shaped shaped = {.function = function, .dimensions = (unsigned)count};
  snprintf(shaped.place, sizeof shaped.place, "%s", place);
  bool is_valid = count >= 1 && count <= 3;
  for (int i = 0; i < count && is_valid; i++) {
    LLVMValueRef number = LLVMGetOperand(all, (unsigned)i);
    const long long size = LLVMIsAConstantInt(number) ? LLVMConstIntGetSExtValue(number) : 0;
    is_valid = size >= 1 && size <= UINT32_MAX;
    shaped.size[i] = (unsigned)size;
  }
  if (!is_valid) {
    fprintf(stderr, "%s: error: the size of a work-group is one to three numbers above 0\n", place);
    return STATUS_REJECTED;
  }
  const struct shaped *other = unit_work_group(unit, function);
  if (other) {
    if (other->dimensions == shaped.dimensions && memcmp(other->size, shaped.size, sizeof shaped.size) == 0)
      return STATUS_OK;
    fprintf(stderr, "%s: error: a kernel has one work-group size\n", place);
    return STATUS_REJECTED;
  }
  unit->shaped = realloc(unit->shaped, (unit->shaped_count + 1) * sizeof *unit->shaped);
  if (!unit->shaped)
    abort();
  unit->shaped[unit->shaped_count++] = shaped;
  return STATUS_OK;
}

static enum status take_device_has(LLVMValueRef function, const char *place, LLVMValueRef arguments,
                                   struct unit *unit) {
  LLVMValueRef all = arguments_of(arguments);
  const unsigned count = all ? LLVMCountStructElementTypes(LLVMTypeOf(all)) : 0;
  struct needing needing = {.function = function};
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef number = LLVMGetAggregateElement(all, i);
    const unsigned long long aspect = LLVMIsAConstantInt(number) ? LLVMConstIntGetZExtValue(number) : ULLONG_MAX;
    if (aspect >= CHAR_BIT * sizeof needing.aspects) {
      fprintf(stderr, "%s: error: [[sycl::device_has]] takes aspects\n", place);
      return STATUS_REJECTED;
    }
    needing.aspects |= UINT64_C(1) << aspect;
  }
  unit->needing = realloc(unit->needing, (unit->needing_count + 1) * sizeof *unit->needing);
  if (!unit->needing)
    abort();
  unit->needing[unit->needing_count++] = needing;
  return STATUS_OK;
}

static enum status take_args_restrict(LLVMValueRef function, const char *place, LLVMValueRef arguments,
                                      struct unit *unit) {
  (void)place, (void)arguments, (void)unit;
  ir_set_string_attribute(function, KERNEL_HINTS_ARGS_RESTRICT, "1");
  return STATUS_OK;
}

static enum status take_verilog_module(LLVMValueRef function, const char *place, LLVMValueRef arguments,
                                       struct unit *unit) {
  (void)place, (void)unit;
  kernel_hints_set_verilog_module(function, arguments);
  return STATUS_OK;
}

// One entry of llvm.global.annotations: what, annotation, file, line, arguments.
static enum status take_annotation(LLVMValueRef entry, struct unit *unit) {
  size_t length, file_length;
  char place[PLACE_BYTES];
  LLVMValueRef function = ir_without_casts(LLVMGetOperand(entry, 0));
  const char *annotation = ir_constant_string(LLVMGetOperand(entry, 1), &length);
  if (!annotation || !function || !LLVMIsAFunction(function))
    return STATUS_OK;
  const char *file = ir_constant_string(LLVMGetOperand(entry, 2), &file_length);
  snprintf(place, sizeof place, "%.*s:%llu", file ? (int)file_length : 0, file ? file : "",
           LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 3)));
  const struct {
    const char *text;
    enum status (*take)(LLVMValueRef, const char *, LLVMValueRef, struct unit *);
  } kinds[] = {
      {SUB_GROUP_ANNOTATION, take_sub_group},           {STANDARD_SUB_GROUP_ANNOTATION, take_standard_sub_group},
      {WORK_GROUP_ANNOTATION, take_work_group},         {DEVICE_HAS_ANNOTATION, take_device_has},
      {KERNEL_HINTS_ARGS_RESTRICT, take_args_restrict}, {KERNEL_HINTS_VERILOG_MODULE, take_verilog_module}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (length == strlen(kinds[i].text) && strncmp(annotation, kinds[i].text, length) == 0)
      return kinds[i].take(function, place, LLVMGetOperand(entry, 4), unit);
  return STATUS_OK;
}

static enum status take_annotations(struct unit *unit) {
  LLVMValueRef all = LLVMGetNamedGlobal(unit->module, "llvm.global.annotations");
  if (!all)
    return STATUS_OK;
  enum status status = STATUS_OK;
  LLVMValueRef list = LLVMGetInitializer(all);
  const int count = LLVMGetNumOperands(list);
  for (int i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);
    if (LLVMGetNumOperands(entry) == 5 && take_annotation(entry, unit) != STATUS_OK)
      status = STATUS_REJECTED;
  }
  LLVMDeleteGlobal(all);
  return status;
}

enum status unit_read(LLVMContextRef context, const char *argument, struct unit *unit) {
  const char *colon = strchr(argument, ':');
  if (!colon || colon - argument >= SIZE_BYTES) {
    fprintf(stderr, "heddle-sycl-link: %s is not SIZE:FILE\n", argument);
    return STATUS_INVALID_OPTIONS;
  }
  *unit = (struct unit){.path = colon + 1};
  snprintf(unit->default_size, sizeof unit->default_size, "%.*s", (int)(colon - argument), argument);
  if (!size_is_valid(unit->default_size)) {
    fprintf(stderr, "heddle-sycl-link: a sub-group size is a power of two, primary or automatic, not %s\n",
            unit->default_size);
    return STATUS_INVALID_OPTIONS;
  }
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(unit->path, &buffer, &message)) {
    fprintf(stderr, "heddle-sycl-link: %s\n", message);
    LLVMDisposeMessage(message);
    return STATUS_INVALID_OPTIONS;
  }
  const LLVMBool is_broken = LLVMParseBitcodeInContext2(context, buffer, &unit->module);
  LLVMDisposeMemoryBuffer(buffer);
  if (is_broken) {
    fprintf(stderr, "error: %s holds no device code of this compiler\n", unit->path);
    return STATUS_REJECTED;
  }
  if (!addresses_are_wide(unit->module)) {
    fprintf(stderr, "error: %s was compiled by another version of heddle-sycl++; compile it again\n", unit->path);
    return STATUS_REJECTED;
  }
  return take_annotations(unit);
}

void unit_free(struct unit *unit) {
  free(unit->sized);
  free(unit->shaped);
  free(unit->needing);
  unit->needing = NULL;
  unit->sized = NULL;
  unit->shaped = NULL;
}
