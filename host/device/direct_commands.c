// SPDX-License-Identifier: Apache-2.0
// Commands on a device without a command processor: the driver carries out what the firmware would do, one command
// after the other, with the control registers of dispatches and the link.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/device.h"

enum { PIECE = 64 << 10 };

static bool is_global(const struct heddle_device *device, uint32_t address, uint32_t bytes) {
  const struct heddle_capabilities *capability = &device->capability;
  return address >= capability->first_global && (uint64_t)address + bytes <= capability->global_bytes;
}

// Why a command is refused, or 0.
static uint32_t refusal(const struct heddle_device *device, uint32_t number, const uint32_t *words) {
  const uint32_t a = words[6], b = words[7], c = words[8], pattern = words[HEDDLE_RING_FILL_PATTERN];
  if (words[HEDDLE_RING_NUM_WAITS] > HEDDLE_RING_WAITS_MAX)
    return HEDDLE_REFUSED_WAITS;
  for (uint32_t i = 0; i < words[HEDDLE_RING_NUM_WAITS]; i++)
    if ((int32_t)(number - words[HEDDLE_RING_WAITS + i]) <= 0)
      return HEDDLE_REFUSED_WAITS;
  switch (words[HEDDLE_RING_KIND] & ~(uint32_t)HEDDLE_RING_BARRIER) {
    case HEDDLE_RING_IS_COPY:
      return is_global(device, a, c) && is_global(device, b, c) ? 0 : HEDDLE_REFUSED_RANGE;
    case HEDDLE_RING_IS_FILL:
      return is_global(device, a, b) && (pattern == 0 || is_global(device, pattern, HEDDLE_RING_PATTERN_BYTES))
                 ? 0
                 : HEDDLE_REFUSED_RANGE;
    default:
      return 0;  // a marker, or a dispatch that the driver has placed
  }
}

// Whether one that it waits for did not end well. All before it have ended.
static bool wait_failed(struct heddle_device *device, uint32_t number, const uint32_t *words) {
  for (uint32_t i = 0; i < words[HEDDLE_RING_NUM_WAITS]; i++) {
    const uint32_t before = number - words[HEDDLE_RING_WAITS + i];
    // Numbers begin at 0: the entries of what was before are zeros, which is ended well.
    if (before < HEDDLE_RING_COMMANDS &&
        heddle_ring_command_at(device, number - before)->record[HEDDLE_RECORD_STATUS] != HEDDLE_RECORD_COMPLETE)
      return true;
  }
  return false;
}

static int copy_row(struct heddle_device *device, uint8_t *piece, uint32_t source, uint32_t destination,
                    uint32_t bytes) {
  const struct heddle_transport *transport = device->link.transport;
  int result = 0;
  for (uint32_t at = 0, count; at < bytes && result == 0; at += count) {
    count = bytes - at < PIECE ? bytes - at : PIECE;
    result = transport->read(device->link.state, source + at, piece, count);
    if (result == 0)
      result = transport->write(device->link.state, destination + at, piece, count);
  }
  return result;
}

// *refused: a row is not in global memory.
static int copy(struct heddle_device *device, const uint32_t *words, bool *refused) {
  const uint32_t bytes = words[HEDDLE_RING_COPY_BYTES];
  const uint64_t rows = bytes == 0 ? 0 : (uint64_t)words[HEDDLE_RING_COPY_MORE_ROWS] + 1;
  uint32_t source = words[HEDDLE_RING_COPY_SOURCE], destination = words[HEDDLE_RING_COPY_DESTINATION];
  uint8_t *piece = malloc(PIECE);
  int result = piece ? 0 : -ENOMEM;
  for (uint64_t row = 0; row < rows && result == 0 && !*refused; row++) {
    *refused = !is_global(device, source, bytes) || !is_global(device, destination, bytes);
    if (!*refused)
      result = copy_row(device, piece, source, destination, bytes);
    source += words[HEDDLE_RING_COPY_SOURCE_PITCH];
    destination += words[HEDDLE_RING_COPY_DESTINATION_PITCH];
  }
  free(piece);
  return result;
}

static int fill(struct heddle_device *device, const uint32_t *words) {
  const uint32_t destination = words[HEDDLE_RING_FILL_DESTINATION], bytes = words[HEDDLE_RING_FILL_BYTES];
  const uint32_t pattern = words[HEDDLE_RING_FILL_PATTERN];
  uint32_t *piece = malloc(PIECE), period = pattern != 0 ? HEDDLE_RING_PATTERN_BYTES / 4 : 1;
  int result = piece ? 0 : -ENOMEM;
  if (result == 0 && pattern != 0)
    result = device->link.transport->read(device->link.state, pattern, piece, HEDDLE_RING_PATTERN_BYTES);
  else if (result == 0)
    piece[0] = words[HEDDLE_RING_FILL_WORD];
  for (uint32_t i = period; i < PIECE / 4 && result == 0; i++)
    piece[i] = piece[i - period];
  for (uint32_t at = 0, count; at < bytes && result == 0; at += count) {
    count = bytes - at < PIECE ? bytes - at : PIECE;
    result = device->link.transport->write(device->link.state, destination + at, piece, count);
  }
  free(piece);
  return result;
}

// A fault that nobody has answered would keep the dispatch waiting.
static int start(struct heddle_device *device, uint32_t address) {
  const struct heddle_transport *transport = device->link.transport;
  int result = transport->doorbell(device->link.state, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
  if (result == 0)
    result = heddle_register_write(device, HEDDLE_REG_DISPATCH, address);
  if (result == 0)
    result = transport->doorbell(device->link.state, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);
  return result;
}

static int read_registers(struct heddle_device *device, uint32_t offset, uint32_t *words, uint32_t count) {
  int result = 0;
  for (uint32_t i = 0; i < count && result == 0; i++)
    result = heddle_register_read(device, offset + 4 * i, &words[i]);
  return result;
}

// The record of a dispatch that has ended.
static int read_record(struct heddle_device *device, uint32_t *record) {
  static const struct {
    uint32_t offset, word, count;
  } parts[] = {{HEDDLE_REG_START, HEDDLE_RECORD_START, 2},
               {HEDDLE_REG_CYCLES, HEDDLE_RECORD_CYCLES, 2},
               {HEDDLE_REG_ISSUES, HEDDLE_RECORD_FIGURES, 6},
               {HEDDLE_REG_MEMORY_REQUESTS, HEDDLE_RECORD_FIGURES + 6, 6},
               {HEDDLE_REG_CACHE_REQUESTS, HEDDLE_RECORD_FIGURES + 12, 4}};
  uint32_t status = 0;
  int result = heddle_register_read(device, HEDDLE_REG_STATUS, &status);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && result == 0; i++)
    result = read_registers(device, parts[i].offset, record + parts[i].word, parts[i].count);
  record[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_COMPLETE;
  if (result != 0 || (status & HEDDLE_STATUS_FAULT) == 0)
    return result;
  record[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_FAULTED;
  return read_registers(device, HEDDLE_REG_FAULT_REASON, record + HEDDLE_RECORD_FAULT, 8);
}

// A copy, fill or marker: done at once. No cycles, as the device does nothing.
static int transfer(struct heddle_device *device, struct heddle_ring_command *c) {
  const uint32_t kind = c->words[HEDDLE_RING_KIND] & ~(uint32_t)HEDDLE_RING_BARRIER;
  bool refused = false;
  const int result = kind == HEDDLE_RING_IS_COPY   ? copy(device, c->words, &refused)
                     : kind == HEDDLE_RING_IS_FILL ? fill(device, c->words)
                                                   : 0;
  if (refused) {
    c->record[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_REFUSED;
    c->record[HEDDLE_RECORD_REFUSED_WHY] = HEDDLE_REFUSED_RANGE;
  }
  return result;
}

// ---- what kernels enqueue: the firmware's code over the link

uint32_t heddle_enqueued_load(struct heddle_device *device, uint32_t address) {
  uint32_t value = 0;
  if (device->enqueuer.result == 0)
    device->enqueuer.result = device->link.transport->read(device->link.state, address, &value, sizeof value);
  return device->enqueuer.result == 0 ? value : 0;
}

void heddle_enqueued_store(struct heddle_device *device, uint32_t address, uint32_t value) {
  if (device->enqueuer.result == 0)
    device->enqueuer.result = device->link.transport->write(device->link.state, address, &value, sizeof value);
}

uint64_t heddle_enqueued_clock(struct heddle_device *device) {
  uint64_t clock = 0;
  if (device->enqueuer.result == 0)
    device->enqueuer.result = heddle_figure_read(device, HEDDLE_REG_CLOCK, &clock);
  return clock;
}

static void put_long(uint32_t *words, uint64_t value) {
  words[0] = (uint32_t)value;
  words[1] = (uint32_t)(value >> 32);
}

// The host's dispatch of an enqueuer, before it starts. *refused: it does not, and its record says so.
static int begin_enqueuer(struct heddle_device *device, struct heddle_ring_command *c, bool *refused) {
  struct heddle_enqueuer *e = &device->enqueuer;
  const uint32_t dispatch = c->words[HEDDLE_RING_DISPATCH];
  uint32_t budget[2] = {0};
  *e = (struct heddle_enqueuer){.queue.device = device,
                                .queue.first_global = device->capability.first_global,
                                .queue.global_bytes = device->capability.global_bytes,
                                .dispatch = dispatch};
  *refused = !heddle_enqueued_begin(&e->queue, dispatch);
  const int result =
      device->link.transport->read(device->link.state, dispatch + 4 * HEDDLE_DISPATCH_BUDGET, budget, sizeof budget);
  e->budget = heddle_long_at(budget);
  if (*refused) {
    c->record[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_REFUSED;
    c->record[HEDDLE_RECORD_REFUSED_WHY] = HEDDLE_REFUSED_QUEUE;
  }
  return e->result != 0 ? e->result : result;
}

// Adds the record of the dispatch that has ended to the enqueuer's.
static void add_record(struct heddle_enqueuer *e, uint32_t *record, const uint32_t *ended) {
  if (e->cycles == 0)
    memcpy(record + HEDDLE_RECORD_START, ended + HEDDLE_RECORD_START, 4 * sizeof *record);
  e->cycles += heddle_long_at(ended + HEDDLE_RECORD_CYCLES);
  put_long(record + HEDDLE_RECORD_ALL_CYCLES, e->cycles);
  for (int i = HEDDLE_RECORD_FIGURES; i < HEDDLE_RECORD_WORDS; i += 2)
    put_long(record + i, heddle_long_at(record + i) + heddle_long_at(ended + i));
}

// A dispatch of an enqueuer has ended: starts the next. *ended: there is none, and c->record is what became of all.
static int next_dispatch(struct heddle_device *device, struct heddle_ring_command *c, bool *ended) {
  struct heddle_enqueuer *e = &device->enqueuer;
  uint32_t record[HEDDLE_RECORD_WORDS] = {0}, budget[2];
  int result = read_record(device, record);
  if (result != 0)
    return result;
  add_record(e, c->record, record);
  *ended = true;
  if (record[HEDDLE_RECORD_STATUS] == HEDDLE_RECORD_FAULTED) {
    memcpy(c->record + HEDDLE_RECORD_FAULT, record + HEDDLE_RECORD_FAULT, 8 * sizeof *record);
    c->record[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_FAULTED;
    c->record[HEDDLE_RECORD_FAULTED_DISPATCH] = e->dispatch;
    return 0;
  }
  const enum heddle_enqueued_state state = heddle_enqueued_next(&e->queue, &e->dispatch);
  if (state == HEDDLE_ENQUEUED_DAMAGED || state == HEDDLE_ENQUEUED_STUCK) {
    c->record[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_REFUSED;
    c->record[HEDDLE_RECORD_REFUSED_WHY] = state == HEDDLE_ENQUEUED_STUCK ? HEDDLE_REFUSED_STUCK : HEDDLE_REFUSED_QUEUE;
  }
  if (state != HEDDLE_ENQUEUED_RUN || e->result != 0)
    return e->result;
  *ended = false;
  put_long(budget, heddle_enqueued_budget(e->budget, e->cycles));
  result = device->link.transport->write(device->link.state, e->dispatch + 4 * HEDDLE_DISPATCH_BUDGET, budget,
                                         sizeof budget);
  return result == 0 ? start(device, e->dispatch) : result;
}

// The next command, which is no dispatch or is not started yet. *ended: its record is there.
static int begin(struct heddle_device *device, uint32_t number, bool *ended) {
  struct heddle_ring_command *c = heddle_ring_command_at(device, number);
  const uint32_t why = refusal(device, number, c->words);
  const bool failed = why == 0 && wait_failed(device, number, c->words);
  uint64_t clock = 0;
  int result = heddle_figure_read(device, HEDDLE_REG_CLOCK, &clock);
  memset(c->record, 0, sizeof c->record);
  c->record[HEDDLE_RECORD_START] = (uint32_t)clock;
  c->record[HEDDLE_RECORD_START + 1] = (uint32_t)(clock >> 32);
  c->record[HEDDLE_RECORD_STATUS] = why != 0 ? HEDDLE_RECORD_REFUSED : failed ? HEDDLE_RECORD_DID_NOT_RUN : 0;
  c->record[HEDDLE_RECORD_REFUSED_WHY] = why;
  *ended = true;
  if (result != 0 || why != 0 || failed)
    return result;
  if (!heddle_ring_command_dispatches(c))
    return transfer(device, c);
  if (heddle_ring_command_enqueues(c)) {
    result = begin_enqueuer(device, c, ended);
    if (result != 0 || *ended)
      return result;
  }
  *ended = false;
  c->started = true;
  return start(device, c->words[HEDDLE_RING_DISPATCH]);
}

int heddle_direct_commands_advance(struct heddle_device *device, unsigned milliseconds) {
  const uint32_t number = device->commands.head;
  struct heddle_ring_command *c = heddle_ring_command_at(device, number);
  bool ended = false;
  int result = c->started ? 0 : begin(device, number, &ended);
  if (result == 0 && !ended) {
    const int idle = device->link.transport->wait(device->link.state, milliseconds);
    ended = idle > 0;
    result = idle < 0 ? idle : 0;
    if (ended)
      result = heddle_ring_command_enqueues(c) ? next_dispatch(device, c, &ended) : read_record(device, c->record);
  }
  if (result == 0 && ended)
    device->commands.head++;
  return result;
}
