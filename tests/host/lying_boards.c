// SPDX-License-Identifier: Apache-2.0
// Boards that lie or die: whatever a board at the other end of a byte link answers, every call of the driver ends, and
// a device that does not get on is lost, with a reason. Each board is a thread that speaks the link of
// contract/DEVICE.md and lies in one way; all are tried at once, as they mostly wait.
//
// HEDDLE_TEST_LONG=1 tries several seeds of each.
#include <criterion/criterion.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "contract/device_map.h"
#include "host/device/driver.h"
#include "host/transport/frames.h"

enum { SECONDS_A_BOARD = 60, MEMORY = 1 << 20, REGISTERS = 0x400, REQUEST_FRONT = 13, MOST_DATA = 512 };

enum way {
  HONEST,          // but that nothing runs: what is started has ended
  BUSY,            // for ever, in each answer and in STATUS
  BUSY_COUNTS,     // the same, and its clock goes on at a snail's pace
  BUSY_RUNS,       // the same, with a clock of some MHz, and it does not heed STOP
  BUSY_BACKWARDS,  // the same, and its clock runs backwards
  NEVER_ENDS,      // idle, but nothing has ended
  COUNTS,          // figures that differ at every read
  RANDOM_REGISTERS,
  RANDOM_MEMORY,
  GARBAGE,      // bytes that are no answers, beside those
  BAD_STATUS,   // answers of statuses that there are, and are not
  LONG,         // answers of lengths that nobody asked for
  FLIPS,        // answers with damaged bits
  DROPS,        // answers that get lost
  TWICE,        // answers that come again
  DIES,         // hangs up
  MUTE,         // says nothing any more
  USELESS,      // answers to nobody's requests, without end
  DRIPS,        // bytes of nothing, one by one, without end
  WRONG_OPENS,  // opens with another number, without end
  SETTLES,      // says that commands have ended that nobody gave it
  LIES,         // one register has another value
  BUFFER,       // says that its buffer holds that many bytes
  ISA,          // an ISA string that is none
};

struct lie {
  const char *name;
  enum way way;
  uint32_t offset, value;  // a register, and what is in it; of DIES and MUTE after how many requests
  const char *isa;
  bool processor;  // it says that it has a command processor
};

static const struct lie ways[] = {
    {"honest", HONEST, 0, 0, NULL, false},
    {"honest with a processor", HONEST, 0, 0, NULL, true},
    {"busy", BUSY, 0, 0, NULL, false},
    {"busy with a processor", BUSY, 0, 0, NULL, true},
    {"busy and counts", BUSY_COUNTS, 0, 0, NULL, false},
    {"busy and runs", BUSY_RUNS, 0, 0, NULL, false},
    {"busy and runs with a processor", BUSY_RUNS, 0, 0, NULL, true},
    {"busy and backwards", BUSY_BACKWARDS, 0, 0, NULL, false},
    {"never ends", NEVER_ENDS, 0, 0, NULL, false},
    {"never ends with a processor", NEVER_ENDS, 0, 0, NULL, true},
    {"counts", COUNTS, 0, 0, NULL, false},
    {"random registers", RANDOM_REGISTERS, 0, 0, NULL, false},
    {"random registers with a processor", RANDOM_REGISTERS, 0, 0, NULL, true},
    {"random memory", RANDOM_MEMORY, 0, 0, NULL, false},
    {"random memory with a processor", RANDOM_MEMORY, 0, 0, NULL, true},
    {"garbage", GARBAGE, 0, 0, NULL, false},
    {"bad status", BAD_STATUS, 0, 0, NULL, false},
    {"long", LONG, 0, 0, NULL, false},
    {"flips", FLIPS, 0, 0, NULL, false},
    {"drops", DROPS, 0, 0, NULL, false},
    {"twice", TWICE, 0, 0, NULL, false},
    {"dies at once", DIES, 0, 1, NULL, false},
    {"dies", DIES, 0, 60, NULL, false},
    {"dies late", DIES, 0, 200, NULL, false},
    {"mute", MUTE, 0, 60, NULL, false},
    {"mute late", MUTE, 0, 200, NULL, true},
    {"useless", USELESS, 0, 60, NULL, false},
    {"drips", DRIPS, 0, 60, NULL, false},
    {"drips at once", DRIPS, 0, 0, NULL, false},
    {"wrong opens", WRONG_OPENS, 0, 0, NULL, false},
    {"settles", SETTLES, 0, 1000, NULL, true},
    {"settles before", SETTLES, 0, 0xFFFFFFF0u, NULL, true},
    {"isa of 64", ISA, 0, 0, "rv32ima_zicsr_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", false},
    {"isa of FF", ISA, 0, 0, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", false},
    {"isa of formats", ISA, 0, 0, "%n%n%s%s", false},
    {"isa of options", ISA, 0, 0, "rv32i --emit=ll -o ./", false},
    {"isa of a dash", ISA, 0, 0, "--help", false},
    {"no isa", ISA, 0, 0, "", false},
};

static const struct {
  const char *name;
  uint32_t offset;
} lied_about[] = {
    {"lanes", HEDDLE_REG_LANES},
    {"slots", HEDDLE_REG_SLOTS},
    {"units", HEDDLE_REG_UNITS},
    {"local memory", HEDDLE_REG_LOCAL_MEMORY_BYTES},
    {"global memory", HEDDLE_REG_GLOBAL_BYTES},
    {"line", HEDDLE_REG_LINE_BYTES},
    {"clock", HEDDLE_REG_CLOCK_KHZ},
    {"latency", HEDDLE_REG_MEMORY_LATENCY},
    {"features", HEDDLE_REG_FEATURES},
    {"cache", HEDDLE_REG_CACHE_BYTES},
    {"channels", HEDDLE_REG_MEMORY_CHANNELS},
    {"first global", HEDDLE_REG_FIRST_GLOBAL},
};
static const uint32_t values[] = {0, 1, 3, 33, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
static const uint32_t buffers[] = {0, 1, 1023, 32769, 65535};

enum {
  NUM_WAYS = sizeof ways / sizeof *ways,
  NUM_VALUES = sizeof values / sizeof *values,
  NUM_LIES = sizeof lied_about / sizeof *lied_about * NUM_VALUES,
  NUM_BUFFERS = sizeof buffers / sizeof *buffers,
  NUM_BOARDS = NUM_WAYS + NUM_LIES + NUM_BUFFERS,
  MOST_SEEDS = 8
};

struct board {
  struct lie lie;
  char name[64];
  int end, other_end;  // of the link
  uint32_t registers[REGISTERS / 4];
  uint8_t *memory;
  uint64_t random, reads;
  uint32_t requests;
  bool stop;

  // What the driver said of it.
  int opened, result;
  struct heddle_error error;
  bool lost;
  double seconds;
  pthread_t thread, driver;
};

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint32_t random_of(struct board *b) {
  b->random = b->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(b->random >> 33);
}

static uint32_t get32(const uint8_t *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

static bool is_busy(const struct board *b) {
  return b->lie.way >= BUSY && b->lie.way <= BUSY_BACKWARDS;
}

static uint32_t read_register(struct board *b, uint32_t offset) {
  uint32_t value = offset < REGISTERS ? b->registers[offset / 4] : 0;
  const bool is_clock = (offset & ~4u) == HEDDLE_REG_CLOCK;
  const uint64_t runs = (uint64_t)(seconds_now() * 1e9);
  b->reads++;
  if (is_busy(b) && offset == HEDDLE_REG_STATUS)
    value = HEDDLE_STATUS_BUSY;
  if (is_clock && b->lie.way == BUSY_RUNS)
    value = (uint32_t)((offset & 4) != 0 ? runs >> 32 : runs);
  else if (is_clock && b->lie.way == BUSY_COUNTS)
    value = (offset & 4) != 0 ? 0 : (uint32_t)b->reads;
  else if (is_clock && b->lie.way == BUSY_BACKWARDS)
    value = (offset & 4) != 0 ? 0 : UINT32_MAX - (uint32_t)b->reads;
  else if (b->lie.way == COUNTS && offset >= HEDDLE_REG_CYCLES && offset < 0x200)
    value = (uint32_t)b->reads * 0x01010101u;
  else if (b->lie.way == RANDOM_REGISTERS && offset >= 0x100)
    value = random_of(b);
  return value;
}

static void read_bytes(struct board *b, uint32_t address, uint8_t *to, uint32_t count) {
  if (address >= HEDDLE_CONTROL_BASE && count == 4) {
    put32(to, read_register(b, address - HEDDLE_CONTROL_BASE));
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    to[i] = b->lie.way == RANDOM_MEMORY ? (uint8_t)random_of(b) : address + i < MEMORY ? b->memory[address + i] : 0;
}

static void write_bytes(struct board *b, uint32_t address, const uint8_t *from, uint32_t count) {
  const uint32_t offset = address - HEDDLE_CONTROL_BASE;
  if (address < HEDDLE_CONTROL_BASE) {
    for (uint32_t i = 0; i < count && address + i < MEMORY; i++)
      b->memory[address + i] = from[i];
    return;
  }
  const bool ends = !is_busy(b) && b->lie.way != NEVER_ENDS;
  if (offset == HEDDLE_REG_COMMAND && from[0] == HEDDLE_COMMAND_START && ends)
    b->registers[HEDDLE_REG_ENDED / 4]++;
  if (offset == HEDDLE_REG_TAIL && ends)
    b->registers[HEDDLE_REG_HEAD / 4] = b->registers[HEDDLE_REG_SETTLED / 4] =
        b->lie.way == SETTLES ? b->lie.value : get32(from);
}

static void send_all(const struct board *b, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    const ssize_t sent = send(b->end, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0)
      return;
    bytes += sent;
    count -= (size_t)sent;
  }
}

static void answer(struct board *b, uint8_t kind, uint8_t sequence, uint32_t address, uint32_t count) {
  uint8_t frame[REQUEST_FRONT + MOST_DATA + 4] = {0x5A, kind, sequence};
  const enum way way = b->lie.way;
  uint32_t length = kind == 2 ? count : 0;
  if (kind == 1)
    address = (address & 0xFFFF) | (way == BUFFER ? b->lie.value : 2048) << 16;
  if (way == WRONG_OPENS && kind == 1)
    address ^= 1;
  if (kind == 2)
    read_bytes(b, address, frame + REQUEST_FRONT, count);
  if (way == LONG && kind == 2 && b->requests > 40)
    length = (uint32_t[]){512, count, 0, count + 1}[random_of(b) % 4] % (MOST_DATA + 1);
  if (way == BAD_STATUS && b->requests > 40)
    kind |= (uint8_t[]){0, 0, 0x10, 0x20, 0x30, 0x40, 0x70}[random_of(b) % 7];
  frame[1] = kind | (is_busy(b) ? 0x80 : 0);
  frame[3] = (uint8_t)length;
  frame[4] = (uint8_t)(length >> 8);
  put32(frame + 5, address);
  put32(frame + 9, (uint32_t)crc32(0, frame + 1, 8));
  size_t bytes = REQUEST_FRONT;
  if (length != 0) {
    put32(frame + REQUEST_FRONT + length, (uint32_t)crc32(crc32(0, frame + 1, 8), frame + REQUEST_FRONT, length));
    bytes += length + 4;
  }
  if (way == FLIPS && random_of(b) % 10 == 0)
    frame[random_of(b) % bytes] ^= (uint8_t)(1u << random_of(b) % 8);
  if (way == DROPS && random_of(b) % 5 == 0)
    return;
  if (way == GARBAGE) {
    uint8_t garbage[600];
    const size_t some = random_of(b) % sizeof garbage;
    for (size_t i = 0; i < some; i++)
      garbage[i] = (uint8_t)random_of(b);
    send_all(b, garbage, some);
  }
  send_all(b, frame, bytes);
  if (way == TWICE && random_of(b) % 5 == 0)
    send_all(b, frame, bytes);
}

// What it does instead of answering: nothing, or something endless.
static bool is_past_answering(const struct board *b) {
  return b->lie.way >= DIES && b->lie.way <= DRIPS && b->requests > b->lie.value;
}

static void *speak(void *argument) {
  struct board *b = argument;
  uint8_t bytes[1 << 14];
  size_t come = 0;
  while (!__atomic_load_n(&b->stop, __ATOMIC_RELAXED)) {
    struct pollfd ready = {.fd = b->end, .events = POLLIN};
    const ssize_t more = poll(&ready, 1, 20) > 0 ? recv(b->end, bytes + come, sizeof bytes - come, 0) : -1;
    if (more == 0)
      break;
    come += more > 0 ? (size_t)more : 0;
    size_t at = 0;
    while (come - at >= REQUEST_FRONT) {
      const uint8_t *frame = bytes + at;
      const uint32_t count = frame[3] | (uint32_t)frame[4] << 8;
      if (frame[0] != 0xA5 || crc32(0, frame + 1, 8) != get32(frame + 9)) {
        at++;
        continue;
      }
      const size_t length = REQUEST_FRONT + (frame[1] == 3 && count != 0 ? count + 4 : 0);
      if (come - at < length)
        break;
      b->requests++;
      if (!is_past_answering(b)) {
        if (frame[1] == 3)
          write_bytes(b, get32(frame + 5), frame + REQUEST_FRONT, count);
        answer(b, frame[1], frame[2], get32(frame + 5), count);
      }
      at += length;
    }
    memmove(bytes, bytes + at, come - at);
    come -= at;
    if (b->lie.way == DIES && is_past_answering(b))
      break;
    if (b->lie.way == USELESS && is_past_answering(b))
      answer(b, 2, (uint8_t)random_of(b), random_of(b), 4);
    if (b->lie.way == DRIPS && is_past_answering(b))
      send_all(b, (const uint8_t[]){0x5A}, 1);
  }
  close(b->end);
  return NULL;
}

// ---- the driver's side

static int channel_send(void *state, const uint8_t *data, size_t bytes) {
  const struct board *b = state;
  while (bytes > 0) {
    const ssize_t sent = send(b->other_end, data, bytes, MSG_NOSIGNAL);
    if (sent <= 0)
      return -ENODEV;
    data += sent;
    bytes -= (size_t)sent;
  }
  return 0;
}

static int channel_receive(void *state, uint8_t *data, size_t room, unsigned milliseconds) {
  const struct board *b = state;
  struct pollfd ready = {.fd = b->other_end, .events = POLLIN};
  if (poll(&ready, 1, (int)milliseconds) <= 0)
    return 0;
  const ssize_t come = recv(b->other_end, data, room, 0);
  return come > 0 ? (int)come : -ENODEV;
}

static void channel_close(void *state) {
  close(((struct board *)state)->other_end);
}

static const struct heddle_channel_calls channel_calls = {
    .send = channel_send, .receive = channel_receive, .close = channel_close};

// What a program does: memory, a dispatch that prints, commands in flight. Returns the first error.
static int use_device(struct heddle_device *device) {
  uint8_t data[3000] = {1};
  uint32_t arguments[4] = {0}, number = 0, address = 0;
  struct heddle_printed printed = {0};
  struct heddle_record record;
  struct heddle_dispatch dispatch = {.work_dim = 1,
                                     .global_size = {8, 1, 1},
                                     .local_size = {4, 1, 1},
                                     .sub_group_size = 1,
                                     .stack_bytes = 256,
                                     .arguments = arguments,
                                     .argument_bytes = sizeof arguments,
                                     .budget = 100000000};
  int result = heddle_device_allocate(device, sizeof data, 128, &address);
  if (result != 0)
    return result;
  dispatch.entry = address;
  for (int round = 0; round < 3 && result == 0; round++) {
    result = heddle_device_write(device, address, data, sizeof data);
    if (result == 0)
      result = heddle_device_read(device, address, data, sizeof data);
    dispatch.printed = round == 1 ? &printed : NULL;
    if (result == 0)
      result = heddle_device_run(device, &dispatch, NULL, NULL, &record);
    dispatch.printed = NULL;
    if (result == 0)
      result = heddle_device_submit_fill(device, &(struct heddle_fill){address, 1024, data, round == 1 ? 8 : 1}, NULL,
                                         &number);
    if (result == 0)
      result = heddle_device_collect(device, number, NULL, NULL, &record);
    if (result == 0)
      result = heddle_device_submit_dispatch(device, &dispatch, NULL, &number);
    if (result == 0)
      result = heddle_device_collect(device, number, NULL, NULL, &record);
  }
  free(printed.records);
  return result;
}

static void *drive(void *argument) {
  struct board *b = argument;
  const struct heddle_channel channel = {.calls = &channel_calls, .state = b};
  struct heddle_link link;
  struct heddle_device *device = NULL;
  const double began = seconds_now();
  b->opened = heddle_frames_open(&channel, &link, &b->error);
  if (b->opened == 0)
    b->opened = heddle_device_open(&link, &device, &b->error);
  if (b->opened == 0) {
    b->result = use_device(device);
    b->lost = heddle_device_lost(device, &b->error);
    // Once lost it stays so, and says it at once.
    uint32_t word;
    if (b->lost && heddle_device_read(device, HEDDLE_PROCESSOR_END, &word, sizeof word) != -ENODEV)
      b->result = 1;
    heddle_device_close(device);
  }
  b->seconds = seconds_now() - began;
  return NULL;
}

static void fill_registers(struct board *b) {
  const uint32_t first = b->lie.processor ? HEDDLE_PROCESSOR_END : HEDDLE_GLOBAL_FIRST;
  const uint32_t honest[][2] = {
      {HEDDLE_REG_MAGIC, HEDDLE_MAGIC},
      {HEDDLE_REG_VERSION, HEDDLE_CONTRACT_VERSION},
      {HEDDLE_REG_LANES, 4},
      {HEDDLE_REG_SLOTS, 4},
      {HEDDLE_REG_UNITS, 1},
      {HEDDLE_REG_LOCAL_MEMORY_BYTES, 4096},
      {HEDDLE_REG_GLOBAL_BYTES, MEMORY},
      {HEDDLE_REG_LINE_BYTES, 64},
      {HEDDLE_REG_CLOCK_KHZ, 75000},
      {HEDDLE_REG_MEMORY_LATENCY, 60},
      {HEDDLE_REG_MEMORY_INTERVAL, 4},
      {HEDDLE_REG_FEATURES, b->lie.processor ? HEDDLE_FEATURE_PROCESSOR : 0},
      {HEDDLE_REG_CACHE_BYTES, 4096},
      {HEDDLE_REG_MEMORY_CHANNELS, 1},
      {HEDDLE_REG_FIRST_GLOBAL, first},
      {HEDDLE_REG_PROCESSOR_STATUS, HEDDLE_PROCESSOR_RUNS},
  };
  for (size_t i = 0; i < sizeof honest / sizeof *honest; i++)
    b->registers[honest[i][0] / 4] = honest[i][1];
  const char *isa = b->lie.isa ? b->lie.isa : "rv32ima_zicsr";
  memcpy(b->registers + HEDDLE_REG_ISA / 4, isa, strnlen(isa, HEDDLE_ISA_BYTES));
  if (b->lie.way == LIES)
    b->registers[b->lie.offset / 4] = b->lie.value;
}

static struct board *plug_in(const struct lie *lie, const char *name, uint64_t seed) {
  struct board *b = calloc(1, sizeof *b);
  int ends[2];
  cr_assert(b && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  *b = (struct board){.lie = *lie, .end = ends[0], .other_end = ends[1], .random = seed, .memory = calloc(1, MEMORY)};
  cr_assert(b->memory);
  snprintf(b->name, sizeof b->name, "%s", name);
  fill_registers(b);
  cr_assert_eq(pthread_create(&b->thread, NULL, speak, b), 0);
  cr_assert_eq(pthread_create(&b->driver, NULL, drive, b), 0);
  return b;
}

// Whether no device could be like that.
static bool is_wrong_for_sure(enum way way) {
  static const enum way wrong[] = {BUSY, BUSY_COUNTS, BUSY_RUNS, BUSY_BACKWARDS, COUNTS,  LONG,
                                   DIES, MUTE,        USELESS,   DRIPS,          SETTLES, WRONG_OPENS};
  bool is_wrong = false;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    is_wrong = is_wrong || wrong[i] == way;
  return is_wrong;
}

static void plug_out(struct board *b, double end) {
  const struct timespec until = {.tv_sec = time(NULL) + (time_t)(end > seconds_now() ? end - seconds_now() : 0) + 1};
  cr_assert_eq(pthread_timedjoin_np(b->driver, NULL, &until), 0,
               "the driver waits for a board that is '%s' without end", b->name);
  __atomic_store_n(&b->stop, true, __ATOMIC_RELAXED);
  pthread_join(b->thread, NULL);
  cr_expect(!is_wrong_for_sure(b->lie.way) || b->opened != 0 || b->lost, "'%s' is still taken for a device", b->name);
  if (b->opened != 0)
    cr_expect(b->error.text[0] != 0, "'%s' does not open, and nobody says why", b->name);
  else if (b->result == -ENODEV || b->result == -EIO)
    cr_expect(b->lost && b->error.text[0] != 0, "'%s' failed (%d) and is said to be there", b->name, b->result);
  else
    cr_expect(b->result <= 0, "'%s' was lost, and answers all the same", b->name);
}

// The board of a number, of all that there are.
static struct board *board_of_number(size_t number, uint64_t seed) {
  char name[64];
  if (number < NUM_WAYS)
    return plug_in(&ways[number], ways[number].name, seed);
  number -= NUM_WAYS;
  if (number < NUM_LIES) {
    const struct lie lie = {
        .way = LIES, .offset = lied_about[number / NUM_VALUES].offset, .value = values[number % NUM_VALUES]};
    snprintf(name, sizeof name, "%s 0x%x", lied_about[number / NUM_VALUES].name, lie.value);
    return plug_in(&lie, name, seed);
  }
  const struct lie lie = {.way = BUFFER, .value = buffers[number - NUM_LIES]};
  snprintf(name, sizeof name, "buffer of %u", lie.value);
  return plug_in(&lie, name, seed);
}

Test(lying_boards, are_not_waited_for_without_end_and_are_lost_with_a_reason, .timeout = 600) {
  const int seeds = getenv("HEDDLE_TEST_LONG") ? MOST_SEEDS : 1;
  for (int seed = 1; seed <= seeds; seed++) {
    struct board *boards[NUM_BOARDS];
    const double end = seconds_now() + SECONDS_A_BOARD;
    for (size_t i = 0; i < NUM_BOARDS; i++)
      boards[i] = board_of_number(i, (uint64_t)seed * 1000 + i);
    for (size_t i = 0; i < NUM_BOARDS; i++) {
      plug_out(boards[i], end);
      if (getenv("HEDDLE_TEST_TELL"))
        fprintf(stderr, "%-36s %5.1f s, opened %d, result %d: %s\n", boards[i]->name, boards[i]->seconds,
                boards[i]->opened, boards[i]->result, boards[i]->error.text);
      free(boards[i]->memory);
      free(boards[i]);
    }
  }
}

// What honest ones do shows that the others' lies are what is found.
Test(lying_boards, honest_ones_are_not_lost) {
  for (size_t i = 0; i < 2; i++) {
    struct board *b = board_of_number(i, 1);
    plug_out(b, seconds_now() + SECONDS_A_BOARD);
    cr_expect(b->opened == 0 && b->result == 0 && !b->lost, "'%s': opened %d, result %d: %s", b->name, b->opened,
              b->result, b->error.text);
    free(b->memory);
    free(b);
  }
}
