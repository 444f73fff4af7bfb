// SPDX-License-Identifier: Apache-2.0
// One translation unit's device code, as clang's device pass left it, and the sizes of sub-groups and work-groups that
// its functions ask for.
#ifndef HEDDLE_SYCL_UNIT_H
#define HEDDLE_SYCL_UNIT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/status.h"

// A sub-group size as the source gives it: a number, "primary" or "automatic".
#define SIZE_PRIMARY "primary"
#define SIZE_AUTOMATIC "automatic"
bool size_is_valid(const char *size);

enum { SIZE_BYTES = 16, PLACE_BYTES = 512 };

// An attribute of a function.
struct sized {
  LLVMValueRef function;
  char size[SIZE_BYTES];
  bool is_standard;         // by [[sycl::reqd_sub_group_size]]
  char place[PLACE_BYTES];  // "file:line" of the function
};

// The size of a work-group that a function asks for, dimension 0 slowest as SYCL counts them.
struct shaped {
  LLVMValueRef function;
  unsigned dimensions, size[3];
  char place[PLACE_BYTES];
};

// The aspects that a function asks for by [[sycl::device_has]]: bit i is number i of sycl::aspect.
struct needing {
  LLVMValueRef function;
  uint64_t aspects;
};

struct unit {
  const char *path;
  char default_size[SIZE_BYTES];
  LLVMModuleRef module;
  struct sized *sized;
  size_t sized_count;
  struct shaped *shaped;
  size_t shaped_count;
  struct needing *needing;
  size_t needing_count;
};

// Reads DEFAULT:PATH. Attributes that are wrong are explained on stderr: STATUS_REJECTED.
enum status unit_read(LLVMContextRef context, const char *argument, struct unit *unit);
void unit_free(struct unit *unit);

// The attribute of a function; NULL: it has none.
const struct sized *unit_attribute(const struct unit *unit, LLVMValueRef function);
const struct shaped *unit_work_group(const struct unit *unit, LLVMValueRef function);
// The aspects that a function asks for.
uint64_t unit_aspects(const struct unit *unit, LLVMValueRef function);

#endif
