// SPDX-License-Identifier: Apache-2.0
// Cards on PCIe that lie or die: lies.h behind pcie_bed.h, and what the link itself may say.
#include <criterion/criterion.h>

#include "tests/transport/lies.h"
#include "tests/transport/pcie_bed.h"

// Words of BAR 0 (host/transport/pcie.c).
enum { MAGIC = 0x000, IN_BYTES = 0x00C, OUT_BYTES = 0x010, OPENED = 0x014, HEAD = 0x018, STATUS = 0x01C, OUT = 0xC000 };
enum { RESULTS = 16, EVERY = 0xFFFFFFFF };

// Those of the link: a word of BAR 0 is `value` from so many looks of the card on; EVERY: it is random.
static const struct lie lies_of_link[] = {
    {"MAGIC changes", LIE_OF_LINK, MAGIC, 0x12345678, 2000, false},
    {"IN_BYTES changes", LIE_OF_LINK, IN_BYTES, 0xFFFFFFFF, 2000, false},
    {"OUT_BYTES changes", LIE_OF_LINK, OUT_BYTES, 0, 2000, false},
    {"OPENED changes", LIE_OF_LINK, OPENED, 77, 2000, false},
    {"OPENED is of nobody", LIE_OF_LINK, OPENED, 77, 0, true},
    {"OPENED is random", LIE_OF_LINK, OPENED, EVERY, 0, true},
    {"HEAD stands", LIE_OF_LINK, HEAD, 0, 0, false},
    {"HEAD is far", LIE_OF_LINK, HEAD, 1000, 2000, false},
    {"HEAD is behind", LIE_OF_LINK, HEAD, 0xFFFFFFF0, 2000, false},
    {"HEAD is random", LIE_OF_LINK, HEAD, EVERY, 0, true},
    {"busy", LIE_OF_LINK, STATUS, 1, 0, false},
    {"STATUS is random", LIE_OF_LINK, STATUS, EVERY, 0, false},
    {"no request is one", LIE_OF_LINK, OUT, 2, 0, true},
    {"no address is one", LIE_OF_LINK, OUT, 1, 0, true},
    {"results are none", LIE_OF_LINK, OUT, 0x80000000, 0, true},
    {"results are random", LIE_OF_LINK, OUT, EVERY, 0, true},
};

static const struct lie *lie;

static uint32_t read_register(uint32_t offset, uint32_t word) {
  return lie_read(lie, offset, word);
}

static void read_memory(uint32_t address, uint8_t *data, size_t bytes) {
  for (size_t i = 0; i < bytes && lie->way == LIE_RANDOM_MEMORY; i++)
    if (address + i < lie->value)
      data[i] = (uint8_t)lie_random();
}

static void meddle(volatile uint32_t *registers) {
  static uint32_t looks;
  const uint32_t words = lie->offset == OUT ? RESULTS : 1;
  if (lie->way != LIE_OF_LINK || looks++ < lie->after)
    return;
  for (uint32_t i = 0; i < words; i++)
    registers[lie->offset / 4 + i] = lie->value == EVERY ? lie_random() : lie->value;
}

static void plug(const struct lie *one) {
  lie = one;
  pcie_bed_create(PCIE_BED_MODEL);
  pcie_bed_lie(read_register, read_memory, meddle);
  pcie_bed_plug();
}

TestSuite(lying_cards, .timeout = 600);

Test(lying_cards, programs_end_whatever_a_card_says_of_its_device) {
  expect_lies_to_end(lies_of_registers, lies_of_registers_count, plug);
}

Test(lying_cards, programs_end_whatever_a_card_says_of_the_link) {
  expect_lies_to_end(lies_of_link, sizeof lies_of_link / sizeof *lies_of_link, plug);
}
