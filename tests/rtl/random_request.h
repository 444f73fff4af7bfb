// SPDX-License-Identifier: Apache-2.0
// Random requests for beats, of all kinds. Who asks (owner) and the label are left to the caller.
#ifndef HEDDLE_TESTS_RTL_RANDOM_REQUEST_H
#define HEDDLE_TESTS_RTL_RANDOM_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/amo.h"
#include "tests/rtl/beat_reference.h"
#include "tests/rtl/random_word.h"

// One of `beats` beats close together, or one of as many far apart, so that there are hits, evictions and several
// requests for one line.
static inline struct beat_request random_request(uint32_t beats, uint32_t beat_bytes, uint32_t memory_bytes) {
  static const uint8_t functions[] = {AMOADD, AMOSWAP, LR,     SC,     LR,      SC,     AMOXOR,
                                      AMOOR,  AMOAND,  AMOMIN, AMOMAX, AMOMINU, AMOMAXU};
  struct beat_request r = {.kind = LOAD};
  const uint32_t kind = random_below(8);
  r.kind = kind < 4 ? LOAD : kind < 6 ? STORE : ATOMIC;
  r.function = functions[random_below(sizeof functions)];
  r.address = random_below(beats) * (random_below(2) ? 1 : 37) * beat_bytes % memory_bytes;
  for (unsigned i = 0; i < beat_bytes; i += 4) {
    const bool word = chance(128);
    for (unsigned j = i; j < i + 4; j++) {
      r.data[j] = (uint8_t)random_below(256);
      r.strobe[j] = r.kind == STORE ? chance(100) : word;
    }
  }
  const unsigned word = random_below(beat_bytes / 4);
  for (unsigned i = 4 * word; i < 4 * word + 4; i++)
    r.strobe[i] = true;
  return r;
}

#endif
