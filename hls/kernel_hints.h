// SPDX-License-Identifier: Apache-2.0
// What a source says of a kernel's hardware in the words of Intel's SDK for FPGAs: num_simd_work_items(N), the lanes of
// a pipeline, and num_compute_units(N), its copies, which mean nothing to a programmable unit; max_global_work_dim(0),
// a kernel of one work-item, which is reqd_work_group_size(1, 1, 1). And verilog_module("NAME", LATENCY), which is
// Heddle's own: the function is a module of Verilog where a kernel that calls it is hardware.
#ifndef HEDDLE_HLS_KERNEL_HINTS_H
#define HEDDLE_HLS_KERNEL_HINTS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

// clang knows no such attributes: these macros, as -D takes them, make annotations of them.
extern const char *const kernel_hints_macros[];
enum { KERNEL_HINTS_MACROS = 8 };

// Makes string attributes of functions of a module's annotations, and removes the annotations. Those that are none of
// the above go, too. To be called before anybody counts what uses a function.
void kernel_hints_take(LLVMModuleRef module);

// What the function says; 0: nothing. Of num_compute_units(X, Y, Z) the product.
uint32_t kernel_hints_simd_work_items(LLVMValueRef function);
uint32_t kernel_hints_compute_units(LLVMValueRef function);
// Each of the sizes of num_compute_units(X, Y, Z): returns how many there are, 0 to 3.
enum { KERNEL_HINTS_DIMENSIONS = 3 };
unsigned kernel_hints_compute_unit_sizes(LLVMValueRef function, uint32_t sizes[KERNEL_HINTS_DIMENSIONS]);
void kernel_hints_clear_compute_units(LLVMValueRef function);

// Of a SYCL kernel, [[intel::kernel_args_restrict]]: what is stored through one pointer that it captures, or accessor,
// is not reached through another one.
#define KERNEL_HINTS_ARGS_RESTRICT "heddle.kernel_args_restrict"
bool kernel_hints_args_restrict(LLVMValueRef function);
// Whether what is stored through an argument, by its number, is not reached through another one: `restrict`, or the
// above.
bool kernel_hints_is_restrict(LLVMValueRef function, unsigned argument);

// verilog_module("NAME", LATENCY) or verilog_module("NAME", LATENCY, LUT4, FLIP_FLOPS, MULTIPLIERS): whether a function
// says so. `text` has its values with commas, "NAME,LATENCY", as they are written: nothing is checked. It lives as long
// as the module.
#define KERNEL_HINTS_VERILOG_MODULE "heddle.verilog_module"
bool kernel_hints_verilog_module(LLVMValueRef function, const char **text, unsigned *length);

// Says it of a function, by the arguments of its annotation.
void kernel_hints_set_verilog_module(LLVMValueRef function, LLVMValueRef arguments);

// `autorun`, of sources with channels (lib/channels.h).
bool kernel_hints_autorun(LLVMValueRef function);

// Of a SYCL kernel: it is a single_task.
#define KERNEL_HINTS_SINGLE_TASK "heddle.single_task"
bool kernel_hints_single_task(LLVMValueRef function);

#endif
