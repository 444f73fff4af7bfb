// SPDX-License-Identifier: Apache-2.0
// The device queue as the driver reads it: what it takes, in what order, and that nothing a kernel leaves there does
// harm. On the fake device, built with AddressSanitizer and UBSan (build.mk).
#include "host/device/device_queue.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/transport/sim.h"
#include "tests/host/fake_device.h"

enum { SIZE = 1024, COMPLETE = 0, LITERAL_WORDS = 4, EVENT_BYTES = HEDDLE_EVENT_WORDS * 4 };

// A block with one local argument, and a queue for it.
static struct heddle_argument arguments[] = {
    {.offset = 0, .size = 4, .alignment = 4, .address_space = HEDDLE_GENERIC, .kind = HEDDLE_POINTER},
    {.offset = 4, .size = 4, .alignment = 4, .address_space = HEDDLE_LOCAL, .kind = HEDDLE_POINTER},
};
static struct heddle_kernel block = {.name = "block", .argument_bytes = 8, .num_arguments = 2, .arguments = arguments};
static const struct heddle_kernel_file file = {.num_blocks = 1, .kernels = &block};
static struct heddle_device *device;
static struct heddle_device_queue *queue;
static struct heddle_error failure;

static void set_up(void) {
  struct heddle_link link;
  const struct heddle_block_limits limits = {.work_group_size = 32, .sub_group_size = 4};
  const struct heddle_device_queue_setup setup = {.file = &file, .blocks = &limits, .size = SIZE, .is_default = true};
  cr_assert_eq(heddle_sim_open(HEDDLE_SIM_MODEL, &link, &failure), 0, "%s", failure.text);
  cr_assert_eq(heddle_device_open(&link, &device, &failure), 0, "%s", failure.text);
  cr_assert_eq(heddle_device_queue_open(device, &setup, &queue), 0);
}

static void tear_down(void) {
  heddle_device_queue_close(queue);
  heddle_device_close(device);
}

// cppcheck-suppress unknownMacro
TestSuite(device_queue, .init = set_up, .fini = tear_down);

static uint32_t header(uint32_t word) {
  uint32_t value;
  cr_assert_eq(heddle_device_read(device, heddle_device_queue_address(queue) + 4 * word, &value, 4), 0);
  return value;
}

static void set_header(uint32_t word, uint32_t value) {
  cr_assert_eq(heddle_device_write(device, heddle_device_queue_address(queue) + 4 * word, &value, 4), 0);
}

static uint32_t event_address(uint32_t index) {
  return header(HEDDLE_QUEUE_EVENTS) + index * EVENT_BYTES;
}

static void set_event(uint32_t index, uint32_t status) {
  const uint32_t words[HEDDLE_EVENT_WORDS] = {2, status};
  cr_assert_eq(heddle_device_write(device, event_address(index), words, sizeof words), 0);
  set_header(HEDDLE_QUEUE_NEXT_EVENT, 1);
}

static uint32_t event_word(uint32_t index, uint32_t word) {
  uint32_t value;
  cr_assert_eq(heddle_device_read(device, event_address(index) + 4 * word, &value, 4), 0);
  return value;
}

// A command as a kernel writes it, which waits for one event: header, the event, a local size, the literal.
struct command {
  uint32_t words[HEDDLE_COMMAND_HEADER_WORDS + 2 + LITERAL_WORDS];
};

static struct command good_command(uint32_t wait, uint32_t event) {
  return (struct command){{HEDDLE_COMMAND_KERNEL | HEDDLE_COMMAND_COMPLETE,
                           sizeof(struct command),
                           1,
                           0,
                           event,
                           1,
                           1,
                           LITERAL_WORDS * 4,
                           1,
                           0,
                           0,
                           0,
                           5,
                           1,
                           1,
                           0,
                           0,
                           0,
                           wait,
                           64,
                           LITERAL_WORDS * 4,
                           8,
                           0,
                           77}};
}

static void leave(const void *commands, uint32_t bytes) {
  set_header(HEDDLE_QUEUE_BYTES, bytes);
  cr_assert_eq(heddle_device_write(device, header(HEDDLE_QUEUE_COMMANDS), commands, bytes), 0);
}

Test(device_queue, takes_a_command_with_all_its_parts) {
  set_event(0, COMPLETE);
  const struct command command = good_command(event_address(0), event_address(1));
  bool failed;
  uint32_t address, literal[LITERAL_WORDS];
  leave(&command, sizeof command);
  cr_assert_eq(heddle_device_queue_take(queue, NULL, &failure), 0, "%s", failure.text);
  cr_assert_eq(header(HEDDLE_QUEUE_BYTES), 0);
  cr_assert_eq(header(HEDDLE_QUEUE_CAPACITY), SIZE - sizeof command, "it takes room until it starts");
  struct heddle_child *child = heddle_device_queue_next(queue, &failed);
  cr_assert(child && !failed);
  cr_assert_eq(header(HEDDLE_QUEUE_CAPACITY), SIZE);
  cr_assert_eq(child->global_size[0], 5);
  cr_assert_eq(child->locals[0], 64);
  cr_assert_eq(heddle_device_queue_place_literal(queue, child, &address), 0);
  cr_assert_eq(address % 128, 0);
  cr_assert_eq(heddle_device_read(device, address, literal, sizeof literal), 0);
  cr_assert_eq(literal[3], 77);
  child->started = 10;
  child->ended = 15;
  cr_assert_eq(heddle_device_queue_finish(queue, child, COMPLETE, 20), 0);
  cr_assert_eq(event_word(1, HEDDLE_EVENT_TIMES), 5);
  cr_assert_eq(event_word(1, HEDDLE_EVENT_TIMES + 2), 10);
  cr_assert_eq(event_word(0, HEDDLE_EVENT_REFERENCES), 1, "nobody waits for it any more");
  cr_assert_null(heddle_device_queue_next(queue, &failed));
}

Test(device_queue, waits_for_events_and_tells_their_errors) {
  bool failed;
  set_event(0, 2);
  set_event(1, 3);
  const struct command commands[2] = {good_command(event_address(1), 0),
                                      good_command(event_address(0), event_address(1))};
  leave(commands, sizeof commands);
  cr_assert_eq(heddle_device_queue_take(queue, NULL, &failure), 0, "%s", failure.text);
  cr_assert_null(heddle_device_queue_next(queue, &failed));
  cr_assert_eq(heddle_device_queue_count(queue), 2);
  set_event(0, (uint32_t)-3);
  cr_assert_eq(heddle_device_queue_take(queue, NULL, &failure), 0);
  struct heddle_child *child = heddle_device_queue_next(queue, &failed);
  cr_assert(child && failed && child->event == event_address(1), "the second, as its event failed");
  cr_assert_eq(heddle_device_queue_finish(queue, child, -14, 0), 0);
  cr_assert_eq((int32_t)event_word(1, HEDDLE_EVENT_STATUS), -14);
  child = heddle_device_queue_next(queue, &failed);
  cr_assert(child && failed, "and so the first");
  heddle_device_queue_drop(child);
}

Test(device_queue, damaged_commands_are_refused) {
  const struct {
    uint32_t word, value;
    const char *what;
  } damages[] = {
      {HEDDLE_COMMAND_KIND, HEDDLE_COMMAND_KERNEL, "not completed"},
      {HEDDLE_COMMAND_KIND, 0, "not completed"},
      {HEDDLE_COMMAND_KIND, HEDDLE_COMMAND_COMPLETE | 3, "no known kind"},
      {HEDDLE_COMMAND_KIND, HEDDLE_COMMAND_COMPLETE | HEDDLE_COMMAND_KERNEL | 0x100, "no known kind"},
      {HEDDLE_COMMAND_BYTES, 0, "longer than the queue"},
      {HEDDLE_COMMAND_BYTES, 71, "longer than the queue"},
      {HEDDLE_COMMAND_BYTES, sizeof(struct command) + 4, "longer than the queue"},
      {HEDDLE_COMMAND_BYTES, UINT32_MAX, "longer than the queue"},
      {HEDDLE_COMMAND_BYTES, sizeof(struct command) - 4, "another length"},
      {HEDDLE_COMMAND_BLOCK, 0, "no such block"},
      {HEDDLE_COMMAND_BLOCK, 2, "no such block"},
      {HEDDLE_COMMAND_EVENT, 4, "no such event"},
      {HEDDLE_COMMAND_EVENT, UINT32_MAX, "no such event"},
      {HEDDLE_COMMAND_NUM_WAITS, 2, "another length"},
      {HEDDLE_COMMAND_NUM_WAITS, 0x40000001, "another length"},
      {HEDDLE_COMMAND_NUM_LOCALS, UINT32_MAX, "another length"},
      {HEDDLE_COMMAND_LITERAL_BYTES, 18, "another length"},
      {HEDDLE_COMMAND_WORK_DIM, 0, "no possible dimension"},
      {HEDDLE_COMMAND_WORK_DIM, 4, "no possible dimension"},
      {HEDDLE_COMMAND_HEADER_WORDS, 0, "a wait for no event"},
      {HEDDLE_COMMAND_HEADER_WORDS + 2, 100, "literal of another size"},
      {HEDDLE_COMMAND_HEADER_WORDS + 2, 12, "literal of another size"},
      {HEDDLE_COMMAND_HEADER_WORDS + 3, 0, "no possible alignment"},
      {HEDDLE_COMMAND_HEADER_WORDS + 3, 24, "no possible alignment"},
      {HEDDLE_COMMAND_HEADER_WORDS + 3, 256, "no possible alignment"},
  };
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    struct command command = good_command(event_address(0), 0);
    command.words[damages[i].word] = damages[i].value;
    leave(&command, sizeof command);
    cr_assert_eq(heddle_device_queue_take(queue, NULL, &failure), -EBADMSG, "word %u, value 0x%x", damages[i].word,
                 damages[i].value);
    cr_assert(strstr(failure.text, damages[i].what), "word %u, value 0x%x: expected \"%s\", got \"%s\"",
              damages[i].word, damages[i].value, damages[i].what, failure.text);
  }
  set_header(HEDDLE_QUEUE_BYTES, 6);
  cr_assert_eq(heddle_device_queue_take(queue, NULL, &failure), -EBADMSG);
  cr_assert_eq(heddle_device_queue_count(queue), 0);
}

// A block takes as many local arguments as it has, whatever the command's length says.
Test(device_queue, locals_are_the_blocks) {
  struct command command = good_command(event_address(0), 0);
  command.words[HEDDLE_COMMAND_NUM_WAITS] = 0;
  command.words[HEDDLE_COMMAND_NUM_LOCALS] = 2;
  leave(&command, sizeof command);
  cr_assert_eq(heddle_device_queue_take(queue, NULL, &failure), -EBADMSG);
  cr_assert(strstr(failure.text, "local arguments"), "%s", failure.text);
}

Test(device_queue, a_full_queue_ends_where_there_was_no_room) {
  struct command commands[SIZE / sizeof(struct command) + 1] = {{{0}}};
  const uint32_t fit = SIZE / sizeof(struct command);
  for (uint32_t i = 0; i < fit; i++)
    commands[i] = good_command(event_address(0), 0);
  leave(commands, fit * sizeof *commands);
  set_header(HEDDLE_QUEUE_BYTES, UINT32_MAX - 3);
  cr_assert_eq(heddle_device_queue_take(queue, NULL, &failure), 0, "%s", failure.text);
  cr_assert_eq(heddle_device_queue_count(queue), fit);
}

Test(device_queue, captures_that_are_a_ring_or_nowhere_end) {
  bool failed;
  uint32_t places[2], times[4] = {0};
  for (int i = 0; i < 2; i++)
    cr_assert_eq(heddle_device_allocate(device, 64, 64, &places[i]), 0);
  set_event(0, COMPLETE);
  for (int round = 0; round < 2; round++) {
    const uint32_t next[2] = {places[1], round == 0 ? places[0] : HEDDLE_CONTROL_BASE + HEDDLE_REG_MAGIC};
    for (int i = 0; i < 2; i++)
      cr_assert_eq(heddle_device_write(device, places[i], &next[i], 4), 0);
    const uint32_t words[HEDDLE_EVENT_WORDS] = {2, 3, 0, places[0]};
    cr_assert_eq(heddle_device_write(device, event_address(1), words, sizeof words), 0);
    const struct command command = good_command(event_address(0), event_address(1));
    leave(&command, sizeof command);
    cr_assert_eq(heddle_device_queue_take(queue, NULL, &failure), 0, "%s", failure.text);
    struct heddle_child *child = heddle_device_queue_next(queue, &failed);
    cr_assert_not_null(child);
    child->ended = 7 + (uint32_t)round;
    cr_assert_eq(heddle_device_queue_finish(queue, child, COMPLETE, 9), 0);
    for (int i = 0; i < 2; i++) {
      cr_assert_eq(heddle_device_read(device, places[i], times, sizeof times), 0);
      cr_assert_eq(times[0], 7 + (uint32_t)round, "place %d of round %d", i, round);
    }
  }
}

Test(device_queue, random_damage_does_no_harm) {
  uint32_t state = 12345;
  for (int round = 0; round < 3000; round++) {
    struct command commands[3];
    set_event(0, COMPLETE);
    for (int i = 0; i < 3; i++)
      commands[i] = good_command(event_address(0), event_address(1));
    for (int i = 0; i < 2; i++) {
      state = state * 1664525 + 1013904223;
      const uint32_t at = (state >> 8) % (sizeof commands / 4);
      state = state * 1664525 + 1013904223;
      ((uint32_t *)commands)[at] = (state >> 30) == 0 ? state : (state >> 8) % 100;
    }
    leave(commands, sizeof commands);
    (void)heddle_device_queue_take(queue, NULL, &failure);
    struct heddle_child *child;
    bool failed;
    while ((child = heddle_device_queue_next(queue, &failed)) != NULL)
      (void)heddle_device_queue_finish(queue, child, COMPLETE, 0);
    heddle_device_queue_close(queue);
    const struct heddle_block_limits limits = {.work_group_size = 32, .sub_group_size = 4};
    const struct heddle_device_queue_setup setup = {.file = &file, .blocks = &limits, .size = SIZE};
    cr_assert_eq(heddle_device_queue_open(device, &setup, &queue), 0);
  }
}
