// SPDX-License-Identifier: Apache-2.0
// printf, OpenCL C 3.0, section 6.15.14: where a call's record goes (contract/DEVICE.md, "The printf buffer"). heddlec makes
// a function for each list of argument types, which writes the rest (printf.c); the host makes text of it.
#include "contract/device_map.h"
#include "hls/lib/device.h"

#define HOW memory_order_relaxed, memory_scope_device

// Work-items of one dispatch have different numbers.
static uint work_item(void) {
  uint number = CSR(HEDDLE_CSR_GLOBAL_ID_X);
  if (PACKET_WORD(HEDDLE_PACKET_WORK_DIM) > 1) {
    const uint size_x = PACKET_WORD(HEDDLE_PACKET_GLOBAL_SIZE), size_y = PACKET_WORD(HEDDLE_PACKET_GLOBAL_SIZE + 1);
    number += size_x * (CSR(HEDDLE_CSR_GLOBAL_ID_Y) + size_y * CSR(HEDDLE_CSR_GLOBAL_ID_Z));
  }
  return number;
}

// For all work-items, which add to it with atomic instructions, or one for each lane of the hardware.
#define BUFFER ((volatile global uint *)PACKET_WORD(HEDDLE_PACKET_PRINTF))
#define LIKELY(condition) __builtin_expect(condition, 1)

static void begin(volatile global uint *record, uint layout, constant const char *format) {
  record[HEDDLE_PRINTF_LAYOUT] = layout;
  record[HEDDLE_PRINTF_WORK_ITEM] = work_item();
  record[HEDDLE_PRINTF_FORMAT] = (uint)format;
}

// Both reserve a record of `bytes` and write its first words; 0 when there is no room. A record whose first word is not
// 0 says how long it is and that it is not complete, whenever the dispatch ends.

// While the buffer is full its count of bytes does not grow, so that it never wraps.
__attribute__((noinline)) volatile global uint *__heddle_printf_reserve(uint layout, uint bytes,
                                                                        constant const char *format) {
  volatile global uint *buffer = BUFFER;
  volatile global atomic_uint *counts = (volatile global atomic_uint *)buffer;
  const uint capacity = buffer[HEDDLE_PRINTF_CAPACITY];
  if (LIKELY(bytes <= capacity && __opencl_atomic_load(counts, HOW) <= capacity - bytes)) {
    const uint offset = __opencl_atomic_fetch_add(counts, bytes, HOW);
    if (LIKELY(offset <= capacity - bytes)) {
      volatile global uint *record = buffer + HEDDLE_PRINTF_HEADER_WORDS + offset / 4;
      begin(record, layout, format);
      return record;
    }
  }
  __opencl_atomic_fetch_add(counts + HEDDLE_PRINTF_LOST, 1u, HOW);
  return 0;
}

// The count grows once the words are there: this memory is not emptied between dispatches.
__attribute__((noinline)) volatile global uint *__heddle_printf_reserve_private(uint layout, uint bytes,
                                                                                constant const char *format) {
  volatile global uint *buffer = BUFFER;
  const uint offset = buffer[HEDDLE_PRINTF_BYTES], capacity = buffer[HEDDLE_PRINTF_CAPACITY];
  if (LIKELY(bytes <= capacity && offset <= capacity - bytes)) {
    volatile global uint *record = buffer + HEDDLE_PRINTF_HEADER_WORDS + offset / 4;
    begin(record, layout, format);
    buffer[HEDDLE_PRINTF_BYTES] = offset + bytes;
    return record;
  }
  buffer[HEDDLE_PRINTF_LOST] = buffer[HEDDLE_PRINTF_LOST] + 1;
  return 0;
}

// What brings the functions above into a module that has calls of printf, until heddlec replaces them.
int printf(constant const char *format, ...) {
  return __heddle_printf_reserve(0, 0, format) == __heddle_printf_reserve_private(0, 0, format);
}
