// SPDX-License-Identifier: Apache-2.0
// Tests of rtl/memory's load_store against contract/DEVICE.md: random loads, stores and atomics of all sizes and masks
// in local, global and mixed memory, with everything around it slow at random; and how many passes known patterns take.
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/amo.h"
#include "tests/rtl/load_store_device.h"
#include "tests/rtl/reservation.h"

enum { LOAD, STORE, ATOMIC };
enum { MAX_OPS = 4096, MAX_ASKED = 1024, IN_FLIGHT = 4 };
static const uint32_t all_lanes = (uint32_t)((1ULL << LANES) - 1);

struct op {
  unsigned kind, function, is_unsigned, rd, slot, size;
  uint32_t lanes, local, address[LANES], data[LANES];
  uint32_t answered, value[LANES];  // seen at the register port
  bool begin;                       // not an operation: a new sub-group in this slot
};

// A beat request that global memory has taken and not answered.
struct asked {
  uint32_t beat[BEAT_WORDS];
  uint64_t ready_at;
};

static struct bench {
  void *device;
  struct load_store_in in;
  struct load_store_out out;
  uint64_t cycle, conflicts, requests;
  struct op ops[MAX_OPS];
  unsigned pushed;
  uint64_t pushed_until;                             // the cycle after the last push
  unsigned waiting[SLOTS][IN_FLIGHT], waits[SLOTS];  // indices of the operations that a slot awaits, oldest first
  uint8_t global[GLOBAL_BYTES];
  uint32_t reserved_beat, reserved_owner, reserved_words;  // global memory's reservation
  struct asked asked[MAX_ASKED];
  unsigned first_asked, last_asked;
  unsigned busy;  // of 16 cycles, in how many the register port or global memory is not ready
  unsigned latency;
  unsigned shuffles;  // under way: bit 0 in stage rd, then op, e1, e2
} *bench;

static uint64_t random_state;
static uint32_t random_bits(void) {
  random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
  uint64_t x = random_state ^ random_state >> 29;
  return (uint32_t)(x * 0x9E3779B97F4A7C15ULL >> 32);
}
static uint32_t random_below(uint32_t limit) {
  return (uint32_t)((uint64_t)random_bits() * limit >> 32);
}

// ---- Global memory: carries a beat request out when it takes it.
static void global_atomic(uint32_t *word, unsigned w, uint32_t beat, uint32_t *answer) {
  const struct load_store_out *out = &bench->out;
  const bool reserved = bench->reserved_beat == beat && (bench->reserved_words >> w & 1) != 0;
  *answer = *word;
  if (out->request_function == LR)
    return;
  if (out->request_function == SC) {
    *answer = !(reserved && bench->reserved_owner == out->request_owner);
    if (*answer == 0)
      *word = out->request_data[w];
    return;
  }
  *word = amo_result(out->request_function, *word, out->request_data[w]);
}

static void global_request(void) {
  const struct load_store_out *out = &bench->out;
  const uint32_t beat = out->request_address;
  uint8_t *bytes = bench->global + beat;
  uint32_t touched = 0;
  struct asked *asked = &bench->asked[bench->last_asked % MAX_ASKED];
  cr_assert_eq(beat % BEAT_BYTES, 0);
  cr_assert_lt(beat, (uint32_t)GLOBAL_BYTES);
  bench->requests++;
  memcpy(asked->beat, bytes, BEAT_BYTES);
  for (unsigned b = 0; b < BEAT_BYTES; b++) {
    if ((out->request_strobe[b / 32] >> b % 32 & 1) == 0)
      continue;
    touched |= 1U << b / 4;
    if (out->request_kind == STORE)
      bytes[b] = (uint8_t)(out->request_data[b / 4] >> b % 4 * 8);
  }
  for (unsigned w = 0; w < BEAT_WORDS && out->request_kind == ATOMIC; w++) {
    uint32_t word;
    memcpy(&word, bytes + w * 4, 4);
    if (touched >> w & 1)
      global_atomic(&word, w, beat, &asked->beat[w]);
    else
      asked->beat[w] = out->request_function == SC ? 1 : 0xBADBAD00 + w;
    memcpy(bytes + w * 4, &word, 4);
  }
  const bool mine = bench->reserved_owner == out->request_owner;
  if (out->request_kind == ATOMIC && out->request_function == LR && (mine || bench->reserved_words == 0)) {
    bench->reserved_beat = beat;
    bench->reserved_owner = out->request_owner;
    bench->reserved_words = touched;
  } else if (out->request_kind == ATOMIC && out->request_function == SC && mine) {
    bench->reserved_words = 0;
  } else if (out->request_kind != LOAD && bench->reserved_beat == beat && out->request_function != LR) {
    bench->reserved_words &= ~touched;
  }
  if (out->request_kind == STORE)
    return;
  asked->ready_at = bench->cycle + 1 + bench->latency + random_below(bench->busy * 4 + 1);
  bench->last_asked++;
  cr_assert_leq(bench->last_asked - bench->first_asked, (unsigned)MAX_ASKED);
}

// ---- The register port: every value goes to the oldest operation of its slot that waits.
static void take_value(void) {
  const struct load_store_out *out = &bench->out;
  const unsigned slot = out->write_slot;
  cr_assert_gt(bench->waits[slot], 0, "slot %u is answered and waits for nothing", slot);
  struct op *op = &bench->ops[bench->waiting[slot][0]];
  cr_assert_eq(out->write_rd, op->rd);
  cr_assert_neq(out->write_lanes, 0);
  cr_assert_eq(out->write_lanes & ~(op->lanes & ~op->answered), 0, "lanes %x of %x: served twice or not asked for",
               out->write_lanes, op->lanes);
  for (unsigned l = 0; l < LANES; l++)
    if (out->write_lanes >> l & 1)
      op->value[l] = out->write_value[l];
  op->answered |= out->write_lanes;
  cr_assert_eq(out->write_last, op->answered == op->lanes, "the mark of the last: %u at lanes %x of %x",
               out->write_last, op->answered, op->lanes);
  if (op->answered == op->lanes)
    memmove(bench->waiting[slot], bench->waiting[slot] + 1, --bench->waits[slot] * sizeof(unsigned));
}

// Shuffles pass by: each lane gets the word of one lane, or none.
static void present_shuffle(void) {
  struct load_store_in *in = &bench->in;
  bench->shuffles = (bench->shuffles << 1 | (random_below(16) < bench->busy)) & 15;
  in->rd_shuffle = bench->shuffles & 1;
  in->e1_shuffle = bench->shuffles >> 2 & 1;
  in->e2_shuffle = bench->shuffles >> 3;
  for (unsigned l = 0; l < LANES; l++) {
    in->e2_word[l] = in->e2_shuffle ? random_bits() : 0;
    in->e2_from[l] = in->e2_shuffle && random_below(8) != 0 ? 1U << random_below(LANES) : 0;
  }
}

static void check_shuffle(void) {
  const struct load_store_in *in = &bench->in;
  for (unsigned l = 0; l < LANES && in->e2_shuffle; l++) {
    const uint32_t expected = in->e2_from[l] == 0 ? 0 : in->e2_word[__builtin_ctz(in->e2_from[l])];
    cr_assert_eq(bench->out.e2_shuffled[l], expected, "lane %u is shuffled 0x%x, not 0x%x", l,
                 bench->out.e2_shuffled[l], expected);
  }
}

// A cycle with what `in` pushes. The environment is random: ready or not, answers early or late.
static void cycle(void) {
  struct load_store_in *in = &bench->in;
  struct load_store_out *out = &bench->out;
  const struct asked *asked = &bench->asked[bench->first_asked % MAX_ASKED];
  in->request_ready = random_below(16) >= bench->busy;
  in->write_ready = random_below(16) >= bench->busy;
  in->response_valid = bench->first_asked != bench->last_asked && asked->ready_at <= bench->cycle;
  for (unsigned w = 0; w < BEAT_WORDS; w++)
    in->response_data[w] = in->response_valid ? asked->beat[w] : random_bits();
  present_shuffle();
  load_store_settle(bench->device, in, out);
  check_shuffle();
  if (out->write_valid && in->write_ready)
    take_value();
  if (in->response_valid && out->response_ready)
    bench->first_asked++;
  if (out->request_valid && in->request_ready)
    global_request();
  bench->conflicts += out->conflict;
  load_store_clock(bench->device);
  bench->cycle++;
  in->push = in->begin = 0;
}

static void present(const struct op *op) {
  struct load_store_in *in = &bench->in;
  in->begin = op->begin;
  in->push = !op->begin;
  in->store = op->kind == STORE;
  in->atomic = op->kind == ATOMIC;
  in->function = op->function;
  in->is_unsigned = op->is_unsigned;
  in->rd = op->rd;
  in->slot = op->slot;
  in->size = op->size;
  in->lanes = op->lanes;
  in->local = op->local;
  memcpy(in->address, op->address, sizeof in->address);
  memcpy(in->data, op->data, sizeof in->data);
}

static bool is_full(void) {
  bench->in.push = bench->in.begin = 0;
  load_store_settle(bench->device, &bench->in, &bench->out);
  return bench->out.full;
}

// A slot's operations do not follow each other at once.
static void push(const struct op *op) {
  if (bench->pushed > 0 && bench->cycle == bench->pushed_until && bench->ops[bench->pushed - 1].slot == op->slot)
    cycle();
  while (is_full())
    cycle();
  cr_assert_lt(bench->pushed, (unsigned)MAX_OPS);
  bench->ops[bench->pushed] = *op;
  if (!op->begin && op->kind != STORE)
    bench->waiting[op->slot][bench->waits[op->slot]++] = bench->pushed;
  bench->pushed++;
  present(op);
  cycle();
  bench->pushed_until = bench->cycle;
}

static void drain(void) {
  const uint64_t limit = bench->cycle + 100000;
  do {
    cycle();
    cr_assert_lt(bench->cycle, limit, "it does not come to rest");
  } while (!bench->out.idle);
  for (unsigned s = 0; s < SLOTS; s++)
    cr_assert_eq(bench->waits[s], 0, "slot %u was not answered", s);
}

static void wait_for(unsigned slot) {
  const uint64_t limit = bench->cycle + 100000;
  while (bench->waits[slot] != 0) {
    cycle();
    cr_assert_lt(bench->cycle, limit, "slot %u waits for ever", slot);
  }
}

// ---- The reference, from DEVICE.md: operations in the order they were pushed, lanes in the order of their numbers.
static struct reference {
  uint8_t global[GLOBAL_BYTES], local[LOCAL_BYTES];
  struct {
    bool open, local;  // no sc.w since the lr.w
    bool valid;        // nor a write to its word
    uint32_t address;
    unsigned index;  // the lr.w
  } reserved[SLOTS][LANES];
  unsigned succeeded, failed;
} reference;

static void break_reservations(bool local, uint32_t address) {
  for (unsigned s = 0; s < SLOTS; s++)
    for (unsigned l = 0; l < LANES; l++)
      if (reference.reserved[s][l].local == local && reference.reserved[s][l].address / 4 == address / 4)
        reference.reserved[s][l].valid = false;
}

static uint32_t extended(uint32_t value, unsigned size, bool is_unsigned) {
  return size == 2     ? value
         : size == 1   ? is_unsigned ? (uint16_t)value : (uint32_t)(int16_t)value
         : is_unsigned ? (uint8_t)value
                       : (uint32_t)(int8_t)value;
}

// The reservation of a lane is that of all lanes of its lr.w: RISC-V lets it be larger than the word.
static bool has_reserved(const struct op *op, unsigned lane, bool local) {
  bool valid = false;
  for (unsigned l = 0; l < LANES; l++)
    valid |= reference.reserved[op->slot][l].valid && reference.reserved[op->slot][l].local == local &&
             reference.reserved[op->slot][l].address == op->address[lane] &&
             reference.reserved[op->slot][l].index == reference.reserved[op->slot][lane].index;
  return valid && reference.reserved[op->slot][lane].open && reference.reserved[op->slot][lane].local == local;
}

// sc.w may fail at any time, so what the device answered decides; it must not succeed without a reservation.
static void reference_sc(const struct op *op, unsigned lane, uint8_t *memory, bool local) {
  cr_assert_leq(op->value[lane], 1);
  if (op->value[lane] == 0) {
    cr_assert(has_reserved(op, lane, local), "an sc.w succeeds without a reservation: slot %u lane %u %s address %x",
              op->slot, lane, local ? "local" : "global", op->address[lane]);
    memcpy(memory + op->address[lane], &op->data[lane], 4);
    break_reservations(local, op->address[lane]);
    reference.succeeded++;
  } else {
    reference.failed++;
  }
}

static void reference_lane(const struct op *op, unsigned index, unsigned lane) {
  const bool local = op->local >> lane & 1;
  uint8_t *memory = local ? reference.local : reference.global;
  uint32_t old = 0, value;
  memcpy(&old, memory + op->address[lane], 1U << op->size);
  if (op->kind == STORE) {
    memcpy(memory + op->address[lane], &op->data[lane], 1U << op->size);
    break_reservations(local, op->address[lane]);
    return;
  }
  if (op->kind == ATOMIC && op->function == SC) {
    reference_sc(op, lane, memory, local);
    return;
  }
  cr_assert_eq(op->value[lane], extended(old, op->size, op->is_unsigned),
               "operation %u (kind %u function %u size %u lanes %x) lane %u %s address %x: %08x instead of %08x", index,
               op->kind, op->function, op->size, op->lanes, lane, local ? "local" : "global", op->address[lane],
               op->value[lane], extended(old, op->size, op->is_unsigned));
  if (op->kind == LOAD || op->function == LR)
    return;
  value = amo_result(op->function, old, op->data[lane]);
  memcpy(memory + op->address[lane], &value, 4);
  break_reservations(local, op->address[lane]);
}

static void reference_op(const struct op *op, unsigned index) {
  for (unsigned l = 0; l < LANES; l++)
    if (op->begin)
      reference.reserved[op->slot][l].open = reference.reserved[op->slot][l].valid = false;
    else if (op->lanes >> l & 1)
      reference_lane(op, index, l);
  if (op->begin || op->kind != ATOMIC || (op->function != LR && op->function != SC))
    return;
  for (unsigned l = 0; l < LANES; l++) {
    if (op->lanes >> l & 1) {
      reference.reserved[op->slot][l].open = reference.reserved[op->slot][l].valid = op->function == LR;
      reference.reserved[op->slot][l].index = index;
      reference.reserved[op->slot][l].local = op->local >> l & 1;
      reference.reserved[op->slot][l].address = op->address[l];
    }
  }
}

// Runs the reference over what has been pushed, and forgets it.
static void compare(void) {
  for (unsigned i = 0; i < bench->pushed; i++)
    reference_op(&bench->ops[i], i);
  bench->pushed = 0;
  for (unsigned b = 0; b < GLOBAL_BYTES; b++)
    cr_assert_eq(bench->global[b], reference.global[b], "global memory at %x: %02x instead of %02x", b,
                 bench->global[b], reference.global[b]);
}

// ---- Operations.
static struct op word_op(unsigned kind, unsigned function, unsigned slot, uint32_t lanes, uint32_t local) {
  return (struct op){
      .kind = kind, .function = function, .slot = slot, .size = 2, .lanes = lanes, .local = local, .rd = 5};
}

static struct op strided(unsigned kind, unsigned function, uint32_t local, uint32_t base, uint32_t stride) {
  struct op op = word_op(kind, function, 0, all_lanes, local);
  for (unsigned l = 0; l < LANES; l++) {
    op.address[l] = base + l * stride;
    op.data[l] = random_bits();
  }
  return op;
}

// Everything in local memory, to compare it: beat by beat, so that the reference checks each word once.
static void read_local(void) {
  for (uint32_t base = 0; base < LOCAL_BYTES; base += LANES * 4) {
    struct op op = strided(LOAD, 0, all_lanes, base, 4);
    push(&op);
    wait_for(0);
  }
  drain();
  compare();
}

static void open_bench(void) {
  const char *seed = getenv("HEDDLE_TEST_SEED");
  random_state = seed ? strtoull(seed, NULL, 0) : 1;
  bench = calloc(1, sizeof *bench);
  cr_assert_not_null(bench);
  memset(&reference, 0, sizeof reference);
  bench->device = load_store_open();
  bench->in.rst = 1;
  for (unsigned i = 0; i < 4; i++)
    cycle();
  bench->in.rst = 0;
  for (unsigned s = 0; s < SLOTS; s++)
    push(&(struct op){.begin = true, .slot = s});
  for (unsigned b = 0; b < GLOBAL_BYTES; b++)
    bench->global[b] = reference.global[b] = (uint8_t)random_bits();
  for (uint32_t base = 0; base < LOCAL_BYTES; base += LANES * 4) {
    struct op op = strided(STORE, 0, all_lanes, base, 4);
    push(&op);
  }
  drain();
  compare();
}

static void close_bench(void) {
  load_store_close(bench->device);
  free(bench);
}

TestSuite(load_store, .init = open_bench, .fini = close_bench);

// ---- Random operations.
// Addresses that meet: few words, one beat, strides, or anywhere; of a size, aligned to it.
static void random_addresses(struct op *op) {
  const uint32_t size = 1U << op->size;
  const unsigned pattern = random_below(6);
  const uint32_t base = random_below(LOCAL_BYTES), stride = size * (1U << random_below(7));
  for (unsigned l = 0; l < LANES; l++) {
    const uint32_t limit = op->local >> l & 1 ? LOCAL_BYTES : GLOBAL_BYTES;
    uint32_t address = random_below(limit);
    if (pattern == 1)
      address = base + l * stride;
    else if (pattern == 2)
      address = random_below(32);
    else if (pattern == 3)
      address = (base & ~(uint32_t)(BEAT_BYTES - 1)) + random_below(BEAT_BYTES);
    else if (pattern == 4)
      address = base % 64 / 4 * 4 + random_below(4) * BEAT_BYTES * 2 + random_below(8);
    else if (pattern == 5)
      address = base + (l & 1) * BEAT_BYTES;
    op->address[l] = address % limit & ~(size - 1);
  }
}

static struct op random_op(void) {
  static const unsigned functions[] = {AMOADD, AMOSWAP, LR,      SC, AMOXOR, AMOOR, AMOAND, AMOMIN,
                                       AMOMAX, AMOMINU, AMOMAXU, LR, SC,     LR,    SC};
  const unsigned kind = random_below(8);
  struct op op = {.kind = kind < 3   ? LOAD
                          : kind < 5 ? STORE
                                     : ATOMIC,
                  .slot = random_below(SLOTS),
                  .rd = random_below(32)};
  op.begin = random_below(64) == 0;
  op.size = op.kind == ATOMIC ? 2 : random_below(3);
  op.is_unsigned = op.size == 2 ? 0 : random_below(2);
  op.function = op.kind == ATOMIC ? functions[random_below(sizeof functions / sizeof *functions)] : random_below(32);
  op.lanes = random_below(3) == 0 ? all_lanes : random_bits() & all_lanes;
  if (op.lanes == 0)
    op.lanes = 1U << random_below(LANES);
  const unsigned where = random_below(8);
  op.local = where < 4 ? all_lanes : where < 7 ? 0 : random_bits() & all_lanes;
  random_addresses(&op);
  for (unsigned l = 0; l < LANES; l++)
    op.data[l] = random_below(4) == 0 ? random_below(8) - 4 : random_bits();
  return op;
}

// What the unit promises: of a slot at most four operations that are answered, of one memory; a mixed one is alone.
static bool may_push(const struct op *op) {
  const unsigned waits = bench->waits[op->slot];
  if (waits == 0)
    return true;
  if (op->begin || waits == IN_FLIGHT)
    return false;
  const struct op *other = &bench->ops[bench->waiting[op->slot][0]];
  const uint32_t mine = op->local & op->lanes, its = other->local & other->lanes;
  const bool mixed = mine != 0 && mine != op->lanes, its_mixed = its != 0 && its != other->lanes;
  return op->kind == STORE || (!mixed && !its_mixed && (mine != 0) == (its != 0));
}

// Half of the sc.w come right after an lr.w of the same lanes and words, so that some succeed.
static void random_operations(unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    struct op op = random_op();
    while (!may_push(&op))
      cycle();
    push(&op);
    if (op.kind == ATOMIC && op.function == LR && !op.begin && random_below(2) == 0) {
      wait_for(op.slot);
      op.function = SC;
      if (random_below(4) == 0)
        op.lanes = random_bits() & all_lanes ? all_lanes : op.lanes;
      push(&op);
    }
    for (unsigned pause = random_below(8) == 0 ? random_below(40) : 0; pause != 0; pause--)
      cycle();
  }
  drain();
  compare();
  read_local();
}

Test(load_store, random_operations) {
  const unsigned rounds = getenv("HEDDLE_TEST_LONG") ? 200 : LANES > 8 ? 4 : 12;
  for (unsigned round = 0; round < rounds; round++) {
    bench->busy = round % 3 * 5;
    bench->latency = round % 4 * 15;
    random_operations(1500);
  }
  cr_assert_gt(reference.succeeded, rounds * 10, "only %u sc.w succeeded", reference.succeeded);
  cr_assert_gt(reference.failed, rounds * 10);
}

// ---- Passes: how many cycles an operation takes besides its first.
static uint64_t further_passes(struct op op) {
  const uint64_t conflicts = bench->conflicts;
  push(&op);
  drain();
  compare();
  return bench->conflicts - conflicts;
}

// The word that is lane's of a beat, in another beat for each value of `beat`.
static struct op beats_of(unsigned kind, uint32_t local, const unsigned *beat, unsigned word_of_lane) {
  struct op op = strided(kind, 0, local, 0, 0);
  for (unsigned l = 0; l < LANES; l++)
    op.address[l] = beat[l] * BEAT_BYTES + (word_of_lane ? l * 4 : 0);
  return op;
}

Test(load_store, passes_of_known_patterns) {
  unsigned diagonal[LANES], alternating[LANES];
  for (unsigned l = 0; l < LANES; l++) {
    diagonal[l] = l % 8;
    alternating[l] = l & 1;
  }
  const unsigned most = LANES - 1, beats = LANES < 8 ? LANES : 8;
  // consecutive words, in whichever memory: one beat
  cr_expect_eq(further_passes(strided(LOAD, 0, all_lanes, BEAT_BYTES, 4)), 0);
  cr_expect_eq(further_passes(strided(LOAD, 0, 0, BEAT_BYTES, 4)), 0);
  cr_expect_eq(further_passes(strided(STORE, 0, all_lanes, BEAT_BYTES, 4)), 0);
  cr_expect_eq(further_passes(strided(STORE, 0, 0, BEAT_BYTES, 4)), 0);
  cr_expect_eq(further_passes(strided(ATOMIC, AMOADD, all_lanes, BEAT_BYTES, 4)), 0);
  // all the same word: read at once; written or changed one after the other
  cr_expect_eq(further_passes(strided(LOAD, 0, all_lanes, 36, 0)), 0);
  cr_expect_eq(further_passes(strided(LOAD, 0, 0, 36, 0)), 0);
  cr_expect_eq(further_passes(strided(STORE, 0, all_lanes, 36, 0)), most);
  cr_expect_eq(further_passes(strided(STORE, 0, 0, 36, 0)), most);
  cr_expect_eq(further_passes(strided(ATOMIC, AMOADD, all_lanes, 36, 0)), most);
  cr_expect_eq(further_passes(strided(ATOMIC, LR, all_lanes, 36, 0)), 0);
  cr_expect_eq(further_passes(strided(ATOMIC, SC, all_lanes, 36, 0)), most);
  // a beat apart: the same bank, or another beat of global memory
  const uint32_t window = LOCAL_BYTES / LANES < BEAT_BYTES ? LOCAL_BYTES / LANES : BEAT_BYTES;
  cr_assert_eq(window, (uint32_t)BEAT_BYTES, "local memory is too small for this test");
  cr_expect_eq(further_passes(strided(LOAD, 0, all_lanes, 4, BEAT_BYTES)), most);
  cr_expect_eq(further_passes(strided(LOAD, 0, 0, 4, BEAT_BYTES)), most);
  cr_expect_eq(further_passes(strided(STORE, 0, all_lanes, 4, BEAT_BYTES)), most);
  // other beats, but a bank for each lane: local memory serves them together, global memory does not
  cr_expect_eq(further_passes(beats_of(LOAD, all_lanes, diagonal, 1)), 0);
  cr_expect_eq(further_passes(beats_of(STORE, all_lanes, diagonal, 1)), 0);
  cr_expect_eq(further_passes(beats_of(LOAD, 0, diagonal, 1)), beats - 1);
  // two words of one bank, lane by lane in turn: two passes, not one a lane
  cr_expect_eq(further_passes(beats_of(LOAD, all_lanes, alternating, 0)), LANES > 1 ? 1 : 0);
  cr_expect_eq(further_passes(beats_of(LOAD, 0, alternating, 0)), LANES > 1 ? 1 : 0);
  // a byte apart: one pass, though four lanes write to each word
  struct op bytes = strided(STORE, 0, all_lanes, 64, 1);
  bytes.size = 0;
  cr_expect_eq(further_passes(bytes), 0);
  bytes.local = 0;
  cr_expect_eq(further_passes(bytes), 0);
}

static void answers_after(unsigned cycles, struct op op) {
  const uint64_t start = bench->cycle;
  push(&op);
  wait_for(op.slot);
  cr_expect_eq(bench->cycle - 1 - start, cycles, "%u cycles", (unsigned)(bench->cycle - 1 - start));
}

Test(load_store, cycles_from_push_to_answer) {
  answers_after(9, strided(LOAD, 0, all_lanes, 0, 4));
  answers_after(9, strided(ATOMIC, LR, all_lanes, 0, 4));
  answers_after(10, strided(ATOMIC, SC, all_lanes, 0, 4));
  answers_after(12, strided(ATOMIC, AMOMAXU, all_lanes, 0, 4));
  drain();
  compare();
}

// ---- lr.w and sc.w in local memory, one lane of several slots.
static uint32_t atomic(unsigned function, unsigned slot, unsigned lane, uint32_t address) {
  struct op op = word_op(ATOMIC, function, slot, 1U << lane, all_lanes);
  op.address[lane] = address;
  op.data[lane] = random_bits();
  push(&op);
  wait_for(slot);
  return bench->ops[bench->pushed - 1].value[lane];
}

static void store_word(unsigned slot, uint32_t address) {
  struct op op = word_op(STORE, 0, slot, 1, all_lanes);
  op.address[0] = address;
  push(&op);
}

Test(load_store, a_reservation_lasts_to_its_sc) {
  atomic(LR, 1, 0, 40);
  atomic(LR, 2, 0, 40);  // reads; the reservation is slot 1's
  cr_expect_eq(atomic(SC, 2, 0, 40), 1);
  cr_expect_eq(atomic(SC, 1, 0, 40), 0);
  cr_expect_eq(atomic(SC, 1, 0, 40), 1, "a second sc.w needs a second lr.w");
  atomic(LR, 2, 0, 40);
  cr_expect_eq(atomic(SC, 2, 0, 40), 0, "free again for another slot");
  compare();
  read_local();
}

Test(load_store, stores_break_a_reservation_of_their_word_only) {
  atomic(LR, 1, 0, 40);
  store_word(2, 40);
  cr_expect_eq(atomic(SC, 1, 0, 40), 1);
  atomic(LR, 1, 0, 40);
  store_word(2, 40 + BEAT_BYTES);  // the same bank
  store_word(2, 40 ^ 4);           // the same beat
  cr_expect_eq(atomic(SC, 1, 0, 40), 0);
  atomic(LR, 1, 0, 40);
  atomic(AMOMAX, 2, 0, 40);
  cr_expect_eq(atomic(SC, 1, 0, 40), 1);
  atomic(LR, 1, 0, 40);
  atomic(AMOADD, 2, 0, 40 + BEAT_BYTES);
  cr_expect_eq(atomic(SC, 1, 0, 40), 0);
  compare();
  read_local();
}

Test(load_store, a_reservation_is_the_lanes_own) {
  atomic(LR, 1, 0, 40);
  if (LANES > 1)
    cr_expect_eq(atomic(SC, 1, LANES - 1, 40), 1, "another lane of the sub-group has not reserved");
  atomic(LR, 1, 0, 40);
  push(&(struct op){.begin = true, .slot = 1});
  cr_expect_eq(atomic(SC, 1, 0, 40), 1, "a new sub-group has not reserved");
  compare();
}

// A holder that never comes back; others get in when the reservation is old enough, and no earlier.
Test(load_store, a_reservation_ages) {
  atomic(LR, 1, 0, 40);
  const uint64_t start = bench->cycle;
  unsigned tries = 0;
  bool succeeds;
  do {
    atomic(LR, 2, 0, 44);
    tries++;
    cr_assert_lt(bench->cycle - start, RESERVATION_AGE + 1900, "for ever prevented");
    succeeds = atomic(SC, 2, 0, 44) == 0;
    compare();
  } while (!succeeds);
  cr_expect_gt(bench->cycle - start, RESERVATION_AGE - 100);
  cr_expect_gt(tries, 10);
}

// Every slot tries an lr.w and an sc.w for each of its lanes, all at once, until they have succeeded; each gets its
// turn.
Test(load_store, everybody_succeeds_in_the_end) {
  uint32_t left[SLOTS], all_left = all_lanes;
  for (unsigned s = 0; s < SLOTS; s++)
    left[s] = all_lanes;
  for (unsigned round = 0; all_left != 0; round++) {
    cr_assert_lt(round, 4 * SLOTS, "lanes %x do not get on", all_left);
    for (unsigned function = LR; function <= SC; function++) {
      for (unsigned s = 0; s < SLOTS; s++) {
        struct op op = strided(ATOMIC, function, all_lanes, 64, 4);
        op.slot = s;
        op.lanes = left[s];
        if (left[s] != 0)
          push(&op);
      }
    }
    drain();
    all_left = 0;
    for (unsigned i = 0; i < bench->pushed; i++) {
      const struct op *op = &bench->ops[i];
      for (unsigned l = 0; l < LANES; l++)
        if (op->kind == ATOMIC && op->function == SC && (op->lanes >> l & 1) != 0 && op->value[l] == 0)
          left[op->slot] &= ~(1U << l);
    }
    for (unsigned s = 0; s < SLOTS; s++)
      all_left |= left[s];
    compare();
  }
}
