// SPDX-License-Identifier: Apache-2.0
// The folder that heddlec --hardware makes, and what is in it beside the pipelines: kernels.json, pipelines.v,
// kinds.txt.
#ifndef HEDDLE_HLS_PIPELINE_FOLDER_H
#define HEDDLE_HLS_PIPELINE_FOLDER_H

#include <stddef.h>
#include <stdio.h>

#include "contract/status.h"
#include "hls/kernel.h"
#include "hls/pipeline/pipeline.h"
#include "hls/strings.h"

struct folder_kernel;

// A pipe on the chip that a kernel writes.
struct folder_pipe {
  const struct folder_kernel *reader;  // the kernel at its other end; `written` and `read`: its two ends
  const struct pipeline_pipe *written, *read;
};

// A kernel that has become hardware.
struct folder_kernel {
  const struct kernel *kernel;
  unsigned lanes, slots_log2;
  unsigned units;   // copies of the pipeline, each a unit of the device
  unsigned unroll;  // rounds in one of innermost loops without a hint, as --unroll; 1: as the source has them
  struct pipeline_result result;
  // by chain_join (chain.h): the pipes that this kernel writes; and the first kernel of its chain, whose kind the unit
  // has: itself, if it is alone
  struct folder_pipe pipes[HEDDLE_KIND_PIPES];
  unsigned pipe_count;
  const struct folder_kernel *leader;
};

// The ports and parameters of rtl/compute_unit.v that pipelines have. A port without a name ends the one list, NULL the
// other. folder_write_ports writes a module's head with them, from its parameters on; clk and rst come first.
struct folder_port {
  const char *direction, *range, *name;
};
extern const struct folder_port folder_ports[];
extern const char *const folder_parameters[];
void folder_write_ports(FILE *file);

#define FOLDER_LIST "kernels.json"
#define FOLDER_KERNEL_FILE "kernels.elf"

// Makes the folder, or removes what an earlier run left in it. A folder with anything else in it is refused
// (STATUS_INVALID_OPTIONS). All errors are explained on stderr.
enum status folder_open(const char *path);

// Opens a file in it for writing; NULL: explained on stderr.
FILE *folder_create(const char *path, const char *name);

// Ends a file: false, explained on stderr, if it could not be written whole. NULL is allowed, and false.
bool folder_finish(FILE *file, const char *path, const char *name);

// Writes kernels.json, which is there once everything else is; pipelines.v, which chooses among the pipelines by the
// number of a kind, counted from 1 in the order of `kernels`; and kinds.txt: the parameters of heddle.v and, for a
// program that knows no JSON, the same kernels with their sites.
enum status folder_describe(const char *path, const char *source, const struct folder_kernel *kernels, size_t count);

// Removes kernels.json again, so that nobody uses the pipelines. The report stays, which says why.
void folder_withdraw(const char *path);

// Reads kernels.json, and adds each pipeline as options name it, "HASH:LANES:SLOTS:SITES:PIPES".
enum status folder_pipelines(const char *path, struct strings *pipelines);

#endif
