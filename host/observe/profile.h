// SPDX-License-Identifier: Apache-2.0
// Profiles: what each instruction of the kernels of a program did, and by source line (docs/how-to/see-inside.md).
//
// Everything here is used by one thread at a time: observe.c holds its mutex.
#ifndef HEDDLE_OBSERVE_PROFILE_H
#define HEDDLE_OBSERVE_PROFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "contract/sim_pipelines.h"
#include "contract/sim_rows.h"
#include "host/device/kernel_file.h"
#include "host/observe/functions.h"
#include "host/observe/lines.h"

// The shape of a device, for whoever reads the figures.
struct heddle_profile_shape {
  const char *device;  // "Heddle sim"; static
  uint32_t lanes, slots, units, clock_khz, line_bytes, memory_latency, memory_interval, memory_channels;
};

// A kernel of a program, and all of its dispatches to programmable units, or to pipelines.
struct heddle_profile_kernel {
  const char *name;
  uint32_t entry;  // offset in the image
  uint32_t lanes, units, kind;
  uint32_t chain_kind;  // kind of compute unit in a chain that it may be part of; 0: none
  uint64_t dispatches, cycles;
  uint64_t unit_cycles;  // cycles times units: what rows, starting and empty add up to
  uint64_t starting, empty, resident;
  uint64_t external_bytes, external_lines, cache_requests, cache_misses;
  uint64_t fetch_misses, other_misses;  // as in struct heddle_sim_dispatch
  struct heddle_rows rows;              // PCs and callers are offsets in the image; a caller has bit 0 set besides
  struct heddle_line *lines;            // of a pipeline: what its rows' PCs are numbers of, num_lines of them
  size_t num_lines;
};

// A program in a device's memory.
struct heddle_profile_program {
  struct heddle_profile_program *next;  // an older one
  const void *observed;                 // the device that it is in
  const struct heddle_profile_shape *shape;
  uint32_t address, image_bytes;
  uint8_t *elf;
  size_t elf_bytes;
  char *source;                    // zero-terminated; NULL: not known
  struct heddle_function *called;  // num_called functions that are charged to their callers
  size_t num_called;
  uint32_t num_kernels;  // each twice: those of programmable units first, then the same of pipelines
  struct heddle_profile_kernel *kernels;
  char *names;                       // of the kernels
  struct heddle_source_text *texts;  // of files that were read (source_text.h)
};

// NULL: host memory is out.
struct heddle_profile_program *heddle_profile_program_create(const struct heddle_kernel_file *file, uint32_t address,
                                                             const char *source, size_t source_bytes);

// Adds a dispatch; of one to pipelines its rows are of num_lines `lines`, which are copied. Its kernel; NULL: it is
// none of this program's.
const struct heddle_profile_kernel *heddle_profile_add(struct heddle_profile_program *program,
                                                       const struct heddle_sim_dispatch *dispatch,
                                                       const struct heddle_sim_line *lines, size_t num_lines);

// ---- By source line.

// What the instructions of a line did.
struct heddle_profile_line {
  const char *file;  // of the program's sources; NULL: instructions without a line
  uint32_t line;
  const char *text;  // the line of source, text_bytes of it; NULL: not known
  int text_bytes;
  const char *functions;  // built-in functions and others that are inlined here, ", " between them; "": none
  struct heddle_sim_row sum;
  uint64_t cycles;  // issues and all that was lost
};

// A kernel with its lines, those with most cycles first. It holds nothing of the program, which has to stay.
struct heddle_profile_view {
  const struct heddle_profile_program *program;
  const struct heddle_profile_kernel *kernel;
  const struct heddle_sim_row *rows;  // num_rows of them, by offset and caller
  size_t num_rows;
  struct heddle_lines *places;  // of these rows
  struct heddle_profile_line *lines;
  size_t num_lines;
  struct heddle_sim_row sum;  // of all lines
  bool has_lines;             // the program has line information
};

// Views of all kernels that ran, of this program and the older ones, those with most cycles first. *count of them, the
// caller's to free with heddle_profile_views_free. NULL: there is none, or host memory is out.
struct heddle_profile_view *heddle_profile_views(struct heddle_profile_program *newest, size_t *count);
void heddle_profile_views_free(struct heddle_profile_view *views, size_t count);

// Slots with a sub-group on average, of a unit.
double heddle_profile_residents(const struct heddle_profile_kernel *kernel);

// Bytes that external memory could have moved in the kernel's cycles; 0: not known.
double heddle_profile_external_limit(const struct heddle_profile_view *view);

// Cycles of a row: its issues, and what was lost.
uint64_t heddle_profile_cycles(const struct heddle_sim_row *row);

// "memory wait" and so on: short, for people; "memory": a key of JSON.
// Of a kernel that ran on pipelines the reason is one of enum heddle_sim_pipeline_reason.
const char *heddle_profile_reason(const struct heddle_profile_kernel *kernel, int reason);
const char *heddle_profile_reason_key(const struct heddle_profile_kernel *kernel, int reason);

// ---- Advice (advice.c).

// Says what could be changed, where a rule fires: calls `say` with a sentence each. Of the model, whose cycles are
// issues, only what lanes do not do.
void heddle_profile_advise(const struct heddle_profile_view *view, void (*say)(void *user, const char *advice),
                           void *user);

// ---- Written out.

// The annotated source, hottest lines first.
void heddle_profile_write_text(const struct heddle_profile_view *views, size_t count, FILE *out);

// The same with every instruction, as JSON, as for the page (report.h).
void heddle_profile_write_json(const struct heddle_profile_view *views, size_t count, FILE *out);

#endif
