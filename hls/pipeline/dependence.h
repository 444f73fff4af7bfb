// SPDX-License-Identifier: Apache-2.0
// Dependence tests: whether accesses of different rounds of a loop may touch the same bytes or elements.
#ifndef HEDDLE_HLS_PIPELINE_DEPENDENCE_H
#define HEDDLE_HLS_PIPELINE_DEPENDENCE_H

#include "hls/pipeline/graph.h"

// Whether `later` may access, in one of the next `most` rounds of a loop, memory that `earlier` accesses, and one of
// them stores. Accesses of loops in it count, too.
enum { DEPENDENCE_ANY_ROUNDS = 0 };
bool dependence_of_accesses(const struct graph *graph, const struct region *r, const struct node *earlier,
                            const struct node *later, unsigned most);

// Whether `later` may access, so many rounds later, the element that `earlier` accesses. Both are accesses of one
// array.
bool dependence_of_elements(const struct graph *graph, const struct region *r, const struct node *earlier,
                            const struct node *later, unsigned rounds);

#endif
