// SPDX-License-Identifier: Apache-2.0
// The command processor's program: carries out the commands of the ring (contract/DEVICE.md, "The command processor").
// README.md argues why it neither loses a record nor waits for ever.
//
// An instruction takes some 14 cycles, so there is one loop that keeps its state in registers; everything that a
// dispatch without waits does not need is a call. The walker is written to first, and books are kept after.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/enqueued.h"
#include "firmware/device.h"
#include "firmware/transfer.h"

// NOLINTBEGIN(clang-analyzer-core.FixedAddressDereference): this is where fixed addresses are dereferenced

#define REGISTER(offset) ((offset) / 4)
#define OUT_OF_LINE __attribute__((noinline))
#define RARELY(condition) __builtin_expect(condition, 0)

// Number of the first command. The host's image has 0; tests begin shortly before 2^32.
__attribute__((section(".first_command"))) volatile const uint32_t first_command = 0;

void run(void);

__attribute__((naked, section(".entry"))) void entry(void) {
  __asm__("csrr sp, " HEDDLE_CSR_TEXT(HEDDLE_CSR_STACK_TOP) "\n\tj run");
}

static inline words command_of(uint32_t number) {
  return words_at(HEDDLE_RING_FIRST) + number % HEDDLE_RING_COMMANDS * HEDDLE_RING_COMMAND_WORDS;
}

static inline words record_of(uint32_t number) {
  return words_at(HEDDLE_RECORDS_FIRST) + number % HEDDLE_RING_COMMANDS * HEDDLE_RECORD_WORDS;
}

// Loads before stores: up to four may be under way.
static inline void copy_two(words to, words from) {
  const uint32_t a = from[0], b = from[1];
  to[0] = a;
  to[1] = b;
}

static inline void copy_four(words to, words from) {
  const uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
}

// What a command's waits come to: several of these.
enum {
  WAITS_CANNOT_BE = 1,
  WAITS_FAILED = 2,   // for one that did not end with 0
  WAITS_PENDING = 4,  // for one that has not ended
};

// The only commands that have been begun and not ended are dispatches that the walker has: `flying` of them, of the
// numbers `first` and `second`.
static OUT_OF_LINE uint32_t look_at_waits(uint32_t number, uint32_t count, uint32_t flying, uint32_t first,
                                          uint32_t second) {
  words wait = command_of(number) + HEDDLE_RING_WAITS;
  uint32_t found = 0;
  if (count > HEDDLE_RING_WAITS_MAX)
    return WAITS_CANNOT_BE;
  for (words end = wait + count; wait != end; wait++) {
    const uint32_t waits_for = *wait, before = number - waits_for;
    if ((int32_t)before <= 0)
      found |= WAITS_CANNOT_BE;
    else if (before >= HEDDLE_RING_COMMANDS)
      continue;
    else if ((flying != 0 && waits_for == first) || (flying == 2 && waits_for == second))
      found |= WAITS_PENDING;
    else if (record_of(waits_for)[HEDDLE_RECORD_STATUS] != HEDDLE_RECORD_COMPLETE)
      found |= WAITS_FAILED;
  }
  return found;
}

// The record of what is no dispatch, or did not run.
static OUT_OF_LINE void write_record(uint32_t number, uint32_t status, uint32_t why, uint64_t start) {
  words record = record_of(number);
  const uint64_t cycles = status == HEDDLE_RECORD_COMPLETE ? clock_now() - start : 0;
  record[HEDDLE_RECORD_STATUS] = status;
  record[HEDDLE_RECORD_REFUSED_WHY] = why;
  record[HEDDLE_RECORD_START] = (uint32_t)start;
  record[HEDDLE_RECORD_START + 1] = (uint32_t)(start >> 32);
  record[HEDDLE_RECORD_CYCLES] = (uint32_t)cycles;
  record[HEDDLE_RECORD_CYCLES + 1] = (uint32_t)(cycles >> 32);
}

// The first of the walker's dispatches has ended with a fault; nothing runs, and `waits` is whether another waits.
// Returns whether that runs now.
static OUT_OF_LINE bool take_fault(words record, bool waits, bool depends, uint32_t second) {
  words control = words_at(HEDDLE_CONTROL_BASE);
  record[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_FAULTED;
  copy_four(record + HEDDLE_RECORD_FAULT, control + REGISTER(HEDDLE_REG_FAULT_REASON));
  copy_four(record + HEDDLE_RECORD_FAULT + 4, control + REGISTER(HEDDLE_REG_FAULT_REASON) + 4);
  if (waits && depends) {
    control[REGISTER(HEDDLE_REG_COMMAND)] = HEDDLE_COMMAND_FORGET;
    write_record(second, HEDDLE_RECORD_DID_NOT_RUN, 0, clock_now());
    waits = false;
  }
  control[REGISTER(HEDDLE_REG_COMMAND)] = HEDDLE_COMMAND_GO_ON;
  return waits;
}

static inline uint64_t long_at(words at) {
  const uint32_t low = at[0], high = at[1];
  return (uint64_t)high << 32 | low;
}

static inline void put_long(words at, uint64_t value) {
  at[0] = (uint32_t)value;
  at[1] = (uint32_t)(value >> 32);
}

static void add_longs(words to, words from, uint32_t count) {
  for (words end = to + 2 * count; to != end; to += 2, from += 2)
    put_long(to, long_at(to) + long_at(from));
}

static void start(uint32_t dispatch) {
  words control = words_at(HEDDLE_CONTROL_BASE);
  control[REGISTER(HEDDLE_REG_DISPATCH)] = dispatch;
  control[REGISTER(HEDDLE_REG_COMMAND)] = HEDDLE_COMMAND_START;
}

// A dispatch, when the walker has no other, and then what its kernel enqueued and what that did, one after the other.
// The budget is for all of it.
static OUT_OF_LINE void run_enqueuer(words record, uint32_t dispatch) {
  words control = words_at(HEDDLE_CONTROL_BASE);
  struct heddle_enqueued q;
  q.device = NULL;
  q.first_global = HEDDLE_PROCESSOR_END;
  q.global_bytes = control[REGISTER(HEDDLE_REG_GLOBAL_BYTES)];
  const uint64_t budget = long_at(words_at(dispatch) + HEDDLE_DISPATCH_BUDGET);
  uint64_t cycles = 0;
  uint32_t status = HEDDLE_RECORD_COMPLETE, why = 0, ended = control[REGISTER(HEDDLE_REG_ENDED)];
  for (uint32_t i = HEDDLE_RECORD_ALL_CYCLES; i < HEDDLE_RECORD_WORDS; i++)
    record[i] = 0;
  enum heddle_enqueued_state state =
      heddle_enqueued_begin(&q, dispatch) ? HEDDLE_ENQUEUED_RUN : HEDDLE_ENQUEUED_DAMAGED;
  if (state == HEDDLE_ENQUEUED_RUN)
    start(dispatch);
  while (state == HEDDLE_ENQUEUED_RUN) {
    while (control[REGISTER(HEDDLE_REG_ENDED)] == ended) {
    }
    ended++;
    const bool is_first = cycles == 0;
    cycles += long_at(control + REGISTER(HEDDLE_REG_CYCLES));
    words figures = control;
    if ((control[REGISTER(HEDDLE_REG_STATUS)] & HEDDLE_STATUS_FAULT) != 0) {
      (void)take_fault(record, false, false, 0);
      status = HEDDLE_RECORD_FAULTED;
      why = dispatch;
      state = HEDDLE_ENQUEUED_DONE;
    } else {
      state = heddle_enqueued_next(&q, &dispatch);
      if (state == HEDDLE_ENQUEUED_RUN) {
        put_long(words_at(dispatch) + HEDDLE_DISPATCH_BUDGET, heddle_enqueued_budget(budget, cycles));
        start(dispatch);
        figures += REGISTER(HEDDLE_REG_PREVIOUS);
      }
    }
    // While the next one runs.
    if (is_first) {
      copy_two(record + HEDDLE_RECORD_START, figures + REGISTER(HEDDLE_REG_START));
      put_long(record + HEDDLE_RECORD_CYCLES, cycles);
    }
    put_long(record + HEDDLE_RECORD_ALL_CYCLES, cycles);
    add_longs(record + HEDDLE_RECORD_FIGURES, figures + REGISTER(HEDDLE_REG_ISSUES), 3);
    add_longs(record + HEDDLE_RECORD_FIGURES + 6, figures + REGISTER(HEDDLE_REG_MEMORY_REQUESTS), 3);
    add_longs(record + HEDDLE_RECORD_FIGURES + 12, figures + REGISTER(HEDDLE_REG_CACHE_REQUESTS), 2);
  }
  if (state == HEDDLE_ENQUEUED_DAMAGED || state == HEDDLE_ENQUEUED_STUCK) {
    status = HEDDLE_RECORD_REFUSED;
    why = state == HEDDLE_ENQUEUED_STUCK ? HEDDLE_REFUSED_STUCK : HEDDLE_REFUSED_QUEUE;
  }
  record[HEDDLE_RECORD_STATUS] = status;
  record[HEDDLE_RECORD_REFUSED_WHY] = why;
}

// What the command that is next is at: it may be looked at; it waits for a dispatch that the walker has; its bytes are
// being moved; it has ended, with its record.
enum state { READY, BLOCKED, TRANSFERS, DONE };

// A copy, fill, marker or enqueuer, or a command that is refused or does not run.
static OUT_OF_LINE enum state begin_other(uint32_t number, uint32_t waits, uint32_t flying, struct transfer *t) {
  words command = command_of(number);
  const uint32_t word = command[HEDDLE_RING_KIND], kind = word & ~(uint32_t)HEDDLE_RING_BARRIER;
  const uint32_t a = command[6], b = command[7], c = command[8], pattern = command[HEDDLE_RING_FILL_PATTERN];
  uint32_t why = 0, status;
  if (kind < HEDDLE_RING_IS_DISPATCH || kind > HEDDLE_RING_IS_ENQUEUER)
    why = HEDDLE_REFUSED_KIND;
  else if ((waits & WAITS_CANNOT_BE) != 0)
    why = HEDDLE_REFUSED_WAITS;
  else if (kind == HEDDLE_RING_IS_DISPATCH   ? !is_global(a, 1)
           : kind == HEDDLE_RING_IS_ENQUEUER ? !is_global(a, 4 * HEDDLE_DISPATCH_WORDS)
           : kind == HEDDLE_RING_IS_COPY     ? !is_global(a, c) || !is_global(b, c)
           : kind == HEDDLE_RING_IS_FILL
               ? !is_global(a, b) || (pattern != 0 && !is_global(pattern, HEDDLE_RING_PATTERN_BYTES))
               : false)
    why = HEDDLE_REFUSED_RANGE;

  t->start = clock_now();
  if (why != 0)
    status = HEDDLE_RECORD_REFUSED;
  else if ((waits & WAITS_FAILED) != 0)
    status = HEDDLE_RECORD_DID_NOT_RUN;
  else if (flying != 0 &&
           ((waits & WAITS_PENDING) != 0 || (word & HEDDLE_RING_BARRIER) != 0 || kind == HEDDLE_RING_IS_ENQUEUER))
    return BLOCKED;
  else
    status = HEDDLE_RECORD_COMPLETE;

  if (status == HEDDLE_RECORD_COMPLETE && kind == HEDDLE_RING_IS_COPY && c != 0) {
    t->is_fill = t->repeats = false;
    t->to = t->row_to = b;
    t->from = t->row_from = a;
    t->left = t->row_bytes = c;
    t->rows = command[HEDDLE_RING_COPY_MORE_ROWS];
    t->from_pitch = command[HEDDLE_RING_COPY_SOURCE_PITCH];
    t->to_pitch = command[HEDDLE_RING_COPY_DESTINATION_PITCH];
    return TRANSFERS;
  }
  if (status == HEDDLE_RECORD_COMPLETE && kind == HEDDLE_RING_IS_FILL && b != 0) {
    t->is_fill = pattern == 0;
    t->repeats = pattern != 0;
    t->to = a;
    t->from = pattern;
    t->left = b;
    t->word = c;
    t->rows = 0;
    return TRANSFERS;
  }
  if (status == HEDDLE_RECORD_COMPLETE && kind == HEDDLE_RING_IS_ENQUEUER)
    run_enqueuer(record_of(number), a & -(uint32_t)HEDDLE_DISPATCH_ALIGNMENT);  // as the walker takes it
  else
    write_record(number, status, why, t->start);
  return DONE;
}

// The walker may be at something that a firmware before this one gave it.
static OUT_OF_LINE void reset(void) {
  words control = words_at(HEDDLE_CONTROL_BASE);
  control[REGISTER(HEDDLE_REG_COMMAND)] = HEDDLE_COMMAND_FORGET;
  control[REGISTER(HEDDLE_REG_COMMAND)] = HEDDLE_COMMAND_STOP;
  while ((control[REGISTER(HEDDLE_REG_STATUS)] & HEDDLE_STATUS_BUSY) != 0) {
  }
  control[REGISTER(HEDDLE_REG_COMMAND)] = HEDDLE_COMMAND_GO_ON;
  // What is before the first command counts as ended well.
  for (uint32_t number = 0; number < HEDDLE_RING_COMMANDS; number++)
    record_of(number)[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_COMPLETE;
}

void run(void) {
  reset();
  words control = words_at(HEDDLE_CONTROL_BASE);
  KEEP(control);
  uint32_t next = first_command;                         // the command that is begun next, or is a transfer under way
  words command = command_of(next);                      // its place
  uint32_t taken = control[REGISTER(HEDDLE_REG_ENDED)];  // dispatches whose records have been taken
  uint32_t flying = 0, first = 0, second = 0;            // dispatches that the walker has, and their commands
  bool second_depends = false;                           // it waits for the first
  enum state state = READY;                              // of command `next`
  struct transfer transfer;
  control[REGISTER(HEDDLE_REG_HEAD)] = next;
  control[REGISTER(HEDDLE_REG_SETTLED)] = next;

  for (;;) {
    uint32_t ended;
    if (state == READY) {
      uint32_t tail;
      do {
        ended = control[REGISTER(HEDDLE_REG_ENDED)];
        tail = control[REGISTER(HEDDLE_REG_TAIL)];
      } while (tail == next && ended == taken);
      // The walker first: what it may get goes there before the record of one that has ended is taken; unless it has
      // two, and takes no other before.
      if (tail != next && (flying != 2 || ended == taken)) {
        const uint32_t kind = command[HEDDLE_RING_KIND];
        uint32_t dispatch = command[HEDDLE_RING_DISPATCH], end = control[REGISTER(HEDDLE_REG_GLOBAL_BYTES)], waits = 0;
        const uint32_t count = command[HEDDLE_RING_NUM_WAITS];
        if (flying == 2 && (kind & ~(uint32_t)HEDDLE_RING_BARRIER) == HEDDLE_RING_IS_DISPATCH) {
          state = BLOCKED;
          continue;
        }
        if (RARELY(count != 0)) {
          waits = WAITS_PENDING;
          // The usual one is for the dispatch before it. Loading anew leaves registers free for what is always needed.
          if (count != 1 || flying == 0 || command[HEDDLE_RING_WAITS] != second) {
            waits = look_at_waits(next, count, flying, first, second);
            dispatch = command[HEDDLE_RING_DISPATCH];
            end = control[REGISTER(HEDDLE_REG_GLOBAL_BYTES)];
          }
        }
        // The walker begins a dispatch when all before have ended, which is what bit 8 and pending waits ask for.
        if ((kind & ~(uint32_t)HEDDLE_RING_BARRIER) == HEDDLE_RING_IS_DISPATCH &&
            (waits & (WAITS_CANNOT_BE | WAITS_FAILED)) == 0 && dispatch >= HEDDLE_PROCESSOR_END && dispatch < end) {
          control[REGISTER(HEDDLE_REG_DISPATCH)] = dispatch;
          control[REGISTER(HEDDLE_REG_COMMAND)] = HEDDLE_COMMAND_START;
          if (flying == 0)
            first = next;
          second = next;
          second_depends = waits != 0;
          flying++;
          next++;
          command = command_of(next);
          KEEP(command);
          continue;
        }
        state = begin_other(next, waits, flying, &transfer);
        continue;
      }
    } else if (state == DONE) {
      state = READY;
      next++;
      command = command_of(next);
      KEEP(command);
      if (flying == 0) {
        taken = control[REGISTER(HEDDLE_REG_ENDED)];  // an enqueuer's dispatches have been taken
        control[REGISTER(HEDDLE_REG_HEAD)] = next;
        control[REGISTER(HEDDLE_REG_SETTLED)] = next;
      }
      continue;
    } else {
      do
        ended = control[REGISTER(HEDDLE_REG_ENDED)];
      while (ended == taken && state == BLOCKED);
      if (ended == taken) {
        const enum transfer_state moved = transfer_step(&transfer);
        if (moved != TRANSFER_GOES_ON) {
          write_record(next, moved == TRANSFER_ENDED ? HEDDLE_RECORD_COMPLETE : HEDDLE_RECORD_REFUSED,
                       moved == TRANSFER_ENDED ? 0 : HEDDLE_REFUSED_RANGE, transfer.start);
          state = DONE;
        }
        continue;
      }
    }

    if (flying == 0) {
      taken = ended;  // none of ours
      continue;
    }
    // The first has ended. Behind one without a fault the second has begun: then the figures are those of the one
    // before. A fault is its own unless another has ended since, which is why that is asked again.
    words figures = control, record = record_of(first);
    bool faulted = false;
    if (flying == 2)
      figures += REGISTER(HEDDLE_REG_PREVIOUS);
    taken++;
    flying--;
    if (RARELY((control[REGISTER(HEDDLE_REG_STATUS)] & HEDDLE_STATUS_FAULT) != 0) &&
        control[REGISTER(HEDDLE_REG_ENDED)] == taken) {
      figures = control;
      faulted = true;
    }
    record[HEDDLE_RECORD_STATUS] = HEDDLE_RECORD_COMPLETE;
    copy_two(record + HEDDLE_RECORD_START, figures + REGISTER(HEDDLE_REG_START));
    copy_two(record + HEDDLE_RECORD_CYCLES, figures + REGISTER(HEDDLE_REG_CYCLES));
    if (RARELY(faulted)) {
      flying = take_fault(record, flying != 0, second_depends, second);
      if (flying != 0)
        figures += REGISTER(HEDDLE_REG_PREVIOUS);
    }
    first = second;
    const uint32_t head = flying != 0 ? first : next;
    control[REGISTER(HEDDLE_REG_HEAD)] = head;
    // Nobody waits for the figures who waits for the end.
    copy_four(record + HEDDLE_RECORD_FIGURES, figures + REGISTER(HEDDLE_REG_ISSUES));
    copy_two(record + HEDDLE_RECORD_FIGURES + 4, figures + REGISTER(HEDDLE_REG_ISSUES) + 4);
    copy_four(record + HEDDLE_RECORD_FIGURES + 6, figures + REGISTER(HEDDLE_REG_MEMORY_REQUESTS));
    copy_two(record + HEDDLE_RECORD_FIGURES + 10, figures + REGISTER(HEDDLE_REG_MEMORY_REQUESTS) + 4);
    copy_four(record + HEDDLE_RECORD_FIGURES + 12, figures + REGISTER(HEDDLE_REG_CACHE_REQUESTS));
    control[REGISTER(HEDDLE_REG_SETTLED)] = head;
    if (state == BLOCKED)
      state = READY;
  }
}

// NOLINTEND(clang-analyzer-core.FixedAddressDereference)
