// SPDX-License-Identifier: Apache-2.0
// Samples of a loop: a few rounds are computed with random numbers for what is not known, to see whether addresses of
// rounds that are near each other are usually the same. For guesses of what is worth it: nothing is proved by them.
#ifndef HEDDLE_HLS_PIPELINE_SAMPLES_H
#define HEDDLE_HLS_PIPELINE_SAMPLES_H

#include "hls/pipeline/graph.h"

struct samples;
// Of the operations of a loop without loops in it, which keep their order meanwhile. They are computed when the first
// question is asked. Released with samples_close.
struct samples *samples_open(const struct graph *graph, const struct region *r);
void samples_close(struct samples *samples);

// Whether an address or index is known, as it is not made of what is loaded.
bool samples_know(struct samples *samples, const struct node *access);

// Whether what `later` accesses in one of the next `most` rounds, SAMPLES_MOST_ROUNDS at most, is usually what
// `earlier` has accessed: bytes of memory, or elements of an array.
enum { SAMPLES_MOST_ROUNDS = 4 };
bool samples_meet(struct samples *samples, const struct node *earlier, const struct node *later, unsigned most);

#endif
