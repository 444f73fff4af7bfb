// SPDX-License-Identifier: Apache-2.0
// Object files (object_file.h).
#include "contract/object_file.h"

#include <errno.h>
#include <sha2.h>
#include <string.h>

#include "contract/little_endian.h"

static const char magic[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'O', 'B'};

enum { VERSION_AT = 8, KIND_AT = 12, FLAGS_AT = 16, BYTES_AT = 20, COMPILER_AT = 24, ISA_AT = 64, HASH_AT = 128 };

static void hash(const uint8_t *header, const uint8_t *bitcode, size_t bitcode_bytes, uint8_t *result) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, header, HASH_AT);
  SHA256Update(&context, bitcode, bitcode_bytes);
  SHA256Final(result, &context);
}

// Text that ends inside its field, of characters that a log can show.
static bool take_text(const uint8_t *field, size_t size, char *text) {
  if (field[0] == 0 || field[size - 1] != 0)
    return false;
  memcpy(text, field, size);
  for (const char *at = text; *at; at++)
    if ((unsigned char)*at < ' ' || (unsigned char)*at > '~')
      return false;
  return true;
}

bool heddle_object_file_claimed(const void *bytes, size_t size) {
  return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

int heddle_object_file_read(const void *bytes, size_t size, struct heddle_object_file *object,
                            struct heddle_error *error) {
  const uint8_t *header = bytes;
  uint8_t expected[SHA256_DIGEST_LENGTH];
  if (!heddle_object_file_claimed(bytes, size))
    return heddle_fail(error, -EINVAL, "not an object file");
  if (size <= HEDDLE_OBJECT_HEADER_BYTES)
    return heddle_fail(error, -EINVAL, "object file cut short: compile it again");
  if (heddle_get32(header + VERSION_AT) != HEDDLE_OBJECT_VERSION)
    return heddle_fail(error, -EINVAL, "object file of version %u, this is version %d: compile it again",
                       heddle_get32(header + VERSION_AT), HEDDLE_OBJECT_VERSION);
  if (heddle_get32(header + BYTES_AT) != size - HEDDLE_OBJECT_HEADER_BYTES)
    return heddle_fail(error, -EINVAL, "object file of %zu bytes, its header says %llu: compile it again", size,
                       (unsigned long long)heddle_get32(header + BYTES_AT) + HEDDLE_OBJECT_HEADER_BYTES);
  *object = (struct heddle_object_file){.kind = heddle_get32(header + KIND_AT),
                                        .flags = heddle_get32(header + FLAGS_AT),
                                        .bitcode = header + HEDDLE_OBJECT_HEADER_BYTES,
                                        .bitcode_bytes = size - HEDDLE_OBJECT_HEADER_BYTES};
  hash(header, object->bitcode, object->bitcode_bytes, expected);
  if (memcmp(expected, header + HASH_AT, sizeof expected) != 0)
    return heddle_fail(error, -EINVAL, "object file changed since it was written: compile it again");
  if ((object->kind != HEDDLE_COMPILED_OBJECT && object->kind != HEDDLE_LIBRARY) ||
      (object->flags & ~(uint32_t)HEDDLE_OBJECT_FLAGS) != 0 ||
      !take_text(header + COMPILER_AT, sizeof object->compiler, object->compiler) ||
      !take_text(header + ISA_AT, sizeof object->isa, object->isa))
    return heddle_fail(error, -EINVAL, "object file with an invalid header: compile it again");
  return 0;
}

void heddle_object_file_header(const struct heddle_object_file *object, uint8_t *header) {
  memset(header, 0, HEDDLE_OBJECT_HEADER_BYTES);
  memcpy(header, magic, sizeof magic);
  heddle_put32(header + VERSION_AT, HEDDLE_OBJECT_VERSION);
  heddle_put32(header + KIND_AT, object->kind);
  heddle_put32(header + FLAGS_AT, object->flags);
  heddle_put32(header + BYTES_AT, (uint32_t)object->bitcode_bytes);
  memcpy(header + COMPILER_AT, object->compiler, strnlen(object->compiler, sizeof object->compiler - 1));
  memcpy(header + ISA_AT, object->isa, strnlen(object->isa, sizeof object->isa - 1));
  hash(header, object->bitcode, object->bitcode_bytes, header + HASH_AT);
}
