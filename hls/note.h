// SPDX-License-Identifier: Apache-2.0
// The notes that describe kernels to the host (contract/DEVICE.md, "Kernel files").
#ifndef HEDDLE_HLS_NOTE_H
#define HEDDLE_HLS_NOTE_H

#include "hls/kernel.h"
#include "hls/options.h"
#include "hls/printf.h"

#define NOTE_SECTION ".note.heddle"

// Adds to the module a note for each kernel, one with the ISA string, one with the options that a launch has to know,
// and if kernels print or enqueue, one about that. `pipelines` is a file of records about pipelines, for a note of its
// own; NULL: none. The words that only the linked image knows, entry and stack, are zero; image_finish fills them in.
void notes_add(LLVMModuleRef module, const struct kernels *kernels, const struct printf_layouts *layouts,
               const struct options *options, const char *pipelines);

#endif
