// SPDX-License-Identifier: Apache-2.0
// What the two files of the scheduler share: schedule.c gives a segment's operations their stages; rounds.c does so for
// loops whose rounds overlap.
#ifndef HEDDLE_HLS_PIPELINE_SCHEDULING_H
#define HEDDLE_HLS_PIPELINE_SCHEDULING_H

#include "hls/pipeline/schedule.h"

#define REGISTER_NS 0.6  // setup of a register
#define CHOICE_NS 1.6    // of a choice in front of a register
#define COUNT_NS 2.4     // of the count of rounds in front of a register

// When a value is ready in a segment: the stage, and the ns from its beginning.
void schedule_available(const struct graph *graph, const struct segment *segment, const struct node *node,
                        unsigned *stage, double *ns);
// The first stage in which a value can go into a register behind a choice that takes `choice_ns`.
unsigned schedule_choice_stage(const struct graph *graph, const struct segment *segment, const struct node *node,
                               double choice_ns);
// As-soon-as-possible schedule: gives each operation of a segment the first stage that it can have, not before its
// `not_before`. Values that are kept from round to round are ready in that stage. Returns the last stage.
unsigned schedule_place(struct graph *graph, struct segment *segment);
// Records that a stage of a segment uses a value.
void schedule_use(struct segment *segment, struct node *node, unsigned stage);

// rounds.c. Schedules the operations of a segment again where that brings rounds closer together, and sets
// segment->apart. `depth` is the last stage so far. Returns the last stage.
unsigned rounds_schedule(struct graph *graph, struct segment *segment, unsigned depth);
// Records the uses of values that are kept from round to round, at the stages where they are stored.
void rounds_use(struct segment *segment);

#endif
