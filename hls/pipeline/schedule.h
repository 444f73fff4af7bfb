// SPDX-License-Identifier: Apache-2.0
// What a segment's end takes: shared by the schedule, which asks for it, and by the Verilog, which wires it.
#ifndef HEDDLE_HLS_PIPELINE_SCHEDULE_H
#define HEDDLE_HLS_PIPELINE_SCHEDULE_H

#include "hls/pipeline/graph.h"

enum { MOST_GROUP = 64, MOST_ACCESSES = 128, MOST_WORDS = 32, MOST_WINDOW_LOADS = 4 };

// An access of a memory group, as rtl/pipeline/memory_group.v makes it.
struct access {
  unsigned root, mask;  // numbers among those of the group
  uint32_t offset;      // of its first word
  // 0: a word of each work-item. Else log2 of the words, neighbours, that it has room for of each of a few work-items.
  unsigned across;
  unsigned turn;   // which part of the work-items
  unsigned words;  // from the first on, that are accessed
  // Of each word: the load or store that it is of, and the number of what is stored.
  struct node *nodes[MOST_WORDS];
  unsigned data[MOST_WORDS];
};

// The accesses of a memory group, and what is different of them.
struct accesses {
  unsigned count;
  struct access items[MOST_ACCESSES];
  unsigned root_count, mask_count, data_count;
  struct node *roots[MOST_GROUP], *masks[MOST_GROUP], *datas[MOST_GROUP];
  bool any[MOST_GROUP];  // of a mask: one access for the token, if a lane wants it
};
// An address as a constant distance from a root.
void access_root(struct node *address, struct node **root, uint32_t *offset);
// groups.c. Of a window each access is of points: each lane's word, or the token's words, which are neighbours.
void schedule_accesses(const struct graph *graph, const struct segment *segment, struct accesses *accesses);
// Words of an access: of the memory port, or of a local array a word of each lane.
unsigned group_lanes(const struct graph *graph, const struct segment *segment);
// Accesses of the memory port that a token makes at the end of a segment, as far as can be told: of a window none, as
// its words have mostly come already; of lanes' lines as many as its words take.
unsigned segment_accesses(const struct segment *segment);
// Work-items that have words in an access.
unsigned access_items(const struct graph *graph, const struct access *access);
// The lane of the memory port that has a word of a work-item in an access; -1: none has.
int access_lane(const struct graph *graph, const struct access *access, unsigned word, unsigned lane);

// The number among the words of a window that a work-item's word of an access has.
unsigned access_window_word(const struct graph *graph, const struct accesses *accesses, unsigned access, unsigned word,
                            unsigned lane);

// Whether tokens of a loop change places with those that wait: their first values then have stores of their own.
bool schedule_is_fair(const struct region *loop);

// Where the values of a loop that outer regions use are written: the segment and stage.
const struct segment *schedule_out_segment(const struct node *out);
unsigned schedule_out_stage(const struct node *out);

// Of a carried value that stays in its segment (`is_state`, rounds.c): which other one it is in the next round, as
// words of a shift register are; NULL: it is made anew. Cycles from a round to the next in its segment. And the rounds,
// at most, that have read it and not stored yet what it is next, when another one reads it.
const struct node *rounds_source(const struct node *phi);
unsigned rounds_apart(const struct node *phi);
unsigned rounds_under_way(const struct node *phi);

// Whether lanes' values of a node come at different times, so that each is written to a slot store of its own.
bool schedule_is_written_by_lane(const struct node *node);
// Whether a slot store with memories of so many bits is of block RAM, as rtl/pipeline/slot_store.v chooses.
bool schedule_is_in_block_ram(const struct graph *graph, unsigned width);
// The stage of a segment in which a value comes from its slot store: that in which it is wanted first, or the one
// before, where what takes it leaves no time for a block RAM.
unsigned schedule_read_stage(const struct graph *graph, const struct segment *segment, const struct node *value);
// Whether a value comes from a slot store in a segment.
bool schedule_is_read(const struct segment *segment, const struct node *node);

// The stage in which a segment first has a value.
unsigned schedule_first_stage(const struct graph *graph, const struct segment *segment, const struct node *value);

// Registers that keep a value from its first stage to another one where tokens come some cycles apart: each holds it
// for as many stages. 0: value_delay.v carries it from stage to stage, as it is not so, or they would be many.
unsigned schedule_holders(const struct graph *graph, const struct segment *segment, const struct node *value,
                          unsigned stage);

#endif
