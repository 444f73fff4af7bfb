// SPDX-License-Identifier: Apache-2.0
// Calls of printf (contract/DEVICE.md, "The printf buffer").
#ifndef HEDDLE_HLS_PRINTF_H
#define HEDDLE_HLS_PRINTF_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdint.h>

#include "contract/status.h"
#include "hls/kernel.h"

// A list of argument types that calls of printf have: how their records look.
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

// Makes each call of printf one of a function that writes its record. Arguments that no conversion prints are explained
// on stderr (STATUS_REJECTED).
enum status printf_lower(LLVMModuleRef module, LLVMTargetDataRef layout, const char *isa,
                         struct printf_layouts *layouts);

// The same for kernel pipelines. The number of a layout is what PRINTF_LAYOUT_NUMBER(number in *layouts) gives: each
// kernel has its own numbers, as a pipeline is that of a kernel, whatever other kernels its program has. Without atomic
// instructions (A) printf stays a function that is not there.
#define PRINTF_LAYOUT_NUMBER "__heddle_printf_layout"
enum status printf_lower_for_pipelines(LLVMModuleRef module, const char *isa, struct printf_layouts *layouts);

// Notes which kernels reach one of those functions.
void printf_find_kernels(struct kernels *kernels);

void printf_layouts_free(struct printf_layouts *layouts);

#endif
