// SPDX-License-Identifier: Apache-2.0
// See ring.h.
#include "tests/dispatch/ring.h"

#include <criterion/criterion.h>

#include "contract/firmware.h"

struct ring ring_open(uint32_t first_command) {
  struct ring r = {.c = chosen_open_processor()};
  cr_assert_eq(get_control(&r.c, HEDDLE_REG_FEATURES) & HEDDLE_FEATURE_PROCESSOR, HEDDLE_FEATURE_PROCESSOR);
  cr_assert_eq(r.c.first_global, HEDDLE_PROCESSOR_END);
  ring_start(&r, first_command);
  return r;
}

void ring_start(struct ring *r, uint32_t first_command) {
  cr_assert_leq(heddle_firmware_bytes, HEDDLE_FIRMWARE_BYTES);
  cr_assert_eq(r->c.api->write(r->c.device, HEDDLE_FIRMWARE_FIRST, heddle_firmware, heddle_firmware_bytes), 0);
  cr_assert_eq(get(&r->c, HEDDLE_FIRMWARE_FIRST + HEDDLE_FIRMWARE_FIRST_COMMAND), 0);
  put(&r->c, HEDDLE_FIRMWARE_FIRST + HEDDLE_FIRMWARE_FIRST_COMMAND, first_command);
  set_control(&r->c, HEDDLE_REG_PROCESSOR, HEDDLE_PROCESSOR_START);
  cr_assert_eq(get_control(&r->c, HEDDLE_REG_PROCESSOR_STATUS), HEDDLE_PROCESSOR_RUNS);
  cr_assert_eq(get_control(&r->c, HEDDLE_REG_HEAD), 0);
  cr_assert_eq(get_control(&r->c, HEDDLE_REG_TAIL), 0);
  r->tail = first_command;
}

void ring_close(struct ring *r) {
  chosen_close(&r->c);
}

uint32_t ring_write(struct ring *r, const struct command *command) {
  const uint32_t words[HEDDLE_RING_COMMAND_WORDS] = {
      command->kind, command->num_waits, command->waits[0], command->waits[1], command->waits[2], command->waits[3],
      command->a,    command->b,         command->c,        command->d,        command->e,        command->f,
  };
  const uint32_t at = HEDDLE_RING_FIRST + r->tail % HEDDLE_RING_COMMANDS * HEDDLE_RING_COMMAND_BYTES;
  cr_assert_eq(r->c.api->write(r->c.device, at, words, sizeof words), 0);
  return r->tail++;
}

void ring_doorbell(const struct ring *r) {
  set_control(&r->c, HEDDLE_REG_TAIL, r->tail);
}

void ring_finish(const struct ring *r) {
  ring_doorbell(r);
  run_until_idle(&r->c);
  const uint32_t status = get_control(&r->c, HEDDLE_REG_PROCESSOR_STATUS);
  cr_assert_eq(status, HEDDLE_PROCESSOR_RUNS, "%s: the firmware's status is %u, reason %u at 0x%x", r->c.api->name,
               status, get_control(&r->c, HEDDLE_REG_PROCESSOR_FAULT_REASON),
               get_control(&r->c, HEDDLE_REG_PROCESSOR_FAULT_PC));
  cr_assert_eq(ring_head(r), r->tail, "%s: HEAD is %u, expected %u", r->c.api->name, ring_head(r), r->tail);
}

uint32_t ring_head(const struct ring *r) {
  return get_control(&r->c, HEDDLE_REG_HEAD);
}

uint32_t ring_record(const struct ring *r, uint32_t number, uint32_t word) {
  return get(&r->c, HEDDLE_RECORDS_FIRST + number % HEDDLE_RING_COMMANDS * HEDDLE_RECORD_BYTES + 4 * word);
}

uint64_t ring_record_long(const struct ring *r, uint32_t number, uint32_t word) {
  return (uint64_t)ring_record(r, number, word + 1) << 32 | ring_record(r, number, word);
}

void ring_expect(const struct ring *r, uint32_t number, uint32_t status, uint32_t why) {
  const uint32_t came = ring_record(r, number, HEDDLE_RECORD_STATUS);
  cr_assert_eq(came, status, "%s: command %u ended with %u, expected %u", r->c.api->name, number, came, status);
  if (status == HEDDLE_RECORD_REFUSED) {
    const uint32_t code = ring_record(r, number, HEDDLE_RECORD_REFUSED_WHY);
    cr_assert_eq(code, why, "%s: command %u was refused because of %u, expected %u", r->c.api->name, number, code, why);
  }
}
