// SPDX-License-Identifier: Apache-2.0
// Object files (object.h).
#include "hls/object.h"

#include <errno.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/version.h"
#include "hls/scratch.h"

enum { BYTES_MAX = 256 << 20 };

void object_compiler(char compiler[OBJECT_COMPILER_BYTES]) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  snprintf(compiler, OBJECT_COMPILER_BYTES, "heddlec " HEDDLE_VERSION ", LLVM %u.%u.%u", major, minor, patch);
}

enum status object_read_file(const char *path, unsigned char **bytes, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "heddlec: cannot read %s: %s\n", path, strerror(errno));
    return STATUS_INVALID_OPTIONS;
  }
  long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  bool is_read = length >= 0 && length <= BYTES_MAX && fseek(file, 0, SEEK_SET) == 0;
  *bytes = is_read ? malloc((size_t)length + 1) : NULL;
  is_read = *bytes && fread(*bytes, 1, (size_t)length, file) == (size_t)length;
  fclose(file);
  if (!is_read) {
    fprintf(stderr, "error: %s: cannot be read, or has more than %d bytes\n", path, BYTES_MAX);
    free(*bytes);
    *bytes = NULL;
    return STATUS_REJECTED;
  }
  *size = (size_t)length;
  return STATUS_OK;
}

uint32_t object_flags(const struct options *options) {
  return (options->is_uniform ? HEDDLE_OBJECT_UNIFORM : 0u) | (options->optimize ? 0u : HEDDLE_OBJECT_UNOPTIMIZED) |
         (options->has_debug ? HEDDLE_OBJECT_DEBUG : 0u) | (options->has_double ? HEDDLE_OBJECT_DOUBLE : 0u) |
         (options->enable_link_options ? HEDDLE_OBJECT_TAKES_LINK_OPTIONS : 0u);
}

enum status object_write(const struct options *options, uint32_t kind, uint32_t flags) {
  struct heddle_object_file object = {.kind = kind, .flags = flags};
  if (strlen(options->isa) >= sizeof object.isa) {
    fprintf(stderr, "heddlec: --isa %s: too long for an object file\n", options->isa);
    return STATUS_INVALID_OPTIONS;
  }
  unsigned char *bitcode = NULL, header[HEDDLE_OBJECT_HEADER_BYTES];
  enum status status = object_read_file(scratch_path(SCRATCH_BITCODE), &bitcode, &object.bitcode_bytes);
  if (status != STATUS_OK)
    return STATUS_FAILED;
  object_compiler(object.compiler);
  snprintf(object.isa, sizeof object.isa, "%s", options->isa);
  object.bitcode = bitcode;
  heddle_object_file_header(&object, header);
  FILE *file = fopen(scratch_path(SCRATCH_IMAGE), "wb");
  bool is_written = file && fwrite(header, 1, sizeof header, file) == sizeof header &&
                    fwrite(bitcode, 1, object.bitcode_bytes, file) == object.bitcode_bytes;
  if (file && fclose(file) != 0)
    is_written = false;
  if (!is_written)
    fprintf(stderr, "heddlec: cannot write %s: %s\n", scratch_path(SCRATCH_IMAGE), strerror(errno));
  free(bitcode);
  return is_written ? STATUS_OK : STATUS_FAILED;
}
