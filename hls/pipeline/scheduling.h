// SPDX-License-Identifier: Apache-2.0
// What the files of the schedule share: schedule.c, which places a segment's operations, and rounds.c, for loops whose
// rounds overlap.
#ifndef HEDDLE_HLS_PIPELINE_SCHEDULING_H
#define HEDDLE_HLS_PIPELINE_SCHEDULING_H

#include "hls/pipeline/schedule.h"

#define REGISTER_NS 0.6
// In front of a register: a choice, the count of rounds, and the choice of who enters a ring.
#define CHOICE_NS 1.6
#define COUNT_NS 2.4

// When a value is there in a segment: the stage, and the ns into it.
void schedule_available(const struct graph *graph, const struct segment *segment, const struct node *node,
                        unsigned *stage, double *ns);
// The stage in which a value can go into a register with a choice in front of it, which takes so many ns.
unsigned schedule_choice_stage(const struct graph *graph, const struct segment *segment, const struct node *node,
                               double choice_ns);
// Gives each operation of a segment the first stage that it can have, not before its `not_before`. What is kept from
// round to round is there in stage `states`. Returns the last stage.
unsigned schedule_place(struct graph *graph, struct segment *segment, unsigned states);
// Says that a value is wanted in a stage of a segment.
void schedule_use(struct segment *segment, struct node *node, unsigned stage);

// rounds.c. Places the operations again where that brings rounds closer together, and sets how far they are apart.
// Returns the last stage. Then what is kept from round to round is wanted where it is stored.
unsigned rounds_schedule(struct graph *graph, struct segment *segment, unsigned depth);
void rounds_use(struct segment *segment);

#endif
