// SPDX-License-Identifier: Apache-2.0
// Calls of printf (contract/DEVICE.md, "The printf buffer").
#ifndef HEDDLE_HLS_PRINTF_H
#define HEDDLE_HLS_PRINTF_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdint.h>

#include "contract/status.h"
#include "hls/kernel.h"

// The layout of records of calls of printf with one list of argument types.
struct printf_layout {
  uint32_t *values;  // one word an argument, as in the note
  uint32_t count;
  uint32_t record_bytes;
  LLVMValueRef function;  // writes such a record
};

struct printf_layouts {
  struct printf_layout *items;
  size_t count;
};

// Replaces each call of printf by a call of a function that writes its record. STATUS_REJECTED: an argument has a type
// that no conversion prints, explained on stderr.
enum status printf_lower(LLVMModuleRef module, LLVMTargetDataRef layout, const char *isa,
                         struct printf_layouts *layouts);

// The same for kernel pipelines. Records have the number that a call of PRINTF_LAYOUT_NUMBER, with the number in
// *layouts, gives: each kernel numbers its own layouts, because its pipeline must not depend on other kernels of the
// program. On a device without atomic instructions (A) calls of printf stay, and are refused later.
#define PRINTF_LAYOUT_NUMBER "__heddle_printf_layout"
enum status printf_lower_for_pipelines(LLVMModuleRef module, const char *isa, struct printf_layouts *layouts);

// Notes which kernels reach one of those functions.
void printf_find_kernels(struct kernels *kernels);

void printf_layouts_free(struct printf_layouts *layouts);

#endif
