// SPDX-License-Identifier: Apache-2.0
// See transfer.h. An instruction costs more than moving a word, so words are moved wherever there are some, sixteen in
// one round; loads come in fours, as many as can be under way.
#include "firmware/transfer.h"

enum { PIECE = 1024, ROUND = 64, FEW = 12 };

_Static_assert(PIECE % HEDDLE_RING_PATTERN_BYTES == 0, "a pattern begins anew with each piece");

static void copy_bytes(uint32_t to, uint32_t from, uint32_t count) {
  for (const uint32_t end = to + count; to != end; to++, from++)
    *bytes_at(to) = *bytes_at(from);
}

static inline void copy_four_words(words to, words from) {
  const uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
}

// Whole words.
static void copy_words(uint32_t to, uint32_t from, uint32_t count) {
  uint32_t end = to + (count & -(uint32_t)ROUND);
  for (; to != end; to += ROUND, from += ROUND)
    for (int i = 0; i < ROUND / 4; i += 4)
      copy_four_words(words_at(to) + i, words_at(from) + i);
  end += count & (ROUND - 1);
  for (; to != end; to += 4, from += 4)
    *words_at(to) = *words_at(from);
}

// Whole words to `to` from between two words of the source. Each of these is loaded once, and none of which no byte is
// wanted.
static void copy_shifted_words(uint32_t to, uint32_t from, uint32_t count) {
  const uint32_t right = 8 * (from & 3), left = 32 - right;
  from &= -4u;
  uint32_t before = *words_at(from), end = to + (count & -16u);
  for (; to != end; to += 16, from += 16) {
    const uint32_t a = words_at(from)[1], b = words_at(from)[2], c = words_at(from)[3], d = words_at(from)[4];
    words_at(to)[0] = before >> right | a << left;
    words_at(to)[1] = a >> right | b << left;
    words_at(to)[2] = b >> right | c << left;
    words_at(to)[3] = c >> right | d << left;
    before = d;
  }
  end += count & 12;
  for (; to != end; to += 4, from += 4) {
    const uint32_t next = words_at(from)[1];
    *words_at(to) = before >> right | next << left;
    before = next;
  }
}

static void copy(uint32_t to, uint32_t from, uint32_t count) {
  if (count >= FEW) {
    const uint32_t first = -to & 3, middle = (count - first) & -4u;
    copy_bytes(to, from, first);
    to += first;
    from += first;
    if ((from & 3) == 0)
      copy_words(to, from, middle);
    else
      copy_shifted_words(to, from, middle);
    to += middle;
    from += middle;
    count -= first + middle;
  }
  copy_bytes(to, from, count);
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
  uint32_t end = to + (count & -(uint32_t)ROUND);
  for (; to != end; to += ROUND)
    for (int i = 0; i < ROUND / 4; i++)
      words_at(to)[i] = word;
  end += count & (ROUND - 4);
  for (; to != end; to += 4)
    *words_at(to) = word;
  for (end += count & 3; to != end; to++) {
    *bytes_at(to) = (uint8_t)word;
    word = next_byte_first(word);
  }
  return word;
}

static enum transfer_state next_row(struct transfer *t) {
  if (t->rows == 0)
    return TRANSFER_ENDED;
  t->rows--;
  t->from = t->row_from += t->from_pitch;
  t->to = t->row_to += t->to_pitch;
  t->left = t->row_bytes;
  return is_global(t->from, t->left) && is_global(t->to, t->left) ? TRANSFER_GOES_ON : TRANSFER_OUTSIDE;
}

static void repeat(uint32_t to, uint32_t pattern, uint32_t count) {
  for (; count > HEDDLE_RING_PATTERN_BYTES; count -= HEDDLE_RING_PATTERN_BYTES, to += HEDDLE_RING_PATTERN_BYTES)
    copy(to, pattern, HEDDLE_RING_PATTERN_BYTES);
  copy(to, pattern, count);
}

enum transfer_state transfer_step(struct transfer *t) {
  const uint32_t count = t->left < PIECE ? t->left : PIECE;
  const uint32_t to = t->to, from = t->from;
  t->to = to + count;
  t->left -= count;
  if (t->is_fill) {
    t->word = fill(to, t->word, count);
  } else if (t->repeats) {
    repeat(to, from, count);
  } else {
    copy(to, from, count);
    t->from = from + count;
  }
  return t->left == 0 ? next_row(t) : TRANSFER_GOES_ON;
}
