// SPDX-License-Identifier: Apache-2.0
// Records of the note about pipelines (contract/DEVICE.md, "Kernel files"), which pipeline/hardware.c writes: what the
// kernel pass and the linked image have to know of them.
#ifndef HEDDLE_HLS_PIPELINE_NOTE_H
#define HEDDLE_HLS_PIPELINE_NOTE_H

#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/status.h"

// What is done with a variable that a pipeline has in memory: its name, and where its place in the image is written.
typedef enum status (*pipeline_note_use)(void *context, const char *name, uint8_t place[4]);

// Calls it for each variable of the records, until one is not STATUS_OK. STATUS_FAILED, explained on stderr: they are
// no records.
enum status pipeline_note_each_variable(uint8_t *records, size_t size, pipeline_note_use use, void *context);

// Keeps the variables that the records of a file name as they are: pipelines read and write them, too. Before the
// module is optimised.
enum status pipeline_note_keep_variables(LLVMModuleRef module, const char *path);

#endif
