// SPDX-License-Identifier: Apache-2.0
// Autorun kernels of sources with channels (hls/channels.h): nobody enqueues them; they run, again and again, beside
// those that they have channels with. They end where a channel that they wait at has no packet any more, since all that
// wrote it have ended, or takes none: on programmable units by themselves, and in hardware with the others of their
// chain.
#ifndef HEDDLE_HLS_AUTORUN_H
#define HEDDLE_HLS_AUTORUN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "contract/status.h"

// Whether a kernel that is one, before it has arguments, can be: else explained on stderr (STATUS_REJECTED).
enum status autorun_check(LLVMValueRef kernel);

// Explains on stderr why one cannot be, `why` behind its name: STATUS_REJECTED. And of one that waits at no channel.
enum status autorun_refuse(LLVMValueRef kernel, const char *why);
enum status autorun_refuse_without_channel(LLVMValueRef kernel);

// Makes its code begin again where it ends. To be called before LLVM gives loops another form.
void autorun_repeat(LLVMValueRef kernel);

// When it has arguments: `pipe` is one of them, which is never null. That it might be is the end that pipelines have to
// have.
void autorun_set_pipe(LLVMValueRef kernel, LLVMValueRef pipe);

// To be called before the others, when all that uses channels is part of kernels: takes away what lib/channels.h has
// where it awaits a channel. With `ends` an autorun kernel, which has one work-item, then ends there if it would wait.
void autorun_take_waits(LLVMModuleRef module, bool ends);

#endif
