// SPDX-License-Identifier: Apache-2.0
// SHA-256 as libmd's <sha2.h> declares it, for hosts that are compiled for on another machine (host/cross/README.md).
// Only what Heddle calls is here. A context may be used by one thread at a time; nothing fails.
#ifndef HEDDLE_CROSS_SHA2_H
#define HEDDLE_CROSS_SHA2_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BLOCK_LENGTH = 64, SHA256_DIGEST_LENGTH = 32 };

typedef struct {
  uint32_t state[8];
  uint64_t bytes;                      // hashed so far
  uint8_t block[SHA256_BLOCK_LENGTH];  // its first bytes % 64 are not hashed yet
} SHA2_CTX;

void SHA256Init(SHA2_CTX *context);
void SHA256Update(SHA2_CTX *context, const uint8_t *data, size_t bytes);
void SHA256Final(uint8_t digest[SHA256_DIGEST_LENGTH], SHA2_CTX *context);

#endif
