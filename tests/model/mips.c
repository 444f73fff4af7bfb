// SPDX-License-Identifier: Apache-2.0
// Speed of the golden model: prints million work-item instructions a second over six kernels (mips_kernels.c), LANES 8
// and full sub-groups, one host thread, or as many as HEDDLE_MODEL_THREADS says; HEDDLE_MODEL_PORTABLE=1: without AVX2.
// -v: one line a kernel. Each kernel's results are checked first.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contract/device_map.h"
#include "contract/sim.h"
#include "sim/model/model.h"

enum { CODE = 0x10000, DISPATCH = 0x40000, A = 0x100000, B = 0x800000, C = 0x1000000, PRIVATE = 0x2000000 };

// The linked kernels; their entries come first, in the order of the source, 16 bytes each (csrr, auipc, jalr, exit).
__asm__(
    ".section .rodata\n"
    ".globl kernels, kernels_bytes\n"
    "kernels: .incbin \"" MIPS_KERNELS
    "\"\n"
    "1: .balign 4\n"
    "kernels_bytes: .long 1b - kernels\n"
    ".text\n");
extern const uint8_t kernels[];
extern const uint32_t kernels_bytes;

static uint32_t read_word(void *device, uint32_t address) {
  uint32_t v = 0;
  heddle_model_api()->read(device, address, &v, sizeof v);
  return v;
}

static void control(void *device, uint32_t reg, uint32_t value) {
  heddle_model_api()->write(device, HEDDLE_CONTROL_BASE + reg, &value, sizeof value);
}

static uint32_t a_word(uint32_t i) {
  return i * 2654435761u >> 7;
}

static uint32_t b_word(uint32_t i) {
  return i * 40503u + 1;
}

struct kernel {
  const char *name;
  uint32_t x, y, n;
  uint32_t (*expect)(uint32_t x, uint32_t y, uint32_t n, uint32_t width);
};

static uint32_t expect_vecadd(uint32_t x, uint32_t y, uint32_t n, uint32_t width) {
  (void)y, (void)n, (void)width;
  return a_word(x) + b_word(x);
}

static uint32_t expect_gemm(uint32_t x, uint32_t y, uint32_t n, uint32_t width) {
  uint32_t sum = 0;
  (void)width;
  for (uint32_t k = 0; k < n; k++)
    sum += a_word(y * n + k) * b_word(k * n + x);
  return sum;
}

static uint32_t expect_gemv(uint32_t x, uint32_t y, uint32_t n, uint32_t width) {
  uint32_t sum = 0;
  (void)y, (void)width;
  for (uint32_t k = 0; k < n; k++)
    sum += a_word(x * n + k) * b_word(k);
  return sum;
}

static uint32_t expect_collatz(uint32_t x, uint32_t y, uint32_t n, uint32_t width) {
  uint32_t steps = 0;
  (void)y, (void)n, (void)width;
  for (uint32_t v = x + 1; v != 1; steps++)
    v = v & 1 ? 3 * v + 1 : v >> 1;
  return steps;
}

static uint32_t expect_histogram(uint32_t x, uint32_t y, uint32_t n, uint32_t width) {
  uint32_t count[16] = {0}, best = 0;
  (void)y, (void)width;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = x * n + k;
    count[a_word(at / 4) >> (at % 4 * 8) & 15]++;
  }
  for (uint32_t k = 1; k < 16; k++)
    best = count[k] > count[best] ? k : best;
  return best;
}

static uint32_t expect_scan(uint32_t x, uint32_t y, uint32_t n, uint32_t width) {
  uint32_t v[8];
  (void)y, (void)width;
  for (uint32_t l = 0; l < 8; l++)
    v[l] = a_word(x / 8 * 8 + l);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t sum = 0;
    for (uint32_t l = 0; l < 8; l++) {
      sum += v[l];
      v[l] = sum ^ k;
    }
  }
  return v[x % 8];
}

static const struct kernel table[] = {
    {"vecadd", 1 << 20, 1, 0, expect_vecadd},
    {"gemm", 192, 192, 192, expect_gemm},
    {"gemv", 1024, 1, 1024, expect_gemv},
    {"collatz", 1 << 15, 1, 0, expect_collatz},
    {"histogram", 1 << 13, 1, 256, expect_histogram},
    {"scan", 1 << 14, 1, 256, expect_scan},
};

static void start(void *device, uint32_t index) {
  const struct kernel *k = &table[index];
  const uint32_t sizes[3] = {k->x, k->y, 1}, argument[4] = {A, B, C, k->n};
  uint32_t dispatch[HEDDLE_DISPATCH_WORDS] = {[HEDDLE_DISPATCH_ENTRY] = CODE + 16 * index,
                                              [HEDDLE_DISPATCH_SUB_GROUP_LOG2] = 3,
                                              [HEDDLE_DISPATCH_PRIVATE_BASE] = PRIVATE,
                                              [HEDDLE_DISPATCH_PRIVATE_LOG2] = 10};
  for (uint32_t i = 0; i < 3; i++) {
    dispatch[HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE + i] = sizes[i];
    dispatch[HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_LOCAL_SIZE + i] = i == 0 ? 64 : 1;
  }
  heddle_model_api()->write(device, DISPATCH, dispatch, sizeof dispatch);
  heddle_model_api()->write(device, DISPATCH + sizeof dispatch, argument, sizeof argument);
  control(device, HEDDLE_REG_DISPATCH, DISPATCH);
  control(device, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);
}

static void check(void *device, uint32_t index) {
  const struct kernel *k = &table[index];
  if (read_word(device, HEDDLE_CONTROL_BASE + HEDDLE_REG_STATUS) != 0) {
    fprintf(stderr, "%s: fault %u at PC 0x%x\n", k->name,
            read_word(device, HEDDLE_CONTROL_BASE + HEDDLE_REG_FAULT_REASON),
            read_word(device, HEDDLE_CONTROL_BASE + HEDDLE_REG_FAULT_PC));
    exit(1);
  }
  for (uint32_t i = 0; i < k->x * k->y; i += 37) {
    uint32_t expected = k->expect(i % k->x, i / k->x, k->n, k->x), came = read_word(device, C + 4 * i);
    if (came != expected) {
      fprintf(stderr, "%s: item %u: expected %u, came %u\n", k->name, i, expected, came);
      exit(1);
    }
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  const struct heddle_sim_api *api = heddle_model_api();
  const struct heddle_sim_config config = {.lanes = 8, .slots = 32};
  const char *error = NULL;
  void *device = api->create(&config, &error);
  if (!device) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  const char *threads = getenv("HEDDLE_MODEL_THREADS");
  heddle_model_set_threads(device, threads ? (uint32_t)strtoul(threads, NULL, 10) : 1);
  if (getenv("HEDDLE_MODEL_PORTABLE"))
    heddle_model_use_portable(device);
  api->write(device, CODE, kernels, kernels_bytes);
  for (uint32_t i = 0; i < 1 << 20; i++) {
    uint32_t a = a_word(i), b = b_word(i);
    api->write(device, A + 4 * i, &a, sizeof a);
    api->write(device, B + 4 * i, &b, sizeof b);
  }
  double instructions = 0, seconds = 0;
  for (uint32_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    double kernel_instructions = 0, began = now(), spent;
    do {
      start(device, i);
      while (!api->run(device, 1u << 30)) {
      }
      kernel_instructions += read_word(device, HEDDLE_CONTROL_BASE + HEDDLE_REG_ACTIVE_LANES);
      kernel_instructions += 4294967296.0 * read_word(device, HEDDLE_CONTROL_BASE + HEDDLE_REG_ACTIVE_LANES + 4);
      spent = now() - began;
    } while (spent < 0.3);
    check(device, i);
    if (argc > 1 && strcmp(argv[1], "-v") == 0)
      printf("%-10s %8.1f\n", table[i].name, kernel_instructions / spent / 1e6);
    instructions += kernel_instructions;
    seconds += spent;
  }
  printf("%.1f\n", instructions / seconds / 1e6);
  api->destroy(device);
  return 0;
}
