// SPDX-License-Identifier: Apache-2.0
// Works on lines: `j` to a label in front of which there is no other instruction goes; and a branch across a jump
// becomes the opposite branch to where that jump goes. The assembler makes a branch longer that does not reach.
#include "hls/jumps.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const opposites[][2] = {{"beqz", "bnez"}, {"blez", "bgtz"}, {"bgez", "bltz"}, {"beq", "bne"},
                                           {"blt", "bge"},   {"bltu", "bgeu"}, {"bgt", "ble"},   {"bgtu", "bleu"}};
enum { OPPOSITES = sizeof opposites / sizeof *opposites };
static const char block_label[] = ".LBB";

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

// Something between instructions that has no bytes: a comment, a source line, a label.
static bool is_silent(const char *line) {
  return *line == '\n' || *line == ';' || *line == '#' || strncmp(line, ".L", 2) == 0 ||
         strncmp(line, "\t.loc\t", 6) == 0 || strncmp(line, "\t#", 2) == 0;
}

static bool is_label(const char *line, const char *name, size_t length) {
  return strncmp(line, name, length) == 0 && line[length] == ':';
}

static size_t line_length(const char *line) {
  return strcspn(line, "\n");
}

// Length of the label that a jump or branch goes to, which ends its line; 0 if that is no block.
static size_t target_of(const char *line, const char **name) {
  const size_t length = line_length(line);
  size_t start = length;
  while (start > 0 && line[start - 1] != '\t' && line[start - 1] != ' ')
    start--;
  *name = line + start;
  return strncmp(*name, block_label, sizeof block_label - 1) == 0 ? length - start : 0;
}

static bool is_jump(const char *line) {
  const char *name;
  return strncmp(line, "\tj\t", 3) == 0 && target_of(line, &name) > 0;
}

// Whether the label comes before any instruction, from a line on.
static bool comes_next(const char *line, const char *name, size_t length) {
  for (; *line != 0 && is_silent(line); line = next_line(line))
    if (is_label(line, name, length))
      return true;
  return false;
}

static bool goes_to_next(const char *line) {
  const char *name;
  const size_t length = target_of(line, &name);
  return comes_next(next_line(line), name, length);
}

static const char *opposite_of(const char *line, size_t *length) {
  for (size_t i = 0; i < OPPOSITES; i++) {
    for (size_t k = 0; k < 2; k++) {
      *length = strlen(opposites[i][k]);
      if (line[0] == '\t' && strncmp(line + 1, opposites[i][k], *length) == 0 && line[1 + *length] == '\t')
        return opposites[i][1 - k];
    }
  }
  return NULL;
}

// The jump behind a branch, with nothing in between that others jump to; NULL if there is none.
static const char *jump_behind(const char *line) {
  while (*line != 0 && is_silent(line) && strncmp(line, block_label, sizeof block_label - 1) != 0)
    line = next_line(line);
  return is_jump(line) ? line : NULL;
}

// Writes a branch across a jump the other way round. Returns that jump, or NULL if the line is no such branch.
static const char *turn(const char *line, FILE *to) {
  const char *from_name, *to_name;
  size_t operation_length;
  const char *opposite = opposite_of(line, &operation_length);
  const char *jump = opposite ? jump_behind(next_line(line)) : NULL;
  const size_t from_length = jump ? target_of(line, &from_name) : 0;
  if (from_length == 0 || !comes_next(next_line(jump), from_name, from_length))
    return NULL;
  const char *operands = line + 1 + operation_length;
  const size_t to_length = target_of(jump, &to_name);
  fprintf(to, "\t%s%.*s%.*s\n", opposite, (int)(from_name - operands), operands, (int)to_length, to_name);
  return jump;
}

char *jumps_leave_out(const char *text) {
  char *result = NULL;
  size_t bytes;
  FILE *to = open_memstream(&result, &bytes);
  const char *left_out = NULL;
  for (const char *line = text, *next; to && *line != 0; line = next) {
    next = next_line(line);
    if (line == left_out || (is_jump(line) && goes_to_next(line)))
      continue;
    const char *jump = turn(line, to);
    if (jump)
      left_out = jump;
    else
      fwrite(line, 1, (size_t)(next - line), to);
  }
  if (!to || fclose(to) != 0)
    abort();
  return result;
}
