// SPDX-License-Identifier: Apache-2.0
// What requests for beats do to memory when they are carried out one after the other: the reference of the tests of the
// device cache.
#ifndef HEDDLE_TESTS_RTL_BEAT_REFERENCE_H
#define HEDDLE_TESTS_RTL_BEAT_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_BEAT_BYTES = 128, MOST_OWNERS = 16 };
enum { LOAD, STORE, ATOMIC };

struct beat_request {
  uint8_t kind, function;  // of an atomic: funct5
  uint32_t owner;          // the sub-group, for lr.w and sc.w
  uint32_t address, label;
  uint8_t data[MOST_BEAT_BYTES];
  bool strobe[MOST_BEAT_BYTES];
};

// What an owner's lr.w has reserved and nobody has written since: the most that an sc.w of his may rely on.
struct beat_reservation {
  uint32_t beat;
  bool words[MOST_BEAT_BYTES / 4];
};

struct beat_reference {
  uint8_t *bytes;  // memory as the requests so far leave it
  uint32_t beat_bytes;
  struct beat_reservation reserved[MOST_OWNERS];
  uint32_t succeeded, failed;  // words of sc.w
  uint32_t beats_written;
};

// Carries out one request, and asserts (Criterion) that `answer`, a beat, is what a load or an atomic must give.
// Whether an sc.w succeeds is read from its answer, and must be allowed. A store has no answer.
void beat_reference_apply(struct beat_reference *reference, const struct beat_request *request, const uint8_t *answer);

#ifdef __cplusplus
}
#endif

#endif
