// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/verilog_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/kernel_hints.h"

// A function without a body has all that is known of its module in its name: PREFIX gray.2.10.20.0 and a number.
#define PREFIX "__heddle_verilog."

bool verilog_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool verilog_is_name(const char *text, size_t length) {
  bool is = length > 0 && length < VERILOG_NAME_BYTES && verilog_is_letter(*text);
  for (size_t i = 0; i < length; i++)
    is &= verilog_is_letter(text[i]) || (text[i] >= '0' && text[i] <= '9');
  return is;
}

// NAME,LATENCY or NAME,LATENCY,LUT4,FLIP_FLOPS,MULTIPLIERS.
static bool read_values(const char *text, size_t length, struct verilog_function *function) {
  char values[VERILOG_NAME_BYTES + 64];
  int end = 0, all = 0;
  if (length >= sizeof values)
    return false;
  memcpy(values, text, length);
  values[length] = 0;
  const size_t name = strcspn(values, ",");
  if (!verilog_is_name(values, name))
    return false;
  memcpy(function->module, values, name);
  const int count = sscanf(values + name, ",%u%n,%u,%u,%u%n", &function->latency, &end, &function->lut, &function->ff,
                           &function->dsp, &all);
  const int used = count == 4 ? all : count == 1 ? end : -1;
  return used >= 0 && name + (size_t)used == length;
}

static bool is_port(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
         (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
}

// Why a function cannot be a module; NULL: it can.
static const char *obstacle(LLVMValueRef f, const struct verilog_function *function) {
  static char text[160];
  LLVMTypeRef type = LLVMGlobalGetValueType(f), types[VERILOG_MOST_INPUTS];
  const unsigned count = LLVMCountParamTypes(type);
  if (function->latency > VERILOG_MOST_LATENCY) {
    snprintf(text, sizeof text, "its latency of %u cycles is more than %d", function->latency, VERILOG_MOST_LATENCY);
    return text;
  }
  if (LLVMIsFunctionVarArg(type) || count == 0 || count > VERILOG_MOST_INPUTS) {
    snprintf(text, sizeof text, "a module has one to %d arguments", VERILOG_MOST_INPUTS);
    return text;
  }
  LLVMGetParamTypes(type, types);
  bool has_ports = is_port(LLVMGetReturnType(type));
  for (unsigned i = 0; i < count; i++)
    has_ports &= is_port(types[i]);
  return has_ports ? NULL
                   : "a module takes and gives integers of up to 64 bits and floats; as_ulong makes bits of others";
}

static enum status refuse(LLVMValueRef f, const char *why) {
  int length;
  const char *name = ir_source_name(f, &length);
  ir_print_place_of_function(f);
  fprintf(stderr, "error: function '%.*s' cannot be a module of Verilog: %s\n", length, name, why);
  return STATUS_REJECTED;
}

// The function that takes its place.
static LLVMValueRef declare(LLVMValueRef f, const struct verilog_function *function, unsigned number) {
  char name[VERILOG_NAME_BYTES + 96];
  snprintf(name, sizeof name, PREFIX "%s.%u.%u.%u.%u.%u", function->module, function->latency, function->lut,
           function->ff, function->dsp, number);
  LLVMValueRef made = LLVMAddFunction(LLVMGetGlobalParent(f), name, LLVMGlobalGetValueType(f));
  LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(f));
  return made;
}

enum status verilog_functions_open(LLVMModuleRef module) {
  enum status status = STATUS_OK;
  unsigned number = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f && status == STATUS_OK; f = next) {
    const char *text;
    unsigned length;
    next = LLVMGetNextFunction(f);
    if (LLVMIsDeclaration(f) || !kernel_hints_verilog_module(f, &text, &length))
      continue;
    struct verilog_function function = {.latency = 0};
    const char *why = ir_is_kernel(f)                         ? "it is a kernel"
                      : !read_values(text, length, &function) ? "verilog_module(\"NAME\", LATENCY) has the name of a "
                                                                "module and cycles, and may have LUT4, flip-flops "
                                                                "and multipliers"
                                                              : obstacle(f, &function);
    if (why) {
      status = refuse(f, why);
      continue;
    }
    LLVMValueRef made = declare(f, &function, number++);
    LLVMReplaceAllUsesWith(f, made);
    ir_make_pure(made);
    LLVMDeleteFunction(f);
  }
  return status;
}

bool verilog_function_of(LLVMValueRef value, struct verilog_function *function) {
  size_t length;
  const char *name = value && LLVMIsAFunction(value) ? LLVMGetValueName2(value, &length) : "";
  if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 || !LLVMIsDeclaration(value))
    return false;
  name += strlen(PREFIX);
  const size_t end = strcspn(name, ".");
  memset(function, 0, sizeof *function);
  memcpy(function->module, name, end < VERILOG_NAME_BYTES ? end : VERILOG_NAME_BYTES - 1);
  return sscanf(name + end, ".%u.%u.%u.%u", &function->latency, &function->lut, &function->ff, &function->dsp) == 4;
}
