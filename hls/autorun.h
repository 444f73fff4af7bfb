// SPDX-License-Identifier: Apache-2.0
// Autorun kernels of sources with channels (hls/channels.h). No program enqueues them: they start with the kernels that
// they have channels with, and begin again whenever they end. They stop when they wait at a channel whose other kernels
// have all ended. On programmable units the kernel itself notices that; in hardware its chain does.
#ifndef HEDDLE_HLS_AUTORUN_H
#define HEDDLE_HLS_AUTORUN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "contract/status.h"

// Checks that a kernel with the attribute can be an autorun kernel. To be called before channels become its arguments.
// STATUS_REJECTED: it cannot, explained on stderr.
enum status autorun_check(LLVMValueRef kernel);

// Explain on stderr why a kernel cannot be one, with `why` behind its name, or because it waits at no channel. Return
// STATUS_REJECTED.
enum status autorun_refuse(LLVMValueRef kernel, const char *why);
enum status autorun_refuse_without_channel(LLVMValueRef kernel);

// Makes the kernel's code begin again where it ends. To be called before LLVM changes the form of loops.
void autorun_repeat(LLVMValueRef kernel);

// To be called once the kernel has its arguments: the endless loop then ends if `pipe`, one of them, is null. It never
// is, but a pipeline has to have an end.
void autorun_set_pipe(LLVMValueRef kernel, LLVMValueRef pipe);

// Lowers the places where lib/channels.h waits for a channel in autorun kernels; those of others stay. To be called
// before the functions above, once everything that uses channels has been inlined into kernels. `ends`: an autorun
// kernel ends where it would wait for ever.
void autorun_take_waits(LLVMModuleRef module, bool ends);

#endif
