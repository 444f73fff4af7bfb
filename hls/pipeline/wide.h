// SPDX-License-Identifier: Apache-2.0
// Integers of 64 bits where the float unit and the multiplier have 32: built of a graph's operations.
#ifndef HEDDLE_HLS_PIPELINE_WIDE_H
#define HEDDLE_HLS_PIPELINE_WIDE_H

#include "hls/pipeline/build.h"

// An integer of 33 to 64 bits as float, to nearest even.
struct node *wide_to_float(struct builder *b, struct node *x, bool is_signed);

// A float as an integer of 64 bits, towards 0. Too large or small a value gives the nearest that there is; a NaN counts
// as an infinity of its sign, as in the run-time library of programmable units.
struct node *wide_of_float(struct builder *b, struct node *x, bool is_signed);

// The product of two values of 128 bits that are integers of 64 bits or fewer, extended. NULL if one of them is not.
struct node *wide_product(struct builder *b, struct node *x, struct node *y);

#endif
