// SPDX-License-Identifier: Apache-2.0
// The rows of a dispatch (contract/sim.h), found by instruction: what both simulated devices keep for an observer. In C
// that is C++, too. Not thread-safe. When host memory is out, there are no new rows.
#ifndef HEDDLE_SIM_ROWS_H
#define HEDDLE_SIM_ROWS_H

#include <stdlib.h>
#include <string.h>

#include "contract/sim.h"

enum { HEDDLE_ROWS_BLOCK = 512, HEDDLE_ROWS_BLOCKS = 1 << 14 };

// Rows keep their addresses.
struct heddle_rows_block {
  struct heddle_sim_row rows[HEDDLE_ROWS_BLOCK];
  unsigned char called[HEDDLE_ROWS_BLOCK];  // the observer says that the instruction is of a function that is called
};

struct heddle_rows {
  struct heddle_rows_block *blocks[HEDDLE_ROWS_BLOCKS];
  uint32_t count;
  uint32_t *table;   // by hash: number of a row and 1; 0: none
  uint32_t entries;  // of the table, a power of two, or 0
  struct heddle_sim_row *sorted;
};

static inline struct heddle_sim_row *heddle_rows_at(const struct heddle_rows *rows, uint32_t number) {
  return &rows->blocks[number / HEDDLE_ROWS_BLOCK]->rows[number % HEDDLE_ROWS_BLOCK];
}

static inline uint32_t heddle_rows_hash(const struct heddle_rows *rows, uint32_t pc, uint32_t caller) {
  return (((pc >> 2) * UINT32_C(0x9E3779B1)) ^ ((caller >> 2) * UINT32_C(0x85EBCA77))) >> 7 & (rows->entries - 1);
}

static inline void heddle_rows_enter(struct heddle_rows *rows, uint32_t number) {
  const struct heddle_sim_row *row = heddle_rows_at(rows, number);
  uint32_t at = heddle_rows_hash(rows, row->pc, row->caller);
  while (rows->table[at] != 0)
    at = (at + 1) & (rows->entries - 1);
  rows->table[at] = number + 1;
}

// Doubles the table. 0 or -1.
static inline int heddle_rows_grow(struct heddle_rows *rows) {
  const uint32_t entries = rows->entries != 0 ? 2 * rows->entries : 1024;
  uint32_t *table = (uint32_t *)calloc(entries, sizeof *table);
  if (!table)
    return -1;
  free(rows->table);
  rows->table = table;
  rows->entries = entries;
  for (uint32_t i = 0; i < rows->count; i++)
    heddle_rows_enter(rows, i);
  return 0;
}

// The number of the row of an instruction, made if there is none; UINT32_MAX: host memory is out.
static inline uint32_t heddle_rows_number(struct heddle_rows *rows, const struct heddle_sim_observer *observer,
                                          uint32_t pc, uint32_t caller) {
  if (rows->entries != 0)
    for (uint32_t at = heddle_rows_hash(rows, pc, caller); rows->table[at] != 0; at = (at + 1) & (rows->entries - 1)) {
      const struct heddle_sim_row *row = heddle_rows_at(rows, rows->table[at] - 1);
      if (row->pc == pc && row->caller == caller)
        return rows->table[at] - 1;
    }
  if (2 * rows->count >= rows->entries && heddle_rows_grow(rows) != 0)
    return UINT32_MAX;
  const uint32_t number = rows->count, block = number / HEDDLE_ROWS_BLOCK;
  if (block == HEDDLE_ROWS_BLOCKS)
    return UINT32_MAX;
  if (!rows->blocks[block])
    rows->blocks[block] = (struct heddle_rows_block *)malloc(sizeof *rows->blocks[block]);
  if (!rows->blocks[block])
    return UINT32_MAX;
  struct heddle_sim_row *row = heddle_rows_at(rows, number);
  memset(row, 0, sizeof *row);
  row->pc = pc;
  row->caller = caller;
  rows->blocks[block]->called[number % HEDDLE_ROWS_BLOCK] = caller == 0 && observer->is_called(observer->user, pc);
  rows->count++;
  heddle_rows_enter(rows, number);
  return number;
}

// The row of an instruction that a sub-group carries out. *caller is the sub-group's: its last instruction that is of
// no function that is called; kept up to date. NULL: host memory is out.
static inline struct heddle_sim_row *heddle_rows_of(struct heddle_rows *rows,
                                                    const struct heddle_sim_observer *observer, uint32_t pc,
                                                    uint32_t *caller) {
  uint32_t number = heddle_rows_number(rows, observer, pc, 0);
  if (number == UINT32_MAX)
    return NULL;
  if (!rows->blocks[number / HEDDLE_ROWS_BLOCK]->called[number % HEDDLE_ROWS_BLOCK])
    *caller = pc;
  else if (*caller != 0)
    number = heddle_rows_number(rows, observer, pc, *caller);
  return number != UINT32_MAX ? heddle_rows_at(rows, number) : NULL;
}

static inline int heddle_rows_compare(const void *one, const void *other) {
  const struct heddle_sim_row *a = (const struct heddle_sim_row *)one, *b = (const struct heddle_sim_row *)other;
  return a->pc != b->pc ? (a->pc > b->pc) - (a->pc < b->pc) : (a->caller > b->caller) - (a->caller < b->caller);
}

// All rows in the order of struct heddle_sim_dispatch, valid until the next call of these functions. NULL: host memory
// is out.
static inline const struct heddle_sim_row *heddle_rows_sorted(struct heddle_rows *rows) {
  free(rows->sorted);
  rows->sorted = (struct heddle_sim_row *)malloc((rows->count + 1) * sizeof *rows->sorted);
  for (uint32_t i = 0; i < rows->count && rows->sorted; i++)
    rows->sorted[i] = *heddle_rows_at(rows, i);
  if (rows->sorted)
    qsort(rows->sorted, rows->count, sizeof *rows->sorted, heddle_rows_compare);
  return rows->sorted;
}

// Removes all rows.
static inline void heddle_rows_clear(struct heddle_rows *rows) {
  if (rows->table)
    memset(rows->table, 0, rows->entries * sizeof *rows->table);
  rows->count = 0;
}

static inline void heddle_rows_free(struct heddle_rows *rows) {
  for (uint32_t i = 0; i < HEDDLE_ROWS_BLOCKS && rows->blocks[i]; i++)
    free(rows->blocks[i]);
  free(rows->table);
  free(rows->sorted);
}

#endif
