// SPDX-License-Identifier: Apache-2.0
// Times the command processor on the RTL: from the doorbell to HEAD, between two kernels of which the second waits for
// the first, from one to the next of many that wait for nothing, and of many that a kernel enqueued; and bytes a cycle
// of copies and fills. Prints figures as bench.c does.
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/firmware.h"
#include "contract/sim.h"
#include "host/tools/client.h"
#include "tests/model/encode.h"

// Two kernels of one work-item: one instruction, and a loop that takes some 1,100 cycles in all.
enum { EMPTY = 0x10000, SMALL = 0x10100, ROUNDS = 28 };
enum { ENQUEUES = 0x10200, QUEUE = 0x30000, QUEUE_EVENTS = 0x30100, QUEUE_COMMANDS = 0x31000 };
enum { DISPATCHES = 0x20000, PRIVATE = 0x40000, PRIVATE_LOG2 = 8, MOST_CYCLES = 1000000, STREAM = 16 };

static const struct heddle_sim_api *api;
static void *device;
static uint32_t tail;

static void put(uint32_t address, const void *data, size_t bytes) {
  if (api->write(device, address, data, bytes) != 0)
    die(EXIT_NO_DEVICE, "the device refuses what is written to 0x%x", address);
}

static void set(uint32_t reg, uint32_t value) {
  put(HEDDLE_CONTROL_BASE + reg, &value, sizeof value);
}

static uint32_t get(uint32_t address) {
  uint32_t value = 0;
  if (api->read(device, address, &value, sizeof value) != 0)
    die(EXIT_NO_DEVICE, "the device cannot be read at 0x%x", address);
  return value;
}

static uint64_t get_long(uint32_t address) {
  return (uint64_t)get(address + 4) << 32 | get(address);
}

static uint64_t clock_now(void) {
  return get_long(HEDDLE_CONTROL_BASE + HEDDLE_REG_CLOCK);
}

static uint32_t record(uint32_t number, uint32_t word) {
  return HEDDLE_RECORDS_FIRST + number % HEDDLE_RING_COMMANDS * 4 * HEDDLE_RECORD_WORDS + 4 * word;
}

struct dispatch {
  uint32_t words[HEDDLE_DISPATCH_WORDS];
};

static struct dispatch dispatch_of(uint32_t kernel) {
  struct dispatch d = {{[HEDDLE_DISPATCH_ENTRY] = kernel,
                        [HEDDLE_DISPATCH_PRIVATE_BASE] = PRIVATE,
                        [HEDDLE_DISPATCH_PRIVATE_LOG2] = PRIVATE_LOG2,
                        [HEDDLE_DISPATCH_QUEUE] = QUEUE}};
  for (uint32_t i = 0; i < 3; i++) {
    d.words[HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE + i] = 1;
    d.words[HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_LOCAL_SIZE + i] = 1;
  }
  return d;
}

// A command that runs a kernel, behind another one or, with its own number, behind none.
static uint32_t add_dispatch(enum heddle_ring_kind kind, uint32_t kernel, uint32_t behind) {
  const uint32_t at = DISPATCHES + tail % HEDDLE_RING_COMMANDS * 4 * HEDDLE_DISPATCH_WORDS;
  const struct dispatch dispatch = dispatch_of(kernel);
  put(at, &dispatch, sizeof dispatch);
  uint32_t command[HEDDLE_RING_COMMAND_WORDS] = {kind};
  command[HEDDLE_RING_NUM_WAITS] = behind != tail;
  command[HEDDLE_RING_WAITS] = behind;
  command[HEDDLE_RING_DISPATCH] = at;
  put(HEDDLE_RING_FIRST + tail % HEDDLE_RING_COMMANDS * sizeof command, command, sizeof command);
  return tail++;
}

static void finish(void) {
  set(HEDDLE_REG_TAIL, tail);
  if (!api->run(device, MOST_CYCLES) || get(HEDDLE_CONTROL_BASE + HEDDLE_REG_HEAD) != tail)
    die(EXIT_KERNEL_FAILED, "the command processor does not end");
  for (uint32_t number = tail > STREAM ? tail - STREAM : 0; number < tail; number++)
    if (get(record(number, HEDDLE_RECORD_STATUS)) != HEDDLE_RECORD_COMPLETE)
      die(EXIT_KERNEL_FAILED, "command %u failed", number);
}

// Each figure is of a device that has done the same before: the firmware is in its instruction cache.
static void empty(void) {
  uint64_t took = 0;
  for (int round = 0; round < 2; round++) {
    add_dispatch(HEDDLE_RING_IS_DISPATCH, EMPTY, tail);
    const uint64_t rang = clock_now();
    set(HEDDLE_REG_TAIL, tail);
    while (get(HEDDLE_CONTROL_BASE + HEDDLE_REG_HEAD) != tail)
      api->run(device, 1);
    took = clock_now() - rang;
    finish();
  }
  printf("dispatch.empty.cycles %" PRIu64 "\n", took);
}

static uint64_t start_of(uint32_t number) {
  return get_long(record(number, HEDDLE_RECORD_START));
}

static void next(void) {
  uint64_t gap = 0, cycles = 0;
  for (int round = 0; round < 2; round++) {
    const uint32_t first = add_dispatch(HEDDLE_RING_IS_DISPATCH, SMALL, tail),
                   second = add_dispatch(HEDDLE_RING_IS_DISPATCH, SMALL, first);
    finish();
    cycles = get_long(record(first, HEDDLE_RECORD_CYCLES));
    gap = start_of(second) - start_of(first) - cycles;
  }
  printf("dispatch.small.cycles %" PRIu64 "\ndispatch.next.cycles %" PRIu64 "\n", cycles, gap);
}

static void stream(void) {
  uint32_t first = tail;
  for (int i = 0; i < STREAM; i++)
    add_dispatch(HEDDLE_RING_IS_DISPATCH, EMPTY, tail);
  finish();
  printf("dispatch.each.cycles %" PRIu64 "\n", (start_of(tail - 1) - start_of(first)) / (STREAM - 1));
}

// A kernel leaves so many commands, which are there already: it writes TAIL. Returns cycles from its start to the start
// of a marker behind all of them.
static uint64_t enqueue(uint32_t count) {
  enum { BYTES = 2 * sizeof(struct dispatch) };  // with an argument
  const uint32_t header[HEDDLE_QUEUE_HEADER_WORDS] = {[HEDDLE_QUEUE_COMMANDS] = QUEUE_COMMANDS,
                                                      [HEDDLE_QUEUE_EVENTS] = QUEUE_EVENTS,
                                                      [HEDDLE_QUEUE_NUM_EVENTS] = 1,
                                                      [HEDDLE_QUEUE_SIZE] = STREAM * BYTES};
  struct dispatch child = dispatch_of(EMPTY);
  child.words[HEDDLE_COMMAND_BYTES] = BYTES;
  child.words[HEDDLE_COMMAND_KIND] = HEDDLE_COMMAND_IS_KERNEL;
  const uint32_t leaves[] = {lui(5, QUEUE), lui(6, count * BYTES + 0x800), addi(6, 6, (int32_t)(count * BYTES)),
                             sw(6, 5, 4 * HEDDLE_QUEUE_TAIL), exit_item()};
  put(ENQUEUES, leaves, sizeof leaves);
  put(QUEUE, header, sizeof header);
  for (uint32_t i = 0; i < count; i++)
    put(QUEUE_COMMANDS + i * BYTES, &child, sizeof child);
  const uint32_t parent = add_dispatch(HEDDLE_RING_IS_ENQUEUER, ENQUEUES, tail),
                 marker = add_dispatch(HEDDLE_RING_IS_MARKER, EMPTY, tail);
  finish();
  return start_of(marker) - start_of(parent);
}

// From one to the next.
static void children(void) {
  const uint64_t none = enqueue(0);
  printf("dispatch.child.cycles %" PRIu64 "\n", (enqueue(STREAM - 1) - none) / (STREAM - 1));
}

// Bytes a cycle of one command, by the cycles in its record. `operands`: words 6 to 11.
static void transfer(const char *name, uint32_t bytes, const uint32_t operands[6], enum heddle_ring_kind kind) {
  uint32_t command[HEDDLE_RING_COMMAND_WORDS] = {kind};
  memcpy(command + HEDDLE_RING_COPY_SOURCE, operands, 6 * sizeof *operands);
  put(HEDDLE_RING_FIRST + tail % HEDDLE_RING_COMMANDS * sizeof command, command, sizeof command);
  tail++;
  finish();
  const uint64_t cycles = get_long(record(tail - 1, HEDDLE_RECORD_CYCLES));
  printf("transfer.%s.bytes_per_cycle %.4f\n", name, (double)bytes / (double)cycles);
}

static void transfers(void) {
  enum { FROM = 0x60000, TO = 0x80000, BYTES = 0x4000, SHORT_ROW = 64, PITCH = 256, ROWS = 64 };
  transfer("fill", BYTES, (const uint32_t[6]){TO, BYTES}, HEDDLE_RING_IS_FILL);
  transfer("fill.pattern", BYTES, (const uint32_t[6]){TO, BYTES, 0, FROM}, HEDDLE_RING_IS_FILL);
  transfer("copy", BYTES, (const uint32_t[6]){FROM, TO, BYTES}, HEDDLE_RING_IS_COPY);
  transfer("copy.unaligned", BYTES, (const uint32_t[6]){FROM + 1, TO, BYTES}, HEDDLE_RING_IS_COPY);
  transfer("copy.rows_of_64_bytes", SHORT_ROW * ROWS, (const uint32_t[6]){FROM, TO, SHORT_ROW, ROWS - 1, PITCH, PITCH},
           HEDDLE_RING_IS_COPY);
}

int main(int argc, char **argv) {
  program_name = "dispatch";
  if (argc != 2)
    die(EXIT_USAGE, "usage: dispatch DEVICE.so");
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    die(EXIT_NO_DEVICE, "%s", dlerror());
  const struct heddle_sim_api *(*api_of)(void) = NULL;
  *(void **)&api_of = dlsym(library, HEDDLE_SIM_SYMBOL);
  static const char *error;
  const struct heddle_sim_config config = {.processor = 1};
  api = api_of ? api_of() : NULL;
  device = api ? api->create(&config, &error) : NULL;
  if (!device)
    die(EXIT_NO_DEVICE, "%s: %s", argv[1], error ? error : "no device");
  const uint32_t end[] = {exit_item()};
  const uint32_t small[] = {addi(5, 0, ROUNDS), addi(5, 5, -1), encode_b(BNE, 5, 0, -4), exit_item()};
  put(EMPTY, end, sizeof end);
  put(SMALL, small, sizeof small);
  put(HEDDLE_FIRMWARE_FIRST, heddle_firmware, heddle_firmware_bytes);
  set(HEDDLE_REG_PROCESSOR, HEDDLE_PROCESSOR_START);
  empty();
  next();
  stream();
  children();
  transfers();
  api->destroy(device);
  return 0;
}
