// SPDX-License-Identifier: Apache-2.0
// From a prepared kernel (prepare.h) to a pipeline in Verilog.
#ifndef HEDDLE_HLS_PIPELINE_PIPELINE_H
#define HEDDLE_HLS_PIPELINE_PIPELINE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdio.h>

#include "contract/boards.h"
#include "contract/status.h"
#include "hls/kernel.h"
#include "hls/pipeline/report.h"
#include "hls/pipeline/shifts.h"

enum { PIPELINE_MODULE_BYTES = 256 };
// With at most so many slots, values kept by slot are in distributed RAM, else in block RAM.
enum { PIPELINE_FEW_SLOTS = 16 };
// As many hide the latency of memory where fewer let a kernel wait for it.
enum { PIPELINE_MANY_SLOTS = 128 };

struct pipeline_options {
  const struct kernel *kernel;  // its name and arguments
  unsigned lanes;               // a power of two, 1 to 32
  unsigned slots_log2;          // of sub-groups in flight
  bool is_trial;                // nothing is said of what it cannot be: it is hardware with fewer lanes
  bool may_have_few;            // PIPELINE_FEW_SLOTS of them, where private arrays of more take too much
  bool may_have_many;           // PIPELINE_MANY_SLOTS of them, where it is faster and hardly larger
  struct pipeline_pipe pipes[PIPELINE_MOST_PIPES];
  unsigned pipe_count;
  unsigned units;   // copies of the pipeline in a device: the report and the room count all of them. 0: one
  unsigned unroll;  // rounds in one that the module's loops have, for the report. 0: as the source has them
  unsigned banks;   // of the device's cache; boards have 1. 0: one for each copy, as simulated devices have
  const struct coalesce_reasons *as_one;  // why loops around each other are not one loop. NULL: nothing is known
  unsigned share;                         // cycles between sub-groups that sharing operators may cost; 0: none
  unsigned port_words;   // most words of an access of the memory port, if more than lanes; 0: as many as are of use
  unsigned multipliers;  // of the board, for all copies together; 0: no board is named (shifts.h)
  const char *folder;    // where pipeline_<kernel>.v, .sv and .places (observed.h) are written; NULL: nowhere
  FILE *page, *text;     // the report: a section of an HTML page, and the same as text; NULL: none
  struct report_options report;
};

// A place of the source that an access, a collective or the kernel itself faults at. Its number is the PC of the fault
// record.
struct pipeline_site {
  const char *file;       // lives until the process ends
  unsigned line, column;  // 0: not known
  const char *what;
};

struct pipeline_result {
  char module[PIPELINE_MODULE_BYTES];  // its name in Verilog
  struct pipeline_site *sites;         // the caller's, to be freed
  unsigned site_count;
  unsigned slots_log2;                              // that it has
  unsigned label_bits;                              // of the labels of its requests
  unsigned work_group_items;                        // most work-items of a work-group
  unsigned local_bytes;                             // most local memory of a work-group, arguments included
  unsigned variable_bytes;                          // what local variables take of it, from offset 0 on
  struct heddle_room room;                          // of all copies, estimated
  struct shifts_rooms rooms;                        // of one copy, estimated
  struct graph *graph;                              // lives until the process ends
  struct pipeline_pipe pipes[PIPELINE_MOST_PIPES];  // those of the options
  unsigned pipe_count;
  const unsigned *layouts;  // of printf, as its records number them from 1: their numbers in the module
  unsigned layout_count;
};

// Makes the pipeline of a kernel of a module that pipeline_prepare has prepared. What cannot be hardware is explained
// on stderr, by kernel, line and reason (STATUS_REJECTED). The same input gives the same bytes.
enum status pipeline_generate(LLVMModuleRef module, LLVMValueRef kernel, const struct pipeline_options *options,
                              struct pipeline_result *result);

#endif
