// SPDX-License-Identifier: Apache-2.0
// The primitives by name and constant operands (primitives.h). Numbers are those of contract/DEVICE.md.
#include "hls/pipeline/primitives.h"

#include <llvm-c/DebugInfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contract/csrs.h"
#include "contract/device_map.h"
#include "hls/ir.h"
#include "hls/printf.h"

static const char argument_word[] = "__heddle_argument_word";
static const char packet_word[] = "__heddle_packet_word";
// As those of the same names without "polled", but that 0 comes at once where there is no packet, or no room.
static const char polled_read[] = "__heddle_pipe_polled_read", polled_write[] = "__heddle_pipe_polled_write";
// As those without "awaited", which the built-in library calls, but that 0 never comes (pipe_waits.h).
static const char awaited_read[] = "__heddle_pipe_awaited_read", awaited_write[] = "__heddle_pipe_awaited_write";

enum effect { COMPUTES, ORDERS };  // ORDERS: stays where it is among memory accesses, and its lanes stay together

static const struct {
  const char *name;
  enum effect effect;
} functions[] = {
    {"__heddle_csr", COMPUTES},
    {"__heddle_packet_word", COMPUTES},
    {"__heddle_argument_word", COMPUTES},
    {"__heddle_clock", ORDERS},
    {"__heddle_collective", ORDERS},
    {"__heddle_wide_collective", ORDERS},
    {"__heddle_barrier", ORDERS},
    {"__heddle_float_of_int", COMPUTES},
    {"__heddle_float_of_uint", COMPUTES},
    {"__heddle_int_of_float", COMPUTES},
    {"__heddle_uint_of_float", COMPUTES},
    {"__heddle_pipe_read", ORDERS},
    {"__heddle_pipe_word", ORDERS},
    {"__heddle_pipe_write", ORDERS},
    {PRINTF_LAYOUT_NUMBER, COMPUTES},
    {polled_read, ORDERS},
    {polled_write, ORDERS},
    {awaited_read, ORDERS},
    {awaited_write, ORDERS},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_named(LLVMValueRef function, const char *name) {
  size_t length;
  const char *own = LLVMGetValueName2(function, &length);
  return length == strlen(name) && memcmp(own, name, length) == 0;
}

static size_t index_of(LLVMValueRef function) {
  size_t i = 0;
  while (i < FUNCTIONS && !is_named(function, functions[i].name))
    i++;
  return i;
}

bool primitive_is(LLVMValueRef function) {
  return LLVMIsAFunction(function) && LLVMIsDeclaration(function) && index_of(function) < FUNCTIONS;
}

static void describe(LLVMValueRef function) {
  if (functions[index_of(function)].effect == COMPUTES) {
    ir_make_pure(function);
    return;
  }
  ir_add_attribute(function, "nounwind");
  ir_add_attribute(function, "willreturn");
  ir_add_attribute(function, "convergent");
}

void primitives_describe(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (primitive_is(f))
      describe(f);
}

static unsigned number(LLVMValueRef call, unsigned operand) {
  LLVMValueRef value = LLVMGetOperand(call, operand);
  return LLVMIsAConstantInt(value) ? (unsigned)LLVMConstIntGetZExtValue(value) : UINT32_MAX;
}

static struct primitive of_csr(unsigned csr) {
  static const struct {
    unsigned first;
    enum primitive_meaning meaning;
    unsigned count;
  } csrs[] = {
      {HEDDLE_CSR_LOCAL_ID_X, PRIMITIVE_LOCAL_ID, 3},
      {HEDDLE_CSR_GROUP_ID_X, PRIMITIVE_GROUP_ID, 3},
      {HEDDLE_CSR_LOCAL_SIZE_X, PRIMITIVE_LOCAL_SIZE, 3},
      {HEDDLE_CSR_SUB_GROUP_ID, PRIMITIVE_SUB_GROUP_ID, 1},
      {HEDDLE_CSR_LANE, PRIMITIVE_SUB_GROUP_LOCAL_ID, 1},
      {HEDDLE_CSR_SUB_GROUP_SIZE, PRIMITIVE_SUB_GROUP_SIZE, 1},
      {HEDDLE_CSR_NUM_SUB_GROUPS, PRIMITIVE_NUM_SUB_GROUPS, 1},
      {HEDDLE_CSR_GLOBAL_ID_X, PRIMITIVE_GLOBAL_ID, 3},
  };
  for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
    if (csr - csrs[i].first < csrs[i].count)
      return (struct primitive){.meaning = csrs[i].meaning, .dimension = csr - csrs[i].first};
  return (struct primitive){.meaning = PRIMITIVE_NONE};
}

static struct primitive of_packet_word(unsigned word) {
  static const enum primitive_meaning meanings[HEDDLE_PACKET_WORDS] = {
      PRIMITIVE_WORK_DIM,
      PRIMITIVE_GLOBAL_SIZE,
      PRIMITIVE_GLOBAL_SIZE,
      PRIMITIVE_GLOBAL_SIZE,
      PRIMITIVE_GLOBAL_OFFSET,
      PRIMITIVE_GLOBAL_OFFSET,
      PRIMITIVE_GLOBAL_OFFSET,
      PRIMITIVE_ENQUEUED_LOCAL_SIZE,
      PRIMITIVE_ENQUEUED_LOCAL_SIZE,
      PRIMITIVE_ENQUEUED_LOCAL_SIZE,
      PRIMITIVE_NUM_GROUPS,
      PRIMITIVE_NUM_GROUPS,
      PRIMITIVE_NUM_GROUPS,
      PRIMITIVE_ENQUEUED_NUM_SUB_GROUPS,
      PRIMITIVE_MAX_SUB_GROUP_SIZE,
      PRIMITIVE_PRINTF_BUFFER,
  };
  if (word >= HEDDLE_PACKET_WORDS)
    return (struct primitive){.meaning = PRIMITIVE_NONE};
  const bool has_dimension = word >= 1 && word <= 12;
  return (struct primitive){
      .meaning = meanings[word], .dimension = has_dimension ? (word - 1) % 3 : 0, .packet_word = word};
}

static bool is_operator(unsigned number) {
#define IS_NUMBER(NAME, name, its, ...) || number == (its)
  return false HEDDLE_COLLECTIVE_OPERATORS(IS_NUMBER, );
#undef IS_NUMBER
}

// Of 32 bits, and of 64, where the instructions' codes are the same.
static struct primitive of_collective(LLVMValueRef call, bool is_wide) {
  static const enum primitive_meaning modes[] = {
      PRIMITIVE_REDUCE, PRIMITIVE_SCAN_INCLUSIVE, PRIMITIVE_SCAN_EXCLUSIVE, PRIMITIVE_BROADCAST, PRIMITIVE_ALL,
      PRIMITIVE_ANY,    PRIMITIVE_SHUFFLE,        PRIMITIVE_BALLOT};
  const unsigned scope = number(call, 0), mode = number(call, 1), op = number(call, 2), type = number(call, 3);
  if (scope > PRIMITIVE_ACTIVE || mode > 7 || !is_operator(op) || type > HEDDLE_TYPE_BITS)
    return (struct primitive){.meaning = PRIMITIVE_NONE};
  return (struct primitive){
      .meaning = modes[mode],
      .scope = (enum primitive_scope)scope,
      .operation = (enum heddle_collective_operator)op,
      .type = HEDDLE_OP_IS_BITWISE(op) ? PRIMITIVE_UINT
              : is_wide                ? (type == PRIMITIVE_INT ? PRIMITIVE_LONG : PRIMITIVE_ULONG)
                                       : (enum primitive_type)type,
      .value = LLVMGetOperand(call, 4),
      .source = is_wide ? NULL : LLVMGetOperand(call, 5),
  };
}

static const struct {
  const char *name;
  enum primitive_meaning meaning;
  bool is_from_float;
} conversions[] = {
    {"__heddle_float_of_int", PRIMITIVE_FLOAT_OF_INT, false},
    {"__heddle_float_of_uint", PRIMITIVE_FLOAT_OF_UINT, false},
    {"__heddle_int_of_float", PRIMITIVE_INT_OF_FLOAT, true},
    {"__heddle_uint_of_float", PRIMITIVE_UINT_OF_FLOAT, true},
};
enum { CONVERSIONS = sizeof conversions / sizeof *conversions };

static struct primitive of_conversion(LLVMValueRef call, enum primitive_meaning meaning) {
  const unsigned mode = number(call, 1);
  if (mode > FLOAT_RMM)
    return (struct primitive){.meaning = PRIMITIVE_NONE};
  return (struct primitive){
      .meaning = meaning, .rounding = (enum float_rounding)mode, .value = LLVMGetOperand(call, 0)};
}

struct primitive primitive_of(LLVMValueRef instruction) {
  struct primitive none = {.meaning = PRIMITIVE_NONE};
  if (!LLVMIsACallInst(instruction))
    return none;
  LLVMValueRef function = LLVMGetCalledValue(instruction);
  if (!primitive_is(function))
    return none;
  if (is_named(function, "__heddle_csr"))
    return of_csr(number(instruction, 0));
  if (is_named(function, packet_word))
    return of_packet_word(number(instruction, 0));
  if (is_named(function, argument_word))
    return (struct primitive){.meaning = PRIMITIVE_ARGUMENT_WORD, .offset = number(instruction, 0)};
  if (is_named(function, "__heddle_clock")) {
    const bool is_high = number(instruction, 0) == HEDDLE_CSR_CYCLE_HIGH;
    return (struct primitive){.meaning = is_high ? PRIMITIVE_CLOCK_HIGH : PRIMITIVE_CLOCK_LOW};
  }
  if (is_named(function, "__heddle_barrier")) {
    const unsigned scope = number(instruction, 0);
    return scope <= PRIMITIVE_WORK_GROUP
               ? (struct primitive){.meaning = PRIMITIVE_BARRIER, .scope = (enum primitive_scope)scope}
               : none;
  }
  if (is_named(function, "__heddle_collective") || is_named(function, "__heddle_wide_collective"))
    return of_collective(instruction, is_named(function, "__heddle_wide_collective"));
  if (is_named(function, PRINTF_LAYOUT_NUMBER))
    return (struct primitive){.meaning = PRIMITIVE_PRINTF_LAYOUT, .layout = number(instruction, 0)};
  if (is_named(function, "__heddle_pipe_read") || is_named(function, awaited_read) || is_named(function, polled_read))
    return (struct primitive){.meaning = PRIMITIVE_PIPE_READ,
                              .waits = is_named(function, awaited_read),
                              .polls = is_named(function, polled_read)};
  if (is_named(function, "__heddle_pipe_word"))
    return (struct primitive){.meaning = PRIMITIVE_PIPE_WORD};
  if (is_named(function, "__heddle_pipe_write") || is_named(function, awaited_write) ||
      is_named(function, polled_write))
    return (struct primitive){.meaning = PRIMITIVE_PIPE_WRITE,
                              .waits = is_named(function, awaited_write),
                              .polls = is_named(function, polled_write)};
  for (size_t i = 0; i < CONVERSIONS; i++)
    if (is_named(function, conversions[i].name))
      return of_conversion(instruction, conversions[i].meaning);
  return none;
}

const char *primitive_name(const struct primitive *primitive) {
  static const char *const names[] = {
      [PRIMITIVE_NONE] = "none",
      [PRIMITIVE_GLOBAL_ID] = "get_global_id",
      [PRIMITIVE_LOCAL_ID] = "get_local_id",
      [PRIMITIVE_SUB_GROUP_LOCAL_ID] = "get_sub_group_local_id",
      [PRIMITIVE_GROUP_ID] = "get_group_id",
      [PRIMITIVE_LOCAL_SIZE] = "get_local_size",
      [PRIMITIVE_SUB_GROUP_ID] = "get_sub_group_id",
      [PRIMITIVE_SUB_GROUP_SIZE] = "get_sub_group_size",
      [PRIMITIVE_NUM_SUB_GROUPS] = "get_num_sub_groups",
      [PRIMITIVE_WORK_DIM] = "get_work_dim",
      [PRIMITIVE_GLOBAL_SIZE] = "get_global_size",
      [PRIMITIVE_GLOBAL_OFFSET] = "get_global_offset",
      [PRIMITIVE_ENQUEUED_LOCAL_SIZE] = "get_enqueued_local_size",
      [PRIMITIVE_NUM_GROUPS] = "get_num_groups",
      [PRIMITIVE_ENQUEUED_NUM_SUB_GROUPS] = "get_enqueued_num_sub_groups",
      [PRIMITIVE_MAX_SUB_GROUP_SIZE] = "get_max_sub_group_size",
      [PRIMITIVE_PRINTF_BUFFER] = "printf",
      [PRIMITIVE_PRINTF_LAYOUT] = "printf",
      [PRIMITIVE_ARGUMENT_WORD] = "argument",
      [PRIMITIVE_REDUCE] = "reduce",
      [PRIMITIVE_SCAN_INCLUSIVE] = "scan_inclusive",
      [PRIMITIVE_SCAN_EXCLUSIVE] = "scan_exclusive",
      [PRIMITIVE_BROADCAST] = "broadcast",
      [PRIMITIVE_ALL] = "all",
      [PRIMITIVE_ANY] = "any",
      [PRIMITIVE_SHUFFLE] = "sub_group_shuffle",
      [PRIMITIVE_BALLOT] = "sub_group_ballot",
      [PRIMITIVE_BARRIER] = "barrier",
      [PRIMITIVE_PIPE_READ] = "read_pipe",
      [PRIMITIVE_PIPE_WORD] = "read_pipe",
      [PRIMITIVE_PIPE_WRITE] = "write_pipe",
      [PRIMITIVE_CLOCK_LOW] = "clock_read",
      [PRIMITIVE_CLOCK_HIGH] = "clock_read",
      [PRIMITIVE_FLOAT_OF_INT] = "convert_float",
      [PRIMITIVE_FLOAT_OF_UINT] = "convert_float",
      [PRIMITIVE_INT_OF_FLOAT] = "convert_int",
      [PRIMITIVE_UINT_OF_FLOAT] = "convert_uint",
  };
  return names[primitive->meaning];
}

static LLVMValueRef build_call(LLVMBuilderRef builder, LLVMModuleRef module, const char *name, LLVMTypeRef type,
                               LLVMValueRef *operands) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function) {
    function = LLVMAddFunction(module, name, type);
    describe(function);
  }
  LLVMValueRef call = LLVMBuildCall2(builder, type, function, operands, LLVMCountParamTypes(type), "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  return call;
}

static LLVMValueRef build_word(LLVMBuilderRef builder, LLVMModuleRef module, const char *name, unsigned value) {
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef operand = LLVMConstInt(word, value, 0);
  return build_call(builder, module, name, LLVMFunctionType(word, &word, 1, 0), &operand);
}

LLVMValueRef primitive_build_conversion(LLVMBuilderRef builder, LLVMModuleRef module, enum primitive_meaning meaning,
                                        LLVMValueRef value, enum float_rounding rounding) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef word = LLVMInt32TypeInContext(context), real = LLVMFloatTypeInContext(context);
  size_t i = 0;
  while (conversions[i].meaning != meaning)
    i++;
  LLVMTypeRef types[] = {LLVMTypeOf(value), word};
  LLVMValueRef operands[] = {value, LLVMConstInt(word, rounding, 0)};
  LLVMTypeRef type = LLVMFunctionType(conversions[i].is_from_float ? word : real, types, 2, 0);
  return build_call(builder, module, conversions[i].name, type, operands);
}

LLVMValueRef primitive_build_argument_word(LLVMBuilderRef builder, LLVMModuleRef module, unsigned offset) {
  return build_word(builder, module, argument_word, offset);
}

static void settle(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call) {
  LLVMValueRef index = LLVMGetOperand(call, 0);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef result = build_word(builder, module, packet_word, 0);
  for (unsigned i = 1; i < HEDDLE_PACKET_WORDS; i++) {
    LLVMValueRef is_it = LLVMBuildICmp(builder, LLVMIntEQ, index, LLVMConstInt(LLVMTypeOf(index), i, 0), "");
    result = LLVMBuildSelect(builder, is_it, build_word(builder, module, packet_word, i), result, "");
  }
  LLVMReplaceAllUsesWith(call, result);
  LLVMInstructionEraseFromParent(call);
}

void primitives_settle(LLVMModuleRef module) {
  LLVMValueRef function = LLVMGetNamedFunction(module, packet_word);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMUseRef next = NULL;
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    if (LLVMIsACallInst(call) && !LLVMIsAConstantInt(LLVMGetOperand(call, 0)))
      settle(builder, module, call);
  }
  LLVMDisposeBuilder(builder);
}

void primitive_make_wait(LLVMValueRef call) {
  const bool reads = primitive_of(call).meaning == PRIMITIVE_PIPE_READ;
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  const unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *operands = calloc(count, sizeof(LLVMValueRef));
  if (!operands)
    abort();
  for (unsigned i = 0; i < count; i++)
    operands[i] = LLVMGetOperand(call, i);
  LLVMReplaceAllUsesWith(call, build_call(builder, module, reads ? awaited_read : awaited_write,
                                          LLVMGetCalledFunctionType(call), operands));
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
  free(operands);
}
