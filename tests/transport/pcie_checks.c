// SPDX-License-Identifier: Apache-2.0
#include "tests/transport/pcie_checks.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "tests/opencl/harness.h"

void open_card(struct heddle_link *link) {
  struct heddle_bus_location place;
  struct heddle_error error;
  cr_assert(heddle_pcie_list(&place, 1) == 1);
  cr_assert(heddle_pcie_open(&place, link, &error) == 0, "%s", error.text);
}

void expect_any_bytes_back(uint32_t base, int times, size_t most) {
  enum { BYTES = 12000 };
  static uint8_t expected[BYTES], back[BYTES + 1];
  struct heddle_link link;
  uint32_t seed = 5;
  open_card(&link);
  cr_assert(link.transport->write(link.state, base, expected, BYTES) == 0);
  for (int i = 0; i < times; i++) {
    const size_t limit = i % 2 == 0 ? 16 : most, at = random_u32(&seed) % BYTES,
                 bytes = random_u32(&seed) % (BYTES - at) % limit;
    for (size_t j = 0; j < bytes; j++)
      expected[at + j] = (uint8_t)random_u32(&seed);
    cr_assert(link.transport->write(link.state, (uint32_t)(base + at), expected + at, bytes) == 0);
    const size_t from = random_u32(&seed) % BYTES, count = random_u32(&seed) % (BYTES - from) % limit;
    memset(back, 0xEE, sizeof back);
    cr_assert(link.transport->read(link.state, (uint32_t)(base + from), back, count) == 0);
    cr_assert(memcmp(back, expected + from, count) == 0, "%zu bytes from %zu on differ", count, from);
    cr_assert(back[count] == 0xEE, "more than %zu bytes came", count);
  }
  cr_assert(link.transport->read(link.state, base, back, BYTES) == 0 && memcmp(back, expected, BYTES) == 0,
            "bytes differ that nobody wrote");
  link.transport->close(link.state);
}

void expect_no_address(uint32_t base, uint32_t end, uint32_t there, size_t bytes) {
  static uint8_t much[20000];
  struct heddle_link link;
  uint32_t word = 7, back = 0;
  cr_assert(bytes <= sizeof much);
  open_card(&link);
  cr_assert(link.transport->read(link.state, 0x40000000, &word, sizeof word) == -EFAULT);
  cr_assert(link.transport->write(link.state, end - there, much, bytes) == -EFAULT);
  // A length that leads back to memory once the addresses of 32 bits are round.
  cr_assert(link.transport->read(link.state, base, much, (size_t)1 << 32) == -EFAULT);
  cr_assert(link.transport->write(link.state, base, much, SIZE_MAX) == -EFAULT);
  cr_assert(link.transport->write(link.state, base, &word, sizeof word) == 0);
  cr_assert(link.transport->read(link.state, base, &back, sizeof back) == 0 && back == word);
  link.transport->close(link.state);
}
