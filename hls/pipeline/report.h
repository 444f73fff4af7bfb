// SPDX-License-Identifier: Apache-2.0
// What a pipeline will cost and how fast it will be, told before any synthesis.
#ifndef HEDDLE_HLS_PIPELINE_REPORT_H
#define HEDDLE_HLS_PIPELINE_REPORT_H

#include <stdio.h>

#include "hls/pipeline/graph.h"

// Of the whole unit, its ports, coalescer and launch included; LUT4 as nextpnr packs them for ECP5.
struct estimate {
  double lut, ff;
  unsigned ebr, dsp;
};
struct estimate report_estimate(const struct graph *graph);

void report_text(const struct graph *graph, FILE *out);
void report_page(const struct graph *graph, FILE *out);

#endif
