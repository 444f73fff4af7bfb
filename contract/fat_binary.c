// SPDX-License-Identifier: Apache-2.0
// Fat binaries (fat_binary.h, FAT_BINARY.md).
#include "contract/fat_binary.h"

#include <errno.h>
#include <sha2.h>
#include <stdio.h>
#include <string.h>

#include "contract/little_endian.h"

static const char magic[8] = HEDDLE_FAT_MAGIC;  // without a zero behind it

// Of the header, and of a record of the table behind it.
enum { VERSION_AT = 8, COUNT_AT = 12, HASH_AT = 16, HEADER_BYTES = 48 };
enum { KIND_AT = 0, BYTES_AT = 4, NAME_AT = 8, PRODUCT_AT = 72, PART_HASH_AT = 136, RECORD_BYTES = 168 };

static void hash(const uint8_t *first, size_t first_bytes, const uint8_t *second, size_t second_bytes,
                 uint8_t *result) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, first, first_bytes);
  SHA256Update(&context, second, second_bytes);
  SHA256Final(result, &context);
}

// Of the header up to its hash, and of the table.
static void hash_header(const uint8_t *header, uint32_t count, uint8_t *result) {
  hash(header, HASH_AT, header + HEADER_BYTES, (size_t)count * RECORD_BYTES, result);
}

// Text that ends inside its field, of characters that a message can show, and zeros behind it.
static bool take_text(const uint8_t *field, char *text) {
  const size_t length = strnlen((const char *)field, HEDDLE_FAT_NAME_BYTES);
  if (length == HEDDLE_FAT_NAME_BYTES)
    return false;
  memcpy(text, field, HEDDLE_FAT_NAME_BYTES);
  for (size_t i = 0; i < HEDDLE_FAT_NAME_BYTES; i++)
    if (i < length ? text[i] < ' ' || text[i] > '~' : text[i] != 0)
      return false;
  return true;
}

// A board's name becomes a word of a command line: letters, digits, '.', '_' and '-', the first a letter or digit.
static bool is_board(const char *name) {
  static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const size_t begin = strspn(name, first);
  return begin > 0 && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")] == 0;
}

static int take_part(const uint8_t *record, const uint8_t *bytes, size_t left, struct heddle_fat_binary *fat,
                     struct heddle_error *error) {
  struct heddle_fat_part *part = &fat->parts[fat->count];
  uint8_t found[SHA256_DIGEST_LENGTH];
  part->kind = heddle_get32(record + KIND_AT);
  part->bytes = bytes;
  part->size = heddle_get32(record + BYTES_AT);
  if (!take_text(record + NAME_AT, part->name) || !take_text(record + PRODUCT_AT, part->product) ||
      (part->kind != HEDDLE_FAT_KERNEL_FILE && part->kind != HEDDLE_FAT_BITSTREAM) ||
      (part->kind == HEDDLE_FAT_BITSTREAM && !is_board(part->name)))
    return heddle_fail(error, -EINVAL,
                       "fat binary whose part %u is of no known kind or has no valid name: pack it again", fat->count);
  if (part->size == 0 || part->size > left)
    return heddle_fail(error, -EINVAL, "fat binary cut short: its part %u has %zu bytes, %zu are left; pack it again",
                       fat->count, part->size, left);
  if (part->kind == HEDDLE_FAT_BITSTREAM && heddle_fat_bitstream(fat, part->name))
    return heddle_fail(error, -EINVAL, "fat binary with two bitstreams of %s: pack it again", part->name);
  hash(bytes, part->size, bytes, 0, found);
  if (memcmp(found, record + PART_HASH_AT, sizeof found) != 0)
    return heddle_fail(error, -EINVAL, "fat binary whose part %u (%s) changed since it was packed: pack it again",
                       fat->count, part->name);
  fat->count++;
  return 0;
}

int heddle_fat_read(const void *file, size_t size, struct heddle_fat_binary *fat, struct heddle_error *error) {
  const uint8_t *bytes = file;
  uint8_t expected[SHA256_DIGEST_LENGTH];
  bool has_kernels = false;
  if (!heddle_fat_claimed(bytes, size))
    return heddle_fail(error, -EINVAL, "not a fat binary");
  if (size < HEADER_BYTES)
    return heddle_fail(error, -EINVAL, "fat binary cut short: pack it again");
  if (heddle_get32(bytes + VERSION_AT) != HEDDLE_FAT_VERSION)
    return heddle_fail(error, -EINVAL, "fat binary of version %u, this is version %d: pack it again",
                       heddle_get32(bytes + VERSION_AT), HEDDLE_FAT_VERSION);
  const uint32_t count = heddle_get32(bytes + COUNT_AT);
  if (count == 0 || count > HEDDLE_FAT_PARTS_MOST)
    return heddle_fail(error, -EINVAL, "fat binary of %u parts, 1 to %d are possible: pack it again", count,
                       HEDDLE_FAT_PARTS_MOST);
  size_t at = HEADER_BYTES + (size_t)count * RECORD_BYTES;
  if (at > size)
    return heddle_fail(error, -EINVAL, "fat binary cut short: pack it again");
  hash_header(bytes, count, expected);
  if (memcmp(expected, bytes + HASH_AT, sizeof expected) != 0)
    return heddle_fail(error, -EINVAL, "fat binary whose table of parts changed since it was packed: pack it again");
  *fat = (struct heddle_fat_binary){0};
  for (uint32_t i = 0; i < count; i++) {
    const int result = take_part(bytes + HEADER_BYTES + (size_t)i * RECORD_BYTES, bytes + at, size - at, fat, error);
    if (result != 0)
      return result;
    at += fat->parts[i].size;
    has_kernels |= fat->parts[i].kind == HEDDLE_FAT_KERNEL_FILE;
  }
  if (at != size)
    return heddle_fail(error, -EINVAL, "fat binary with %zu bytes behind its parts: pack it again", size - at);
  return has_kernels ? 0 : heddle_fail(error, -EINVAL, "fat binary without a kernel file: pack it again");
}

size_t heddle_fat_header_bytes(const struct heddle_fat_binary *fat) {
  return HEADER_BYTES + (size_t)fat->count * RECORD_BYTES;
}

void heddle_fat_header(const struct heddle_fat_binary *fat, uint8_t *header) {
  memset(header, 0, heddle_fat_header_bytes(fat));
  memcpy(header, magic, sizeof magic);
  heddle_put32(header + VERSION_AT, HEDDLE_FAT_VERSION);
  heddle_put32(header + COUNT_AT, fat->count);
  for (uint32_t i = 0; i < fat->count; i++) {
    const struct heddle_fat_part *part = &fat->parts[i];
    uint8_t *record = header + HEADER_BYTES + (size_t)i * RECORD_BYTES;
    heddle_put32(record + KIND_AT, part->kind);
    heddle_put32(record + BYTES_AT, (uint32_t)part->size);
    memcpy(record + NAME_AT, part->name, strnlen(part->name, sizeof part->name - 1));
    memcpy(record + PRODUCT_AT, part->product, strnlen(part->product, sizeof part->product - 1));
    hash(part->bytes, part->size, part->bytes, 0, record + PART_HASH_AT);
  }
  hash_header(header, fat->count, header + HASH_AT);
}

const struct heddle_fat_part *heddle_fat_bitstream(const struct heddle_fat_binary *fat, const char *board) {
  for (uint32_t i = 0; i < fat->count; i++)
    if (fat->parts[i].kind == HEDDLE_FAT_BITSTREAM && strcmp(fat->parts[i].name, board) == 0)
      return &fat->parts[i];
  return NULL;
}

const char *heddle_fat_boards(const struct heddle_fat_binary *fat, char *text, size_t size) {
  size_t used = 0;
  snprintf(text, size, "none");
  for (uint32_t i = 0; i < fat->count && used < size; i++)
    if (fat->parts[i].kind == HEDDLE_FAT_BITSTREAM)
      used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", fat->parts[i].name);
  return text;
}
