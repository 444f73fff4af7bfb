// SPDX-License-Identifier: Apache-2.0
// Random commands, many of them wrong: each is carried out or refused with the right code, memory is what a reference
// written from contract/DEVICE.md says, and nothing hangs.
//
// The reference runs each command when it is written, as if all before had ended. So that memory can be told, what a
// dispatch writes (the log) is only copied by commands that wait for all dispatches before them. Kernels enqueue
// nothing here, but some have a device queue that cannot be one.
//
// HEDDLE_SEED and HEDDLE_COMMANDS choose others: first seed, and how many commands.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/dispatch/ring.h"

enum { PATTERN = 256, WINDOW = 0x4000, TOP = 256, LOGGED = 0x4000, HISTORY = 64 };
enum { DISPATCH = 1, COPY, FILL, MARKER, ENQUEUER };

struct outcome {
  uint32_t status, why, fault;
  uint32_t issues;  // of a dispatch without a fault; else 0
};

static struct reference {
  uint8_t data[WINDOW];  // what is at DATA
  uint8_t top[TOP];      // the last bytes of memory
  uint32_t log[LOGGED];  // what is at LOG; its first word counts
  uint32_t next;         // number of the next command
  uint32_t begun;        // commands so far
  struct outcome outcome[HISTORY];
  uint32_t last_dispatch;  // that was not refused; with what would wait for it
  bool has_dispatch;
} reference;

static uint64_t seed;

static uint32_t any(void) {
  // splitmix64
  uint64_t z = seed += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)(z >> 32 ^ z);
}

static uint32_t below(uint32_t limit) {
  return any() % limit;
}

// Where the reference has a byte of the device's memory, or NULL.
static uint8_t *byte_at(const struct chosen *c, uint32_t address) {
  if (address - DATA < WINDOW)
    return &reference.data[address - DATA];
  if (address - (c->global_bytes - TOP) < TOP)
    return &reference.top[address - (c->global_bytes - TOP)];
  return NULL;
}

// A range that is good, in a place that the reference knows, or one that is not.
static void choose_range(const struct chosen *c, uint32_t bytes, bool upper_half, uint32_t *address) {
  const uint32_t some = below(64);
  const uint32_t bad[] = {0,
                          HEDDLE_FIRMWARE_FIRST,
                          HEDDLE_RING_FIRST,
                          HEDDLE_RECORDS_FIRST + 128 * some,
                          c->first_global - 1 - some,
                          c->global_bytes - bytes + 1 + some,
                          c->global_bytes + 1,
                          HEDDLE_LOCAL_BASE + some,
                          HEDDLE_PRIVATE_BASE + some,
                          HEDDLE_CONTROL_BASE + 16 * some,
                          UINT32_MAX - some};
  const uint32_t half = DATA + (upper_half ? WINDOW / 2 : 0), room = WINDOW / 2 - bytes;
  if (below(12) == 0)
    *address = bad[below(sizeof bad / sizeof bad[0])];
  else if (upper_half && bytes <= TOP && below(8) == 0)
    *address = c->global_bytes - bytes - (below(2) ? 0 : below(TOP - bytes + 1));
  else
    *address = half + (below(2) ? below(room + 1) : below(room + 1) & ~3u);
}

static bool is_global(const struct chosen *c, uint32_t address, uint32_t bytes) {
  return address >= c->first_global && (uint64_t)address + bytes <= c->global_bytes;
}

static bool dispatches(uint32_t kind) {
  return kind == DISPATCH || kind == ENQUEUER;
}

// Bytes of a command's dispatch that have to be in global memory.
static uint32_t needed(uint32_t kind) {
  return kind == ENQUEUER ? 128 : 1;
}

static struct command random_command(const struct ring *r) {
  struct command m = {.kind = 1 + below(5)};
  m.num_waits = below(3) ? 0 : below(5);
  if (below(30) == 0) {
    m.kind = below(2) ? any() : below(10);
    m.kind |= 1u << below(32);
  }
  if (below(6) == 0)
    m.kind |= HEDDLE_RING_BARRIER;
  if (below(60) == 0)
    m.num_waits = below(2) ? 5 + below(4) : any();
  for (int i = 0; i < 4; i++) {
    const uint32_t n = reference.next;
    m.waits[i] = below(60) ? n - 1 - below(below(8) ? 6 : 80) : below(2) ? n + below(4) : any();
  }
  const uint32_t kind = m.kind & ~(uint32_t)HEDDLE_RING_BARRIER;
  uint32_t bytes = below(4) ? below(40) : below(8) ? below(700) : below(1200);
  if (dispatches(kind)) {
    m.a = below(20) ? dispatch_at(reference.next % 256) + below(128) : below(2) ? any() : 128 * below(512);
  } else if (kind == COPY) {
    if (reference.has_dispatch && below(3) == 0) {
      // The log, behind the last dispatch.
      if (below(2)) {
        m.kind |= HEDDLE_RING_BARRIER;
      } else {
        m.num_waits = 1 + below(4);
        m.waits[below(m.num_waits)] = reference.last_dispatch;
      }
      m.a = LOG + below(64);
      bytes = below(64);
    } else {
      choose_range(&r->c, bytes, false, &m.a);
    }
    choose_range(&r->c, bytes, true, &m.b);
    m.c = below(40) ? bytes : UINT32_MAX - below(1 << 20);
    if (below(3) == 0) {
      m.d = 1 + below(bytes < 40 ? 8 : 2);
      m.e = below(10) ? below(bytes + 20) : any();
      m.f = below(10) ? bytes + below(20) : any();
    }
  } else if (kind == FILL) {
    choose_range(&r->c, bytes, below(2), &m.a);
    m.b = below(40) ? bytes : 0x7FFFFFFF + below(1 << 20);
    m.c = any();
    if (below(3) == 0)
      choose_range(&r->c, PATTERN, false, &m.d);
  } else {
    m.a = any();
    m.b = any();
    m.c = any();
  }
  return m;
}

static bool is_within(uint32_t address, uint32_t bytes, uint32_t first, uint32_t room) {
  return address - first <= room && bytes <= room - (address - first);
}

// Whether a good copy or fill stays where the reference knows memory.
static bool is_known(const struct chosen *c, uint32_t address, uint32_t bytes) {
  return is_within(address, bytes, DATA, WINDOW) || is_within(address, bytes, c->global_bytes - TOP, TOP) || bytes == 0;
}

static bool are_apart(uint32_t one, uint32_t one_bytes, uint32_t other, uint32_t other_bytes) {
  return one > other ? one - other >= other_bytes : other - one >= one_bytes;
}

static bool row_is_global(const struct chosen *c, const struct command *m, uint32_t row) {
  return is_global(c, m->a + row * m->e, m->c) && is_global(c, m->b + row * m->f, m->c);
}

static bool copy_fits_reference(const struct chosen *c, const struct command *m) {
  for (uint32_t row = 0; row <= (m->c != 0 ? m->d : 0) && row_is_global(c, m, row); row++) {
    const uint32_t from = m->a + row * m->e, to = m->b + row * m->f;
    const bool from_log = is_within(from, m->c, LOG, 4 * LOGGED);
    if ((!is_known(c, from, m->c) && !from_log) || !is_known(c, to, m->c) || !are_apart(from, m->c, to, m->c))
      return false;
  }
  return true;
}

static bool fill_fits_reference(const struct chosen *c, const struct command *m) {
  if (!is_global(c, m->a, m->b) || (m->d != 0 && !is_global(c, m->d, PATTERN)))
    return true;
  return is_known(c, m->a, m->b) && (m->d == 0 || (is_known(c, m->d, PATTERN) && are_apart(m->a, m->b, m->d, PATTERN)));
}

static bool fits_reference(const struct chosen *c, const struct command *m) {
  const uint32_t kind = m->kind & ~(uint32_t)HEDDLE_RING_BARRIER;
  if (kind == FILL)
    return fill_fits_reference(c, m);
  if (kind == COPY)
    return copy_fits_reference(c, m);
  if (dispatches(kind) && is_global(c, m->a, needed(kind)))
    return (m->a & ~127u) == dispatch_at(reference.next % 256);
  return true;
}

static enum kernel random_kernel(void) {
  static const enum kernel kernels[] = {KERNEL_LOG,     KERNEL_LOG,     KERNEL_LOG, KERNEL_EMPTY,
                                        KERNEL_ILLEGAL, KERNEL_FOREVER, KERNEL_RING};
  return below(12) == 0 ? (below(2) ? KERNEL_SLOW : KERNEL_FAULT) : kernels[below(sizeof kernels / sizeof kernels[0])];
}

// What the dispatch at a command's place is.
struct prepared {
  enum kernel kernel;
  uint32_t fault;  // that it comes to; 0: none
  bool bad_queue;
};

// An address that is no device queue's; 0: there is none, which is good.
static uint32_t choose_queue(const struct chosen *c) {
  const uint32_t bad[] = {128, HEDDLE_RING_FIRST, DATA + 4, c->global_bytes, HEDDLE_CONTROL_BASE, any() | 1};
  return below(8) ? 0 : bad[below(sizeof bad / sizeof bad[0])];
}

// Makes the dispatch at this command's place; the fault that it comes to.
static uint32_t prepare_dispatch(const struct ring *r, enum kernel *kernel) {
  const uint32_t place = reference.next % 256;
  *kernel = random_kernel();
  write_dispatch(&r->c, place, *kernel);
  if (*kernel == KERNEL_FOREVER)
    set_dispatch(&r->c, place, HEDDLE_DISPATCH_BUDGET, 1 + below(1000));
  if (below(10) == 0) {
    static const uint32_t bad[][2] = {{HEDDLE_DISPATCH_LOCAL_BYTES, 3},
                                      {HEDDLE_DISPATCH_SUB_GROUP_LOG2, 9},
                                      {HEDDLE_DISPATCH_PRIVATE_LOG2, 7},
                                      {HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE + 1, 0},
                                      {HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_LOCAL_SIZE, 1025}};
    const uint32_t which = below(sizeof bad / sizeof bad[0]);
    set_dispatch(&r->c, place, bad[which][0], bad[which][1]);
    return HEDDLE_FAULT_BAD_DISPATCH;
  }
  switch (*kernel) {
    case KERNEL_FAULT:
    case KERNEL_ILLEGAL:
      return HEDDLE_FAULT_ILLEGAL_INSTRUCTION;
    case KERNEL_FOREVER:
      return HEDDLE_FAULT_BUDGET_SPENT;
    case KERNEL_RING:
      return HEDDLE_FAULT_UNMAPPED;
    default:
      return 0;
  }
}

static struct outcome refused(uint32_t why) {
  return (struct outcome){.status = HEDDLE_RECORD_REFUSED, .why = why};
}

// Row by row, up to the first that is not in global memory.
static struct outcome judge_copy(const struct chosen *c, const struct command *m) {
  for (uint32_t row = 0; row <= (m->c != 0 ? m->d : 0); row++) {
    if (!row_is_global(c, m, row))
      return refused(HEDDLE_REFUSED_RANGE);
    for (uint32_t i = 0; i < m->c; i++) {
      const uint32_t at = m->a + row * m->e + i;
      const uint8_t *from = byte_at(c, at);
      *byte_at(c, m->b + row * m->f + i) = from ? *from : ((const uint8_t *)reference.log)[at - LOG];
    }
  }
  return (struct outcome){.status = HEDDLE_RECORD_COMPLETE};
}

// What becomes of a command, as contract/DEVICE.md has it; carries it out.
static struct outcome judge(const struct chosen *c, const struct command *m, const struct prepared *p) {
  const uint32_t kind = m->kind & ~(uint32_t)HEDDLE_RING_BARRIER, n = reference.next;
  if (kind < 1 || kind > 5)
    return refused(HEDDLE_REFUSED_KIND);
  bool all_well = true;
  if (m->num_waits > 4)
    return refused(HEDDLE_REFUSED_WAITS);
  for (uint32_t i = 0; i < m->num_waits; i++) {
    const uint32_t distance = n - m->waits[i];
    if (distance == 0 || distance >= 0x80000000)
      return refused(HEDDLE_REFUSED_WAITS);
    if (distance < 64 && distance <= reference.begun)
      all_well = all_well && reference.outcome[m->waits[i] % HISTORY].status == HEDDLE_RECORD_COMPLETE;
  }
  if ((dispatches(kind) && !is_global(c, m->a, needed(kind))) || (kind == FILL && !is_global(c, m->a, m->b)) ||
      (kind == FILL && m->d != 0 && !is_global(c, m->d, PATTERN)) || (kind == COPY && !row_is_global(c, m, 0))) {
    return refused(HEDDLE_REFUSED_RANGE);
  }
  if (dispatches(kind)) {
    reference.has_dispatch = true;
    reference.last_dispatch = n;
  }
  if (!all_well)
    return (struct outcome){.status = HEDDLE_RECORD_DID_NOT_RUN};
  if (kind == ENQUEUER && p->bad_queue)
    return refused(HEDDLE_REFUSED_QUEUE);
  if (kind == COPY)
    return judge_copy(c, m);
  if (kind == FILL) {
    for (uint32_t i = 0; i < m->b; i++)
      *byte_at(c, m->a + i) = m->d != 0 ? *byte_at(c, m->d + i % PATTERN) : (uint8_t)(m->c >> 8 * (i % 4));
  } else if (dispatches(kind) && p->fault == 0 && (p->kernel == KERNEL_LOG || p->kernel == KERNEL_SLOW)) {
    reference.log[0]++;
    reference.log[reference.log[0]] = dispatch_at(n % 256) + 4 * HEDDLE_DISPATCH_PACKET;
  }
  const bool faults = dispatches(kind) && p->fault != 0;
  return (struct outcome){.status = faults ? HEDDLE_RECORD_FAULTED : HEDDLE_RECORD_COMPLETE,
                          .fault = p->fault,
                          .issues = !dispatches(kind) || faults ? 0
                                    : p->kernel == KERNEL_EMPTY ? 1
                                    : p->kernel == KERNEL_LOG   ? 9
                                                                : 1 + 2 * SLOW_ROUNDS + 9};
}

static void add_command(struct ring *r) {
  struct command m = random_command(r);
  while (!fits_reference(&r->c, &m))
    m = random_command(r);
  struct prepared p;
  p.fault = prepare_dispatch(r, &p.kernel);
  const uint32_t queue = choose_queue(&r->c);
  p.bad_queue = queue != 0;
  set_dispatch(&r->c, reference.next % 256, HEDDLE_DISPATCH_QUEUE, queue);
  const struct outcome outcome = judge(&r->c, &m, &p);
  cr_assert_eq(ring_write(r, &m), reference.next);
  reference.outcome[reference.next % HISTORY] = outcome;
  reference.next++;
  reference.begun++;
}

static void expect_memory(const struct chosen *c) {
  static uint8_t came[WINDOW];
  const struct {
    const char *name;
    uint32_t address, bytes;
    const void *expected;
  } pieces[] = {{"data", DATA, WINDOW, reference.data},
                {"the end of memory", c->global_bytes - TOP, TOP, reference.top},
                {"the log", LOG, 4 + 4 * reference.log[0] < WINDOW ? 4 + 4 * reference.log[0] : WINDOW, reference.log}};
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    cr_assert_eq(c->api->read(c->device, pieces[i].address, came, pieces[i].bytes), 0);
    for (uint32_t at = 0; at < pieces[i].bytes; at++) {
      const uint8_t expected = ((const uint8_t *)pieces[i].expected)[at];
      cr_assert_eq(came[at], expected, "byte %u of %s is 0x%x, expected 0x%x", at, pieces[i].name, came[at], expected);
    }
  }
}

static uint64_t number_from(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text && *text != 0 ? strtoull(text, NULL, 0) : otherwise;
}

// Compares the records of commands that have ended, up to SETTLED, and HEAD with it.
static void check_records(const struct ring *r, uint32_t *checked, uint32_t counts[4]) {
  const uint32_t settled = get_control(&r->c, HEDDLE_REG_SETTLED), head = ring_head(r);
  cr_assert_leq(head - settled, HEDDLE_RING_COMMANDS);
  for (; *checked != settled; (*checked)++) {
    const struct outcome *o = &reference.outcome[*checked % HISTORY];
    ring_expect(r, *checked, o->status, o->why);
    if (o->status == HEDDLE_RECORD_FAULTED) {
      const uint32_t reason = ring_record(r, *checked, HEDDLE_RECORD_FAULT);
      cr_assert_eq(reason, o->fault, "command %u faulted with %u, expected %u", *checked, reason, o->fault);
    }
    if (o->issues != 0) {
      const uint64_t issues = ring_record_long(r, *checked, HEDDLE_RECORD_FIGURES);
      cr_assert_eq(issues, o->issues, "command %u issued %" PRIu64 ", expected %u", *checked, issues, o->issues);
    }
    counts[o->status]++;
  }
}

// Each batch of commands has a device of its own and begins shortly before 2^32.
static void run_batch(uint32_t commands, uint32_t counts[4]) {
  const uint32_t first = 0u - commands / 2;
  struct ring r = ring_open(first);
  memset(&reference, 0, sizeof reference);
  reference.next = first;
  uint32_t checked = first, idle_runs = 0;
  // HEAD and SETTLED are 0 until the firmware has begun.
  set_control(&r.c, HEDDLE_REG_TAIL, first);
  for (int runs = 0; get_control(&r.c, HEDDLE_REG_SETTLED) != first; runs++) {
    cr_assert_lt(runs, 1000, "the firmware does not begin");
    r.c.api->run(r.c.device, 1000);
  }
  while (checked != first + commands) {
    uint32_t room = HEDDLE_RING_COMMANDS - (reference.next - checked), left = first + commands - reference.next;
    room = room < left ? room : left;
    for (uint32_t count = below(3) ? below(room + 1) : room; count > 0; count--)
      add_command(&r);
    ring_doorbell(&r);
    r.c.api->run(r.c.device, 1 + below(below(2) ? 100 : 10000));
    const uint32_t before = checked;
    check_records(&r, &checked, counts);
    idle_runs = checked == before && reference.next != checked ? idle_runs + 1 : 0;
    cr_assert_lt(idle_runs, 1000, "command %u does not end", checked);
    cr_assert_eq(get_control(&r.c, HEDDLE_REG_PROCESSOR_STATUS), HEDDLE_PROCESSOR_RUNS, "the firmware faulted at 0x%x",
                 get_control(&r.c, HEDDLE_REG_PROCESSOR_FAULT_PC));
  }
  expect_memory(&r.c);
  cr_assert_eq(get_control(&r.c, HEDDLE_REG_STATUS), 0);
  ring_close(&r);
}

Test(random_commands, each_is_carried_out_or_refused_as_the_text_says) {
  enum { BATCH = 500 };
  const uint64_t first = number_from("HEDDLE_SEED", 1),
                 all = number_from("HEDDLE_COMMANDS", getenv("HEDDLE_TEST_LONG") ? 300000 : 10000);
  uint32_t counts[4] = {0};
  uint64_t done = 0;
  for (uint64_t batch = 0; done < all; batch++) {
    const uint32_t commands = (uint32_t)(all - done < BATCH ? all - done : BATCH);
    seed = first + batch;
    fprintf(stderr, "again: HEDDLE_SEED=%" PRIu64 " HEDDLE_COMMANDS=%u build/tests/dispatch_random_commands\n",
            first + batch, commands);
    run_batch(commands, counts);
    done += commands;
  }
  printf("%" PRIu64 " commands: %u complete, %u faulted, %u refused, %u did not run\n", done, counts[0], counts[1],
         counts[2], counts[3]);
  if (all >= 2000)
    for (int status = 0; status < 4; status++)
      cr_expect_geq(counts[status], all / 20, "few commands ended with %d", status);
}
