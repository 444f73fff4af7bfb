// SPDX-License-Identifier: Apache-2.0
// memcpy, memmove, memset: what code generation calls for large structures. Words where both sides allow it, because
// this device does not load across words.
#include <stddef.h>
#include <stdint.h>

#ifndef RUNTIME
#define RUNTIME(name) name
#endif

// Words that may alias what they copy.
typedef uint32_t __attribute__((may_alias)) aliasing_word;

void *RUNTIME(memcpy)(void *to, const void *from, size_t count);
void *RUNTIME(memmove)(void *to, const void *from, size_t count);
void *RUNTIME(memset)(void *to, int value, size_t count);

void *RUNTIME(memcpy)(void *to, const void *from, size_t count) {
  size_t i = 0;
  if ((((uintptr_t)to | (uintptr_t)from) & 3) == 0)
    for (; i + 4 <= count; i += 4)
      *(aliasing_word *)((char *)to + i) = *(const aliasing_word *)((const char *)from + i);
  for (; i < count; i++)
    ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *RUNTIME(memmove)(void *to, const void *from, size_t count) {
  if ((uintptr_t)to - (uintptr_t)from >= count)
    return RUNTIME(memcpy)(to, from, count);  // upwards is safe
  while (count > 0) {
    count--;
    ((char *)to)[count] = ((const char *)from)[count];
  }
  return to;
}

void *RUNTIME(memset)(void *to, int value, size_t count) {
  size_t i = 0;
  if (((uintptr_t)to & 3) == 0) {
    aliasing_word four = (uint8_t)value * 0x01010101u;
    for (; i + 4 <= count; i += 4)
      *(aliasing_word *)((char *)to + i) = four;
  }
  for (; i < count; i++)
    ((char *)to)[i] = (char)value;
  return to;
}
