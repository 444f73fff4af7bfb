// SPDX-License-Identifier: Apache-2.0
// Which kinds of compute unit are a chain, by tables of kinds (contract/DEVICE.md, "Chains").
#include "host/device/chains.h"

#include <criterion/criterion.h>

#include "host/device/driver.h"

static struct heddle_capabilities table_of(uint32_t kinds) {
  struct heddle_capabilities table = {.num_kinds = kinds};
  for (uint32_t i = 1; i < kinds; i++)
    table.kinds[i].type = HEDDLE_KIND_IS_PIPELINE;
  return table;
}

static void add_pipe(struct heddle_capabilities *table, uint32_t writer, uint32_t argument, uint32_t reader,
                     uint32_t reader_argument) {
  int at = 0;
  while (table->kinds[writer].pipes[at] != 0)
    at++;
  table->kinds[writer].pipes[at] = HEDDLE_KIND_PIPE_WORD(reader, argument, reader_argument);
}

static void expect_pipe(const struct heddle_chain_shape *shape, uint32_t number, struct heddle_chain_pipe right) {
  const struct heddle_chain_pipe *pipe = &shape->pipes[number];
  cr_assert(pipe->writer == right.writer && pipe->reader == right.reader, "pipe %u is from %u to %u, not from %u to %u",
            number, pipe->writer, pipe->reader, right.writer, right.reader);
  cr_assert(pipe->writer_argument == right.writer_argument && pipe->reader_argument == right.reader_argument,
            "pipe %u is argument %u and %u, not %u and %u", number, pipe->writer_argument, pipe->reader_argument,
            right.writer_argument, right.reader_argument);
}

Test(chains, the_kernel_with_the_unit_is_the_first_and_others_and_pipes_follow_in_the_order_of_kinds) {
  struct heddle_capabilities table = table_of(7);
  struct heddle_chain_shape shape;
  add_pipe(&table, 1, 2, 3, 0);
  add_pipe(&table, 1, 1, 4, 3);
  table.kinds[2].units = 2;  // alone
  add_pipe(&table, 3, 7, 4, 1);
  table.kinds[4].units = 1;
  table.kinds[5].units = 1;
  add_pipe(&table, 5, 0, 6, 0);
  add_pipe(&table, 6, 1, 5, 1);
  static const uint32_t members[] = {4, 1, 3};
  for (uint32_t i = 0; i < 3; i++) {
    cr_assert(heddle_kind_is_of_chain(&table, members[i]) && heddle_chain_shape(&table, members[i], &shape));
    cr_assert(shape.count == 3 && shape.num_pipes == 3, "%u kernels, %u pipes", shape.count, shape.num_pipes);
    for (uint32_t k = 0; k < 3; k++)
      cr_assert_eq(shape.kinds[k], members[k], "kernel %u is of kind %u", k, shape.kinds[k]);
    cr_assert_eq(heddle_chain_number(&shape, members[i]), i);
    expect_pipe(&shape, 0, (struct heddle_chain_pipe){1, 2, 2, 0});
    expect_pipe(&shape, 1, (struct heddle_chain_pipe){1, 0, 1, 3});
    expect_pipe(&shape, 2, (struct heddle_chain_pipe){2, 0, 7, 1});
  }
  cr_assert(!heddle_kind_is_of_chain(&table, 2) && !heddle_chain_shape(&table, 2, &shape));
  cr_assert_eq(shape.count, 0);
  cr_assert(heddle_chain_shape(&table, 6, &shape) && shape.count == 2 && shape.num_pipes == 2);
  expect_pipe(&shape, 0, (struct heddle_chain_pipe){0, 1, 0, 0});
  expect_pipe(&shape, 1, (struct heddle_chain_pipe){1, 0, 1, 1});
}

static bool is_chain_with_units(struct heddle_capabilities *table, uint32_t units) {
  struct heddle_chain_shape shape;
  table->kinds[table->num_kinds - 1].units = units;
  return heddle_chain_shape(table, 1, &shape);
}

// Kinds from 1 on, each of which writes to the next.
static struct heddle_capabilities line_of(uint32_t kernels) {
  struct heddle_capabilities table = table_of(1 + kernels);
  for (uint32_t i = 1; i < kernels; i++)
    add_pipe(&table, i, 0, i + 1, 0);
  return table;
}

Test(chains, a_table_that_no_device_has_is_no_chain) {
  struct heddle_capabilities table = line_of(3);
  cr_expect(is_chain_with_units(&table, 1));
  cr_expect(!is_chain_with_units(&table, 0), "without a unit");
  cr_expect(!is_chain_with_units(&table, 2), "with two units");
  table.kinds[1].units = 1;
  cr_expect(!is_chain_with_units(&table, 1), "with a unit for each of two");
  table = line_of(HEDDLE_KINDS_MOST - 1);
  cr_expect(is_chain_with_units(&table, 1), "all kinds of a device but the programmable one");
  table = line_of(2);
  for (uint32_t i = 1; i < 4; i++)
    add_pipe(&table, 1, i, 2, i);
  cr_expect(is_chain_with_units(&table, 1));
  add_pipe(&table, 1, 4, 2, 4);
  cr_expect(!is_chain_with_units(&table, 1), "five pipes of two kernels");
}
