// SPDX-License-Identifier: Apache-2.0
// A SPIR-V module that is rewritten (il_rewrite.c): what each id of it is, and the new module that grows behind it. For
// il_rewrite.c alone. Numbers are those of the SPIR-V specification, sections 3.49 and 3.20.
#ifndef HEDDLE_HLS_IL_MODULE_H
#define HEDDLE_HLS_IL_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/status.h"

enum { HEADER_WORDS = 5 };  // of a module, in front of its instructions

enum opcode {
  UNDEF = 1,
  NAME = 5,
  LINE = 8,
  EXT_INST_IMPORT = 11,
  EXT_INST = 12,
  MEMORY_MODEL = 14,
  ENTRY_POINT = 15,
  TYPE_BOOL = 20,
  TYPE_INT = 21,
  TYPE_FLOAT = 22,
  TYPE_VECTOR = 23,
  TYPE_ARRAY = 28,
  TYPE_STRUCT = 30,
  TYPE_POINTER = 32,
  CONSTANT = 43,
  CONSTANT_COMPOSITE = 44,
  CONSTANT_NULL = 46,
  SPEC_CONSTANT = 50,
  SPEC_CONSTANT_OP = 52,
  FUNCTION = 54,
  FUNCTION_END = 56,
  FUNCTION_CALL = 57,
  VARIABLE = 59,
  LOAD = 61,
  STORE = 62,
  COPY_MEMORY = 63,
  COPY_MEMORY_SIZED = 64,
  ACCESS_CHAIN = 65,
  IN_BOUNDS_ACCESS_CHAIN = 66,
  PTR_ACCESS_CHAIN = 67,
  IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
  DECORATE = 71,
  VECTOR_EXTRACT_DYNAMIC = 77,
  COMPOSITE_CONSTRUCT = 80,
  COMPOSITE_EXTRACT = 81,
  COMPOSITE_INSERT = 82,
  COPY_OBJECT = 83,
  U_CONVERT = 113,
  S_CONVERT = 114,
  F_CONVERT = 115,
  CONVERT_PTR_TO_U = 117,
  BITCAST = 124,
  F_NEGATE = 127,
  I_ADD = 128,
  F_ADD = 129,
  I_SUB = 130,
  F_SUB = 131,
  I_MUL = 132,
  F_MUL = 133,
  S_DIV = 135,
  F_MOD = 141,
  DOT = 148,
  I_ADD_CARRY = 149,
  I_SUB_BORROW = 150,
  U_MUL_EXTENDED = 151,
  S_MUL_EXTENDED = 152,
  ANY = 154,
  ALL = 155,
  SELECT = 169,
  I_EQUAL = 170,
  I_NOT_EQUAL = 171,
  S_LESS_THAN = 177,
  SHIFT_RIGHT_LOGICAL = 194,
  BITWISE_OR = 197,
  BITWISE_AND = 199,
  NOT = 200,
  PHI = 245,
  LABEL = 248,
  BRANCH = 249,
  BRANCH_CONDITIONAL = 250,
  SWITCH = 251,
  RETURN_VALUE = 254,
  NO_LINE = 317,
  COPY_LOGICAL = 400,
  PTR_EQUAL = 401,
  PTR_NOT_EQUAL = 402,
  PTR_DIFF = 403,
  DECORATE_STRING = 5632,
  MEMBER_DECORATE_STRING = 5633,
};
// Words that grow.
struct list {
  uint32_t *words;
  size_t count, capacity;
};

// What the module says of an id.
struct id {
  size_t definition;          // its instruction; 0: none
  uint32_t type;              // the id of its type, 0: none
  uint32_t bytes, alignment;  // of a type, once they have been asked for; bytes 0: not known
  uint32_t scalars;           // that a value of the type has
  uint32_t built_in;          // of a variable, one more than the number; 0: it is none
  uint32_t stands_for;        // il_built_ins.c: the variable that is in its place, 0: none
  uint32_t copy;              // il_copies.c: of a built-in variable, the function's own; 0: it has none
  bool is_packed;
  bool is_taken;  // il_copies.c: an address of an element that is handed on
};

// The module, which is only read, and what it becomes: `globals`, then `functions`, which the owner frees, as `ids`.
struct rewrite {
  const uint32_t *words;
  size_t count;
  struct id *ids;
  uint32_t bound;                // of the module's own
  uint32_t next;                 // the next new id
  uint32_t word_type;            // OpTypeInt 32 0
  uint32_t functions_of_opencl;  // OpExtInstImport "OpenCL.std"
  struct list globals, functions;
  struct list detours;  // il_branches.c
  struct list edited;   // the instruction that is written, if a word of it is another one: module_edit
  struct list copies;   // il_copies.c: built-in variables and the function's own ones, in pairs
  bool has_copies;
  enum { COPIES_WANTED, COPIES_DECLARED, COPIES_FILLED } copies_are;
  uint32_t block;       // the label of the block that is read
  size_t instructions;  // that copies of structures have become
  enum status status;
};

// The opcode of an instruction by its first word, and how many words it has.
static inline uint32_t opcode_of(uint32_t word) {
  return word & 0xFFFF;
}

static inline size_t length_of(uint32_t word) {
  return word >> 16;
}

// An id that the module does not use.
static inline uint32_t new_id(struct rewrite *r) {
  return r->next++;
}

// Finds what each id is, and rejects instructions that are not supported. To be called once, first of all.
void module_learn(struct rewrite *r);

// Appends words; appends an instruction, of which `words` are those behind the first. Without host memory the status is
// STATUS_FAILED, and nothing is appended.
void module_append(struct rewrite *r, struct list *list, const uint32_t *words, size_t count);
void module_emit(struct rewrite *r, struct list *list, enum opcode opcode, const uint32_t *words, size_t count);
// The same for an instruction of a function, and for one in front of functions; the words are arguments.
#define EMIT(r, opcode, ...)                                               \
  module_emit(r, &(r)->functions, opcode, (const uint32_t[]){__VA_ARGS__}, \
              sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define EMIT_GLOBAL(r, opcode, ...)                                      \
  module_emit(r, &(r)->globals, opcode, (const uint32_t[]){__VA_ARGS__}, \
              sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

// A copy of the instruction whose words can be changed, in `r->edited`, which lasts until another instruction is
// edited; `at` if that is it already. NULL: host memory is out.
uint32_t *module_edit(struct rewrite *r, const uint32_t *at);

// Prints "error: what why" on stderr and makes the status STATUS_REJECTED, if there was no error before.
void module_reject(struct rewrite *r, const char *what, const char *why);

// The instruction that defines an id, if it has this opcode and so many words at least; else NULL.
const uint32_t *module_definition(const struct rewrite *r, uint32_t id, enum opcode opcode, size_t length);

// The type of an id; 0: it has none.
uint32_t module_type_of(const struct rewrite *r, uint32_t id);

// How many parts a value of the type has; 0: none, or it is no composite.
uint32_t module_parts_of(const struct rewrite *r, uint32_t type);

// The type of a part of a composite type.
uint32_t module_type_of_part(const struct rewrite *r, uint32_t type, uint32_t part);

// OpTypeInt 32 0, and a constant of it. They are added to the globals if the module has no such type.
uint32_t module_word_type(struct rewrite *r);
uint32_t module_word_constant(struct rewrite *r, uint32_t value);

#endif
