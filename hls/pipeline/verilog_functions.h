// SPDX-License-Identifier: Apache-2.0
// Functions that are modules of Verilog where the kernel is hardware: verilog_module (kernel_hints.h) says of which.
// Their bodies are what other devices compute, and none of the circuit's.
#ifndef HEDDLE_HLS_PIPELINE_VERILOG_FUNCTIONS_H
#define HEDDLE_HLS_PIPELINE_VERILOG_FUNCTIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "contract/status.h"

enum { VERILOG_NAME_BYTES = 64, VERILOG_MOST_INPUTS = 8, VERILOG_MOST_LATENCY = 128 };

// A module as the source has it. Its ports: clk, unless the latency is 0; a_i, b_i, ... for the arguments; y_o.
struct verilog_function {
  char module[VERILOG_NAME_BYTES];
  unsigned latency;  // cycles from arguments to the value; it takes new arguments in each
  unsigned lut, ff, dsp;
};

// Letters that a name begins with; whether one is short enough and of letters and digits alone.
bool verilog_is_letter(char c);
bool verilog_is_name(const char *text, size_t length);

// Before functions are inlined: gives such functions no body, and calls of them the attributes that say how LLVM may
// move them. STATUS_REJECTED, explained on stderr, of those that cannot be a module.
enum status verilog_functions_open(LLVMModuleRef module);

// Whether a value is such a function; then says what it is.
bool verilog_function_of(LLVMValueRef value, struct verilog_function *function);

#endif
