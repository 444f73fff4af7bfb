// SPDX-License-Identifier: Apache-2.0
// The allocator of device memory against a map of bytes.
#include "host/device/allocator.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"

enum { FIRST = 0x1000, BYTES = 1 << 16 };

Test(allocator, empty_ranges_and_odd_alignments_are_refused) {
  uint32_t address;
  cr_assert_null(heddle_allocator_create(8, 8, 1));
  struct heddle_allocator *allocator = heddle_allocator_create(FIRST, FIRST + BYTES, 1);
  cr_assert_eq(heddle_allocator_take(allocator, 0, 4, 3, &address), -EINVAL);
  cr_assert_eq(heddle_allocator_take(allocator, 0, 4, 0, &address), -EINVAL);
  heddle_allocator_destroy(allocator);
}

Test(allocator, everything_can_be_had_again_in_one_piece) {
  struct heddle_allocator *allocator = heddle_allocator_create(FIRST, FIRST + BYTES, 1);
  uint32_t address[16], whole;
  for (int i = 0; i < 16; i++)
    cr_assert_eq(heddle_allocator_take(allocator, 0, BYTES / 16, 1, &address[i]), 0);
  cr_assert_eq(heddle_allocator_take(allocator, 0, 1, 1, &whole), -ENOMEM);
  for (int i = 0; i < 16; i++)
    heddle_allocator_give(allocator, address[(i * 7) % 16]);
  cr_assert_eq(heddle_allocator_take(allocator, 0, BYTES, 1, &whole), 0);
  cr_assert_eq(whole, FIRST);
  heddle_allocator_destroy(allocator);
}

Test(allocator, the_smallest_gap_that_fits_is_taken) {
  struct heddle_allocator *allocator = heddle_allocator_create(FIRST, FIRST + BYTES, 1);
  uint32_t large, wall, small, end, got;
  heddle_allocator_take(allocator, 0, 4096, 1, &large);
  heddle_allocator_take(allocator, 0, 64, 1, &wall);
  heddle_allocator_take(allocator, 0, 128, 1, &small);
  heddle_allocator_take(allocator, 0, 64, 1, &end);
  heddle_allocator_give(allocator, large);
  heddle_allocator_give(allocator, small);
  cr_assert_eq(heddle_allocator_take(allocator, 0, 100, 1, &got), 0);
  cr_assert_eq(got, small);
  heddle_allocator_destroy(allocator);
}

Test(allocator, a_range_up_to_the_end_of_addresses_does_not_wrap) {
  struct heddle_allocator *allocator = heddle_allocator_create(0xFFFFF001u, 0xFFFFFFFFu, 1);
  uint32_t address;
  cr_assert_eq(heddle_allocator_take(allocator, 0, 16, 1u << 31, &address), -ENOMEM);
  cr_assert_eq(heddle_allocator_take(allocator, 0, 0xFFE, 1, &address), 0);
  heddle_allocator_destroy(allocator);
}

Test(allocator, the_lowest_free_address_that_is_not_below_one_is_taken) {
  static const struct {
    uint32_t bytes, alignment, lowest, expected;  // 0: there is none
  } cases[] = {
      {0x1000, 1, 0, 0x1000},      {0x1000, 1, 0x1001, 0x1001}, {0x1000, 0x1000, 0x1800, 0x2000},
      {0x1000, 1, 0x2000, 0x2000}, {0x1000, 1, 0x2001, 0x4000}, {0x2000, 1, 0, 0x1000},
      {0x2001, 1, 0, 0x4000},      {0x5000, 1, 0x3000, 0x4000}, {0x5001, 1, 0, 0},
      {0x1000, 1, 0x8001, 0},      {0x1000, 1, 0x8000, 0x8000}, {4, 1, 0x9000, 0},
      {4, 1, 0xFFFFFFFF, 0},       {0xFFFFFFFF, 1, 0, 0},       {4, 0x8000, 0, 0x8000},
  };
  // Of 0x1000 to 0x9000 one page in the midst is taken, at 0x3000.
  struct heddle_allocator *allocator = heddle_allocator_create(0x1000, 0x9000, 1);
  uint32_t wall, address;
  cr_assert_eq(heddle_allocator_take_from(allocator, 0, 0x1000, 1, 0x3000, &wall), 0);
  cr_assert_eq(wall, 0x3000);
  cr_assert_eq(heddle_allocator_take_from(allocator, 0, 4, 3, 0, &address), -EINVAL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    address = 0;
    const int result =
        heddle_allocator_take_from(allocator, 0, cases[i].bytes, cases[i].alignment, cases[i].lowest, &address);
    cr_expect_eq(address, cases[i].expected, "case %zu: expected 0x%x, got 0x%x", i, cases[i].expected, address);
    cr_expect_eq(result, cases[i].expected != 0 ? 0 : -ENOMEM, "case %zu: %d", i, result);
    heddle_allocator_give(allocator, address);
  }
  heddle_allocator_give(allocator, wall);
  cr_assert_eq(heddle_allocator_take(allocator, 0, 0x8000, 1, &address), 0);
  heddle_allocator_destroy(allocator);
}

Test(allocator, addresses_not_taken_are_ignored) {
  struct heddle_allocator *allocator = heddle_allocator_create(FIRST, FIRST + BYTES, 1);
  heddle_allocator_give(allocator, FIRST);
  heddle_allocator_give(allocator, 5);
  cr_assert_eq(heddle_allocator_free_bytes(allocator), BYTES);
  heddle_allocator_destroy(allocator);
}

Test(allocator, random_use_never_overlaps_and_loses_nothing) {
  enum { MOST = 200, ROUNDS = 20000 };
  static uint8_t map[BYTES];
  struct heddle_allocator *allocator = heddle_allocator_create(FIRST, FIRST + BYTES, 1);
  struct {
    uint32_t address, bytes;
  } taken[MOST];
  int count = 0;
  uint32_t random = 7;
  for (int round = 0; round < ROUNDS; round++) {
    random = random * 1664525 + 1013904223;
    if (count < MOST && (random >> 20) % 2 == 0) {
      const uint32_t bytes = 1 + (random >> 8) % 1500, alignment = 1u << (random >> 28);
      uint32_t address;
      if (heddle_allocator_take(allocator, 0, bytes, alignment, &address) != 0)
        continue;
      cr_assert_eq(address % alignment, 0);
      cr_assert(address >= FIRST && address + bytes <= FIRST + BYTES);
      for (uint32_t i = 0; i < bytes; i++)
        cr_assert_eq(map[address - FIRST + i]++, 0, "byte 0x%x was given out twice", address + i);
      taken[count].address = address;
      taken[count++].bytes = bytes;
    } else if (count > 0) {
      const int gone = (int)((random >> 8) % (uint32_t)count);
      heddle_allocator_give(allocator, taken[gone].address);
      memset(map + taken[gone].address - FIRST, 0, taken[gone].bytes);
      taken[gone] = taken[--count];
    }
    uint32_t used = 0;
    for (int i = 0; i < count; i++)
      used += taken[i].bytes;
    cr_assert_eq(heddle_allocator_free_bytes(allocator), BYTES - used);
  }
  heddle_allocator_destroy(allocator);
}

Test(allocator, its_range_moves_only_around_what_is_allocated) {
  enum { START = 0x1000, END = 0x9000 };
  uint32_t address, other;
  size_t count;
  struct heddle_allocator *allocator = heddle_allocator_create(START, END, 1);
  cr_assert_eq(heddle_allocator_set_range(allocator, 0x2000, 0x6000, 1), 0);
  cr_assert_eq(heddle_allocator_free_bytes(allocator), 0x4000);
  cr_assert_eq(heddle_allocator_take(allocator, 0, 0x100, 0x1000, &address), 0);
  cr_assert_eq(heddle_allocator_take(allocator, 0, 0x200, 0x1000, &other), 0);
  cr_assert(address == 0x2000 && other == 0x3000);
  struct heddle_piece *pieces = heddle_allocator_pieces(allocator, &count);
  cr_assert(pieces && count == 2 && pieces[0].address == 0x2000 && pieces[0].bytes == 0x100);
  cr_assert(pieces[1].address == 0x3000 && pieces[1].bytes == 0x200);
  free(pieces);
  cr_expect_neq(heddle_allocator_set_range(allocator, 0x2004, 0x6000, 1), 0, "its first piece would be outside");
  cr_expect_neq(heddle_allocator_set_range(allocator, START, 0x31FC, 1), 0, "its last piece would be outside");
  cr_expect_neq(heddle_allocator_set_range(allocator, END, START, 1), 0, "an empty range");
  cr_expect_eq(heddle_allocator_free_bytes(allocator), 0x4000 - 0x300, "a refusal changed something");
  static const uint32_t ranges[][2] = {
      {0x2000, 0x3200}, {START, END}, {0x1800, 0x3200}, {0x2000, 0x5000}, {START, END}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    cr_assert_eq(heddle_allocator_set_range(allocator, ranges[i][0], ranges[i][1], 1), 0, "range %zu", i);
    cr_assert_eq(heddle_allocator_free_bytes(allocator), ranges[i][1] - ranges[i][0] - 0x300, "range %zu", i);
  }
  heddle_allocator_give(allocator, address);
  heddle_allocator_give(allocator, other);
  cr_assert_eq(heddle_allocator_take(allocator, 0, END - START, 4, &address), 0, "all of it is one piece again");
  heddle_allocator_destroy(allocator);
}

// ---- pieces of different rights

static uint32_t random_u32(uint32_t *state) {
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

enum { PAGE = 0x1000, ONE = 5, OTHER = 5 | HEDDLE_RIGHTS_WRITE };

Test(allocator, pieces_of_different_rights_share_no_page) {
  // The range begins and ends in the middle of a page.
  const uint32_t first = 0x800, end = 0x20400;
  uint32_t seed = 3;
  struct {
    uint32_t address, bytes, rights;
  } taken[64] = {{0}};
  struct heddle_allocator *allocator = heddle_allocator_create(first, end, PAGE);
  for (int step = 0; step < 4000; step++) {
    uint8_t of_page[0x21] = {0};
    const uint32_t i = random_u32(&seed) % 64, rights = 1 + random_u32(&seed) % 3, bytes = 1 + random_u32(&seed) % 3000;
    if (taken[i].bytes != 0) {
      heddle_allocator_give(allocator, taken[i].address);
      taken[i].bytes = 0;
    } else if (heddle_allocator_take(allocator, (uint8_t)rights, bytes, 16, &taken[i].address) == 0) {
      taken[i].bytes = bytes;
      taken[i].rights = rights;
    }
    for (int t = 0; t < 64; t++)
      for (uint32_t page = taken[t].address / PAGE;
           taken[t].bytes != 0 && page <= (taken[t].address + taken[t].bytes - 1) / PAGE; page++) {
        cr_assert(of_page[page] == 0 || of_page[page] == taken[t].rights, "page %u has rights %u and %u", page,
                  of_page[page], taken[t].rights);
        of_page[page] = (uint8_t)taken[t].rights;
      }
    uint8_t entries[0x21];
    heddle_allocator_rights(allocator, 0, entries, 0x21);
    for (uint32_t page = 0; page < 0x21; page++)
      cr_assert_eq(entries[page], of_page[page], "step %d, page %u: the table has %u, expected %u", step, page,
                   entries[page], of_page[page]);
  }
  for (int t = 0; t < 64; t++)
    if (taken[t].bytes != 0)
      heddle_allocator_give(allocator, taken[t].address);
  uint32_t address;
  cr_expect_eq(heddle_allocator_take(allocator, 9, end - first, 1, &address), 0, "all of it is one piece again");
  heddle_allocator_destroy(allocator);
}

Test(allocator, a_change_of_the_table_is_told_once) {
  uint8_t entries[16] = {0};
  uint32_t address;
  struct heddle_allocator *allocator = heddle_allocator_create(PAGE, 16 * PAGE, PAGE);
  const uint64_t before = heddle_allocator_rights(allocator, 0, entries, 16);
  cr_assert_eq(heddle_allocator_take(allocator, ONE, 64, 64, &address), 0);
  const uint64_t behind = heddle_allocator_rights(allocator, before, entries, 16);
  cr_expect_neq(before, behind);
  cr_expect_eq(entries[address / PAGE], ONE);
  entries[1] = 99;
  cr_expect_eq(heddle_allocator_rights(allocator, behind, entries, 16), behind);
  cr_expect_eq(entries[1], 99, "nothing has changed, and the table was written");
  heddle_allocator_give(allocator, address);
  cr_expect_neq(heddle_allocator_rights(allocator, behind, entries, 16), behind, "what is freed is not told");
  cr_expect_eq(entries[address / PAGE], HEDDLE_DOMAIN_NOBODY);
  heddle_allocator_destroy(allocator);
}

Test(allocator, a_piece_can_be_split_at_a_page) {
  uint8_t entries[16];
  uint32_t address;
  struct heddle_allocator *allocator = heddle_allocator_create(PAGE, 16 * PAGE, PAGE);
  cr_assert_eq(heddle_allocator_take(allocator, ONE, 4 * PAGE, PAGE, &address), 0);
  cr_expect_eq(heddle_allocator_split(allocator, address, PAGE + 4, OTHER), -EINVAL, "not at a page");
  cr_expect_eq(heddle_allocator_split(allocator, address, 4 * PAGE, OTHER), -EINVAL, "nothing is left");
  cr_expect_eq(heddle_allocator_split(allocator, address + 4, PAGE, OTHER), -EINVAL, "nobody's");
  cr_assert_eq(heddle_allocator_split(allocator, address, 3 * PAGE, OTHER), 0);
  heddle_allocator_rights(allocator, 0, entries, 16);
  cr_expect_eq(entries[address / PAGE + 2], ONE);
  cr_expect_eq(entries[address / PAGE + 3], OTHER);
  heddle_allocator_give(allocator, address);
  heddle_allocator_rights(allocator, 0, entries, 16);
  cr_expect_eq(entries[address / PAGE + 2], HEDDLE_DOMAIN_NOBODY);
  cr_expect_eq(entries[address / PAGE + 3], OTHER);
  heddle_allocator_give(allocator, address + 3 * PAGE);
  cr_expect_eq(heddle_allocator_free_bytes(allocator), 15 * PAGE);
  heddle_allocator_destroy(allocator);
}

// Another bitstream may have larger pages.
Test(allocator, pages_with_several_rights_after_a_change_of_range_are_everybodys) {
  uint8_t entries[16];
  uint32_t one, other;
  struct heddle_allocator *allocator = heddle_allocator_create(PAGE, 16 * PAGE, PAGE);
  cr_assert_eq(heddle_allocator_take_from(allocator, ONE, PAGE, PAGE, 4 * PAGE, &one), 0);
  cr_assert_eq(heddle_allocator_take_from(allocator, OTHER, PAGE, PAGE, 5 * PAGE, &other), 0);
  cr_assert_eq(heddle_allocator_set_range(allocator, PAGE, 16 * PAGE, 4 * PAGE), 0);
  heddle_allocator_rights(allocator, 0, entries, 4);
  cr_expect_eq(entries[0], HEDDLE_DOMAIN_NOBODY);
  cr_expect_eq(entries[1], HEDDLE_DOMAIN_EVERYBODY | HEDDLE_RIGHTS_WRITE);
  cr_assert_eq(heddle_allocator_set_range(allocator, PAGE, 16 * PAGE, PAGE), 0);
  heddle_allocator_rights(allocator, 0, entries, 16);
  cr_expect_eq(entries[4], ONE);
  cr_expect_eq(entries[5], OTHER);
  heddle_allocator_destroy(allocator);
}
