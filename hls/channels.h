// SPDX-License-Identifier: Apache-2.0
// Channels (lib/channels.h): variables of a program through which its kernels send packets to each other. Each kernel
// gets an argument more for each channel that it reads and for each that it writes, a pipe, which the host library
// sets.
#ifndef HEDDLE_HLS_CHANNELS_H
#define HEDDLE_HLS_CHANNELS_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "contract/status.h"

// To be called before anybody looks at kernels. Functions that use channels become part of their callers. Does nothing
// where there are no channels. With `ends` autorun kernels end by themselves (hls/autorun.h). STATUS_REJECTED:
// explained on stderr.
enum status channels_make_arguments(LLVMModuleRef module, bool ends);

// Where lib/channels.h awaits what a channel function has said: whether that is 0, and it is done.
#define CHANNELS_AWAITED "__heddle_awaited"
// Replaces such a call by what was said. `unless_done`: assembly in front of it, $0 of which that is; NULL: none.
void channels_take_wait(LLVMValueRef call, const char *unless_done);

// What the qualifier of such an argument says in the front end's metadata, behind the word pipe: bytes and packets.
#define CHANNELS_QUALIFIER "pipe channel.%u.%u"
// The same of an argument that is a pipe of SYCL, whose program has named its packets.
#define PIPES_QUALIFIER "pipe depth.%u"

#endif
