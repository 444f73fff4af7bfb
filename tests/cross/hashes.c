// SPDX-License-Identifier: Apache-2.0
// host/cross's SHA-256 and CRC-32, which a cross-compiled library has in place of libmd's and zlib's: the same values
// as theirs. They are compiled with names that begin with cross_ (build.mk).
#include <criterion/criterion.h>
#include <sha2.h>
#include <string.h>
#include <zlib.h>

#include "tests/rtl/random_word.h"

void cross_SHA256Init(void *context);
void cross_SHA256Update(void *context, const uint8_t *data, size_t bytes);
void cross_SHA256Final(uint8_t *digest, void *context);
uLong cross_crc32(uLong crc, const unsigned char *data, uInt bytes);

enum { MOST = 300, TIMES = 2000, CONTEXT_WORDS = 64 };  // a context of host/cross has 104 bytes

static uint8_t data[MOST];

static size_t random_bytes(size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    data[i] = (uint8_t)random_word();
  return bytes;
}

static void setup(void) {
  random_seed(4711);
}
TestSuite(cross_hashes, .init = setup);

static void expect_same(const uint8_t *expected, const uint8_t *got, size_t bytes, size_t cut) {
  if (memcmp(expected, got, SHA256_DIGEST_LENGTH) != 0)
    cr_assert_fail("SHA-256 of %zu bytes in pieces of at most %zu: %02x%02x... expected, got %02x%02x...", bytes, cut,
                   expected[0], expected[1], got[0], got[1]);
}

static void compare_sha256(size_t bytes, size_t most_of_a_piece) {
  uint64_t context[CONTEXT_WORDS];
  uint8_t expected[SHA256_DIGEST_LENGTH], got[SHA256_DIGEST_LENGTH];
  SHA2_CTX libmd;
  SHA256Init(&libmd);
  SHA256Update(&libmd, data, bytes);
  SHA256Final(expected, &libmd);
  cross_SHA256Init(context);
  for (size_t at = 0; at < bytes;) {
    size_t piece = random_below((uint32_t)most_of_a_piece + 1);
    piece = piece < bytes - at ? piece : bytes - at;
    cross_SHA256Update(context, data + at, piece);
    at += piece;
  }
  cross_SHA256Final(got, context);
  expect_same(expected, got, bytes, most_of_a_piece);
}

Test(cross_hashes, sha256_of_every_length_is_libmds) {
  for (size_t bytes = 0; bytes <= MOST; bytes++)
    compare_sha256(random_bytes(bytes), MOST);
}

Test(cross_hashes, sha256_in_random_pieces_is_libmds) {
  for (int i = 0; i < TIMES; i++)
    compare_sha256(random_bytes(random_below(MOST + 1)), 1 + random_below(80));
}

Test(cross_hashes, crc32_in_two_pieces_is_zlibs) {
  for (int i = 0; i < TIMES; i++) {
    const size_t bytes = random_bytes(random_below(MOST + 1)), first = random_below((uint32_t)bytes + 1);
    const uLong expected = crc32(0, data, (uInt)bytes);
    const uLong got = cross_crc32(cross_crc32(0, data, (uInt)first), data + first, (uInt)(bytes - first));
    if (expected != got)
      cr_assert_fail("CRC-32 of %zu bytes, %zu first: expected %08lx, got %08lx", bytes, first, expected, got);
  }
}
