// SPDX-License-Identifier: Apache-2.0
// Pipe functions of kernel pipelines: those that a queue on the chip has (contract/DEVICE.md, "Chains"). Reservations
// and the number of packets need the pipe in memory, as pipes.cl has it. A packet goes word by word.
#include "hls/lib/device.h"

#define INLINE __attribute__((always_inline))

typedef uint __attribute__((may_alias)) aliasing_uint;

// Sixteen words at most, one after the other: a loop would have to be taken apart in each kernel.
#define EACH_WORD(DO) \
  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

static INLINE void put_word(generic void *to, uint packet, uint bytes, uint alignment, uint index) {
  if (4 * index >= bytes)
    return;
  const uint word = __heddle_pipe_word(packet, index), at = 4 * index;
  generic uchar *byte = (generic uchar *)to + at;
  if (alignment >= 4) {
    *(generic aliasing_uint *)byte = word;
    return;
  }
  byte[0] = (uchar)word;
  if (at + 1 < bytes)
    byte[1] = (uchar)(word >> 8);
  if (at + 2 < bytes)
    byte[2] = (uchar)(word >> 16);
  if (at + 3 < bytes)
    byte[3] = (uchar)(word >> 24);
}

static INLINE int put_packet(generic void *to, uint packet, uint bytes, uint alignment) {
  if (packet == 0)
    return -1;
#define PUT(index) put_word(to, packet, bytes, alignment, index);
  EACH_WORD(PUT)
  return 0;
}

INLINE int __read_pipe_2(const global void *p, generic void *to, uint bytes, uint alignment) {
  return put_packet(to, __heddle_pipe_read(p, bytes), bytes, alignment);
}

INLINE int __heddle_try_read_pipe(const global void *p, generic void *to, uint bytes, uint alignment) {
  return put_packet(to, __heddle_pipe_polled_read(p, bytes), bytes, alignment);
}

// A word of a packet, 0 behind its end.
static INLINE uint word_at(const generic void *from, uint bytes, uint alignment, uint index) {
  const uint at = 4 * index;
  if (at >= bytes)
    return 0;
  const generic uchar *byte = (const generic uchar *)from + at;
  if (alignment >= 4)
    return *(const generic aliasing_uint *)byte;
  uint word = byte[0];
  if (at + 1 < bytes)
    word |= (uint)byte[1] << 8;
  if (at + 2 < bytes)
    word |= (uint)byte[2] << 16;
  if (at + 3 < bytes)
    word |= (uint)byte[3] << 24;
  return word;
}

#define WORD(index) word_at(from, bytes, alignment, index)
#define WORDS                                                                                                   \
  WORD(0), WORD(1), WORD(2), WORD(3), WORD(4), WORD(5), WORD(6), WORD(7), WORD(8), WORD(9), WORD(10), WORD(11), \
      WORD(12), WORD(13), WORD(14), WORD(15)

INLINE int __write_pipe_2(const global void *p, const generic void *from, uint bytes, uint alignment) {
  return __heddle_pipe_write(p, bytes, WORDS) != 0 ? 0 : -1;
}

INLINE int __heddle_try_write_pipe(const global void *p, const generic void *from, uint bytes, uint alignment) {
  return __heddle_pipe_polled_write(p, bytes, WORDS) != 0 ? 0 : -1;
}

// What the host says of the pipe in memory holds for the queue, too.
#define MAX_PACKETS 1
INLINE uint __get_pipe_max_packets_ro(const global void *p, uint bytes, uint alignment) {
  return ((const global uint *)p)[MAX_PACKETS];
}
INLINE uint __get_pipe_max_packets_wo(const global void *p, uint bytes, uint alignment) {
  return ((const global uint *)p)[MAX_PACKETS];
}
