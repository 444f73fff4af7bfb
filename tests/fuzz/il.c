// SPDX-License-Identifier: Apache-2.0
// What the library itself does with SPIR-V before the translator, a child process, gets it: clCreateProgramWithIL,
// clSetProgramSpecializationConstant, and what heddlec does before and after it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contract/spirv.h"
#include "hls/il_rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t used;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t value[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  struct heddle_error error;
  size_t count, new_count;
  if (!heddle_spirv_claimed(data, size))
    return 0;
  uint32_t *words = heddle_spirv_open(data, size, &count, &error);
  if (!words)
    return 0;
  for (uint32_t id = 0; id < 64; id++)
    if (heddle_spirv_constant_bytes(words, count, id) != 0)
      heddle_spirv_specialize(words, count, id, value);
  size_t num_kernels;
  struct heddle_spirv_kernel *kernels = heddle_spirv_kernels(words, count, &num_kernels);
  used += heddle_spirv_sub_groups(kernels, num_kernels, "scan");
  free(kernels);
  uint32_t *rewritten = NULL;
  if (il_rewrite(words, count, &rewritten, &new_count) == STATUS_OK)
    used += rewritten[new_count - 1];
  free(rewritten);
  uint32_t *spelled = heddle_spirv_spell_out(words, count, &new_count);
  used += spelled && new_count != 0 ? spelled[new_count - 1] : 0;
  free(spelled);
  free(words);
  return 0;
}
