// SPDX-License-Identifier: Apache-2.0
// The host's way to global memory while a dispatch runs: what the host writes the kernel sees, what the kernel writes
// the host sees, and bytes are where they belong.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/dispatch/chosen.h"
#include "tests/model/encode.h"
#include "tests/rtl/random_word.h"

enum { OWN_CODE = CODE + KERNELS * KERNEL_BYTES, MAILBOX = DATA + 0x1000, AREA_BYTES = 0x2000 };

// Dispatch 0 is of this code.
static void write_own(const struct chosen *c, const uint32_t *words, size_t bytes) {
  cr_assert_eq(c->api->write(c->device, OWN_CODE, words, bytes), 0);
  write_dispatch(c, 0, KERNEL_EMPTY);
  set_dispatch(c, 0, HEDDLE_DISPATCH_ENTRY, OWN_CODE);
}

Test(link, a_kernel_sees_what_the_host_writes_while_it_runs_and_the_host_what_it_answers) {
  struct chosen c = chosen_open();
  // Waits until the first word changes, and writes one more than it into the second; until it is 0.
  const uint32_t code[] = {
      lui(5, MAILBOX), addi(6, 0, 0), lw(7, 5, 0), encode_b(BEQ, 7, 6, -4),
      addi(6, 7, 0),   addi(8, 7, 1), sw(8, 5, 4), encode_b(BNE, 7, 0, -20),
      exit_item(),
  };
  put(&c, MAILBOX, 0);
  write_own(&c, code, sizeof code);
  start_at(&c, dispatch_at(0));
  for (uint32_t round = 1; round <= 20; round++) {
    cr_assert_eq(c.api->run(c.device, 200), 0, "round %u: the kernel did not wait", round);
    put(&c, MAILBOX, round * 7);
    for (int runs = 0; get(&c, MAILBOX + 4) != round * 7 + 1; runs++) {
      cr_assert_lt(runs, 1000, "round %u: no answer", round);
      c.api->run(c.device, 20);
    }
  }
  put(&c, MAILBOX, 0);
  run_until_idle(&c);
  cr_expect_eq(get(&c, MAILBOX + 4), 1);
  cr_expect_eq(get_control(&c, HEDDLE_REG_STATUS), 0);
  chosen_close(&c);
}

Test(link, any_bytes_can_be_written_and_read_while_a_dispatch_runs) {
  struct chosen c = chosen_open();
  static uint8_t reference[AREA_BYTES], came[AREA_BYTES], piece[512];
  memset(reference, 0, sizeof reference);
  write_dispatch(&c, 0, KERNEL_FOREVER);
  start_at(&c, dispatch_at(0));
  random_seed(1);
  for (int i = 0; i < 400; i++) {
    const uint32_t bytes = 1 + random_below(i % 4 == 0 ? sizeof piece : 9);
    const uint32_t at = random_below(AREA_BYTES - bytes);
    if (i % 3 != 0) {
      for (uint32_t k = 0; k < bytes; k++)
        reference[at + k] = piece[k] = (uint8_t)random_below(256);
      cr_assert_eq(c.api->write(c.device, DATA + at, piece, bytes), 0);
    } else {
      cr_assert_eq(c.api->read(c.device, DATA + at, piece, bytes), 0);
      cr_assert_arr_eq(piece, reference + at, bytes, "%u bytes at %u, access %d", bytes, at, i);
    }
    cr_assert_eq(c.api->run(c.device, random_below(40)), 0);
  }
  set_control(&c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
  run_until_idle(&c);
  cr_assert_eq(c.api->read(c.device, DATA, came, sizeof came), 0);
  cr_expect_arr_eq(came, reference, sizeof came);
  chosen_close(&c);
}

Test(link, what_the_host_wrote_while_a_dispatch_ran_the_next_one_finds) {
  struct chosen c = chosen_open();
  // The first reads the words that the second will, so that they are in the cache; the host changes them while it runs.
  const uint32_t code[] = {
      lui(5, MAILBOX), lw(6, 5, 0), lw(7, 5, 64), add(6, 6, 7), sw(6, 5, 128), exit_item(),
  };
  write_own(&c, code, sizeof code);
  write_dispatch(&c, 1, KERNEL_SLOW);
  write_dispatch(&c, 2, KERNEL_EMPTY);
  set_dispatch(&c, 2, HEDDLE_DISPATCH_ENTRY, OWN_CODE);
  put(&c, MAILBOX, 5);
  put(&c, MAILBOX + 64, 6);
  start_at(&c, dispatch_at(0));
  run_until_idle(&c);
  cr_expect_eq(get(&c, MAILBOX + 128), 11);
  start_at(&c, dispatch_at(1));
  start_at(&c, dispatch_at(2));
  run_a_little(&c);
  put(&c, MAILBOX, 50);
  put(&c, MAILBOX + 64, 60);
  run_until_idle(&c);
  cr_expect_eq(get(&c, MAILBOX + 128), 110);
  chosen_close(&c);
}
