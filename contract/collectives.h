// SPDX-License-Identifier: Apache-2.0
// The encoding of collectives in custom-0 (contract/DEVICE.md): who takes part, what each work-item gets, operators and
// types. The one place for these numbers: C and OpenCL C include this file, Verilog has it in device_map.vh. What an
// operator computes is not here: hardware, model, firmware and tests each say that for themselves.
#ifndef HEDDLE_CONTRACT_COLLECTIVES_H
#define HEDDLE_CONTRACT_COLLECTIVES_H

// funct3: who takes part. HEDDLE_SCOPE_WIDE is added for a word of 64 bits.
enum heddle_collective_scope {
  HEDDLE_SCOPE_SUB_GROUP = 0,
  HEDDLE_SCOPE_WORK_GROUP = 1,
  HEDDLE_SCOPE_ACTIVE = 2,
  HEDDLE_SCOPE_CONTROL = 3,  // no collective: exit
  HEDDLE_SCOPE_WIDE = 4,
};

// mode, bits 4 to 2 of funct7. SHUFFLE and BALLOT are of active sets, which have no BARRIER and no BROADCAST.
enum heddle_collective_mode {
  HEDDLE_MODE_REDUCE = 0,
  HEDDLE_MODE_INCLUSIVE = 1,
  HEDDLE_MODE_EXCLUSIVE = 2,
  HEDDLE_MODE_BROADCAST = 3,
  HEDDLE_MODE_ALL = 4,
  HEDDLE_MODE_ANY = 5,
  HEDDLE_MODE_BARRIER = 6,
  HEDDLE_MODE_SHUFFLE = 6,
  HEDDLE_MODE_BALLOT = 7,
};

// type, bits 6 and 5 of funct7. Of a word of 64 bits it is 0 or 1 in the first instruction, 2 or 3 in the second.
enum heddle_collective_type {
  HEDDLE_TYPE_INT = 0,
  HEDDLE_TYPE_UINT = 1,
  HEDDLE_TYPE_FLOAT = 2,
  HEDDLE_TYPE_BITS = 3,  // the bitwise operators
};

// The operators of reductions and scans: X(NAME, name, number, ...). `name` is that of OpenCL's functions. Bits 1 and 0
// of the number are op, bits 1 and 0 of funct7. Bit 2 says that the operator is bitwise: its type is HEDDLE_TYPE_BITS.
#define HEDDLE_COLLECTIVE_OPERATORS(X, ...) \
  HEDDLE_ARITHMETIC_OPERATORS(X, __VA_ARGS__) HEDDLE_BITWISE_OPERATORS(X, __VA_ARGS__)
#define HEDDLE_ARITHMETIC_OPERATORS(X, ...) \
  X(ADD, add, 0, __VA_ARGS__)               \
  X(MIN, min, 1, __VA_ARGS__)               \
  X(MAX, max, 2, __VA_ARGS__)
#define HEDDLE_BITWISE_OPERATORS(X, ...) \
  X(AND, and, 4, __VA_ARGS__)            \
  X(OR, or, 5, __VA_ARGS__)              \
  X(XOR, xor, 6, __VA_ARGS__)

#define HEDDLE_OPERATOR_NUMBER(NAME, name, number, ...) HEDDLE_OP_##NAME = number,
enum heddle_collective_operator { HEDDLE_COLLECTIVE_OPERATORS(HEDDLE_OPERATOR_NUMBER, ) };

// What kinds of value an operator takes.
#define HEDDLE_OP_IS_BITWISE(op) (((op) & 4) != 0)

// funct7 of a reduction or scan; a bitwise operator has no other type. The second is of one of the two words of 64
// bits, of which bitwise operators make none: theirs are two words of 32.
#define HEDDLE_COLLECTIVE_FUNCT7(type, mode, op) \
  ((HEDDLE_OP_IS_BITWISE(op) ? HEDDLE_TYPE_BITS : (type)) << 5 | (mode) << 2 | ((op) & 3))
#define HEDDLE_WIDE_FUNCT7(is_unsigned, is_second, mode, op) \
  ((is_second) << 6 | (is_unsigned) << 5 | (mode) << 2 | ((op) & 3))

#endif
