// SPDX-License-Identifier: Apache-2.0
// Device queues (device_queue.h). The host's copy of the events is good from one dispatch to the next: what it changes,
// it writes.
#include "host/device/device_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  HEADER_BYTES = HEDDLE_QUEUE_HEADER_WORDS * 4,
  BLOCK_BYTES = HEDDLE_BLOCK_WORDS * 4,
  EVENT_BYTES = HEDDLE_EVENT_WORDS * 4,
  COMMAND_BYTES = HEDDLE_COMMAND_HEADER_WORDS * 4,
  LITERAL_ALIGNMENT = 128,
  LITERAL_WORDS_LEAST = 3,  // size, alignment, and what is not used
  COMPLETE = 0,
  CAPTURES_MOST = 65536,
};

struct heddle_device_queue {
  struct heddle_device *device;
  const struct heddle_kernel_file *file;
  uint32_t address, size, commands, events_at, literal_at;
  uint32_t enqueued_bytes, count;
  bool has_events;  // since some kernel made one
  struct heddle_child *first, **end;
  uint32_t events[HEDDLE_QUEUE_EVENTS_MOST][HEDDLE_EVENT_WORDS];
};

// ---- the memory

static int write_all(struct heddle_device_queue *queue, const struct heddle_device_queue_setup *setup, size_t bytes) {
  const struct heddle_capabilities *capability = heddle_device_capability(queue->device);
  uint32_t *words = calloc(1, bytes);
  if (!words)
    return -ENOMEM;
  words[HEDDLE_QUEUE_CAPACITY] = queue->size;
  words[HEDDLE_QUEUE_DEFAULT] = setup->is_default ? queue->address : 0;
  words[HEDDLE_QUEUE_COMMANDS] = queue->commands;
  words[HEDDLE_QUEUE_EVENTS] = queue->events_at;
  words[HEDDLE_QUEUE_BLOCKS] = queue->address + HEADER_BYTES;
  words[HEDDLE_QUEUE_NUM_EVENTS] = HEDDLE_QUEUE_EVENTS_MOST;
  words[HEDDLE_QUEUE_NUM_BLOCKS] = setup->file->num_blocks;
  words[HEDDLE_QUEUE_LOCAL_MEMORY] = capability->local_memory_bytes;
  words[HEDDLE_QUEUE_SLOTS] = capability->slots;
  words[HEDDLE_QUEUE_UNITS] = capability->units;
  words[HEDDLE_QUEUE_UNIFORM] = setup->uniform;
  for (uint32_t i = 0; i < setup->file->num_blocks; i++) {
    uint32_t *block = words + HEDDLE_QUEUE_HEADER_WORDS + (size_t)i * HEDDLE_BLOCK_WORDS;
    block[HEDDLE_BLOCK_WORK_GROUP_SIZE] = setup->blocks[i].work_group_size;
    block[HEDDLE_BLOCK_SUB_GROUP_SIZE] = setup->blocks[i].sub_group_size;
    block[HEDDLE_BLOCK_LOCAL_BYTES] = heddle_kernel_file_block(setup->file, i + 1)->local_bytes;
  }
  const int result = heddle_device_write(queue->device, queue->address, words, bytes);
  free(words);
  return result;
}

int heddle_device_queue_open(struct heddle_device *device, const struct heddle_device_queue_setup *setup,
                             struct heddle_device_queue **opened) {
  struct heddle_device_queue *queue = calloc(1, sizeof *queue);
  if (!queue)
    return -ENOMEM;
  queue->device = device;
  queue->file = setup->file;
  queue->size = setup->size / 4 * 4;
  queue->end = &queue->first;
  // A literal is part of a command, so that it has room wherever one that can be enqueued has.
  const uint64_t events_offset = HEADER_BYTES + (uint64_t)setup->file->num_blocks * BLOCK_BYTES;
  const uint64_t commands_offset = events_offset + (uint64_t)HEDDLE_QUEUE_EVENTS_MOST * EVENT_BYTES;
  const uint64_t literal_offset = (commands_offset + queue->size + LITERAL_ALIGNMENT - 1) & ~(LITERAL_ALIGNMENT - 1u);
  const uint64_t bytes = literal_offset + queue->size;
  int result = bytes > UINT32_MAX ? -ENOMEM
                                  : heddle_device_allocate(device, (uint32_t)bytes, LITERAL_ALIGNMENT, &queue->address);
  if (result != 0) {
    free(queue);
    return result;
  }
  queue->events_at = queue->address + (uint32_t)events_offset;
  queue->commands = queue->address + (uint32_t)commands_offset;
  queue->literal_at = queue->address + (uint32_t)literal_offset;
  result = write_all(queue, setup, literal_offset);
  if (result != 0) {
    heddle_device_queue_close(queue);
    return result;
  }
  *opened = queue;
  return 0;
}

void heddle_device_queue_drop(struct heddle_child *child) {
  while (child && --child->unfinished == 0) {
    struct heddle_child *parent = child->parent;
    free(child);
    child = parent;
  }
}

void heddle_device_queue_close(struct heddle_device_queue *queue) {
  if (!queue)
    return;
  while (queue->first) {
    struct heddle_child *child = queue->first;
    queue->first = child->next;
    heddle_device_queue_drop(child);
  }
  heddle_device_free(queue->device, queue->address);
  free(queue);
}

uint32_t heddle_device_queue_address(const struct heddle_device_queue *queue) {
  return queue->address;
}

uint32_t heddle_device_queue_count(const struct heddle_device_queue *queue) {
  return queue->count;
}

// ---- events

// Its place in the table; -1: there is none at the address.
static int32_t event_index(const struct heddle_device_queue *queue, uint32_t address) {
  const uint32_t offset = address - queue->events_at;
  return offset % EVENT_BYTES == 0 && offset / EVENT_BYTES < HEDDLE_QUEUE_EVENTS_MOST ? (int32_t)(offset / EVENT_BYTES)
                                                                                      : -1;
}

static int write_event(struct heddle_device_queue *queue, int32_t index) {
  return heddle_device_write(queue->device, queue->events_at + (uint32_t)index * EVENT_BYTES, queue->events[index],
                             EVENT_BYTES);
}

static void give_up(uint32_t *event) {
  event[HEDDLE_EVENT_REFERENCES] -= event[HEDDLE_EVENT_REFERENCES] != 0;
}

static int give_up_event(struct heddle_device_queue *queue, uint32_t address) {
  const int32_t index = event_index(queue, address);
  if (index < 0)
    return 0;
  give_up(queue->events[index]);
  return write_event(queue, index);
}

enum { TIMES_BYTES = 16 };

// Whether times may be written there: not to control registers, nor outside memory.
static bool is_place(const struct heddle_device_queue *queue, uint32_t address) {
  const struct heddle_capabilities *capability = heddle_device_capability(queue->device);
  return address % 4 == 0 && address >= capability->first_global && address <= capability->global_bytes - TIMES_BYTES;
}

// Writes an event's times to where kernels want them. The list is theirs: each place is visited once, so that a list
// which has become a ring ends, and read before any is written.
static int answer_captures(struct heddle_device_queue *queue, uint32_t *event) {
  uint32_t *places = NULL, count = 0, at = event[HEDDLE_EVENT_CAPTURES];
  int result = 0;
  while (is_place(queue, at) && result == 0 && count < CAPTURES_MOST) {
    uint32_t *longer = realloc(places, (count + 1) * sizeof *places);
    if (!longer) {
      result = -ENOMEM;
      break;
    }
    places = longer;
    bool is_known = false;
    for (uint32_t i = 0; i < count; i++)
      is_known = is_known || places[i] == at;
    if (is_known)
      break;
    places[count++] = at;
    result = heddle_device_read(queue->device, at, &at, sizeof at);
  }
  for (uint32_t i = 0; i < count && result == 0; i++)
    result = heddle_device_write(queue->device, places[i], event + HEDDLE_EVENT_TIMES, TIMES_BYTES);
  free(places);
  event[HEDDLE_EVENT_CAPTURES] = 0;
  return result;
}

static int complete_event(struct heddle_device_queue *queue, const struct heddle_child *child, int32_t status) {
  const int32_t index = child->event ? event_index(queue, child->event) : -1;
  if (index < 0)
    return 0;
  uint32_t *event = queue->events[index];
  const uint64_t times[2] = {child->ended - child->started, child->finished - child->started};
  memcpy(event + HEDDLE_EVENT_TIMES, times, sizeof times);
  event[HEDDLE_EVENT_STATUS] = (uint32_t)status;
  give_up(event);
  const int result = status == COMPLETE ? answer_captures(queue, event) : 0;
  return result == 0 ? write_event(queue, index) : result;
}

int heddle_device_queue_finish(struct heddle_device_queue *queue, struct heddle_child *child, int32_t status,
                               uint64_t now) {
  int result = 0;
  for (uint32_t i = 0; i < child->num_waits; i++) {
    const int error = give_up_event(queue, child->waits[i]);
    result = result == 0 ? error : result;
  }
  child->status = status;
  while (child && --child->unfinished == 0) {
    struct heddle_child *parent = child->parent;
    child->finished = now;
    const int error = complete_event(queue, child, child->status);
    result = result == 0 ? error : result;
    free(child);
    child = parent;
  }
  return result;
}

// ---- commands

static int damaged(struct heddle_error *error, const char *what) {
  return heddle_fail(error, -EBADMSG, "the device queue is damaged: %s", what);
}

// Whether what a command says about its parts makes up its length.
static bool has_its_length(const uint32_t *words, uint32_t bytes) {
  const uint64_t parts = COMMAND_BYTES +
                         4 * ((uint64_t)words[HEDDLE_COMMAND_NUM_WAITS] + words[HEDDLE_COMMAND_NUM_LOCALS]) +
                         words[HEDDLE_COMMAND_LITERAL_BYTES];
  return words[HEDDLE_COMMAND_LITERAL_BYTES] % 4 == 0 && parts == bytes;
}

static const char *check_kernel(const struct heddle_device_queue *queue, const uint32_t *words,
                                const uint32_t *literal) {
  const struct heddle_kernel *block = heddle_kernel_file_block(queue->file, words[HEDDLE_COMMAND_BLOCK]);
  const uint32_t bytes = words[HEDDLE_COMMAND_LITERAL_BYTES];
  if (!block)
    return "no such block";
  if (words[HEDDLE_COMMAND_NUM_LOCALS] != block->num_arguments - 1)
    return "a block with another number of local arguments";
  if (bytes < LITERAL_WORDS_LEAST * 4 || literal[0] > bytes || bytes - literal[0] > 3)
    return "a block literal of another size than it says";
  if (literal[1] == 0 || literal[1] > LITERAL_ALIGNMENT || (literal[1] & (literal[1] - 1)) != 0)
    return "a block literal of no possible alignment";
  if (words[HEDDLE_COMMAND_WORK_DIM] < 1 || words[HEDDLE_COMMAND_WORK_DIM] > 3)
    return "a range of no possible dimension";
  return NULL;
}

// NULL: the command can be taken.
static const char *check(const struct heddle_device_queue *queue, const uint32_t *words, uint32_t left) {
  const uint32_t kind = words[HEDDLE_COMMAND_KIND] & ~HEDDLE_COMMAND_COMPLETE;
  if (left < COMMAND_BYTES || words[HEDDLE_COMMAND_BYTES] < COMMAND_BYTES || words[HEDDLE_COMMAND_BYTES] > left)
    return "a command longer than the queue";
  if ((words[HEDDLE_COMMAND_KIND] & HEDDLE_COMMAND_COMPLETE) == 0)
    return "a command that was not completed";
  if (kind != HEDDLE_COMMAND_KERNEL && kind != HEDDLE_COMMAND_MARKER)
    return "a command of no known kind";
  if (!has_its_length(words, words[HEDDLE_COMMAND_BYTES]))
    return "a command of another length than its parts";
  if (words[HEDDLE_COMMAND_EVENT] != 0 && event_index(queue, words[HEDDLE_COMMAND_EVENT]) < 0)
    return "no such event";
  const uint32_t *waits = words + HEDDLE_COMMAND_HEADER_WORDS;
  for (uint32_t i = 0; i < words[HEDDLE_COMMAND_NUM_WAITS]; i++) {
    if (event_index(queue, waits[i]) < 0)
      return "a wait for no event";
  }
  return kind == HEDDLE_COMMAND_MARKER
             ? NULL
             : check_kernel(queue, words, waits + words[HEDDLE_COMMAND_NUM_WAITS] + words[HEDDLE_COMMAND_NUM_LOCALS]);
}

// Takes over a command that has been checked.
static int add(struct heddle_device_queue *queue, const uint32_t *words, struct heddle_child *parent) {
  const uint32_t rest = words[HEDDLE_COMMAND_BYTES] - COMMAND_BYTES;
  struct heddle_child *child = calloc(1, sizeof *child + rest);
  if (!child)
    return -ENOMEM;
  uint32_t *copy = (uint32_t *)(child + 1);
  memcpy(copy, words + HEDDLE_COMMAND_HEADER_WORDS, rest);
  child->parent = parent;
  child->unfinished = 1;
  child->kind = words[HEDDLE_COMMAND_KIND] & ~HEDDLE_COMMAND_COMPLETE;
  child->block = words[HEDDLE_COMMAND_BLOCK];
  child->event = words[HEDDLE_COMMAND_EVENT];
  child->work_dim = words[HEDDLE_COMMAND_WORK_DIM];
  for (uint32_t i = 0; i < 3; i++) {
    child->global_offset[i] = words[HEDDLE_COMMAND_GLOBAL_OFFSET + i];
    child->global_size[i] = words[HEDDLE_COMMAND_GLOBAL_SIZE + i];
    child->local_size[i] = words[HEDDLE_COMMAND_LOCAL_SIZE + i];
  }
  child->num_waits = words[HEDDLE_COMMAND_NUM_WAITS];
  child->num_locals = words[HEDDLE_COMMAND_NUM_LOCALS];
  child->literal_bytes = words[HEDDLE_COMMAND_LITERAL_BYTES];
  child->bytes = words[HEDDLE_COMMAND_BYTES];
  child->waits = copy;
  child->locals = child->waits + child->num_waits;
  child->literal = child->locals + child->num_locals;
  if (parent)
    parent->unfinished++;
  *queue->end = child;
  queue->end = &child->next;
  queue->count++;
  queue->enqueued_bytes += child->bytes;
  return 0;
}

// `bytes` of commands; behind them was no room for one more (`is_full`), or there was none.
static int add_all(struct heddle_device_queue *queue, const uint32_t *words, uint32_t bytes, bool is_full,
                   struct heddle_child *parent, struct heddle_error *error) {
  uint32_t at = 0;
  int result = 0;
  while (at < bytes && result == 0) {
    if (is_full && words[at / 4] == 0)
      break;  // where the call that found no room would have written
    const char *wrong = check(queue, words + at / 4, bytes - at);
    if (wrong)
      return damaged(error, wrong);
    result = add(queue, words + at / 4, parent);
    at += words[at / 4 + HEDDLE_COMMAND_BYTES];
  }
  return result == 0 ? 0 : heddle_fail(error, result, "out of host memory");
}

static int write_counts(struct heddle_device_queue *queue) {
  const uint32_t counts[] = {
      [HEDDLE_QUEUE_BYTES] = 0, [HEDDLE_QUEUE_LOST] = 0, [HEDDLE_QUEUE_CAPACITY] = queue->size - queue->enqueued_bytes};
  return heddle_device_write(queue->device, queue->address, counts, sizeof counts);
}

int heddle_device_queue_take(struct heddle_device_queue *queue, struct heddle_child *parent,
                             struct heddle_error *error) {
  uint32_t header[HEDDLE_QUEUE_HEADER_WORDS];
  const uint32_t capacity = queue->size - queue->enqueued_bytes;
  int result = heddle_device_read(queue->device, queue->address, header, sizeof header);
  queue->has_events = queue->has_events || header[HEDDLE_QUEUE_NEXT_EVENT] != 0;
  if (result == 0 && queue->has_events)
    result = heddle_device_read(queue->device, queue->events_at, queue->events, sizeof queue->events);
  if (result != 0)
    return heddle_fail(error, result, "the device queue cannot be read");
  if (header[HEDDLE_QUEUE_BYTES] == 0)
    return 0;
  const bool is_full = header[HEDDLE_QUEUE_BYTES] > capacity;
  const uint32_t bytes = is_full ? capacity : header[HEDDLE_QUEUE_BYTES];
  if (bytes % 4 != 0)
    return damaged(error, "half a word");
  // More than there is, so that the header of a command can be looked at wherever one may begin.
  uint32_t *words = calloc(1, (size_t)bytes + COMMAND_BYTES);
  if (!words)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  result = bytes == 0 ? 0 : heddle_device_read(queue->device, queue->commands, words, bytes);
  if (result == 0)
    result = add_all(queue, words, bytes, is_full, parent, error);
  else
    heddle_fail(error, result, "the device queue cannot be read");
  memset(words, 0, bytes);
  if (result == 0 && bytes != 0)
    result = heddle_device_write(queue->device, queue->commands, words, bytes);
  free(words);
  return result == 0 ? write_counts(queue) : result;
}

// Whether nothing that the command waits for is still to come.
static bool is_ready(const struct heddle_device_queue *queue, const struct heddle_child *child, bool *failed) {
  *failed = false;
  for (uint32_t i = 0; i < child->num_waits; i++) {
    const int32_t status = (int32_t)queue->events[event_index(queue, child->waits[i])][HEDDLE_EVENT_STATUS];
    if (status > COMPLETE)
      return false;
    *failed = *failed || status < 0;
  }
  return true;
}

struct heddle_child *heddle_device_queue_next(struct heddle_device_queue *queue, bool *failed) {
  for (struct heddle_child **at = &queue->first; *at; at = &(*at)->next) {
    struct heddle_child *child = *at;
    if (!is_ready(queue, child, failed))
      continue;
    *at = child->next;
    if (!*at)
      queue->end = at;
    queue->count--;
    queue->enqueued_bytes -= child->bytes;
    // A device that cannot be written will not run the command either.
    (void)write_counts(queue);
    return child;
  }
  return NULL;
}

int heddle_device_queue_place_literal(struct heddle_device_queue *queue, const struct heddle_child *child,
                                      uint32_t *address) {
  *address = queue->literal_at;
  return heddle_device_write(queue->device, queue->literal_at, child->literal, child->literal_bytes);
}
