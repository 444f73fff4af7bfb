// SPDX-License-Identifier: Apache-2.0
// The device as the firmware sees it: memory and control registers by address, and the clock. All of it is volatile:
// the host and the walker change it.
#ifndef HEDDLE_FIRMWARE_DEVICE_H
#define HEDDLE_FIRMWARE_DEVICE_H

#include <stdint.h>

#include "contract/csrs.h"
#include "contract/device_map.h"

// A word, a byte at a device address.
typedef volatile uint32_t *words;
typedef volatile uint8_t *bytes;

static inline words words_at(uint32_t address) {
  return (words)(uintptr_t)address;
}

static inline bytes bytes_at(uint32_t address) {
  return (bytes)(uintptr_t)address;
}

// Makes the compiler keep a value in a register where it would make a constant anew each time, which is an instruction.
#define KEEP(value) __asm__("" : "+r"(value))

// The device's clock: HEDDLE_CSR_CYCLE_HIGH and HEDDLE_CSR_CYCLE.
static inline uint64_t clock_now(void) {
  uint32_t high = 0, low = 0, again = 0;
  do {
    __asm__ volatile("csrr %0, " HEDDLE_CSR_TEXT(HEDDLE_CSR_CYCLE_HIGH) : "=r"(high));
    __asm__ volatile("csrr %0, " HEDDLE_CSR_TEXT(HEDDLE_CSR_CYCLE) : "=r"(low));
    __asm__ volatile("csrr %0, " HEDDLE_CSR_TEXT(HEDDLE_CSR_CYCLE_HIGH) : "=r"(again));
  } while (high != again);
  return (uint64_t)high << 32 | low;
}

#endif
