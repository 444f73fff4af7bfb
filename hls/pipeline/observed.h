// SPDX-License-Identifier: Apache-2.0
// How a simulated device looks into a pipeline: which signals say where its tokens are, and which lines of the source
// these places are of. Nothing of it is in the pipeline's own Verilog.
#ifndef HEDDLE_HLS_PIPELINE_OBSERVED_H
#define HEDDLE_HLS_PIPELINE_OBSERVED_H

#include <stdio.h>

#include "hls/pipeline/graph.h"

// Binds pipeline_observer of sim/rtl/pipeline_observer.sv into the module of a scheduled graph.
void observed_binding(const struct graph *graph, FILE *out);

// The same places by source line, for sim/rtl/pipeline_observer.h, which says what the words are.
void observed_places(const struct graph *graph, FILE *out);

#endif
