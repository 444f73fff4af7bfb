// SPDX-License-Identifier: Apache-2.0
// What the driver asks of an operating system and a LiteX SoC without one has to give: no environment, a clock,
// an atomic addition.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

char *getenv(const char *name);
char *getenv(const char *name) {
  (void)name;
  return NULL;
}

// The driver asks how long a device has not got on. Without a timer each question is a millisecond.
int clock_gettime(clockid_t clock, struct timespec *now) {
  static uint32_t asked;
  (void)clock;
  asked++;
  now->tv_sec = (time_t)(asked / 1000);
  now->tv_nsec = (long)(asked % 1000) * 1000000;
  return 0;
}

// One thread: an atomic access is a plain one.
uint64_t heddle_fetch_add_8(volatile void *memory, uint64_t value, int order) __asm__("__atomic_fetch_add_8");
uint64_t heddle_fetch_add_8(volatile void *memory, uint64_t value, int order) {
  volatile uint64_t *word = memory;
  const uint64_t before = *word;
  (void)order;
  *word = before + value;
  return before;
}
