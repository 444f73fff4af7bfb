// SPDX-License-Identifier: Apache-2.0
// Addresses and indices as linear sums, for dependence tests (dependence.h).
#ifndef HEDDLE_HLS_PIPELINE_LINEAR_H
#define HEDDLE_HLS_PIPELINE_LINEAR_H

#include "hls/pipeline/graph.h"

// factor * node * times. NULL is 1.
struct linear_summand {
  const struct node *node, *times;
  int64_t factor;
};
enum { LINEAR_MOST_SUMMANDS = 8 };

// What a counter, or data, add in a round: whole times `step`, from `least` to `most` + `wide` * the sum's bound, or,
// if it `is_open`, any number of times. All of that times `times`; NULL: 1.
struct linear_term {
  int64_t step, least, most, wide;  // step is 1 or more
  int64_t constant;                 // with `wide`: a number that it is never more than, either; -1: there is none
  const struct node *times;
  bool is_open;
};
enum { LINEAR_MOST_TERMS = 8 };
enum { LINEAR_MOST_FACTOR = 1 << 20 };  // of a summand or term that is known

// A value in a loop, modulo 2^32: a pointer that the kernel is given, a counter of the loop times a factor, multiples
// of what does not change in the loop, a constant, and what loops in it and bits of data add.
struct linear {
  unsigned word;  // of the packet: the pointer; 0: there is none
  const struct node *counter;
  int64_t step;              // by which the counter makes it larger from a round to the next,
  const struct node *times;  // times this; NULL: 1
  struct linear_term all;    // what it is from the first round to the last, by a bound of its own; times `times`, too
  const struct node *all_bound;
  struct linear_summand rest[LINEAR_MOST_SUMMANDS];
  unsigned rest_count;
  uint32_t offset;
  struct linear_term terms[LINEAR_MOST_TERMS];
  unsigned term_count;
  const struct node
      *bound;  // does not change in the loop, and is 1 or more where the value is used; NULL: there is none
  bool is_known;
};

// The value of a node in loop `r`, or in a loop in it. `is_sure`: the value is used in each round of the innermost loop
// around the use, `innermost`, and it is a fault where it is no address of a buffer.
struct linear linear_of(const struct graph *graph, const struct region *r, const struct node *value,
                        const struct region *innermost, bool is_sure);

// Whether two values differ by their offsets and terms alone, and by a number of times `rows`; NULL: none. By how many
// the second one is more.
bool linear_are_alike(const struct linear *a, const struct linear *b, const struct node *rows, int64_t *more);

#endif
