// SPDX-License-Identifier: Apache-2.0
// A drawing of a pipeline as SVG: segments from left to right, loops as rings below them.
#ifndef HEDDLE_HLS_PIPELINE_DRAWING_H
#define HEDDLE_HLS_PIPELINE_DRAWING_H

#include <stdio.h>

#include "hls/pipeline/graph.h"

void drawing_write(const struct graph *graph, FILE *out);

#endif
