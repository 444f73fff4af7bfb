// SPDX-License-Identifier: Apache-2.0
// A program without an operating system, on the CPU of the SoC of soc.py: runs a kernel of sub-groups out of the DRAM
// that it shares with the device, with the driver of the host library. The words of the buffers are written and read in
// place; none of them goes over control.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/driver.h"
#include "host/device/kernel_file.h"
#include "host/transport/bus.h"

enum { CONTROL = 0x90000000, MEMORY = 0x41000000, MEMORY_BYTES = 16 << 20, SUB_GROUP = 4, GROUP = 32 };

extern const uint8_t kernel_elf[];
extern const uint32_t kernel_elf_bytes;
void console_end(int status);

static void put(uint32_t word) {
  *(volatile uint32_t *)LITEX_CONSOLE = word;
}

void console_end(int status) {
  put(0x100 + (uint32_t)(status & 0x7F));
  // A processor that only fetches keeps the bus: it has to wait for its store.
  (void)*(volatile uint32_t *)LITEX_CONSOLE;
}

static void say(const char *text) {
  while (*text)
    put((uint8_t)*text++);
}

static void say_number(const char *what, uint32_t number) {
  char text[16], *at = text + sizeof text;
  say(what);
  *--at = 0;
  do
    *--at = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  say(at);
  say("\n");
}

static int fail(const char *what, const struct heddle_error *error) {
  say(what);
  say(": ");
  say(error->text);
  say("\n");
  return 1;
}

static uint32_t word_at(uint32_t i) {
  return (i ^ i << 7) & 0xFFFF;
}

// How many words are not what the specification of the scan says.
static uint32_t wrong_words(const uint32_t *to) {
  uint32_t wrong = 0, sum = 0;
  for (uint32_t i = 0; i < LITEX_WORDS; i++) {
    sum = i % SUB_GROUP == 0 ? word_at(i) : sum + word_at(i);
    wrong += to[i] != sum;
  }
  return wrong;
}

int main(void) {
  struct heddle_bus bus = {
      .control = (volatile uint32_t *)CONTROL, .memory = (uint8_t *)MEMORY, .memory_bytes = MEMORY_BYTES};
  struct heddle_error error = {""};
  struct heddle_link link;
  struct heddle_device *device;
  struct heddle_kernel_file *file;
  if (heddle_bus_open(&bus, &link, &error) != 0 || heddle_device_open(&link, &device, &error) != 0)
    return fail("the device does not open", &error);
  const struct heddle_capabilities *capabilities = heddle_device_capability(device);
  say_number("lanes: ", capabilities->lanes);
  if (heddle_kernel_file_open(kernel_elf, kernel_elf_bytes, &file, &error) != 0)
    return fail("the kernel file does not open", &error);
  const struct heddle_kernel *kernel = heddle_kernel_file_find(file, "scan");
  uint32_t code = 0, from = 0, to = 0;
  if (!kernel || heddle_device_allocate(device, file->image_bytes, 4096, &code) != 0 ||
      heddle_device_allocate(device, 4 * LITEX_WORDS, 128, &from) != 0 ||
      heddle_device_allocate(device, 4 * LITEX_WORDS, 128, &to) != 0)
    return fail("no kernel, or no memory", &error);
  uint8_t *image = heddle_kernel_file_image(file, code);
  if (!image || heddle_device_write(device, code, image, file->image_bytes) != 0)
    return fail("the kernel is not written", &error);
  free(image);

  // Buffers in place.
  uint32_t *words = (uint32_t *)(bus.memory + from), *sums = (uint32_t *)(bus.memory + to);
  for (uint32_t i = 0; i < LITEX_WORDS; i++)
    words[i] = word_at(i);
  memset(sums, 0xFF, 64);

  const uint32_t arguments[2] = {from, to};
  const struct heddle_dispatch dispatch = {.entry = code + kernel->entry,
                                           .work_dim = 1,
                                           .global_size = {LITEX_WORDS, 1, 1},
                                           .local_size = {GROUP, 1, 1},
                                           .sub_group_size = SUB_GROUP,
                                           .stack_bytes = kernel->stack_bytes,
                                           .arguments = arguments,
                                           .argument_bytes = sizeof arguments};
  struct heddle_record record;
  const uint32_t reads = bus.reads, writes = bus.writes;
  const int result = heddle_device_run(device, &dispatch, NULL, NULL, &record);
  if (result != 0 || record.status != HEDDLE_RECORD_COMPLETE) {
    say_number("it did not run: ", (uint32_t)-result);
    say_number("fault: ", record.fault.reason);
    return 1;
  }
  heddle_bus_sync(&bus);
  say_number("words: ", LITEX_WORDS);
  say_number("wrong words: ", wrong_words(sums));
  say_number("cycles of the kernel: ", (uint32_t)record.cycles);
  say_number("registers read for it: ", bus.reads - reads);
  say_number("registers written for it: ", bus.writes - writes);
  heddle_kernel_file_close(file);
  heddle_device_close(device);
  return wrong_words(sums) != 0;
}
