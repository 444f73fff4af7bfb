// SPDX-License-Identifier: Apache-2.0
// The report on a pipeline, before any synthesis: its room, what limits its rate, cycles, and both by source line. As
// text for terminals and scripts, and as a section of an HTML page that needs nothing from a network.
#ifndef HEDDLE_HLS_PIPELINE_REPORT_H
#define HEDDLE_HLS_PIPELINE_REPORT_H

#include <stdio.h>

#include "hls/pipeline/graph.h"

// What a report tells besides the graph.
struct report_options {
  unsigned work_items;  // of the dispatch that cycles are told for; 0: as rates_work_items has it
  const char *source;   // the kernel's text, which the page shows with its figures; NULL: not at hand
};

void report_text(const struct graph *graph, const struct report_options *options, FILE *out);

// The page's head, a section for each kernel, the page's end.
void report_page_head(FILE *out);
void report_page(const struct graph *graph, const struct report_options *options, FILE *out);
void report_page_end(FILE *out);

#endif
