// SPDX-License-Identifier: Apache-2.0
// Chooses what of a fat binary is for a device (fat.h).
#include "host/cl/fat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/product.h"
#include "host/cl/build.h"
#include "host/cl/platform.h"
#include "host/environment.h"

// The first kernel file whose kernels the device can run. On failure *why is what is wrong with the last one.
static cl_int find_kernels(cl_device_id device, const struct heddle_fat_binary *fat,
                           const struct heddle_fat_part **found, char **why) {
  cl_program_binary_type type;
  cl_int error = CL_INVALID_BINARY;
  for (uint32_t i = 0; i < fat->count && error != CL_SUCCESS; i++) {
    if (fat->parts[i].kind != HEDDLE_FAT_KERNEL_FILE)
      continue;
    free(*why);
    error = heddle_build_check_binary(device, fat->parts[i].bytes, fat->parts[i].size, &type, why);
    *found = &fat->parts[i];
  }
  return error;
}

static bool may_reconfigure(struct heddle_error *error, int *result) {
  static const struct heddle_variable variable = {.name = "HEDDLE_RECONFIGURE", .most = 1, .what = "0 or 1"};
  uint64_t value = 0;
  *result = heddle_environment_number(&variable, &value, error);
  return *result == 0 && value != 0;
}

// The bitstream of the board at hand. NULL: *error says why there is none.
static const struct heddle_fat_part *bitstream_for(const struct heddle_fat_binary *fat, struct heddle_error *error) {
  char boards[256];
  const char *named = getenv("HEDDLE_BOARD");
  const bool is_named = named && *named;
  const struct heddle_fat_part *part =
      is_named ? heddle_fat_bitstream(fat, named) : heddle_product_choose(fat, getenv("HEDDLE_SERIAL"));
  heddle_fat_boards(fat, boards, sizeof boards);
  if (!part && is_named)
    heddle_fail(error, -ENOENT,
                "the fat binary has no bitstream of %.60s, which HEDDLE_BOARD names, but of: %s. 'make bitstream "
                "BOARD=%.60s KERNELS=FILE.cl' makes one, 'heddle pack' packs it",
                named, boards, named);
  else if (!part)
    heddle_fail(error, -ENOENT,
                "its USB port does not say which board it is, or the fat binary has no bitstream of it, but of: %s. "
                "HEDDLE_BOARD=NAME says which it is",
                boards);
  return part;
}

// Gives the board the bitstream that it needs, if that is allowed. 0, or *error says what was not done.
static int reconfigure(cl_device_id device, const struct heddle_fat_binary *fat, struct heddle_error *error) {
  int result;
  struct heddle_error why = {""};
  if (!may_reconfigure(&why, &result)) {
    if (result != 0)
      return heddle_fail(error, result, "%s", why.text);
    return heddle_fail(error, -EPERM,
                       "the board holds another bitstream. 'heddle flash FILE.fat' loads the right one, and with "
                       "HEDDLE_RECONFIGURE=1 the program does so itself");
  }
  const struct heddle_fat_part *part = bitstream_for(fat, &why);
  result = part ? heddle_reload(device, part, &why) : -ENOENT;
  return result == 0 ? 0 : heddle_fail(error, result, "the board is not reprogrammed: %.440s", why.text);
}

cl_int heddle_fat_choose(cl_device_id device, const void *bytes, size_t size, const unsigned char **file,
                         size_t *file_bytes, char **why) {
  struct heddle_fat_binary fat;
  struct heddle_error error;
  const struct heddle_fat_part *part = NULL;
  int result;
  *why = NULL;
  if (heddle_fat_read(bytes, size, &fat, &error) != 0) {
    *why = strdup(error.text);
    return CL_INVALID_BINARY;
  }
  cl_int code = find_kernels(device, &fat, &part, why);
  if (code == CL_OUT_OF_RESOURCES)
    return code;
  // Also a board whose programmable unit could run the kernels gets their pipelines, if that is allowed.
  const bool is_other = code != CL_SUCCESS || !heddle_build_has_pipelines(device, part->bytes, part->size);
  if (code != CL_SUCCESS || (is_other && may_reconfigure(&error, &result) && bitstream_for(&fat, &error))) {
    char *first = *why;
    *why = NULL;
    result = reconfigure(device, &fat, &error);
    code = result == 0 ? find_kernels(device, &fat, &part, why) : code;
    if (result != 0 && asprintf(why, "%s%s", first ? first : "", error.text) < 0)
      *why = NULL;
    free(first);
  }
  if (code == CL_SUCCESS) {
    *file = part->bytes;
    *file_bytes = part->size;
  }
  return code;
}
