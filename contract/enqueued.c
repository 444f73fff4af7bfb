// SPDX-License-Identifier: Apache-2.0
// See enqueued.h. Commands lie one behind the other as they were enqueued. What one dispatch enqueued is a batch. The
// newest batch runs first, the commands of a batch in their order, so that a tree of kernels is walked depth first and
// needs room for a branch of it, not for a whole generation. A batch that has nothing left to run is joined with the
// one below it.
//
// Done commands stay until their batch has ended or their room is needed. There is room for twice what the queue holds,
// so that what is left is moved together seldom: less than once for as many bytes as it holds.
#include "contract/enqueued.h"

enum { ALIGNMENT = 128, EVENT_BYTES = HEDDLE_EVENT_WORDS * 4, EVENTS_MOST = 1 << 16, STEPS_MOST = 1 << 18 };
// Words of the first command of a batch. BATCH: where the batch below it begins. FIRST, of a done one: where the oldest
// command of the batch that is not done may begin.
enum { FIRST = HEDDLE_DISPATCH_BUDGET, BATCH = HEDDLE_COMMAND_FLAGS };
static const uint32_t IS_BATCH = 0x80000000;
enum { COMPLETE = 0, NO_END = -1, WAITED_FOR_ERROR = -14 };  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
enum { ALL_MET, PENDING, FAILED, NO_EVENT };                 // what a command waits for

static uint32_t load(const struct heddle_enqueued *q, uint32_t address, uint32_t word) {
  return heddle_enqueued_load(q->device, address + 4 * word);
}

static void store(const struct heddle_enqueued *q, uint32_t address, uint32_t word, uint32_t value) {
  heddle_enqueued_store(q->device, address + 4 * word, value);
}

static uint64_t load_long(const struct heddle_enqueued *q, uint32_t address, uint32_t word) {
  const uint32_t low = load(q, address, word), high = load(q, address, word + 1);
  return (uint64_t)high << 32 | low;
}

static void store_long(const struct heddle_enqueued *q, uint32_t address, uint32_t word, uint64_t value) {
  store(q, address, word, (uint32_t)value);
  store(q, address, word + 1, (uint32_t)(value >> 32));
}

static bool is_global(const struct heddle_enqueued *q, uint32_t address, uint32_t bytes) {
  return address >= q->first_global && address <= q->global_bytes && bytes <= q->global_bytes - address;
}

static bool is_event(const struct heddle_enqueued *q, uint32_t address) {
  const uint32_t offset = address - q->events;
  return offset % EVENT_BYTES == 0 && offset < q->event_bytes;
}

// What the next dispatch finds: all that is taken, and how much may be.
static void open_room(const struct heddle_enqueued *q) {
  store(q, q->queue, HEDDLE_QUEUE_TAIL, q->tail);
  store(q, q->queue, HEDDLE_QUEUE_END, (uint32_t)NO_END);
  store(q, q->queue, HEDDLE_QUEUE_LIMIT, q->tail + q->size - q->live);
}

// Events and commands: what is written to one would change the other.
static bool overlap(const struct heddle_enqueued *q) {
  return q->events - q->commands < 2 * q->size || q->commands - q->events < q->event_bytes;
}

bool heddle_enqueued_begin(struct heddle_enqueued *q, uint32_t dispatch) {
  const uint32_t queue = load(q, dispatch, HEDDLE_DISPATCH_QUEUE);
  q->queue = queue;
  q->units = load(q, dispatch, HEDDLE_DISPATCH_SUB_GROUP_LOG2) & ~(uint32_t)HEDDLE_DISPATCH_LOG2_MASK;
  q->first = q->tail = q->live = q->running = q->event = q->batch = q->bottom = 0;
  if (queue == 0)
    return true;
  if (queue % HEDDLE_QUEUE_ALIGNMENT != 0 || !is_global(q, queue, HEDDLE_QUEUE_HEADER_WORDS * 4))
    return false;
  const uint32_t num_events = load(q, queue, HEDDLE_QUEUE_NUM_EVENTS);
  q->commands = load(q, queue, HEDDLE_QUEUE_COMMANDS);
  q->events = load(q, queue, HEDDLE_QUEUE_EVENTS);
  q->size = load(q, queue, HEDDLE_QUEUE_SIZE);
  q->event_bytes = num_events * EVENT_BYTES;
  if (num_events > EVENTS_MOST || q->events % 4 != 0 || !is_global(q, q->events, q->event_bytes) ||
      q->size > HEDDLE_QUEUE_SIZE_MOST || q->size % ALIGNMENT != 0 || q->commands % ALIGNMENT != 0 ||
      !is_global(q, q->commands, 2 * q->size) || overlap(q))
    return false;
  open_room(q);
  return true;
}

// ---- commands

// Whether a command that ends before `end` begins at the address; bytes of it. A kernel's has room for an argument.
static bool is_command(const struct heddle_enqueued *q, uint32_t command, uint32_t end, uint32_t *bytes) {
  const uint32_t taken = load(q, command, HEDDLE_COMMAND_BYTES), kind = load(q, command, HEDDLE_COMMAND_KIND);
  const uint32_t waits = load(q, command, HEDDLE_COMMAND_WAITS);
  const uint32_t num_waits = load(q, command, HEDDLE_COMMAND_NUM_WAITS);
  *bytes = taken;
  return taken != 0 && taken % ALIGNMENT == 0 && taken <= end - command && kind <= HEDDLE_COMMAND_IS_MARKER &&
         (kind != HEDDLE_COMMAND_IS_KERNEL || taken > HEDDLE_DISPATCH_WORDS * 4) && waits % 4 == 0 && waits <= taken &&
         num_waits <= (taken - waits) / 4;
}

// Takes what a dispatch enqueued.
static bool take(struct heddle_enqueued *q) {
  const uint32_t limit = q->tail + q->size - q->live, found = load(q, q->queue, HEDDLE_QUEUE_END);
  uint32_t tail = load(q, q->queue, HEDDLE_QUEUE_TAIL), bytes = 0;
  tail = tail < found ? tail : found;  // a call that found no room left nothing, and so did all after it
  if (tail < q->tail || tail > limit)
    return false;
  const uint32_t end = q->commands + tail;
  for (uint32_t command = q->commands + q->tail; command != end; command += bytes) {
    if (!is_command(q, command, end, &bytes))
      return false;
    const uint32_t event = load(q, command, HEDDLE_COMMAND_EVENT);
    store(q, command, HEDDLE_COMMAND_PARENT, q->event);
    if (event != 0) {
      if (!is_event(q, event))
        return false;
      store(q, event, HEDDLE_EVENT_UNFINISHED, 1);
      store(q, event, HEDDLE_EVENT_PARENT, q->event);
    }
    if (q->event != 0)
      store(q, q->event, HEDDLE_EVENT_UNFINISHED, load(q, q->event, HEDDLE_EVENT_UNFINISHED) + 1);
    q->live += bytes;
  }
  q->tail = tail;
  return true;
}

static uint32_t look_at_waits(const struct heddle_enqueued *q, uint32_t command) {
  uint32_t wait = command + load(q, command, HEDDLE_COMMAND_WAITS), found = ALL_MET;
  const uint32_t end = wait + 4 * load(q, command, HEDDLE_COMMAND_NUM_WAITS);
  for (; wait != end; wait += 4) {
    const uint32_t event = load(q, wait, 0);
    if (!is_event(q, event))
      return NO_EVENT;
    const int32_t status = (int32_t)load(q, event, HEDDLE_EVENT_STATUS);
    if (status > COMPLETE)
      return PENDING;
    found = status < COMPLETE ? FAILED : found;
  }
  return found;
}

// Moves what is not done to the beginning, each batch behind the one below it. Nothing runs.
static bool move_together(struct heddle_enqueued *q) {
  const uint32_t end = q->commands + q->tail;
  uint32_t to = 0, newest = 0, bytes = 0;
  bool begins_batch = true;
  for (uint32_t from = q->commands; from != end; from += bytes) {
    if (!is_command(q, from, end, &bytes))
      return false;
    begins_batch = begins_batch || (load(q, from, BATCH) & IS_BATCH) != 0;
    if (load(q, from, HEDDLE_COMMAND_KIND) == HEDDLE_COMMAND_IS_DONE)
      continue;
    for (uint32_t word = 0; word < bytes / 4 && q->commands + to != from; word++)
      store(q, q->commands + to, word, load(q, from, word));
    if (begins_batch) {
      store(q, q->commands + to, BATCH, IS_BATCH | newest);
      newest = to;
      begins_batch = false;
    }
    to += bytes;
  }
  q->bottom = 0;
  q->batch = q->first = newest;
  q->tail = q->live = to;
  return true;
}

// ---- batches

// Passes done commands at the front of the newest batch, which ends at `end`.
static bool pass_done(struct heddle_enqueued *q, uint32_t end) {
  uint32_t bytes = 0;
  for (; q->first != end; q->first += bytes) {
    const uint32_t command = q->commands + q->first;
    if (!is_command(q, command, q->commands + end, &bytes))
      return false;
    if (load(q, command, HEDDLE_COMMAND_KIND) != HEDDLE_COMMAND_IS_DONE)
      break;
  }
  return true;
}

// Goes from the newest batch to the one below it. The words that say where that is are in commands, which kernels can
// write: what is found lies below, so that this ends, and inside the queue.
static bool go_down(struct heddle_enqueued *q) {
  const uint32_t above = q->batch, below = load(q, q->commands + above, BATCH) & ~(uint32_t)IS_BATCH;
  if (below < q->bottom || below >= above || below % ALIGNMENT != 0)
    return false;
  const bool is_done = load(q, q->commands + below, HEDDLE_COMMAND_KIND) == HEDDLE_COMMAND_IS_DONE;
  const uint32_t first = is_done ? load(q, q->commands + below, FIRST) : below;
  q->batch = below;
  q->first = first;
  return first >= below && first <= above && first % ALIGNMENT == 0;
}

// What begins at `start` is the newest batch now. One that has ended is left out of the chain.
static bool begin_batch(struct heddle_enqueued *q, uint32_t start) {
  uint32_t below = q->batch;
  if (!pass_done(q, start))
    return false;
  if (q->first != start) {
    if (q->first != q->batch)
      store(q, q->commands + q->batch, FIRST, q->first);
  } else if (q->batch == q->bottom) {
    q->bottom = below = start;
  } else {
    below = load(q, q->commands + q->batch, BATCH) & ~(uint32_t)IS_BATCH;
  }
  store(q, q->commands + start, BATCH, IS_BATCH | below);
  q->batch = q->first = start;
  return true;
}

// ---- events

// Cycles as kernels compute it: hls/lib/device_queue.cl. There is no multiplication.
static uint64_t nanoseconds(const struct heddle_enqueued *q, uint64_t cycles) {
  uint64_t sum = 0;
  for (uint32_t factor = load(q, q->queue, HEDDLE_QUEUE_CYCLE); factor != 0; factor >>= 1, cycles <<= 1)
    sum += (factor & 1) != 0 ? cycles : 0;
  return sum >> HEDDLE_QUEUE_CYCLE_LOG2;
}

static void give_up(const struct heddle_enqueued *q, uint32_t event) {
  const uint32_t references = load(q, event, HEDDLE_EVENT_REFERENCES);
  if (references != 0)
    store(q, event, HEDDLE_EVENT_REFERENCES, references - 1);
}

// Writes an event's times to where kernels want them. The list is theirs. A place that has the times already is one
// that was visited: where it was wanted there twice, the list is a ring.
static void answer_captures(struct heddle_enqueued *q, uint32_t event) {
  const uint64_t took = nanoseconds(q, load_long(q, event, HEDDLE_EVENT_TIMES));
  const uint64_t with_children = nanoseconds(q, load_long(q, event, HEDDLE_EVENT_TIMES + 2));
  uint32_t place = load(q, event, HEDDLE_EVENT_CAPTURES);
  for (; q->steps != 0 && place % 4 == 0 && is_global(q, place, 16); q->steps--) {
    if (load_long(q, place, 0) == took && load_long(q, place, 2) == with_children)
      return;
    const uint32_t next = load(q, place, 0);
    store_long(q, place, 0, took);
    store_long(q, place, 2, with_children);
    place = next;
  }
}

static void complete(struct heddle_enqueued *q, uint32_t event, uint64_t now) {
  const uint32_t result = load(q, event, HEDDLE_EVENT_RESULT);
  store_long(q, event, HEDDLE_EVENT_TIMES + 2, now - load_long(q, event, HEDDLE_EVENT_START));
  if (result == COMPLETE && load(q, event, HEDDLE_EVENT_CAPTURES) != 0)
    answer_captures(q, event);
  store(q, event, HEDDLE_EVENT_CAPTURES, 0);
  store(q, event, HEDDLE_EVENT_STATUS, result);
  give_up(q, event);
}

// A command has ended, and with it the events of which it was the last part.
static void end(struct heddle_enqueued *q, uint32_t command, uint32_t bytes, int32_t result, bool ran) {
  uint32_t wait = command + load(q, command, HEDDLE_COMMAND_WAITS);
  for (uint32_t i = load(q, command, HEDDLE_COMMAND_NUM_WAITS); i != 0; i--, wait += 4) {
    const uint32_t waited_for = load(q, wait, 0);
    if (is_event(q, waited_for))
      give_up(q, waited_for);
  }
  store(q, command, HEDDLE_COMMAND_KIND, HEDDLE_COMMAND_IS_DONE);
  q->live -= bytes < q->live ? bytes : q->live;
  uint32_t event = load(q, command, HEDDLE_COMMAND_EVENT);
  const uint32_t parent = load(q, command, HEDDLE_COMMAND_PARENT);
  if (event == 0 && parent == 0)
    return;
  const uint64_t now = heddle_enqueued_clock(q->device);
  if (is_event(q, event)) {
    if (!ran)
      store_long(q, event, HEDDLE_EVENT_START, now);
    store_long(q, event, HEDDLE_EVENT_TIMES, now - load_long(q, event, HEDDLE_EVENT_START));
    store(q, event, HEDDLE_EVENT_RESULT, (uint32_t)result);
  } else {
    event = parent;
  }
  for (; q->steps != 0 && is_event(q, event); q->steps--) {
    const uint32_t unfinished = load(q, event, HEDDLE_EVENT_UNFINISHED);
    if (unfinished == 0)
      return;
    store(q, event, HEDDLE_EVENT_UNFINISHED, unfinished - 1);
    if (unfinished != 1)
      return;
    complete(q, event, now);
    event = load(q, event, HEDDLE_EVENT_PARENT);
  }
}

// ---- what runs next

static void start(struct heddle_enqueued *q, uint32_t command) {
  const uint32_t event = load(q, command, HEDDLE_COMMAND_EVENT), parent = load(q, command, HEDDLE_COMMAND_PARENT);
  if (q->units != 0)
    store(q, command, HEDDLE_DISPATCH_SUB_GROUP_LOG2,
          q->units | (load(q, command, HEDDLE_DISPATCH_SUB_GROUP_LOG2) & HEDDLE_DISPATCH_LOG2_MASK));
  store(q, command, HEDDLE_DISPATCH_WORDS, command + load(q, command, HEDDLE_COMMAND_LITERAL));
  q->running = command;
  q->event = is_event(q, event) ? event : is_event(q, parent) ? parent : 0;
  if (q->event == event && event != 0)
    store_long(q, event, HEDDLE_EVENT_START, heddle_enqueued_clock(q->device));
  open_room(q);
}

// The oldest command up to `end` of the newest batch that does not wait; 0: there is none. False: there is no command.
static bool find_in_batch(struct heddle_enqueued *q, uint32_t end, uint32_t *found, uint32_t *bytes, uint32_t *waits) {
  const uint32_t last = q->commands + end;
  bool is_first = true;
  *found = 0;
  for (uint32_t command = q->commands + q->first; command != last; command += *bytes) {
    if (!is_command(q, command, last, bytes))
      return false;
    if (load(q, command, HEDDLE_COMMAND_KIND) == HEDDLE_COMMAND_IS_DONE) {
      q->first += is_first ? *bytes : 0;
      continue;
    }
    is_first = false;
    *waits = look_at_waits(q, command);
    if (*waits != PENDING) {
      *found = command;
      return *waits != NO_EVENT;
    }
  }
  return true;
}

// The command that is to be ended or run next.
static enum heddle_enqueued_state find(struct heddle_enqueued *q, uint32_t *found, uint32_t *bytes, uint32_t *waits) {
  uint32_t end = q->tail;  // what is behind it waits
  bool any_waits = false;
  for (;;) {
    if (!find_in_batch(q, end, found, bytes, waits))
      return HEDDLE_ENQUEUED_DAMAGED;
    if (*found != 0)
      return HEDDLE_ENQUEUED_RUN;
    any_waits = any_waits || q->first != end;
    if (q->batch == q->bottom)
      return any_waits ? HEDDLE_ENQUEUED_STUCK : HEDDLE_ENQUEUED_DONE;
    end = q->batch;
    if (!any_waits)
      q->tail = end;
    if (!go_down(q))
      return HEDDLE_ENQUEUED_DAMAGED;
  }
}

enum heddle_enqueued_state heddle_enqueued_next(struct heddle_enqueued *q, uint32_t *dispatch) {
  const uint32_t start_of_new = q->tail;
  uint32_t command = q->running, bytes = 0, waits = ALL_MET;
  q->steps = STEPS_MOST;
  if (q->queue == 0)
    return HEDDLE_ENQUEUED_DONE;
  if (!take(q))
    return HEDDLE_ENQUEUED_DAMAGED;
  if (command != 0) {
    if (!is_command(q, command, q->commands + q->tail, &bytes))
      return HEDDLE_ENQUEUED_DAMAGED;
    end(q, command, bytes, COMPLETE, true);
    q->first += command - q->commands == q->first ? bytes : 0;
  }
  if (q->tail != start_of_new && !begin_batch(q, start_of_new))
    return HEDDLE_ENQUEUED_DAMAGED;
  for (uint32_t most = 2 * q->size / ALIGNMENT + 1; most != 0 && q->steps != 0; most--) {
    if (q->size + q->live < q->tail && !move_together(q))
      return HEDDLE_ENQUEUED_DAMAGED;
    const enum heddle_enqueued_state state = find(q, &command, &bytes, &waits);
    if (state != HEDDLE_ENQUEUED_RUN)
      return state;
    if (waits == ALL_MET && load(q, command, HEDDLE_COMMAND_KIND) == HEDDLE_COMMAND_IS_KERNEL) {
      start(q, command);
      *dispatch = command;
      return HEDDLE_ENQUEUED_RUN;
    }
    end(q, command, bytes, waits == FAILED ? WAITED_FOR_ERROR : COMPLETE, false);
  }
  return HEDDLE_ENQUEUED_DAMAGED;  // what was ended was there again: somebody's times are written over it
}
