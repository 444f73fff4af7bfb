// SPDX-License-Identifier: Apache-2.0
// What requests for rows do to memory when they are carried out one after the other: the reference of the tests of the
// device cache.
#ifndef HEDDLE_TESTS_RTL_ROW_REFERENCE_H
#define HEDDLE_TESTS_RTL_ROW_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_ROW_BYTES = 128, MOST_OWNERS = 16 };
enum { LOAD, STORE, ATOMIC };

struct row_request {
  uint8_t kind, function;  // of an atomic: funct5
  uint32_t owner;          // the sub-group, for lr.w and sc.w
  uint32_t address, label;
  uint8_t data[MOST_ROW_BYTES];
  bool strobe[MOST_ROW_BYTES];
};

// What an owner's lr.w has reserved and nobody has written since: the most that an sc.w of his may rely on.
struct row_reservation {
  uint32_t row;
  bool words[MOST_ROW_BYTES / 4];
};

struct row_reference {
  uint8_t *bytes;  // memory as the requests so far leave it
  uint32_t row_bytes;
  struct row_reservation reserved[MOST_OWNERS];
  uint32_t succeeded, failed;  // words of sc.w
  uint32_t rows_written;
};

// Carries out one request, and asserts (Criterion) that `answer`, a row, is what a load or an atomic must give. Whether
// an sc.w succeeds is read from its answer, and must be allowed. A store has no answer.
void row_reference_apply(struct row_reference *reference, const struct row_request *request, const uint8_t *answer);

#ifdef __cplusplus
}
#endif

#endif
