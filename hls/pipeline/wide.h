// SPDX-License-Identifier: Apache-2.0
// Operations on integers of 64 bits, built of nodes of 32 bits: the float operators and the multiplier have no more.
#ifndef HEDDLE_HLS_PIPELINE_WIDE_H
#define HEDDLE_HLS_PIPELINE_WIDE_H

#include "hls/pipeline/build.h"

// An integer of 33 to 64 bits as float, to nearest even.
struct node *wide_to_float(struct builder *b, struct node *x, bool is_signed);

// A float as an integer of 64 bits, rounded towards 0. A value out of range gives the nearest integer; a NaN counts as
// an infinity of its sign, as in the run-time library of programmable units.
struct node *wide_of_float(struct builder *b, struct node *x, bool is_signed);

// The product of two values of 128 bits, each of them zero- or sign-extended from 64 bits or fewer. NULL if one is not.
struct node *wide_product(struct builder *b, struct node *x, struct node *y);

#endif
