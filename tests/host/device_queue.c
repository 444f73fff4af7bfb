// SPDX-License-Identifier: Apache-2.0
// The device queue as whoever runs it reads it (contract/enqueued.c): what it takes, in what order, and that nothing a
// kernel leaves there does harm. On the fake device, built with AddressSanitizer and UBSan (build.mk).
#include "host/device/device_queue.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "contract/enqueued.h"
#include "host/device/device.h"
#include "host/transport/sim.h"
#include "tests/host/fake_device.h"

enum { SIZE = 1024, COMMAND_BYTES = 256, WORDS = COMMAND_BYTES / 4, LITERAL = 33, WAITS = 37, EVENT_BYTES = 64 };
enum { COMPLETE = 0, QUEUED = 3, SUBMITTED = 2, NO_END = -1 };

// A block without local arguments, and a queue for it.
static struct heddle_argument arguments[] = {
    {.offset = 0, .size = 4, .alignment = 4, .address_space = HEDDLE_GENERIC, .kind = HEDDLE_POINTER},
};
static struct heddle_kernel block = {
    .name = "block", .entry = 64, .argument_bytes = 4, .num_arguments = 1, .arguments = arguments};
static const struct heddle_kernel_file file = {.num_blocks = 1, .kernels = &block};
static struct heddle_device *device;
static uint32_t queue, dispatch;
static struct heddle_enqueued q;

static uint32_t read_word(uint32_t address) {
  uint32_t value;
  cr_assert_eq(heddle_device_read(device, address, &value, 4), 0);
  return value;
}

static void write_word(uint32_t address, uint32_t value) {
  cr_assert_eq(heddle_device_write(device, address, &value, 4), 0);
}

static uint32_t header(uint32_t word) {
  return read_word(queue + 4 * word);
}

static bool open_queue(uint32_t size) {
  const struct heddle_block_limits limits = {.work_group_size = 32, .sub_group_size = 4};
  const struct heddle_device_queue_setup setup = {
      .file = &file, .base = 0x4000, .blocks = &limits, .units = 3, .size = size, .is_default = true};
  cr_assert_eq(heddle_device_queue_open(device, &setup, &queue), 0);
  write_word(dispatch + 4 * HEDDLE_DISPATCH_QUEUE, queue);
  q = (struct heddle_enqueued){.device = device,
                               .first_global = heddle_device_capability(device)->first_global,
                               .global_bytes = heddle_device_capability(device)->global_bytes};
  return heddle_enqueued_begin(&q, dispatch);
}

static void set_up(void) {
  struct heddle_link link;
  struct heddle_error failure;
  cr_assert_eq(heddle_sim_open(HEDDLE_SIM_MODEL, &link, &failure), 0, "%s", failure.text);
  cr_assert_eq(heddle_device_open(&link, &device, &failure), 0, "%s", failure.text);
  cr_assert_eq(heddle_device_allocate(device, 128, 128, &dispatch), 0);
  cr_assert(open_queue(SIZE));
}

static void tear_down(void) {
  heddle_device_queue_close(device, queue);
  heddle_device_close(device);
}

// cppcheck-suppress unknownMacro
TestSuite(device_queue, .init = set_up, .fini = tear_down);

static uint32_t event_address(uint32_t index) {
  return header(HEDDLE_QUEUE_EVENTS) + index * EVENT_BYTES;
}

static void set_event(uint32_t index, uint32_t references, uint32_t status) {
  const uint32_t words[HEDDLE_EVENT_WORDS] = {references, status};
  cr_assert_eq(heddle_device_write(device, event_address(index), words, sizeof words), 0);
}

static uint32_t event_word(uint32_t index, uint32_t word) {
  return read_word(event_address(index) + 4 * word);
}

// A command as a kernel writes it.
struct command {
  uint32_t words[WORDS];
};

static struct command good_command(uint32_t wait, uint32_t event) {
  struct command c = {{0}};
  c.words[HEDDLE_COMMAND_BYTES] = COMMAND_BYTES;
  c.words[HEDDLE_COMMAND_KIND] = HEDDLE_COMMAND_IS_KERNEL;
  c.words[HEDDLE_COMMAND_EVENT] = event;
  c.words[HEDDLE_COMMAND_NUM_WAITS] = wait != 0;
  c.words[HEDDLE_COMMAND_WAITS] = 4 * WAITS;
  c.words[HEDDLE_COMMAND_LITERAL] = 4 * LITERAL;
  c.words[WAITS] = wait;
  return c;
}

static struct command marker(uint32_t wait, uint32_t event) {
  struct command c = good_command(wait, event);
  c.words[HEDDLE_COMMAND_KIND] = HEDDLE_COMMAND_IS_MARKER;
  return c;
}

// As a kernel would: behind what is there. Returns the first one's address.
static uint32_t leave(const void *commands, uint32_t bytes) {
  const uint32_t tail = header(HEDDLE_QUEUE_TAIL), at = header(HEDDLE_QUEUE_COMMANDS) + tail;
  cr_assert_eq(heddle_device_write(device, at, commands, bytes), 0);
  write_word(queue + 4 * HEDDLE_QUEUE_TAIL, tail + bytes);
  return at;
}

static void expect_next(enum heddle_enqueued_state state, uint32_t expected) {
  uint32_t got = 0;
  const enum heddle_enqueued_state came = heddle_enqueued_next(&q, &got);
  cr_assert_eq(device->enqueuer.result, 0);
  cr_assert_eq(came, state, "state %d, not %d", (int)came, (int)state);
  if (state == HEDDLE_ENQUEUED_RUN)
    cr_assert_eq(got, expected, "dispatch 0x%x, not 0x%x", got, expected);
}

Test(device_queue, kernels_find_what_they_need) {
  cr_assert_eq(header(HEDDLE_QUEUE_TAIL), 0);
  cr_assert_eq(header(HEDDLE_QUEUE_LIMIT), SIZE);
  cr_assert_eq(header(HEDDLE_QUEUE_END), (uint32_t)NO_END);
  cr_assert_eq(header(HEDDLE_QUEUE_DEFAULT), queue);
  cr_assert_eq(header(HEDDLE_QUEUE_UNITS), 3);
  const uint32_t blocks = header(HEDDLE_QUEUE_BLOCKS);
  cr_assert_eq(read_word(blocks + 4 * HEDDLE_BLOCK_WORK_GROUP_SIZE), 32);
  cr_assert_eq(read_word(blocks + 4 * HEDDLE_BLOCK_SUB_GROUP_SIZE), 4);
  cr_assert_eq(read_word(blocks + 4 * HEDDLE_BLOCK_ENTRY), 0x4040);
}

// An enqueued kernel runs on the units of the host's dispatch, whatever stands in its command, and so do its children.
Test(device_queue, what_is_enqueued_runs_on_the_units_of_the_hosts_dispatch) {
  enum { LOG2 = 3 };
  static const uint32_t masks[] = {0, 5, 0x8000};
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
    const uint32_t right = masks[i] << HEDDLE_DISPATCH_UNIT_MASK_SHIFT | LOG2;
    heddle_device_queue_close(device, queue);
    write_word(dispatch + 4 * HEDDLE_DISPATCH_SUB_GROUP_LOG2, masks[i] << HEDDLE_DISPATCH_UNIT_MASK_SHIFT | 1);
    cr_assert(open_queue(SIZE));
    struct command child = good_command(0, 0);
    const uint32_t own = masks[i] != 0 ? 2 : 0;
    child.words[HEDDLE_DISPATCH_SUB_GROUP_LOG2] = own << HEDDLE_DISPATCH_UNIT_MASK_SHIFT | LOG2;
    for (int generation = 0; generation < 2; generation++) {
      const uint32_t at = leave(&child, sizeof child);
      expect_next(HEDDLE_ENQUEUED_RUN, at);
      const uint32_t came = read_word(at + 4 * HEDDLE_DISPATCH_SUB_GROUP_LOG2);
      cr_assert_eq(came, right, "word 1 is 0x%x, expected 0x%x", came, right);
      // What the host's dispatch says now does not matter.
      write_word(dispatch + 4 * HEDDLE_DISPATCH_SUB_GROUP_LOG2, 0);
    }
  }
}

// What the first leaves comes before the second.
Test(device_queue, commands_run_in_their_order_what_they_leave_first_and_take_room_until_they_have_ended) {
  const struct command two[2] = {good_command(0, 0), good_command(0, 0)};
  const uint32_t at = leave(two, sizeof two);
  expect_next(HEDDLE_ENQUEUED_RUN, at);
  cr_assert_eq(read_word(at + 4 * HEDDLE_DISPATCH_WORDS), at + 4 * LITERAL, "its argument is where its literal is");
  cr_assert_eq(header(HEDDLE_QUEUE_LIMIT) - header(HEDDLE_QUEUE_TAIL), SIZE - 2 * COMMAND_BYTES);
  const struct command more[2] = {good_command(0, 0), good_command(0, 0)};
  const uint32_t behind = leave(more, sizeof more);
  expect_next(HEDDLE_ENQUEUED_RUN, behind);
  cr_assert_eq(header(HEDDLE_QUEUE_LIMIT) - header(HEDDLE_QUEUE_TAIL), SIZE - 3 * COMMAND_BYTES);
  expect_next(HEDDLE_ENQUEUED_RUN, behind + COMMAND_BYTES);
  expect_next(HEDDLE_ENQUEUED_RUN, at + COMMAND_BYTES);
  cr_assert_eq(header(HEDDLE_QUEUE_LIMIT) - header(HEDDLE_QUEUE_TAIL), SIZE - COMMAND_BYTES);
  expect_next(HEDDLE_ENQUEUED_DONE, 0);
}

// The last word of a command is its height in a tree of two branches everywhere: more than 8,000 commands in all, and
// 4,096 in the lowest generation.
Test(device_queue, a_tree_needs_room_for_a_branch_of_it) {
  enum { HEIGHT = 12, ROOM = HEIGHT + 2 };
  struct command two[2] = {good_command(0, 0), good_command(0, 0)};
  uint32_t run, count = 0;
  heddle_device_queue_close(device, queue);
  cr_assert(open_queue(ROOM * COMMAND_BYTES));
  two[0].words[WORDS - 1] = two[1].words[WORDS - 1] = HEIGHT;
  leave(two, sizeof two);
  while (heddle_enqueued_next(&q, &run) == HEDDLE_ENQUEUED_RUN) {
    const uint32_t height = read_word(run + 4 * (WORDS - 1));
    count++;
    if (height == 1)
      continue;
    cr_assert_geq(header(HEDDLE_QUEUE_LIMIT) - header(HEDDLE_QUEUE_TAIL), 2 * COMMAND_BYTES, "command %u", count);
    two[0].words[WORDS - 1] = two[1].words[WORDS - 1] = height - 1;
    leave(two, sizeof two);
  }
  cr_assert_eq(count, (2u << HEIGHT) - 2);
  expect_next(HEDDLE_ENQUEUED_DONE, 0);
}

// What the newest batch waits for may be in an older one.
Test(device_queue, a_batch_that_waits_lets_older_ones_run) {
  heddle_device_queue_close(device, queue);
  cr_assert(open_queue(2 * SIZE));
  set_event(0, 3, QUEUED);
  set_event(1, 3, QUEUED);
  const struct command old[3] = {good_command(0, 0), good_command(event_address(1), event_address(0)),
                                 good_command(0, event_address(1))};
  const uint32_t at = leave(old, sizeof old);
  expect_next(HEDDLE_ENQUEUED_RUN, at);
  const struct command young[2] = {good_command(event_address(0), 0), good_command(0, 0)};
  const uint32_t behind = leave(young, sizeof young);
  expect_next(HEDDLE_ENQUEUED_RUN, behind + COMMAND_BYTES);
  const struct command youngest = marker(event_address(0), 0);
  leave(&youngest, sizeof youngest);
  expect_next(HEDDLE_ENQUEUED_RUN, at + 2 * COMMAND_BYTES);
  expect_next(HEDDLE_ENQUEUED_RUN, at + COMMAND_BYTES);
  expect_next(HEDDLE_ENQUEUED_RUN, behind);
  expect_next(HEDDLE_ENQUEUED_DONE, 0);
}

// Random trees, of which some commands wait for events of others: each command runs once, when what it waits for and
// all children of that have ended. The queue is small, so that what is left is moved together again and again.
enum { MOST_COMMANDS = 600, EVENTS = 64, QUEUE_COMMANDS = 40 };

static struct node {
  uint32_t parent, event, wait;  // numbers from 1; 0: none
  uint32_t unfinished;           // itself, until it has run, and children that are not complete
  bool ran;
} nodes[MOST_COMMANDS + 1];

static uint32_t draw(uint32_t *state, uint32_t limit) {
  *state = *state * 1664525 + 1013904223;
  return (*state >> 8) % limit;
}

static void finish(uint32_t number) {
  while (number != 0 && --nodes[number].unfinished == 0)
    number = nodes[number].parent;
}

// Leaves up to `most` commands that the node has enqueued. Who waits does so for a node that is not an ancestor, so
// that it can run; an event is one of one command only.
static uint32_t leave_children(uint32_t *state, uint32_t parent, uint32_t count, uint32_t most, uint32_t *events) {
  struct command c;
  for (uint32_t i = 0; i < most && count < MOST_COMMANDS; i++) {
    const uint32_t number = ++count, wait = draw(state, 3) == 0 && number > 1 ? 1 + draw(state, number - 1) : 0;
    nodes[number] = (struct node){.parent = parent, .unfinished = 1};
    if (draw(state, 4) == 0 && *events < EVENTS) {
      nodes[number].event = ++*events;
      set_event(nodes[number].event, 100, QUEUED);
    }
    bool is_ancestor = false;
    for (uint32_t up = parent; up != 0; up = nodes[up].parent)
      is_ancestor = is_ancestor || up == wait;
    if (wait != 0 && nodes[wait].event != 0 && !is_ancestor)
      nodes[number].wait = wait;
    c = good_command(nodes[number].wait ? event_address(nodes[wait].event) : 0,
                     nodes[number].event ? event_address(nodes[number].event) : 0);
    c.words[WORDS - 1] = number;
    c.words[HEDDLE_COMMAND_FLAGS] = draw(state, 3);
    if (parent != 0)
      nodes[parent].unfinished++;
    leave(&c, sizeof c);
  }
  return count;
}

Test(device_queue, random_trees_run_whole_and_in_an_order_that_waits_allow) {
  for (uint32_t round = 0; round < 40; round++) {
    uint32_t state = round + 1, events = 0, run, ran = 0;
    heddle_device_queue_close(device, queue);
    cr_assert(open_queue(QUEUE_COMMANDS * COMMAND_BYTES));
    uint32_t count = leave_children(&state, 0, 0, 1 + draw(&state, 8), &events), running = 0;
    enum heddle_enqueued_state came;
    while ((came = heddle_enqueued_next(&q, &run)) == HEDDLE_ENQUEUED_RUN) {
      finish(running);
      running = read_word(run + 4 * (WORDS - 1));
      struct node *node = &nodes[running];
      cr_assert(running != 0 && running <= count && !node->ran, "round %u: command %u", round, running);
      cr_assert(node->wait == 0 || nodes[node->wait].unfinished == 0, "round %u: command %u before %u", round, running,
                node->wait);
      node->ran = true;
      ran++;
      const uint32_t room = (header(HEDDLE_QUEUE_LIMIT) - header(HEDDLE_QUEUE_TAIL)) / COMMAND_BYTES;
      const uint32_t wanted = draw(&state, 4);
      count = leave_children(&state, running, count, wanted < room ? wanted : room, &events);
    }
    // Those that wait for each other in a ring do not run.
    cr_assert(came == HEDDLE_ENQUEUED_DONE ? ran == count : came == HEDDLE_ENQUEUED_STUCK && ran < count,
              "round %u: state %d, %u of %u ran", round, (int)came, ran, count);
    cr_assert_eq(device->enqueuer.result, 0);
  }
}

// Each enqueues the next one: far more than there is room for, but never at a time. One waits all the while, and is
// there at the end with all its parts.
Test(device_queue, room_is_used_again_around_a_command_that_waits) {
  set_event(0, 2, SUBMITTED);
  struct command waits = good_command(event_address(0), 0), next = good_command(0, 0);
  waits.words[WORDS - 1] = 77;
  leave(&waits, sizeof waits);
  leave(&next, sizeof next);
  uint32_t run;
  for (uint32_t i = 0; i < 100; i++) {
    cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_RUN);
    cr_assert_eq(read_word(run + 4 * (WORDS - 1)), i, "command %u", i);
    cr_assert_eq(header(HEDDLE_QUEUE_LIMIT) - header(HEDDLE_QUEUE_TAIL), SIZE - 2 * COMMAND_BYTES, "command %u", i);
    next.words[WORDS - 1] = i + 1;
    if (i < 99)
      leave(&next, sizeof next);
  }
  set_event(0, 2, COMPLETE);
  cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_RUN);
  cr_assert_eq(read_word(run + 4 * (WORDS - 1)), 77);
  cr_assert_eq(read_word(run + 4 * HEDDLE_DISPATCH_WORDS), run + 4 * LITERAL);
  expect_next(HEDDLE_ENQUEUED_DONE, 0);
  cr_assert_eq(event_word(0, HEDDLE_EVENT_REFERENCES), 1, "nobody waits for it any more");
}

Test(device_queue, waits_for_events_and_tells_their_errors) {
  set_event(0, 2, SUBMITTED);
  set_event(1, 3, QUEUED);
  const struct command commands[2] = {good_command(event_address(1), 0),
                                      good_command(event_address(0), event_address(1))};
  leave(commands, sizeof commands);
  expect_next(HEDDLE_ENQUEUED_STUCK, 0);
  write_word(event_address(0) + 4 * HEDDLE_EVENT_STATUS, (uint32_t)-3);
  expect_next(HEDDLE_ENQUEUED_DONE, 0);  // the second does not run as its event failed, and so the first
  cr_assert_eq((int32_t)event_word(1, HEDDLE_EVENT_STATUS), -14);
  cr_assert_eq(event_word(1, HEDDLE_EVENT_REFERENCES), 1, "neither the command's nor who waits for it");
}

// Of two, whichever comes first in the list.
Test(device_queue, what_waits_for_several_events_does_not_run_when_one_failed) {
  for (uint32_t failing = 0; failing < 2; failing++) {
    set_event(0, 2, failing == 0 ? (uint32_t)-3 : 0);
    set_event(1, 2, failing == 1 ? (uint32_t)-3 : 0);
    struct command command = good_command(event_address(0), 0);
    command.words[HEDDLE_COMMAND_NUM_WAITS] = 2;
    command.words[HEDDLE_COMMAND_WAITS] = 4 * (WORDS - 2);
    command.words[WORDS - 2] = event_address(0);
    command.words[WORDS - 1] = event_address(1);
    leave(&command, sizeof command);
    expect_next(HEDDLE_ENQUEUED_DONE, 0);
  }
}

Test(device_queue, an_event_is_complete_when_all_that_its_kernel_enqueued_is) {
  set_event(0, 2, QUEUED);
  set_event(1, 2, QUEUED);
  const struct command parent = good_command(0, event_address(0)), child = good_command(0, 0),
                       named = good_command(0, event_address(1)), behind = marker(event_address(0), 0);
  leave(&parent, sizeof parent);
  const uint32_t last = leave(&behind, sizeof behind);
  uint32_t run;
  cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_RUN);
  leave(&child, sizeof child);
  cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_RUN);  // the child, which has a child with an event
  cr_assert_eq(event_word(0, HEDDLE_EVENT_STATUS), QUEUED);
  leave(&named, sizeof named);
  cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_RUN);
  cr_assert_eq(event_word(0, HEDDLE_EVENT_STATUS), QUEUED);
  cr_assert_eq(event_word(1, HEDDLE_EVENT_STATUS), QUEUED);
  leave(&child, sizeof child);  // a part of the named one's event
  cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_RUN);
  cr_assert_eq(event_word(1, HEDDLE_EVENT_STATUS), QUEUED);
  cr_assert_neq(read_word(last + 4 * HEDDLE_COMMAND_KIND), HEDDLE_COMMAND_IS_DONE);
  expect_next(HEDDLE_ENQUEUED_DONE, 0);
  cr_assert_eq(event_word(1, HEDDLE_EVENT_STATUS), COMPLETE);
  cr_assert_eq(event_word(0, HEDDLE_EVENT_STATUS), COMPLETE);
  cr_assert_eq(read_word(last + 4 * HEDDLE_COMMAND_KIND), HEDDLE_COMMAND_IS_DONE);
}

Test(device_queue, damaged_commands_are_refused) {
  const struct {
    uint32_t word, value;
  } damages[] = {
      {HEDDLE_COMMAND_KIND, 3},
      {HEDDLE_COMMAND_KIND, UINT32_MAX},
      {HEDDLE_COMMAND_BYTES, 0},
      {HEDDLE_COMMAND_BYTES, 71},
      {HEDDLE_COMMAND_BYTES, COMMAND_BYTES + 128},
      {HEDDLE_COMMAND_BYTES, (uint32_t)-128},
      {HEDDLE_COMMAND_BYTES, UINT32_MAX},
      {HEDDLE_COMMAND_EVENT, 4},
      {HEDDLE_COMMAND_EVENT, UINT32_MAX},
      {HEDDLE_COMMAND_NUM_WAITS, 1 + (COMMAND_BYTES / 4 - WAITS)},
      {HEDDLE_COMMAND_NUM_WAITS, 0x40000001},
      {HEDDLE_COMMAND_WAITS, 4 * WAITS + 2},
      {HEDDLE_COMMAND_WAITS, COMMAND_BYTES + 4},
      {HEDDLE_COMMAND_WAITS, UINT32_MAX - 3},
      {WAITS, 0},
      {WAITS, UINT32_MAX},
  };
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    heddle_device_queue_close(device, queue);
    cr_assert(open_queue(SIZE));
    set_event(0, 2, COMPLETE);
    struct command command = good_command(event_address(0), 0);
    command.words[damages[i].word] = damages[i].value;
    leave(&command, sizeof command);
    uint32_t run;
    cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_DAMAGED, "word %u, value 0x%x", damages[i].word,
                 damages[i].value);
  }
}

// Words that say where older commands are are in commands, too.
Test(device_queue, damaged_links_between_batches_are_refused) {
  const uint32_t damages[] = {0, 4, 64, COMMAND_BYTES + 128, 1 << 20, 0x7FFFFF80, UINT32_MAX, (uint32_t)-128};
  for (size_t i = 0; i < 2 * sizeof damages / sizeof *damages; i++) {
    const bool is_first = i % 2 != 0;
    uint32_t run;
    heddle_device_queue_close(device, queue);
    cr_assert(open_queue(SIZE));
    const struct command two[2] = {good_command(0, 0), good_command(0, 0)}, child = good_command(0, 0);
    const uint32_t at = leave(two, sizeof two);
    expect_next(HEDDLE_ENQUEUED_RUN, at);
    const uint32_t behind = leave(&child, sizeof child);
    expect_next(HEDDLE_ENQUEUED_RUN, behind);
    // Of the child's batch the one below; of that the oldest that is not done. 0 and a multiple of 128 may be right.
    write_word(is_first ? at + 4 * HEDDLE_DISPATCH_BUDGET : behind + 4 * HEDDLE_COMMAND_FLAGS, damages[i / 2]);
    const enum heddle_enqueued_state came = heddle_enqueued_next(&q, &run);
    cr_expect_eq(came, damages[i / 2] == 0 ? HEDDLE_ENQUEUED_RUN : HEDDLE_ENQUEUED_DAMAGED, "word 0x%x: state %d",
                 damages[i / 2], (int)came);
    cr_expect_eq(device->enqueuer.result, 0);
  }
}

// Its first argument would be written behind it.
Test(device_queue, a_kernel_without_room_for_an_argument_is_refused) {
  struct command command = good_command(0, 0);
  command.words[HEDDLE_COMMAND_BYTES] = 128;
  command.words[HEDDLE_COMMAND_WAITS] = 128;
  const uint32_t at = leave(&command, 128);
  write_word(at + 128, 99);
  expect_next(HEDDLE_ENQUEUED_DAMAGED, 0);
  cr_assert_eq(read_word(at + 128), 99);
}

Test(device_queue, a_tail_that_cannot_be_is_refused) {
  const uint32_t tails[] = {6, 128, SIZE + 128, UINT32_MAX - 127};
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
    heddle_device_queue_close(device, queue);
    cr_assert(open_queue(SIZE));
    write_word(queue + 4 * HEDDLE_QUEUE_TAIL, tails[i]);
    uint32_t run;
    cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_DAMAGED, "tail %u", tails[i]);
  }
}

Test(device_queue, headers_that_cannot_be_are_refused) {
  const struct {
    uint32_t word, value;
  } damages[] = {
      {HEDDLE_QUEUE_COMMANDS, 0},
      {HEDDLE_QUEUE_COMMANDS, HEDDLE_CONTROL_BASE},
      {HEDDLE_QUEUE_COMMANDS, UINT32_MAX},
      {HEDDLE_QUEUE_COMMANDS, header(HEDDLE_QUEUE_COMMANDS) + 4},
      {HEDDLE_QUEUE_EVENTS, 0},
      {HEDDLE_QUEUE_EVENTS, HEDDLE_CONTROL_BASE},
      {HEDDLE_QUEUE_EVENTS, header(HEDDLE_QUEUE_COMMANDS) + SIZE},
      {HEDDLE_QUEUE_NUM_EVENTS, UINT32_MAX},
      {HEDDLE_QUEUE_NUM_EVENTS, 0x4000001},
      {HEDDLE_QUEUE_SIZE, UINT32_MAX},
      {HEDDLE_QUEUE_SIZE, 0x80000000},
      {HEDDLE_QUEUE_SIZE, 100},
  };
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    const uint32_t was = header(damages[i].word);
    write_word(queue + 4 * damages[i].word, damages[i].value);
    cr_expect_not(heddle_enqueued_begin(&q, dispatch), "word %u, value 0x%x", damages[i].word, damages[i].value);
    write_word(queue + 4 * damages[i].word, was);
  }
  const uint32_t nowhere[] = {4, queue + 4, HEDDLE_CONTROL_BASE, heddle_device_capability(device)->global_bytes - 64};
  for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
    write_word(dispatch + 4 * HEDDLE_DISPATCH_QUEUE, nowhere[i]);
    cr_expect_not(heddle_enqueued_begin(&q, dispatch), "queue at 0x%x", nowhere[i]);
  }
  write_word(dispatch + 4 * HEDDLE_DISPATCH_QUEUE, 0);
  cr_assert(heddle_enqueued_begin(&q, dispatch));
  expect_next(HEDDLE_ENQUEUED_DONE, 0);
}

Test(device_queue, a_full_queue_ends_where_there_was_no_room) {
  struct command commands[SIZE / COMMAND_BYTES];
  for (uint32_t i = 0; i < SIZE / COMMAND_BYTES; i++)
    commands[i] = good_command(0, 0);
  uint32_t at = leave(commands, sizeof commands);
  write_word(queue + 4 * HEDDLE_QUEUE_TAIL, 0x7FFFFF80);
  write_word(queue + 4 * HEDDLE_QUEUE_END, SIZE);
  for (uint32_t i = 0; i < SIZE / COMMAND_BYTES; i++)
    expect_next(HEDDLE_ENQUEUED_RUN, at + i * COMMAND_BYTES);
  expect_next(HEDDLE_ENQUEUED_DONE, 0);
}

// Lists of places and of parents are the kernels'.
Test(device_queue, lists_that_are_rings_or_lead_nowhere_end) {
  uint32_t places[2], run;
  for (int i = 0; i < 2; i++)
    cr_assert_eq(heddle_device_allocate(device, 64, 64, &places[i]), 0);
  for (uint32_t round = 0; round < 2; round++) {
    const uint32_t next[2] = {places[1], round == 0 ? places[0] : HEDDLE_CONTROL_BASE + HEDDLE_REG_MAGIC};
    for (int i = 0; i < 2; i++)
      write_word(places[i], next[i]);
    set_event(0, 2, QUEUED);
    write_word(event_address(0) + 4 * HEDDLE_EVENT_CAPTURES, places[0]);
    const struct command command = good_command(0, event_address(0));
    leave(&command, sizeof command);
    cr_assert_eq(heddle_enqueued_next(&q, &run), HEDDLE_ENQUEUED_RUN);
    write_word(event_address(0) + 4 * HEDDLE_EVENT_PARENT, event_address(0));
    expect_next(HEDDLE_ENQUEUED_DONE, 0);
    cr_assert_eq(event_word(0, HEDDLE_EVENT_STATUS), COMPLETE);
    for (int i = 0; i < 2; i++)
      cr_assert_neq(read_word(places[i]), next[i], "place %d of round %u has a time", i, round);
  }
}

// Whatever kernels leave, between commands and while they run: it ends, and nothing outside the queue has changed.
Test(device_queue, random_damage_does_no_harm) {
  uint32_t state = 12345, run, fence;
  cr_assert_eq(heddle_device_allocate(device, 128, 128, &fence), 0);
  for (int round = 0; round < 1000; round++) {
    struct command commands[3];
    for (uint32_t i = 0; i < 3; i++) {
      set_event(i, 3, i == 0 ? COMPLETE : QUEUED);
      commands[i] = i == 1 ? marker(event_address(0), event_address(1))
                           : good_command(event_address(i / 2), i == 0 ? event_address(2) : 0);
    }
    const uint32_t at = leave(commands, sizeof commands);
    for (int steps = 0; steps < 8; steps++) {
      for (int i = 0; i < 2; i++) {
        state = state * 1664525 + 1013904223;
        const uint32_t word = (state >> 8) % (sizeof commands / 4);
        state = state * 1664525 + 1013904223;
        const uint32_t value = (state >> 30) == 0 ? state : (state >> 8) % 300;
        write_word((state >> 28) % 4 == 0 ? event_address(word % 3) + word / 3 % EVENT_BYTES / 4 * 4 : at + 4 * word,
                   value);
      }
      if (heddle_enqueued_next(&q, &run) != HEDDLE_ENQUEUED_RUN)
        break;
    }
    cr_assert_eq(device->enqueuer.result, 0);
    cr_assert_eq(read_word(fence), 0);
    heddle_device_queue_close(device, queue);
    cr_assert(open_queue(SIZE));
  }
}
