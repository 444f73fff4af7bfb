// SPDX-License-Identifier: Apache-2.0
// See transfer.h. An instruction costs more than moving a word, so words are moved where both ends allow, eight in one
// round; loads come in fours, as many as can be under way.
#include "firmware/transfer.h"

#include "firmware/device.h"

enum { PIECE = 256, ROUND = 32 };

static void copy_bytes(uint32_t to, uint32_t from, uint32_t count) {
  for (const uint32_t end = to + count; to != end; to++, from++)
    *bytes_at(to) = *bytes_at(from);
}

static void copy_bytes_by_four(uint32_t to, uint32_t from, uint32_t count) {
  const uint32_t rest = count & 3;
  for (const uint32_t end = to + count - rest; to != end; to += 4, from += 4) {
    const uint8_t a = bytes_at(from)[0], b = bytes_at(from)[1], c = bytes_at(from)[2], d = bytes_at(from)[3];
    bytes_at(to)[0] = a;
    bytes_at(to)[1] = b;
    bytes_at(to)[2] = c;
    bytes_at(to)[3] = d;
  }
  copy_bytes(to, from, rest);
}

static inline void copy_four_words(words to, words from) {
  const uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
}

// Both are at the same distance from a word.
static void copy_words(uint32_t to, uint32_t from, uint32_t count) {
  uint32_t before = -to & 3;
  before = before < count ? before : count;
  copy_bytes(to, from, before);
  to += before;
  from += before;
  count -= before;
  uint32_t end = to + (count & ~(ROUND - 1u));
  for (; to != end; to += ROUND, from += ROUND) {
    copy_four_words(words_at(to), words_at(from));
    copy_four_words(words_at(to) + 4, words_at(from) + 4);
  }
  end += count & (ROUND - 4);
  for (; to != end; to += 4, from += 4)
    *words_at(to) = *words_at(from);
  copy_bytes(to, from, count & 3);
}

static inline uint32_t next_byte_first(uint32_t word) {
  return word >> 8 | word << 24;
}

// Returns the word as it goes on behind what was filled.
static uint32_t fill(uint32_t to, uint32_t word, uint32_t count) {
  for (; (to & 3) != 0 && count != 0; to++, count--) {
    *bytes_at(to) = (uint8_t)word;
    word = next_byte_first(word);
  }
  uint32_t end = to + (count & ~(ROUND - 1u));
  for (; to != end; to += ROUND) {
    for (int i = 0; i < ROUND / 4; i++)
      words_at(to)[i] = word;
  }
  end += count & (ROUND - 4);
  for (; to != end; to += 4)
    *words_at(to) = word;
  for (end += count & 3; to != end; to++) {
    *bytes_at(to) = (uint8_t)word;
    word = next_byte_first(word);
  }
  return word;
}

bool transfer_step(struct transfer *t) {
  const uint32_t count = t->left < PIECE ? t->left : PIECE;
  if (t->is_fill)
    t->word = fill(t->to, t->word, count);
  else if (((t->to ^ t->from) & 3) == 0)
    copy_words(t->to, t->from, count);
  else
    copy_bytes_by_four(t->to, t->from, count);
  t->to += count;
  t->from += count;
  t->left -= count;
  return t->left == 0;
}
