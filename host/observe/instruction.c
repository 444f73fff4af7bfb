// SPDX-License-Identifier: Apache-2.0
// Names for Heddle's own instructions (instruction.h). The fields are those of contract/collectives.h.
#include "host/observe/instruction.h"

#include <stddef.h>
#include <stdio.h>

#include "contract/collectives.h"
#include "contract/csrs.h"

enum { OPCODE_CUSTOM_0 = 0x0B, OPCODE_CUSTOM_1 = 0x2B, OPCODE_SYSTEM = 0x73, CSRRS = 2 };

static const char *const registers[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                          "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                          "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static const char *rd(uint32_t word) {
  return registers[word >> 7 & 31];
}

static const char *rs1(uint32_t word) {
  return registers[word >> 15 & 31];
}

static const char *rs2(uint32_t word) {
  return registers[word >> 20 & 31];
}

static const char *mode_name(uint32_t mode, bool is_active) {
  static const char *const names[8] = {[HEDDLE_MODE_REDUCE] = "reduce",
                                       [HEDDLE_MODE_INCLUSIVE] = "scan_inclusive",
                                       [HEDDLE_MODE_EXCLUSIVE] = "scan_exclusive",
                                       [HEDDLE_MODE_BROADCAST] = "broadcast",
                                       [HEDDLE_MODE_ALL] = "all",
                                       [HEDDLE_MODE_ANY] = "any",
                                       [HEDDLE_MODE_BARRIER] = "barrier"};
  if (is_active && mode == HEDDLE_MODE_SHUFFLE)
    return "shuffle";
  return is_active && mode == HEDDLE_MODE_BALLOT ? "ballot" : names[mode];
}

// ".add.int" of a reduction or scan; NULL: there is no such.
static const char *operation_name(uint32_t funct7, bool is_wide, char text[32]) {
  static const char *const arithmetic[4] = {"add", "min", "max", NULL}, *const bitwise[4] = {"and", "or", "xor", NULL};
  static const char *const types[4] = {"int", "uint", "float", "bits"};
  const uint32_t type = funct7 >> 5;
  const char *name = !is_wide && type == HEDDLE_TYPE_BITS ? bitwise[funct7 & 3] : arithmetic[funct7 & 3];
  if (!name)
    return NULL;
  if (is_wide)
    snprintf(text, 32, ".%s.%s.%s", name, type & 1 ? "ulong" : "long", type & 2 ? "second" : "first");
  else
    snprintf(text, 32, ".%s.%s", name, types[type]);
  return text;
}

bool custom_0_text(uint32_t word, char text[INSTRUCTION_TEXT_BYTES]) {
  static const char *const scopes[8] = {"sub_group", "work_group", "active", NULL, "sub_group", NULL, "active", NULL};
  const uint32_t funct3 = word >> 12 & 7, funct7 = word >> 25, mode = funct7 >> 2 & 7;
  const bool is_active = (funct3 & 3) == HEDDLE_SCOPE_ACTIVE, is_wide = funct3 >= HEDDLE_SCOPE_WIDE;
  char operation[32];
  if ((word & 0x7F) != OPCODE_CUSTOM_0)
    return false;
  if (funct3 == HEDDLE_SCOPE_CONTROL && funct7 == 0) {
    snprintf(text, INSTRUCTION_TEXT_BYTES, "exit");
    return true;
  }
  const char *name = mode_name(mode, is_active);
  if (!scopes[funct3] || !name || (is_wide && mode > HEDDLE_MODE_EXCLUSIVE))
    return false;
  if (mode <= HEDDLE_MODE_EXCLUSIVE) {
    if (!operation_name(funct7, is_wide, operation))
      return false;
    snprintf(text, INSTRUCTION_TEXT_BYTES, "%s.%s%s %s, %s", scopes[funct3], name, operation, rd(word), rs1(word));
  } else if (mode == HEDDLE_MODE_BROADCAST || (is_active && mode == HEDDLE_MODE_SHUFFLE)) {
    snprintf(text, INSTRUCTION_TEXT_BYTES, "%s.%s %s, %s, %s", scopes[funct3], name, rd(word), rs1(word), rs2(word));
  } else if (mode == HEDDLE_MODE_BARRIER && !is_active) {
    snprintf(text, INSTRUCTION_TEXT_BYTES, "%s.barrier", scopes[funct3]);
  } else {
    snprintf(text, INSTRUCTION_TEXT_BYTES, "%s.%s %s, %s", scopes[funct3], name, rd(word), rs1(word));
  }
  return true;
}

bool custom_1_text(uint32_t word, char text[INSTRUCTION_TEXT_BYTES]) {
  static const char *const loads[8] = {"lb", "lh", "lw", NULL, "lbu", "lhu", NULL, NULL};
  static const char *const stores[8] = {"sb", "sh", "sw", NULL, NULL, NULL, NULL, NULL};
  const uint32_t funct7 = word >> 25;
  const char *name = (funct7 >> 6 ? stores : loads)[word >> 12 & 7];
  if ((word & 0x7F) != OPCODE_CUSTOM_1 || (funct7 >> 2 & 15) != 0 || !name)
    return false;
  snprintf(text, INSTRUCTION_TEXT_BYTES, "%s.at %s, %s + (%s << %u)", name, rd(word), rs2(word), rs1(word),
           (unsigned)(funct7 & 3));
  return true;
}

static bool reads_csr(uint32_t word) {
  return (word & 0x7F) == OPCODE_SYSTEM && (word >> 12 & 7) == CSRRS && (word >> 15 & 31) == 0;
}

bool csr_read_text(uint32_t word, char text[INSTRUCTION_TEXT_BYTES]) {
  if (!reads_csr(word))
    return false;
  snprintf(text, INSTRUCTION_TEXT_BYTES, "csrr %s, 0x%x", rd(word), word >> 20);
  return true;
}

const char *csr_meaning(uint32_t word) {
  static const struct {
    uint32_t number;
    const char *meaning;
  } csrs[] = {
      {HEDDLE_CSR_LOCAL_ID_X, "get_local_id(0)"},          {HEDDLE_CSR_LOCAL_ID_Y, "get_local_id(1)"},
      {HEDDLE_CSR_LOCAL_ID_Z, "get_local_id(2)"},          {HEDDLE_CSR_GROUP_ID_X, "get_group_id(0)"},
      {HEDDLE_CSR_GROUP_ID_Y, "get_group_id(1)"},          {HEDDLE_CSR_GROUP_ID_Z, "get_group_id(2)"},
      {HEDDLE_CSR_LOCAL_SIZE_X, "get_local_size(0)"},      {HEDDLE_CSR_LOCAL_SIZE_Y, "get_local_size(1)"},
      {HEDDLE_CSR_LOCAL_SIZE_Z, "get_local_size(2)"},      {HEDDLE_CSR_SUB_GROUP_ID, "get_sub_group_id()"},
      {HEDDLE_CSR_LANE, "get_sub_group_local_id()"},       {HEDDLE_CSR_SUB_GROUP_SIZE, "get_sub_group_size()"},
      {HEDDLE_CSR_NUM_SUB_GROUPS, "get_num_sub_groups()"}, {HEDDLE_CSR_PACKET, "the dispatch packet"},
      {HEDDLE_CSR_STACK_TOP, "the initial stack pointer"}, {HEDDLE_CSR_GLOBAL_ID_X, "get_global_id(0)"},
      {HEDDLE_CSR_GLOBAL_ID_Y, "get_global_id(1)"},        {HEDDLE_CSR_GLOBAL_ID_Z, "get_global_id(2)"},
      {HEDDLE_CSR_CYCLE, "the cycle counter, low"},        {HEDDLE_CSR_CYCLE_HIGH, "the cycle counter, high"},
  };
  for (size_t i = 0; reads_csr(word) && i < sizeof csrs / sizeof *csrs; i++)
    if (csrs[i].number == word >> 20)
      return csrs[i].meaning;
  return NULL;
}
