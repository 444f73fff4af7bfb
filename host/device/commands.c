// SPDX-License-Identifier: Apache-2.0
// Commands in flight (driver.h): their entries, submitting and collecting. ring.c and direct_commands.c carry them out.
#include <errno.h>
#include <string.h>

#include "host/device/device.h"
#include "host/device/watch.h"

enum { MILLISECONDS_A_REPORT = 50 };

static int advance(struct heddle_device *device, unsigned milliseconds) {
  return heddle_has_processor(device) ? heddle_ring_advance(device, milliseconds)
                                      : heddle_direct_commands_advance(device, milliseconds);
}

static bool has_ended(const struct heddle_device *device, uint32_t number) {
  return (int32_t)(device->commands.head - number) > 0;
}

int heddle_command_begin(struct heddle_device *device, const struct heddle_waits *waits,
                         struct heddle_ring_command **command) {
  static const struct heddle_waits nothing;
  struct heddle_ring_command *c = heddle_ring_command_at(device, device->commands.tail);
  if (atomic_load(&device->lost))
    return -ENODEV;
  if (c->taken)
    return -EAGAIN;
  if (!waits)
    waits = &nothing;
  memset(c->words, 0, sizeof c->words);
  c->words[HEDDLE_RING_KIND] = waits->all ? HEDDLE_RING_BARRIER : 0;
  c->words[HEDDLE_RING_NUM_WAITS] = waits->count;
  for (uint32_t i = 0; i < waits->count && i < HEDDLE_RING_WAITS_MAX; i++)
    c->words[HEDDLE_RING_WAITS + i] = waits->numbers[i];
  *command = c;
  return 0;
}

int heddle_command_submit(struct heddle_device *device, uint32_t *number) {
  const uint32_t own = device->commands.tail;
  const int result = heddle_has_processor(device) ? heddle_settle(device, heddle_ring_submit(device, own)) : 0;
  if (result != 0)
    return result;
  struct heddle_ring_command *c = heddle_ring_command_at(device, own);
  c->taken = true;
  c->started = false;
  device->commands.tail = own + 1;
  *number = own;
  return 0;
}

int heddle_commands_drain(struct heddle_device *device) {
  struct heddle_watch watch = {0};
  int result = atomic_load(&device->lost) ? -ENODEV : 0;
  while (result == 0 && device->commands.head != device->commands.tail) {
    result = advance(device, MILLISECONDS_A_REPORT);
    if (result == 0 && device->commands.head != device->commands.tail)
      result = heddle_watch(device, &watch);
  }
  return heddle_settle(device, result);
}

// Lets the device run for a while, or until all of it is done. When only the last command is waited for, that is when
// it has ended; otherwise it has to be looked at more often. Returns for how long, or an error.
static int let_run(struct heddle_device *device, uint32_t number) {
  const int milliseconds = number + 1 == device->commands.tail ? MILLISECONDS_A_REPORT : 1;
  const int result = advance(device, (unsigned)milliseconds);
  return result != 0 ? result : milliseconds;
}

static void read_record(const uint32_t *words, struct heddle_record *record) {
  const uint32_t *figures = words + HEDDLE_RECORD_FIGURES, *fault = words + HEDDLE_RECORD_FAULT;
  *record = (struct heddle_record){.status = words[HEDDLE_RECORD_STATUS],
                                   .start = heddle_long_at(words + HEDDLE_RECORD_START),
                                   .cycles = heddle_long_at(words + HEDDLE_RECORD_CYCLES),
                                   .figures.cycles = heddle_long_at(words + HEDDLE_RECORD_CYCLES)};
  if (record->status == HEDDLE_RECORD_REFUSED)
    record->refused_why = words[HEDDLE_RECORD_REFUSED_WHY];
  if (record->status == HEDDLE_RECORD_FAULTED) {
    record->fault = (struct heddle_fault){.reason = fault[0],
                                          .pc = fault[1],
                                          .address = fault[2],
                                          .group_id = {fault[3], fault[4], fault[5]},
                                          .sub_group_id = fault[6],
                                          .lane = fault[7]};
  }
  uint64_t *const all[] = {
      &record->figures.issues,          &record->figures.active_lanes,       &record->figures.groups_done,
      &record->figures.memory_requests, &record->figures.memory_wait_cycles, &record->figures.conflict_cycles,
      &record->figures.cache_requests,  &record->figures.cache_misses};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = heddle_long_at(figures + 2 * i);
}

// Adds what the dispatches of an enqueuer that have ended did.
static int add_ended(struct heddle_device *device, uint32_t number, struct heddle_figures *figures) {
  const struct heddle_ring_command *c = heddle_ring_command_at(device, number);
  const uint32_t at = HEDDLE_RECORDS_FIRST + number % HEDDLE_RING_COMMANDS * HEDDLE_RECORD_BYTES;
  uint32_t words[HEDDLE_RECORD_WORDS];
  struct heddle_record record;
  int result = 0;
  if (heddle_has_processor(device))
    result = device->link.transport->read(device->link.state, at, words, sizeof words);
  else
    memcpy(words, c->record, sizeof words);
  if (result != 0)
    return result;
  read_record(words, &record);
  record.figures.cycles = heddle_long_at(words + HEDDLE_RECORD_ALL_CYCLES);
  *figures = heddle_figures_sum(figures, &record.figures);
  return 0;
}

// While a dispatch runs: says how far it is, and stops it if that is wanted. *stopped: nothing more is to be reported;
// what an enqueuer enqueued might have begun in that moment, and is to be stopped as well.
static int report(struct heddle_device *device, uint32_t number, heddle_progress *progress, void *user, bool *stopped) {
  const struct heddle_ring_command *c = heddle_ring_command_at(device, number);
  struct heddle_figures figures = {0};
  uint32_t status = 0;
  if (device->commands.head != number || !heddle_ring_command_dispatches(c))
    return 0;
  int result = heddle_register_read(device, HEDDLE_REG_STATUS, &status);
  if (result != 0 || (status & HEDDLE_STATUS_BUSY) == 0)
    return result;
  result = heddle_figures_read(device, &figures);
  if (result == 0 && heddle_ring_command_enqueues(c))
    result = add_ended(device, number, &figures);
  if (result == 0 && !progress(user, &figures)) {
    *stopped = !heddle_ring_command_enqueues(c);
    result = device->link.transport->doorbell(device->link.state, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
  }
  return result;
}

// Of what is no dispatch, or did not run, the rest of the record counts nothing.
static void take_record(struct heddle_device *device, struct heddle_ring_command *c, struct heddle_record *record) {
  const uint32_t status = c->record[HEDDLE_RECORD_STATUS];
  if (!heddle_ring_command_dispatches(c) || (status != HEDDLE_RECORD_COMPLETE && status != HEDDLE_RECORD_FAULTED))
    memset(c->record + HEDDLE_RECORD_FIGURES, 0, 4 * (HEDDLE_RECORD_WORDS - HEDDLE_RECORD_FIGURES));
  read_record(c->record, record);
  if (heddle_ring_command_enqueues(c)) {
    const uint32_t faulted = c->record[HEDDLE_RECORD_FAULTED_DISPATCH];
    record->figures.cycles = heddle_long_at(c->record + HEDDLE_RECORD_ALL_CYCLES);
    record->faulted_dispatch = status == HEDDLE_RECORD_FAULTED && faulted != c->memory.address ? faulted : 0;
  }
  if (heddle_ring_command_dispatches(c) && status != HEDDLE_RECORD_COMPLETE && status != HEDDLE_RECORD_DID_NOT_RUN)
    atomic_fetch_add(&device->damages, 1);
  c->taken = false;
}

uint64_t heddle_device_damages(const struct heddle_device *device) {
  return atomic_load(&device->damages);
}

// `held` says whether `access` stays locked all the while.
static int finish(struct heddle_device *device, uint32_t number, heddle_progress *progress, void *user,
                  struct heddle_record *record, bool held) {
  struct heddle_ring_command *c = heddle_ring_command_at(device, number);
  const uint32_t before = device->commands.tail - number;
  struct heddle_watch watch = {0};
  bool stopped = false;
  int since = 0, ran = 0;
  if (atomic_load(&device->lost))
    return -ENODEV;
  if (before == 0 || before > HEDDLE_RING_COMMANDS || !c->taken)
    return -ENOENT;
  while (ran >= 0 && !has_ended(device, number)) {
    ran = let_run(device, number);
    since += ran;
    if (ran > 0 && !has_ended(device, number) && progress && !stopped && since >= MILLISECONDS_A_REPORT) {
      const int result = report(device, number, progress, user, &stopped);
      ran = result != 0 ? result : ran;
      since = 0;
    }
    if (ran > 0 && !has_ended(device, number)) {
      const int result = heddle_watch(device, &watch);
      ran = result != 0 ? result : ran;
    }
    if (!held) {
      pthread_mutex_unlock(&device->access);
      pthread_mutex_lock(&device->access);
    }
  }
  if (ran < 0)
    return heddle_settle(device, ran);
  take_record(device, c, record);
  return 0;
}

int heddle_command_finish(struct heddle_device *device, uint32_t number, heddle_progress *progress, void *user,
                          struct heddle_record *record) {
  return finish(device, number, progress, user, record, true);
}

int heddle_device_collect(struct heddle_device *device, uint32_t number, heddle_progress *progress, void *user,
                          struct heddle_record *record) {
  pthread_mutex_lock(&device->access);
  const int result = finish(device, number, progress, user, record, false);
  pthread_mutex_unlock(&device->access);
  return result;
}

// What is no dispatch: a kind, and its words from HEDDLE_RING_COPY_SOURCE on.
enum { OPERANDS = 6 };

static int submit(struct heddle_device *device, const struct heddle_waits *waits, enum heddle_ring_kind kind,
                  const uint32_t operands[OPERANDS], uint32_t *number) {
  struct heddle_ring_command *command = NULL;
  pthread_mutex_lock(&device->access);
  int result = heddle_command_begin(device, waits, &command);
  if (result == 0) {
    command->words[HEDDLE_RING_KIND] |= kind;
    memcpy(command->words + HEDDLE_RING_COPY_SOURCE, operands, OPERANDS * sizeof *operands);
    result = heddle_command_submit(device, number);
  }
  pthread_mutex_unlock(&device->access);
  return result;
}

int heddle_device_submit_copy(struct heddle_device *device, const struct heddle_copy *copy,
                              const struct heddle_waits *waits, uint32_t *number) {
  const uint32_t operands[OPERANDS] = {copy->source,       copy->destination,
                                       copy->bytes,        copy->rows > 1 ? copy->rows - 1 : 0,
                                       copy->source_pitch, copy->destination_pitch};
  return submit(device, waits, HEDDLE_RING_IS_COPY, operands, number);
}

// Repeats a pattern until the bytes are full, which are a multiple of it.
static void repeat(const struct heddle_fill *fill, void *bytes, size_t count) {
  for (size_t i = 0; i < count; i += fill->pattern_bytes)
    memcpy((char *)bytes + i, fill->pattern, fill->pattern_bytes);
}

// The pattern goes to memory that the command's entry has, where nothing in flight looks.
static int submit_pattern(struct heddle_device *device, const struct heddle_fill *fill,
                          const struct heddle_waits *waits, uint32_t *number) {
  uint8_t pattern[HEDDLE_RING_PATTERN_BYTES];
  struct heddle_ring_command *command = NULL;
  int result = heddle_command_begin(device, waits, &command);
  if (result == 0)
    result = heddle_region_grow(device, &command->memory, false, sizeof pattern, HEDDLE_DISPATCH_ALIGNMENT);
  if (result != 0)
    return result;
  repeat(fill, pattern, sizeof pattern);
  result = device->link.transport->write(device->link.state, command->memory.address, pattern, sizeof pattern);
  if (result != 0)
    return heddle_settle(device, result);
  command->words[HEDDLE_RING_KIND] |= HEDDLE_RING_IS_FILL;
  command->words[HEDDLE_RING_FILL_DESTINATION] = fill->destination;
  command->words[HEDDLE_RING_FILL_BYTES] = fill->bytes;
  command->words[HEDDLE_RING_FILL_PATTERN] = command->memory.address;
  return heddle_command_submit(device, number);
}

int heddle_device_submit_fill(struct heddle_device *device, const struct heddle_fill *fill,
                              const struct heddle_waits *waits, uint32_t *number) {
  const uint32_t size = fill->pattern_bytes;
  uint32_t word;
  if (size == 0 || size > HEDDLE_FILL_PATTERN_MOST || (size & (size - 1)) != 0)
    return -EINVAL;
  if (size <= sizeof word) {
    repeat(fill, &word, sizeof word);
    return submit(device, waits, HEDDLE_RING_IS_FILL, (const uint32_t[OPERANDS]){fill->destination, fill->bytes, word},
                  number);
  }
  pthread_mutex_lock(&device->access);
  const int result = submit_pattern(device, fill, waits, number);
  pthread_mutex_unlock(&device->access);
  return result;
}

int heddle_device_submit_marker(struct heddle_device *device, const struct heddle_waits *waits, uint32_t *number) {
  return submit(device, waits, HEDDLE_RING_IS_MARKER, (const uint32_t[OPERANDS]){0}, number);
}
