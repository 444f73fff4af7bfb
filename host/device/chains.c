// SPDX-License-Identifier: Apache-2.0
// Finds chains in a table of kinds (chains.h).
#include "host/device/chains.h"

#include "host/device/driver.h"

// Marks the kinds that pipes join with one, itself among them.
static void mark_joined(const struct heddle_capabilities *capabilities, uint32_t kind, bool *joined) {
  bool changes = true;
  joined[kind] = true;
  while (changes) {
    changes = false;
    for (uint32_t i = 1; i < capabilities->num_kinds; i++)
      for (int p = 0; p < HEDDLE_KIND_PIPES; p++) {
        const uint32_t pipe = capabilities->kinds[i].pipes[p], reader = HEDDLE_KIND_PIPE_READER(pipe);
        if (pipe == 0 || reader >= capabilities->num_kinds || joined[i] == joined[reader])
          continue;
        joined[i] = joined[reader] = changes = true;
      }
  }
}

bool heddle_kind_is_of_chain(const struct heddle_capabilities *capabilities, uint32_t kind) {
  bool is = capabilities->kinds[kind].pipes[0] != 0;
  for (uint32_t i = 1; i < capabilities->num_kinds; i++)
    for (int p = 0; p < HEDDLE_KIND_PIPES; p++)
      is |= capabilities->kinds[i].pipes[p] != 0 && HEDDLE_KIND_PIPE_READER(capabilities->kinds[i].pipes[p]) == kind;
  return is;
}

uint32_t heddle_chain_number(const struct heddle_chain_shape *shape, uint32_t kind) {
  uint32_t number = 0;
  while (number + 1 < shape->count && shape->kinds[number] != kind)
    number++;
  return number;
}

// False: there is no room for them.
static bool add_pipes(const struct heddle_unit_kind *kind, uint32_t writer, struct heddle_chain_shape *shape) {
  for (int p = 0; p < HEDDLE_KIND_PIPES; p++) {
    const uint32_t pipe = kind->pipes[p];
    if (pipe == 0)
      continue;
    if (shape->num_pipes == HEDDLE_DISPATCH_PIPE_COUNT * shape->count)
      return false;
    shape->pipes[shape->num_pipes++] =
        (struct heddle_chain_pipe){.writer = heddle_chain_number(shape, writer),
                                   .reader = heddle_chain_number(shape, HEDDLE_KIND_PIPE_READER(pipe)),
                                   .writer_argument = HEDDLE_KIND_PIPE_ARGUMENT(pipe),
                                   .reader_argument = HEDDLE_KIND_PIPE_READER_ARGUMENT(pipe)};
  }
  return true;
}

bool heddle_chain_shape(const struct heddle_capabilities *capabilities, uint32_t kind,
                        struct heddle_chain_shape *shape) {
  bool joined[HEDDLE_KINDS_MOST] = {false}, is_one = true;
  uint32_t units = 0;
  *shape = (struct heddle_chain_shape){.count = 1};  // 1: the first is told below
  mark_joined(capabilities, kind, joined);
  for (uint32_t i = 1; i < capabilities->num_kinds; i++) {
    if (!joined[i])
      continue;
    if (capabilities->kinds[i].units != 0) {
      shape->kinds[0] = i;
      units += capabilities->kinds[i].units;
    } else if (shape->count < HEDDLE_CHAIN_KERNELS)
      shape->kinds[shape->count++] = i;
    else
      is_one = false;
  }
  for (uint32_t i = 1; i < capabilities->num_kinds && is_one; i++)
    is_one = !joined[i] || add_pipes(&capabilities->kinds[i], i, shape);
  is_one = is_one && units == 1 && shape->num_pipes != 0;
  if (!is_one)
    *shape = (struct heddle_chain_shape){.count = 0};
  return is_one;
}
