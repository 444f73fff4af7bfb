// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules, as far as they have to be understood before the translator reads them: whether they are whole, and
// their specialization constants (SPIR-V specification, sections 2.3 and 3). Used by the library and by heddlec.
#ifndef HEDDLE_SPIRV_H
#define HEDDLE_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "contract/error.h"

// The newest version of SPIR-V that the translator reads is 1.this.
enum { HEDDLE_SPIRV_MINOR_MAX = 4 };

// The first word of a module.
enum { HEDDLE_SPIRV_MAGIC = 0x07230203 };

// Whether bytes claim to be a module, of either byte order.
static inline bool heddle_spirv_claimed(const void *bytes, size_t size) {
  uint32_t word;
  if (size < sizeof word)
    return false;
  memcpy(&word, bytes, sizeof word);
  return word == HEDDLE_SPIRV_MAGIC || word == __builtin_bswap32(HEDDLE_SPIRV_MAGIC);
}

// The words of a module in this machine's byte order, for the caller to free; *count says how many. NULL: it is not
// whole, not of a version that can be read, or not for OpenCL on devices of 32-bit addresses; *error says why.
uint32_t *heddle_spirv_open(const void *bytes, size_t size, size_t *count, struct heddle_error *error);

// The bytes that the value of a specialization constant takes, 1 for a boolean; 0: the module has none of that id.
size_t heddle_spirv_constant_bytes(const uint32_t *words, size_t count, uint32_t id);

// Makes the value its default: all constants of that id. `value` has so many bytes as the function above says.
void heddle_spirv_specialize(uint32_t *words, size_t count, uint32_t id, const void *value);

// A kernel whose work-groups have to have so many sub-groups (SubgroupsPerWorkgroup, a number or a constant).
struct heddle_spirv_kernel {
  const char *name;  // in the module
  uint32_t sub_groups;
};

// Those of a module, in the order of their names, for the caller to free. NULL: memory is out.
struct heddle_spirv_kernel *heddle_spirv_kernels(const uint32_t *words, size_t count, size_t *num);

// What a kernel asks for; 0: it does not say.
uint32_t heddle_spirv_sub_groups(const struct heddle_spirv_kernel *kernels, size_t num, const char *name);

// A copy in which what the translator does not know is written as it does, for the caller to free: zeros of scalar
// types (OpConstantNull), and execution modes that name constants (OpExecutionModeId), of a module's first 64. NULL:
// memory is out.
uint32_t *heddle_spirv_spell_out(const uint32_t *words, size_t count, size_t *new_count);

#endif
