// SPDX-License-Identifier: Apache-2.0
// Primitives: functions that a kernel's IR calls and nobody defines, because the generator makes circuits of them.
// hls/lib/primitives.h declares them in OpenCL C, and the built-in library for pipelines calls them. All other calls of
// a prepared kernel are LLVM intrinsics that compute on scalars (abs, smin, umax, ctlz, ctpop, fshl, fma, fabs, ...).
#ifndef HEDDLE_HLS_PIPELINE_PRIMITIVES_H
#define HEDDLE_HLS_PIPELINE_PRIMITIVES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "contract/collectives.h"
#include "hls/float_unit.h"

// Operands and results are i32 unless said otherwise. OpenCL C 3.0, section 6.15.1, and cl_khr_subgroups.
enum primitive_meaning {
  PRIMITIVE_NONE,  // not a call of a primitive

  // Of a work-item. With a dimension.
  PRIMITIVE_GLOBAL_ID,  // offset included
  PRIMITIVE_LOCAL_ID,
  PRIMITIVE_SUB_GROUP_LOCAL_ID,  // its lane

  // Of a sub-group or work-group. Those with a dimension: GROUP_ID, LOCAL_SIZE.
  PRIMITIVE_GROUP_ID,
  PRIMITIVE_LOCAL_SIZE,  // of this work-group: one at the end of the range may be smaller
  PRIMITIVE_SUB_GROUP_ID,
  PRIMITIVE_SUB_GROUP_SIZE,  // of this sub-group: the last of a work-group may be smaller
  PRIMITIVE_NUM_SUB_GROUPS,

  // Of the dispatch. Those with a dimension: GLOBAL_SIZE, GLOBAL_OFFSET, ENQUEUED_LOCAL_SIZE, NUM_GROUPS. Each is the
  // word of the dispatch packet that `packet_word` says.
  PRIMITIVE_WORK_DIM,
  PRIMITIVE_GLOBAL_SIZE,
  PRIMITIVE_GLOBAL_OFFSET,
  PRIMITIVE_ENQUEUED_LOCAL_SIZE,
  PRIMITIVE_NUM_GROUPS,
  PRIMITIVE_ENQUEUED_NUM_SUB_GROUPS,
  PRIMITIVE_MAX_SUB_GROUP_SIZE,
  PRIMITIVE_PRINTF_BUFFER,  // address of the printf buffer in global memory
  // The number by which records of this kernel name layout `layout` of the module (hls/printf.h).
  PRIMITIVE_PRINTF_LAYOUT,
  // Part of an argument that is no scalar: the word at byte `offset` of the argument block.
  PRIMITIVE_ARGUMENT_WORD,

  // Work-items together: `scope` says which. `value` goes in. A reduction or scan has an operation and a type, which is
  // also its result's; sums of float have the order of rtl/group/README.md. An exclusive scan begins with the
  // operation's identity.
  PRIMITIVE_REDUCE,
  PRIMITIVE_SCAN_INCLUSIVE,
  PRIMITIVE_SCAN_EXCLUSIVE,
  PRIMITIVE_BROADCAST,  // of the work-item `source`: by lane, in a work-group by its linear local id
  PRIMITIVE_ALL,        // 1 if every value is not 0, else 0
  PRIMITIVE_ANY,
  PRIMITIVE_SHUFFLE,  // the value of lane `source` modulo 32, 0 where that is not active
  PRIMITIVE_BALLOT,   // a bit for each active lane whose value is not 0
  PRIMITIVE_BARRIER,  // no value, no result

  // Of a pipe on the chip: pipes.c takes their operands apart.
  PRIMITIVE_PIPE_READ,
  PRIMITIVE_PIPE_WORD,
  PRIMITIVE_PIPE_WRITE,

  // Changes while a work-item runs. Not to be moved over memory accesses.
  PRIMITIVE_CLOCK_LOW,
  PRIMITIVE_CLOCK_HIGH,

  // Conversions with a rounding mode, of `value`, as RISC-V's fcvt: too large or small a value gives the nearest that
  // there is, a NaN the largest.
  PRIMITIVE_FLOAT_OF_INT,   // float result
  PRIMITIVE_FLOAT_OF_UINT,  // float result
  PRIMITIVE_INT_OF_FLOAT,   // float operand
  PRIMITIVE_UINT_OF_FLOAT,  // float operand
};

enum primitive_scope {
  PRIMITIVE_SUB_GROUP,   // all its live work-items
  PRIMITIVE_WORK_GROUP,  // all its work-items
  PRIMITIVE_ACTIVE,      // those of the sub-group that run this call together
};

// PRIMITIVE_FLOAT: i32 operand and result with a float's bits. The last two: i64.
enum primitive_type { PRIMITIVE_INT, PRIMITIVE_UINT, PRIMITIVE_FLOAT, PRIMITIVE_LONG, PRIMITIVE_ULONG };

// What a call means. Fields that its meaning does not have are 0.
struct primitive {
  enum primitive_meaning meaning;
  unsigned dimension;    // 0 to 2
  unsigned packet_word;  // of those of the dispatch, but not of ARGUMENT_WORD
  unsigned layout;       // of PRINTF_LAYOUT
  unsigned offset;       // of ARGUMENT_WORD, in bytes, a multiple of 4
  bool waits;            // of a pipe: the read or write waits until it succeeds
  bool polls;            // of a pipe: it does not wait at all
  enum primitive_scope scope;
  enum heddle_collective_operator operation;
  enum primitive_type type;
  enum float_rounding rounding;
  LLVMValueRef value, source;
};

// What an instruction means, if it is a call of a primitive.
struct primitive primitive_of(LLVMValueRef instruction);

// The name of the OpenCL C function that a primitive stands for, for messages.
const char *primitive_name(const struct primitive *primitive);

// Whether a function is a primitive.
bool primitive_is(LLVMValueRef function);
// Before optimisation: gives the primitives of a module the attributes that say how LLVM may move their calls.
void primitives_describe(LLVMModuleRef module);

// Builds a call of PRIMITIVE_ARGUMENT_WORD. `offset`: bytes.
LLVMValueRef primitive_build_argument_word(LLVMBuilderRef builder, LLVMModuleRef module, unsigned offset);

// Builds a conversion, which is one of the last four meanings.
LLVMValueRef primitive_build_conversion(LLVMBuilderRef builder, LLVMModuleRef module, enum primitive_meaning meaning,
                                        LLVMValueRef value, enum float_rounding rounding);

// Makes a read or write of a pipe wait until it succeeds.
void primitive_make_wait(LLVMValueRef call);

// Lowers reads of the packet's words whose number is not constant to a choice among all words.
void primitives_settle(LLVMModuleRef module);

#endif
