// SPDX-License-Identifier: Apache-2.0
// clCreateProgramWithBinary's readers, and what is done with a file that they take.
#include <sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contract/fat_binary.h"
#include "contract/object_file.h"
#include "host/device/kernel_file.h"

enum { IMAGE_BYTES_MOST = 16 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t used;

static void read_object(const uint8_t *data, size_t size) {
  struct heddle_object_file object;
  struct heddle_error error;
  if (heddle_object_file_read(data, size, &object, &error) == 0)
    used += strlen(object.compiler) + strlen(object.isa) + object.bitcode[object.bitcode_bytes - 1];
}

// Its hash is looked at before the rest of a header: with one that fits, the rest is too.
static void read_object_with_its_hash(const uint8_t *data, size_t size) {
  enum { HASH_AT = HEDDLE_OBJECT_HEADER_BYTES - SHA256_DIGEST_LENGTH };
  uint8_t *copy = size > HEDDLE_OBJECT_HEADER_BYTES ? malloc(size) : NULL;
  SHA2_CTX context;
  if (!copy)
    return;
  memcpy(copy, data, size);
  SHA256Init(&context);
  SHA256Update(&context, data, HASH_AT);
  SHA256Update(&context, data + HEDDLE_OBJECT_HEADER_BYTES, size - HEDDLE_OBJECT_HEADER_BYTES);
  SHA256Final(copy + HASH_AT, &context);
  read_object(copy, size);
  free(copy);
}

static void use_kernel(const struct heddle_kernel_file *file, const struct heddle_kernel *kernel) {
  used += strlen(kernel->name) + strlen(kernel->attributes) + kernel->entry;
  for (uint32_t i = 0; i < kernel->num_arguments; i++)
    used += strlen(kernel->arguments[i].name) + strlen(kernel->arguments[i].type_name);
  used += !!heddle_kernel_file_find(file, kernel->name);
}

static void read_kernel_file(const uint8_t *data, size_t size) {
  struct heddle_kernel_file *file;
  struct heddle_error error;
  if (heddle_kernel_file_open(data, size, &file, &error) != 0)
    return;
  used += strlen(file->isa);
  for (uint32_t i = 0; i < file->num_kernels + file->num_blocks; i++)
    use_kernel(file, &file->kernels[i]);
  for (uint32_t number = 0; number <= file->num_blocks + 1; number++)
    used += !!heddle_kernel_file_block(file, number);
  for (uint32_t offset = 0; offset < 4096; offset += 13) {
    const char *text = heddle_kernel_file_string(file, offset);
    used += text ? strlen(text) : 0;
  }
  uint8_t *image = file->image_bytes <= IMAGE_BYTES_MOST ? heddle_kernel_file_image(file, 0x10000) : NULL;
  if (image) {
    used += image[file->image_bytes - 1];
    free(image);
  }
  heddle_kernel_file_close(file);
}

static void read_fat(const uint8_t *data, size_t size) {
  struct heddle_fat_binary fat;
  struct heddle_error error;
  char boards[40];
  if (heddle_fat_read(data, size, &fat, &error) != 0)
    return;
  used += strlen(heddle_fat_boards(&fat, boards, sizeof boards));
  for (uint32_t i = 0; i < fat.count; i++) {
    const struct heddle_fat_part *part = &fat.parts[i];
    used += strlen(part->name) + strlen(part->product) + part->bytes[part->size - 1];
    read_kernel_file(part->bytes, part->size);
  }
}

// The same with the hashes that belong there, as far as parts are where the table says.
static void read_fat_with_its_hashes(const uint8_t *data, size_t size) {
  enum { HEADER = 48, RECORD = 168, PART_HASH = 136 };
  const size_t count = size >= HEADER ? data[12] % 33 : 0;
  size_t at = HEADER + count * RECORD;
  if (count == 0 || at > size)
    return;
  uint8_t *copy = malloc(size);
  SHA2_CTX context;
  if (!copy)
    return;
  memcpy(copy, data, size);
  for (size_t i = 0; i < count; i++) {
    uint8_t *record = copy + HEADER + i * RECORD;
    const size_t bytes = record[4] | (size_t)record[5] << 8 | (size_t)record[6] << 16 | (size_t)record[7] << 24;
    SHA256Init(&context);
    SHA256Update(&context, copy + at, bytes < size - at ? bytes : size - at);
    SHA256Final(record + PART_HASH, &context);
    at += bytes < size - at ? bytes : size - at;
  }
  SHA256Init(&context);
  SHA256Update(&context, copy, 16);
  SHA256Update(&context, copy + HEADER, count * RECORD);
  SHA256Final(copy + 16, &context);
  read_fat(copy, size);
  free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (heddle_fat_claimed(data, size)) {
    read_fat(data, size);
    read_fat_with_its_hashes(data, size);
  } else if (heddle_object_file_claimed(data, size)) {
    read_object(data, size);
    read_object_with_its_hash(data, size);
  } else {
    read_kernel_file(data, size);
  }
  return 0;
}
