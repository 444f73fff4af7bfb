// SPDX-License-Identifier: Apache-2.0
// See chosen.h.
#include "tests/dispatch/chosen.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model/encode.h"

enum { CYCLES_A_RUN = 10000, MOST_RUNS = 1000 };

static uint32_t number_from(const char *variable, uint32_t otherwise) {
  const char *text = getenv(variable);
  return text && *text != 0 ? (uint32_t)strtoul(text, NULL, 0) : otherwise;
}

static const struct heddle_sim_api *rtl_api(const struct heddle_sim_config *config, struct chosen *c) {
  char path[256], units[16] = "";
  const char *named = getenv("HEDDLE_DISPATCH_RTL");
  if (config->units != 1)
    snprintf(units, sizeof units, "-U%u", config->units);
  snprintf(path, sizeof path, "%s/lib/heddle/rtl-L%u-S%u%s%s.so", BUILD, config->lanes, config->slots, units,
           config->processor ? "-P" : "");
  void *library = dlopen(named ? named : path, RTLD_NOW | RTLD_LOCAL);
  cr_assert(library, "%s", dlerror());
  const struct heddle_sim_api *(*api)(void) = NULL;
  *(void **)&api = dlsym(library, HEDDLE_SIM_SYMBOL);
  cr_assert(api, "%s is no device", path);
  *(void **)&c->fail_memory = dlsym(library, "heddle_rtl_fail_memory");
  return api();
}

static void write_kernels(const struct chosen *c) {
  const uint32_t log[] = {
      lui(5, LOG),  lw(6, 5, 0),    addi(6, 6, 1), sw(6, 5, 0), slli(6, 6, 2),
      add(5, 5, 6), csrr(7, 0xCCD), sw(7, 5, 0),   exit_item(),
  };
  const uint32_t slow[] = {addi(5, 0, SLOW_ROUNDS), addi(5, 5, -1), encode_b(BNE, 5, 0, -4)};
  const uint32_t forever[] = {addi(5, 0, 1), encode_jal(0, -4)};
  const uint32_t end[] = {exit_item()}, illegal[] = {0};
  const uint32_t ring[] = {lui(5, HEDDLE_RING_FIRST), sw(5, 5, 0), exit_item()};
  const uint32_t mark[] = {
      csrr(5, 0xCC3), csrr(6, 0xCCE), addi(7, 5, 1), sw(7, 6, -4),  slli(5, 5, 2),
      lui(6, DATA),   add(5, 5, 6),   lw(6, 5, 0),   addi(6, 6, 1), sw(6, 5, 0),
  };
  const uint32_t wait[] = {addi(5, 0, 40), addi(5, 5, -1), encode_b(BNE, 5, 0, -4), exit_item()};
  const struct {
    enum kernel kernel;
    uint32_t at;
    const uint32_t *words;
    size_t bytes;
  } pieces[] = {
      {KERNEL_LOG, 0, log, sizeof log},
      {KERNEL_SLOW, 0, slow, sizeof slow},
      {KERNEL_SLOW, sizeof slow, log, sizeof log},
      {KERNEL_FAULT, 0, slow, sizeof slow},
      {KERNEL_FAULT, sizeof slow, illegal, 4},
      {KERNEL_FOREVER, 0, forever, sizeof forever},
      {KERNEL_EMPTY, 0, end, sizeof end},
      {KERNEL_ILLEGAL, 0, illegal, 4},
      {KERNEL_RING, 0, ring, sizeof ring},
      {KERNEL_MARK, 0, mark, sizeof mark},
      {KERNEL_MARK, sizeof mark, wait, sizeof wait},
  };
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    const uint32_t address = CODE + (uint32_t)pieces[i].kernel * KERNEL_BYTES + pieces[i].at;
    cr_assert_eq(c->api->write(c->device, address, pieces[i].words, pieces[i].bytes), 0);
  }
}

static struct chosen open_with(uint32_t processor) {
  static struct heddle_sim_config config;
  const char *named = getenv("HEDDLE_TEST_DEVICE"), *error = NULL;
  config = (struct heddle_sim_config){
      .lanes = number_from("HEDDLE_SIM_LANES", 8),
      .slots = number_from("HEDDLE_SIM_SLOTS", 32),
      .units = number_from("HEDDLE_SIM_UNITS", 1),
      .processor = processor,
  };
  struct chosen c = {0};
  c.api = named && strcmp(named, "model") == 0 ? heddle_model_api() : rtl_api(&config, &c);
  c.device = c.api->create(&config, &error);
  cr_assert(c.device, "%s: %s", c.api->name, error);
  c.first_global = get_control(&c, HEDDLE_REG_FIRST_GLOBAL);
  c.global_bytes = get_control(&c, HEDDLE_REG_GLOBAL_BYTES);
  write_kernels(&c);
  put(&c, LOG, 0);
  return c;
}

struct chosen chosen_open(void) {
  return open_with(number_from("HEDDLE_SIM_PROCESSOR", 0));
}

struct chosen chosen_open_processor(void) {
  return open_with(1);
}

void chosen_close(struct chosen *c) {
  c->api->destroy(c->device);
  c->device = NULL;
}

uint32_t get(const struct chosen *c, uint32_t address) {
  uint32_t value = 0;
  cr_assert_eq(c->api->read(c->device, address, &value, sizeof value), 0, "read of 0x%x", address);
  return value;
}

void put(const struct chosen *c, uint32_t address, uint32_t value) {
  cr_assert_eq(c->api->write(c->device, address, &value, sizeof value), 0, "write to 0x%x", address);
}

uint32_t get_control(const struct chosen *c, uint32_t reg) {
  return get(c, HEDDLE_CONTROL_BASE + reg);
}

void set_control(const struct chosen *c, uint32_t reg, uint32_t value) {
  put(c, HEDDLE_CONTROL_BASE + reg, value);
}

uint64_t get_figure(const struct chosen *c, uint32_t reg) {
  return (uint64_t)get_control(c, reg + 4) << 32 | get_control(c, reg);
}

uint32_t fault_pc(void) {
  return CODE + KERNEL_FAULT * KERNEL_BYTES + 12;
}

uint32_t dispatch_at(uint32_t number) {
  return DISPATCHES + number * 4 * HEDDLE_DISPATCH_WORDS;
}

void set_dispatch(const struct chosen *c, uint32_t number, uint32_t word, uint32_t value) {
  put(c, dispatch_at(number) + 4 * word, value);
}

void write_dispatch(const struct chosen *c, uint32_t number, enum kernel kernel) {
  uint32_t words[HEDDLE_DISPATCH_WORDS] = {[HEDDLE_DISPATCH_ENTRY] = CODE + (uint32_t)kernel * KERNEL_BYTES,
                                           [HEDDLE_DISPATCH_PRIVATE_BASE] = PRIVATE,
                                           [HEDDLE_DISPATCH_PRIVATE_LOG2] = HEDDLE_PRIVATE_LOG2_MIN};
  for (uint32_t i = 0; i < 3; i++) {
    words[HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE + i] = 1;
    words[HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_LOCAL_SIZE + i] = 1;
  }
  cr_assert_eq(c->api->write(c->device, dispatch_at(number), words, sizeof words), 0);
}

void start_at(const struct chosen *c, uint32_t address) {
  set_control(c, HEDDLE_REG_DISPATCH, address);
  set_control(c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);
}

void run_until_idle(const struct chosen *c) {
  for (int i = 0; i < MOST_RUNS; i++)
    if (c->api->run(c->device, CYCLES_A_RUN))
      return;
  cr_assert_fail("%s: still busy, STATUS is %u", c->api->name, get_control(c, HEDDLE_REG_STATUS));
}

void run_a_little(const struct chosen *c) {
  cr_assert_eq(c->api->run(c->device, 200), 0, "%s: a slow kernel has ended at once", c->api->name);
}

void expect_log(const struct chosen *c, const uint32_t *numbers, uint32_t count) {
  const uint32_t written = get(c, LOG);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t expected = dispatch_at(numbers[i]) + 4 * HEDDLE_DISPATCH_PACKET;
    const uint32_t came = i < written ? get(c, LOG + 4 + 4 * i) : 0;
    cr_assert_eq(came, expected, "%s: kernel %u of %u has packet 0x%x, expected 0x%x", c->api->name, i, written, came,
                 expected);
  }
  cr_assert_eq(written, count, "%s: %u kernels have run, expected %u", c->api->name, written, count);
  put(c, LOG, 0);
}
