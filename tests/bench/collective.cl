// SPDX-License-Identifier: Apache-2.0
// Times one operation in the kernel itself, by the device's cycle counter. OPERATION names it: a built-in of one argument
// of TYPE, or one of those below. The results are start and end of each work-item, and a value that keeps the chain alive.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__attribute__((always_inline)) int alu_add(int x) {
  __asm__ volatile("add %0, %0, %0" : "+r"(x));
  return x;
}
#define broadcast_first(x) sub_group_broadcast(x, 0)
#define ballot_word(x) (int)sub_group_ballot(x).x
#define shuffle_pairs(x) sub_group_shuffle(x, partner)

#define CYCLE(t) __asm__ volatile("csrr %0, 0xC00" : "=r"(t) : : "memory")
#define STEP(x) x = OPERATION(x);
#define FOUR(x) STEP(x) STEP(x) STEP(x) STEP(x)
#define SIXTEEN(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)
// Nothing that is needed to get x, or to store it, comes between two readings of the counter.
#define PIN(x) __asm__ volatile("" : "+r"(x))
#define SIXTY_FOUR(x) SIXTEEN(x) SIXTEEN(x) SIXTEEN(x) SIXTEEN(x)
#define WITH_SIZE __attribute__((intel_reqd_sub_group_size(SIZE)))

// A chain of 64 dependent operations. The second round counts: the first has fetched the code.
WITH_SIZE kernel void latency(global uint *out, int argument) {
  TYPE x = argument;
  uint partner = get_sub_group_local_id() ^ 1;
  PIN(x);
  PIN(partner);
  uint start, end;
  for (uint round = 0; round < 2; round++) {
    CYCLE(start);
    SIXTY_FOUR(x)
    CYCLE(end);
  }
  PIN(x);
  size_t i = get_global_id(0);
  out[3 * i] = start;
  out[3 * i + 1] = end;
  out[3 * i + 2] = (uint)x;
}

// The same without an operation: what reading the counter twice takes.
WITH_SIZE kernel void nothing(global uint *out, int argument) {
  TYPE x = argument;
  uint partner = get_sub_group_local_id() ^ 1;
  PIN(x);
  PIN(partner);
  uint start, end;
  for (uint round = 0; round < 2; round++) {
    CYCLE(start);
    CYCLE(end);
  }
  PIN(x);
  size_t i = get_global_id(0);
  out[3 * i] = start;
  out[3 * i + 1] = end;
  out[3 * i + 2] = (uint)x;
}

// ROUNDS times 256 operations in every resident sub-group, begun together; again, the second pass counts.
WITH_SIZE kernel void throughput(global uint *out, int argument) {
  TYPE x = argument;
  uint partner = get_sub_group_local_id() ^ 1;
  PIN(x);
  PIN(partner);
  uint start, end;
  for (uint pass = 0; pass < 2; pass++) {
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    CYCLE(start);
    for (uint round = 0; round < ROUNDS; round++) {
      SIXTY_FOUR(x) SIXTY_FOUR(x) SIXTY_FOUR(x) SIXTY_FOUR(x)
    }
    CYCLE(end);
  }
  PIN(x);
  size_t i = get_global_id(0);
  out[3 * i] = start;
  out[3 * i + 1] = end;
  out[3 * i + 2] = (uint)x;
}

// One operation of the whole work-group, from a barrier on; the second time counts.
WITH_SIZE kernel void once(global uint *out, int argument) {
  TYPE x = argument;
  uint partner = get_sub_group_local_id() ^ 1;
  PIN(x);
  PIN(partner);
  uint start, end;
  for (uint round = 0; round < 2; round++) {
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    CYCLE(start);
    STEP(x)
    CYCLE(end);
  }
  PIN(x);
  size_t i = get_global_id(0);
  out[3 * i] = start;
  out[3 * i + 1] = end;
  out[3 * i + 2] = (uint)x;
}

// For each of many functions a kernel of its own: bench.c puts lines behind this file that say OPERATION and TYPE anew,
// and TIMED. The second round counts again. Of sub-groups a chain of 16, of work-groups one from a barrier on.
#define TIMED(name, OPERATIONS, BEGIN)                      \
  WITH_SIZE kernel void name(global uint *out, int argument) { \
    TYPE x = argument;                                      \
    uint partner = get_sub_group_local_id() ^ 1;            \
    PIN(x);                                                 \
    PIN(partner);                                           \
    uint start, end;                                        \
    for (uint round = 0; round < 2; round++) {              \
      BEGIN;                                                \
      CYCLE(start);                                         \
      OPERATIONS(x)                                         \
      CYCLE(end);                                           \
    }                                                       \
    PIN(x);                                                 \
    size_t i = get_global_id(0);                            \
    out[3 * i] = start;                                     \
    out[3 * i + 1] = end;                                   \
    out[3 * i + 2] = (uint)x;                               \
  }
#define TIMED_CHAIN(name) TIMED(name, SIXTEEN, )
#define TIMED_ONCE(name) TIMED(name, STEP, work_group_barrier(CLK_LOCAL_MEM_FENCE))
