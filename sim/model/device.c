// SPDX-License-Identifier: Apache-2.0
// The model as a device: creation, and the host's reads and writes. Fills the table of contract/sim.h.
#include "sim/model/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/model/check.h"
#include "sim/model/parallel.h"

enum { CONTROL_BYTES = 0x1000 };
enum { DEFAULT_LANES = 8, DEFAULT_SLOTS = 32, DEFAULT_UNITS = 1, DEFAULT_GLOBAL_BYTES = 256 << 20 };
enum { MIN_GLOBAL_BYTES = 64 << 10, LEAST_PAGE_LOG2 = 12 };

static model_execute_function *best_execute(void) {
#if defined(__x86_64__) && !defined(MODEL_SMALL)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return model_execute_avx2;
#endif
  return model_execute;
}

void heddle_model_use_portable(void *device) {
  ((struct model_device *)device)->execute = model_execute;
}

// Zeros, page-aligned. The host gives a page when it is first touched: what is not used costs nothing.
static void *map(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

void heddle_model_set_threads(void *device, uint32_t threads) {
  struct model_device *d = device;
  model_team_destroy(d);
  d->threads = threads < MODEL_MAX_THREADS ? threads : MODEL_MAX_THREADS;
}

bool heddle_model_share_memory(void *device, int file, uint64_t offset) {
  struct model_device *d = device;
  d->threads = 1;  // several would take back what others have written meanwhile
  return mmap(d->memory, d->global_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) ==
         d->memory;
}

void heddle_model_memory_changed(void *device) {
  struct model_device *d = device;
  model_code_written(d, 0, d->global_bytes);
  d->processor.period = 0;
  model_break_reservations(d, 0, d->global_bytes);
}

static void unmap(void *memory, size_t bytes) {
  if (memory)
    munmap(memory, bytes);
}

static size_t sub_group_bytes(const struct model_device *d) {
  return (size_t)d->units * d->slots * sizeof d->sub_groups[0];
}

static void destroy(void *device) {
  struct model_device *d = device;
  if (!d)
    return;
  model_team_destroy(d);
  model_check_destroy(d);
  for (uint32_t i = 0; i < d->code_page_count; i++)
    free(d->code_pages[i]);
  free(d->code);
  model_profile_free(d);
  free(d->work_groups);
  free(d->rights);
  unmap(d->sub_groups, sub_group_bytes(d));
  unmap(d->memory, d->memory_bytes);
  free(d);
}

static const char *check_config(const struct model_device *d) {
  if (d->lanes > MODEL_MAX_LANES || (d->lanes & (d->lanes - 1)) != 0)
    return "lanes must be a power of two from 1 to 32";
  if (d->slots < MODEL_MIN_SLOTS || d->slots > MODEL_MAX_SLOTS)
    return "slots must be from 4 to 128";
  if (d->units > MODEL_MAX_UNITS)
    return "units must be from 1 to 8";
  if (d->global_bytes < MIN_GLOBAL_BYTES || d->global_bytes > HEDDLE_LOCAL_BASE || d->global_bytes % 4096 != 0)
    return "global memory must be a multiple of 4096 bytes, from 64 KiB to 2 GiB";
  return NULL;
}

static void *create(const struct heddle_sim_config *config, const char **error) {
  static const struct heddle_sim_config defaults;
  static const char out_of_memory[] = "not enough host memory";
  const struct heddle_sim_config *c = config ? config : &defaults;
  const char *problem = out_of_memory;
  struct model_device *d = calloc(1, sizeof *d);
  if (d) {
    d->lanes = c->lanes != 0 ? c->lanes : DEFAULT_LANES;
    d->slots = c->slots != 0 ? c->slots : DEFAULT_SLOTS;
    d->units = c->units != 0 ? c->units : DEFAULT_UNITS;
    d->global_bytes = c->global_bytes != 0 ? c->global_bytes : DEFAULT_GLOBAL_BYTES;
    d->has_processor = c->processor != 0;
    d->first_global = d->has_processor ? HEDDLE_PROCESSOR_END : HEDDLE_GLOBAL_FIRST;
    d->execute = best_execute();
    problem = check_config(d);
  }
  if (!problem) {
    d->memory_bytes = (size_t)d->global_bytes + (size_t)d->units * MODEL_LOCAL_MEMORY_BYTES;
    d->memory = map(d->memory_bytes);
    d->sub_groups = map(sub_group_bytes(d));
    d->work_groups = calloc((size_t)d->units * d->slots, sizeof d->work_groups[0]);
    d->code = calloc(d->memory_bytes >> MODEL_PAGE_LOG2, sizeof d->code[0]);
    d->code_pages[0] = calloc(1, sizeof *d->code_pages[0]);
    d->code_page_count = !!d->code_pages[0];
    d->rights = calloc(HEDDLE_RIGHTS_PAGES_MOST, sizeof d->rights[0]);
    d->page_log2 = LEAST_PAGE_LOG2;
    while ((d->global_bytes - 1) >> d->page_log2 >= HEDDLE_RIGHTS_PAGES_MOST)
      d->page_log2++;
    problem = !d->rights || !d->memory || !d->sub_groups || !d->work_groups || !d->code || !d->code_pages[0]
                  ? out_of_memory
                  : NULL;
  }
  if (problem) {
    destroy(d);
    d = NULL;
    if (error)
      *error = problem;
  }
  return d;
}

static bool is_control(uint32_t address, size_t bytes) {
  uint32_t offset = address - HEDDLE_CONTROL_BASE;
  return offset < CONTROL_BYTES && bytes <= CONTROL_BYTES - offset && offset % 4 == 0 && bytes % 4 == 0;
}

static bool is_global(const struct model_device *d, uint32_t address, size_t bytes) {
  return address >= HEDDLE_GLOBAL_FIRST && address < d->global_bytes && bytes <= d->global_bytes - address;
}

static int read_device(void *device, uint32_t address, void *data, size_t bytes) {
  const struct model_device *d = device;
  if (is_global(d, address, bytes)) {
    memcpy(data, d->memory + address, bytes);
    return 0;
  }
  if (!is_control(address, bytes))
    return -EFAULT;
  for (size_t at = 0; at < bytes; at += 4) {
    uint32_t word = model_read_control(d, (uint32_t)(address - HEDDLE_CONTROL_BASE + at));
    memcpy((uint8_t *)data + at, &word, sizeof word);
  }
  return 0;
}

static int write_device(void *device, uint32_t address, const void *data, size_t bytes) {
  struct model_device *d = device;
  if (is_global(d, address, bytes)) {
    memcpy(d->memory + address, data, bytes);
    model_code_written(d, address, bytes);
    d->processor.period = 0;
    model_break_reservations(d, address, bytes);
    if (d->check)
      model_check_written(d, address, bytes);
    return 0;
  }
  if (!is_control(address, bytes))
    return -EFAULT;
  for (size_t at = 0; at < bytes; at += 4) {
    uint32_t word;
    memcpy(&word, (const uint8_t *)data + at, sizeof word);
    model_write_control(d, (uint32_t)(address - HEDDLE_CONTROL_BASE + at), word);
  }
  return 0;
}

static int run(void *device, uint64_t cycles) {
  return model_run(device, cycles);
}

const struct heddle_sim_api *heddle_model_api(void) {
  static const struct heddle_sim_api api = {
      .name = "Heddle model",
      .create = create,
      .destroy = destroy,
      .read = read_device,
      .write = write_device,
      .run = run,
      .observe = model_observe,
#ifndef MODEL_WITHOUT_CHECKS
      .check = &model_check_api,
#endif
  };
  return &api;
}
