// SPDX-License-Identifier: Apache-2.0
// Devices on this chip, by UIO, that lie or die: lies.h behind mmio_bed.h.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/transport/lies.h"
#include "tests/transport/mmio_bed.h"

static const struct lie *lie;

static uint32_t read_register(uint32_t offset, uint32_t word) {
  return lie_read(lie, offset, word);
}

static void meddle(uint8_t *memory, size_t bytes) {
  lie_meddle(lie, memory, bytes);
}

static void plug_one(const struct lie *one, bool no_processor) {
  lie = one;
  mmio_bed_plug(&(struct mmio_bed){.read = read_register, .meddle = meddle, .no_processor = no_processor});
  setenv("HEDDLE_UIO", "/dev/uio0", 1);
}

static void plug(const struct lie *one) {
  plug_one(one, false);
}

static void plug_without_processor(const struct lie *one) {
  plug_one(one, true);
}

TestSuite(lying_chips, .timeout = 600);

Test(lying_chips, programs_end_whatever_a_device_says) {
  expect_lies_to_end(lies_of_registers, lies_of_registers_count, plug);
}

Test(lying_chips, programs_end_whatever_a_device_without_a_command_processor_says) {
  expect_lies_to_end(lies_of_registers, lies_of_registers_count, plug_without_processor);
}
