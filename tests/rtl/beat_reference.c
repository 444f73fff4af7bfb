// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/beat_reference.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/amo.h"

static uint32_t word_at(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, 4);
  return word;
}

static void forget_reserved(struct beat_reference *m, uint32_t beat, unsigned word) {
  for (unsigned o = 0; o < MOST_OWNERS; o++)
    if (m->reserved[o].beat == beat)
      m->reserved[o].words[word] = false;
}

static void apply_store(struct beat_reference *m, const struct beat_request *r) {
  for (unsigned i = 0; i < m->beat_bytes; i++)
    if (r->strobe[i]) {
      m->bytes[r->address + i] = r->data[i];
      forget_reserved(m, r->address, i / 4);
    }
  m->beats_written++;
}

static bool apply_sc(struct beat_reference *m, const struct beat_request *r, unsigned word, uint32_t answer) {
  const struct beat_reservation *mine = &m->reserved[r->owner];
  cr_assert_leq(answer, 1u, "sc.w answers 0x%x", answer);
  if (answer != 0) {
    m->failed++;
    return false;
  }
  cr_assert(mine->beat == r->address && mine->words[word],
            "sc.w of owner %u succeeds on a word that is not reserved: 0x%x", r->owner, r->address + 4 * word);
  memcpy(m->bytes + r->address + 4 * word, r->data + 4 * word, 4);
  for (unsigned o = 0; o < MOST_OWNERS; o++)
    if (o != r->owner && m->reserved[o].beat == r->address)
      m->reserved[o].words[word] = false;
  m->succeeded++;
  return true;
}

static void apply_atomic(struct beat_reference *m, const struct beat_request *r, const uint8_t *answer) {
  struct beat_reservation *mine = &m->reserved[r->owner];
  bool writes = r->function != LR && r->function != SC;
  if (r->function == LR) {
    memset(mine, 0, sizeof *mine);
    mine->beat = r->address;
  }
  for (unsigned word = 0; word < m->beat_bytes / 4; word++) {
    if (!r->strobe[4 * word])
      continue;
    const uint32_t address = r->address + 4 * word;
    const uint32_t old = word_at(m->bytes + address);
    const uint32_t answered = word_at(answer + 4 * word);
    if (r->function == SC) {
      writes = apply_sc(m, r, word, answered) || writes;
      continue;
    }
    cr_assert_eq(answered, old, "atomic 0x%02x at 0x%x: 0x%08x instead of 0x%08x", r->function, address, answered, old);
    if (r->function == LR) {
      mine->words[word] = true;
    } else {
      const uint32_t value = amo_result(r->function, old, word_at(r->data + 4 * word));
      memcpy(m->bytes + address, &value, 4);
      forget_reserved(m, r->address, word);
    }
  }
  // An sc.w of another beat leaves the reservation here; load_store.v knows that such an sc.w has been.
  if (r->function == SC && mine->beat == r->address)
    memset(mine->words, 0, sizeof mine->words);
  m->beats_written += writes;
}

void beat_reference_apply(struct beat_reference *reference, const struct beat_request *request, const uint8_t *answer) {
  if (request->kind == STORE)
    apply_store(reference, request);
  else if (request->kind == ATOMIC)
    apply_atomic(reference, request, answer);
  else
    cr_assert_arr_eq(answer, reference->bytes + request->address, reference->beat_bytes, "beat 0x%x, label %u",
                     request->address, request->label);
}
