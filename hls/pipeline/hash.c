// SPDX-License-Identifier: Apache-2.0
// Walks instructions in order. Values, blocks, functions and variables go in as the numbers of their first use, so that
// names do not matter, but for pipes'; functions without a body, which are primitives and intrinsics, go in by name.
#include "hls/pipeline/hash.h"

#include <sha2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "hls/address_spaces.h"
#include "hls/ir.h"
#include "hls/kernel_hints.h"
#include "hls/pipeline/variables.h"

// Changes when the generator makes something else of the same kernel that a host program could tell.
#define VERSION "heddle pipeline 1"

// Numbers of things by their addresses: a table with open addressing.
struct numbers {
  const void **keys;
  uint32_t *values;
  size_t count, room;
};

struct walk {
  SHA2_CTX digest;
  struct numbers globals, locals;
  LLVMValueRef *pending;  // functions and variables whose contents are to be hashed, in the order of their numbers
  size_t pending_count, pending_room;
  LLVMContextRef context;
};

static void *allocated(void *memory) {
  if (!memory)
    abort();  // runs in a child process; its end is reported by the parent
  return memory;
}

static void grow(struct numbers *numbers) {
  struct numbers larger = {.room = numbers->room == 0 ? 64 : numbers->room * 2, .count = numbers->count};
  larger.keys = allocated(calloc(larger.room, sizeof *larger.keys));
  larger.values = allocated(calloc(larger.room, sizeof *larger.values));
  for (size_t i = 0; i < numbers->room; i++) {
    if (numbers->keys[i]) {
      size_t at = ((uintptr_t)numbers->keys[i] >> 4) % larger.room;
      while (larger.keys[at])
        at = (at + 1) % larger.room;
      larger.keys[at] = numbers->keys[i];
      larger.values[at] = numbers->values[i];
    }
  }
  free(numbers->keys);
  free(numbers->values);
  *numbers = larger;
}

static void forget(struct numbers *numbers) {
  free(numbers->keys);
  free(numbers->values);
  *numbers = (struct numbers){0};
}

// Of a thing that is new, the next; *is_new says so.
static uint32_t number_of(struct numbers *numbers, const void *key, bool *is_new) {
  if (numbers->count * 2 >= numbers->room)
    grow(numbers);
  size_t at = ((uintptr_t)key >> 4) % numbers->room;
  while (numbers->keys[at] && numbers->keys[at] != key)
    at = (at + 1) % numbers->room;
  *is_new = !numbers->keys[at];
  if (*is_new) {
    numbers->keys[at] = key;
    numbers->values[at] = (uint32_t)numbers->count++;
  }
  return numbers->values[at];
}

static void add_bytes(struct walk *walk, const void *bytes, size_t count) {
  const uint64_t length = count;
  SHA256Update(&walk->digest, (const uint8_t *)&length, sizeof length);
  SHA256Update(&walk->digest, bytes, count);
}

static void add_number(struct walk *walk, uint64_t number) {
  SHA256Update(&walk->digest, (const uint8_t *)&number, sizeof number);
}

static void add_text(struct walk *walk, char *text) {
  add_bytes(walk, text, strlen(text));
  LLVMDisposeMessage(text);
}

static void add_type(struct walk *walk, LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  add_number(walk, kind);
  switch (kind) {
    case LLVMIntegerTypeKind:
      add_number(walk, LLVMGetIntTypeWidth(type));
      break;
    case LLVMPointerTypeKind:
      add_number(walk, LLVMGetPointerAddressSpace(type));
      break;
    case LLVMArrayTypeKind:
      add_number(walk, LLVMGetArrayLength2(type));
      add_type(walk, LLVMGetElementType(type));
      break;
    case LLVMVectorTypeKind:
      add_number(walk, LLVMGetVectorSize(type));
      add_type(walk, LLVMGetElementType(type));
      break;
    case LLVMStructTypeKind: {
      const unsigned count = LLVMCountStructElementTypes(type);
      add_number(walk, count);
      add_number(walk, (uint64_t)LLVMIsPackedStruct(type));
      for (unsigned i = 0; i < count; i++)
        add_type(walk, LLVMStructGetTypeAtIndex(type, i));
      break;
    }
    case LLVMFunctionTypeKind: {
      const unsigned count = LLVMCountParamTypes(type);
      LLVMTypeRef *parameters = allocated(calloc(count + 1, sizeof *parameters));
      LLVMGetParamTypes(type, parameters);
      add_number(walk, count);
      add_type(walk, LLVMGetReturnType(type));
      for (unsigned i = 0; i < count; i++)
        add_type(walk, parameters[i]);
      free(parameters);
      break;
    }
    case LLVMTargetExtTypeKind:
      add_text(walk, LLVMPrintTypeToString(type));
      break;
    default:
      break;  // a float, void, label: the kind says all
  }
}

static void add_global(struct walk *walk, LLVMValueRef global) {
  bool is_new;
  if (LLVMIsAFunction(global) && LLVMIsDeclaration(global)) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    add_bytes(walk, name, length);
    return;
  }
  add_number(walk, number_of(&walk->globals, global, &is_new));
  if (is_new) {
    if (walk->pending_count == walk->pending_room) {
      walk->pending_room = walk->pending_room * 2 + 16;
      walk->pending = allocated(realloc(walk->pending, walk->pending_room * sizeof *walk->pending));
    }
    walk->pending[walk->pending_count++] = global;
  }
}

static void add_constant(struct walk *walk, LLVMValueRef constant) {
  add_number(walk, LLVMGetValueKind(constant));
  if (LLVMIsAGlobalValue(constant)) {
    add_global(walk, constant);
    return;
  }
  add_type(walk, LLVMTypeOf(constant));
  const int count = LLVMIsAConstantDataSequential(constant) ? 0 : LLVMGetNumOperands(constant);
  if (count == 0) {
    add_text(walk, LLVMPrintValueToString(constant));
    return;
  }
  if (LLVMIsAConstantExpr(constant))
    add_number(walk, LLVMGetConstOpcode(constant));
  if (LLVMIsAConstantExpr(constant) && LLVMGetConstOpcode(constant) == LLVMGetElementPtr)
    add_type(walk, LLVMGetGEPSourceElementType(constant));
  for (int i = 0; i < count; i++)
    add_constant(walk, LLVMGetOperand(constant, (unsigned)i));
}

static void add_local(struct walk *walk, const void *value) {
  bool is_new;
  add_number(walk, number_of(&walk->locals, value, &is_new));
}

static void add_operand(struct walk *walk, LLVMValueRef operand) {
  if (!operand || LLVMIsAMDNode(operand) || LLVMIsAMDString(operand)) {
    add_number(walk, 0);
  } else if (LLVMValueIsBasicBlock(operand)) {
    add_local(walk, LLVMValueAsBasicBlock(operand));
  } else if (LLVMIsAInlineAsm(operand)) {
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(operand, &length);
    add_bytes(walk, text, length);
    text = LLVMGetInlineAsmConstraintString(operand, &length);
    add_bytes(walk, text, length);
  } else if (LLVMIsAConstant(operand)) {
    add_constant(walk, operand);
  } else {
    add_local(walk, operand);
  }
}

// Attributes that say something of a call or function, but for those of the compiler's own making (strings).
static void add_attributes(struct walk *walk, LLVMAttributeRef *attributes, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (LLVMIsEnumAttribute(attributes[i])) {
      add_number(walk, LLVMGetEnumAttributeKind(attributes[i]));
      add_number(walk, LLVMGetEnumAttributeValue(attributes[i]));
    } else if (LLVMIsTypeAttribute(attributes[i])) {
      add_type(walk, LLVMGetTypeAttributeValue(attributes[i]));
    }
  }
}

static void add_call(struct walk *walk, LLVMValueRef call) {
  add_type(walk, LLVMGetCalledFunctionType(call));
  for (unsigned i = 0; i <= LLVMGetNumArgOperands(call); i++) {
    const unsigned count = LLVMGetCallSiteAttributeCount(call, i);
    LLVMAttributeRef *attributes = allocated(calloc(count + 1, sizeof(LLVMAttributeRef)));
    LLVMGetCallSiteAttributes(call, i, attributes);
    add_attributes(walk, attributes, count);
    free(attributes);
  }
}

// What a loop is asked to do: the strings and numbers in its description.
static void add_description(struct walk *walk, LLVMValueRef node, int depth) {
  if (!node || depth > 3)
    return;
  unsigned length = 0;
  const char *text = LLVMGetMDString(node, &length);
  if (text) {
    add_bytes(walk, text, length);
    return;
  }
  if (LLVMIsAConstantInt(node)) {
    add_number(walk, LLVMConstIntGetZExtValue(node));
    return;
  }
  if (!LLVMIsAMDNode(node)) {
    if (LLVMIsAConstant(node))
      add_text(walk, LLVMPrintValueToString(node));
    return;
  }
  struct ir_metadata parts = ir_metadata_of_node(node);
  for (unsigned i = 0; i < parts.count; i++)
    if (parts.operands[i] != node)
      add_description(walk, parts.operands[i], depth + 1);
  ir_metadata_free(&parts);
}

static void add_metadata(struct walk *walk, LLVMValueRef instruction) {
  static const char *const kinds[] = {"llvm.loop", "fpmath", "llvm.access.group"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const unsigned kind = LLVMGetMDKindIDInContext(walk->context, kinds[i], (unsigned)strlen(kinds[i]));
    LLVMValueRef node = LLVMGetMetadata(instruction, kind);
    if (node) {
      add_number(walk, i + 1);
      // Loops are described by text; a place of the source in it is skipped, as it is no text or number.
      add_description(walk, node, 0);
    }
  }
}

static void add_flags(struct walk *walk, LLVMValueRef at) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  if (LLVMCanValueUseFastMathFlags(at))
    add_number(walk, LLVMGetFastMathFlags(at));
  switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
      add_number(walk, (LLVMGetNUW(at) ? 2 : 0) + (LLVMGetNSW(at) ? 1 : 0));
      break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
      add_number(walk, (uint64_t)LLVMGetExact(at));
      break;
    case LLVMICmp:
      add_number(walk, LLVMGetICmpPredicate(at));
      break;
    case LLVMFCmp:
      add_number(walk, LLVMGetFCmpPredicate(at));
      break;
    case LLVMAlloca:
      add_type(walk, LLVMGetAllocatedType(at));
      add_number(walk, LLVMGetAlignment(at));
      break;
    case LLVMGetElementPtr:
      add_type(walk, LLVMGetGEPSourceElementType(at));
      add_number(walk, (uint64_t)LLVMIsInBounds(at));
      break;
    case LLVMLoad:
    case LLVMStore:
      add_number(walk, LLVMGetAlignment(at));
      add_number(walk, (uint64_t)LLVMGetVolatile(at));
      add_number(walk, LLVMGetOrdering(at));
      break;
    case LLVMAtomicRMW:
      add_number(walk, LLVMGetAtomicRMWBinOp(at));
      add_number(walk, LLVMGetOrdering(at));
      break;
    case LLVMAtomicCmpXchg:
      add_number(walk, LLVMGetCmpXchgSuccessOrdering(at));
      add_number(walk, (uint64_t)LLVMGetWeak(at));
      break;
    case LLVMCall:
      add_call(walk, at);
      break;
    case LLVMExtractValue:
    case LLVMInsertValue: {
      const unsigned count = LLVMGetNumIndices(at);
      for (unsigned i = 0; i < count; i++)
        add_number(walk, LLVMGetIndices(at)[i]);
      break;
    }
    case LLVMShuffleVector: {
      const unsigned count = LLVMGetNumMaskElements(at);
      for (unsigned i = 0; i < count; i++)
        add_number(walk, (uint64_t)(int64_t)LLVMGetMaskValue(at, i));
      break;
    }
    case LLVMPHI:
      for (unsigned i = 0; i < LLVMCountIncoming(at); i++)
        add_local(walk, LLVMGetIncomingBlock(at, i));
      break;
    default:
      break;
  }
}

// Calls that only describe variables to a debugger or optimiser are no part of what a kernel does.
static bool is_debug_call(LLVMValueRef at) {
  LLVMValueRef callee = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
  size_t length;
  return callee && LLVMIsAFunction(callee) &&
         strncmp(LLVMGetValueName2(callee, &length), "llvm.dbg.", strlen("llvm.dbg.")) == 0;
}

static void add_instruction(struct walk *walk, LLVMValueRef at) {
  if (is_debug_call(at))
    return;
  add_number(walk, LLVMGetInstructionOpcode(at));
  add_type(walk, LLVMTypeOf(at));
  add_flags(walk, at);
  add_metadata(walk, at);
  const int count = LLVMGetNumOperands(at);
  add_number(walk, (uint64_t)count);
  for (int i = 0; i < count; i++)
    add_operand(walk, LLVMGetOperand(at, (unsigned)i));
  add_local(walk, at);
}

// Kernels are joined by them: one that does the same to other pipes is another one.
static void add_pipe_names(struct walk *walk, LLVMValueRef function) {
  struct ir_metadata qualifiers = ir_metadata_of(function, "kernel_arg_type_qual");
  struct ir_metadata names = ir_metadata_of(function, "kernel_arg_name");
  for (unsigned i = 0; i < qualifiers.count && i < names.count; i++) {
    unsigned length, name_length;
    const char *text = ir_metadata_string(&qualifiers, i, &length), *name = ir_metadata_string(&names, i, &name_length);
    if (length >= strlen("pipe") && memcmp(text, "pipe", strlen("pipe")) == 0)
      add_bytes(walk, name, name_length);
  }
  ir_metadata_free(&qualifiers);
  ir_metadata_free(&names);
}

// What a kernel asks for beside its code.
static void add_kernel_attributes(struct walk *walk, LLVMValueRef function) {
  static const char *const kinds[] = {"reqd_work_group_size", "work_group_size_hint",  "intel_reqd_sub_group_size",
                                      "reqd_num_sub_groups",  "kernel_arg_addr_space", "kernel_arg_access_qual",
                                      "kernel_arg_type_qual"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct ir_metadata metadata = ir_metadata_of(function, kinds[i]);
    add_number(walk, metadata.count);
    for (unsigned j = 0; j < metadata.count; j++)
      add_description(walk, metadata.operands[j], 0);
    ir_metadata_free(&metadata);
  }
  add_pipe_names(walk, function);
  // Not else: a kernel without it has the hash that it always had.
  if (kernel_hints_args_restrict(function))
    add_number(walk, 1);
  if (kernel_hints_single_task(function))
    add_number(walk, 2);
}

static void add_function(struct walk *walk, LLVMValueRef function) {
  forget(&walk->locals);
  add_type(walk, LLVMGlobalGetValueType(function));
  add_number(walk, LLVMGetFunctionCallConv(function));
  add_kernel_attributes(walk, function);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    const unsigned count = LLVMGetAttributeCountAtIndex(function, i + 1);
    LLVMAttributeRef *attributes = allocated(calloc(count + 1, sizeof(LLVMAttributeRef)));
    LLVMGetAttributesAtIndex(function, i + 1, attributes);
    add_attributes(walk, attributes, count);
    free(attributes);
    add_local(walk, LLVMGetParam(function, i));
  }
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    add_local(walk, block);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      add_instruction(walk, at);
  }
}

static void add_variable(struct walk *walk, LLVMValueRef variable) {
  add_type(walk, LLVMGlobalGetValueType(variable));
  add_number(walk, LLVMGetPointerAddressSpace(LLVMTypeOf(variable)));
  add_number(walk, LLVMGetAlignment(variable));
  // Not else: a kernel of constants has the hash that it always had.
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != LOCAL_ADDRESS_SPACE && !LLVMIsGlobalConstant(variable))
    add_number(walk, 1);
  LLVMValueRef initial = LLVMGetInitializer(variable);
  add_number(walk, !!initial);
  if (initial)
    add_constant(walk, initial);
}

static void tell_variables(const struct walk *walk, LLVMModuleRef module, struct strings *variables) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  size_t length;
  for (size_t i = 0; i < walk->pending_count; i++)
    if (!LLVMIsAFunction(walk->pending[i]) && variables_are_in_memory(layout, walk->pending[i]))
      strings_add(variables, LLVMGetValueName2(walk->pending[i], &length));
}

void pipeline_hash(LLVMValueRef kernel, uint32_t hash[PIPELINE_HASH_WORDS], struct strings *variables) {
  struct walk walk = {.context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel))};
  SHA256Init(&walk.digest);
  add_bytes(&walk, VERSION, strlen(VERSION));
  add_global(&walk, kernel);
  for (size_t i = 0; i < walk.pending_count; i++)  // grows while it runs
    if (LLVMIsAFunction(walk.pending[i]))
      add_function(&walk, walk.pending[i]);
    else
      add_variable(&walk, walk.pending[i]);
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256Final(digest, &walk.digest);
  for (size_t i = 0; i < PIPELINE_HASH_WORDS; i++) {
    hash[i] = (uint32_t)digest[4 * i] | (uint32_t)digest[4 * i + 1] << 8 | (uint32_t)digest[4 * i + 2] << 16 |
              (uint32_t)digest[4 * i + 3] << 24;
  }
  tell_variables(&walk, LLVMGetGlobalParent(kernel), variables);
  forget(&walk.globals);
  forget(&walk.locals);
  free(walk.pending);
}
