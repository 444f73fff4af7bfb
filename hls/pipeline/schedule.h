// SPDX-License-Identifier: Apache-2.0
// The accesses that a segment ends with, and where and when values are read and written. The schedule plans with these,
// and the Verilog is written from them.
#ifndef HEDDLE_HLS_PIPELINE_SCHEDULE_H
#define HEDDLE_HLS_PIPELINE_SCHEDULE_H

#include "hls/pipeline/graph.h"

enum { MOST_GROUP = 64, MOST_ACCESSES = 128, MOST_WORDS = 32, MOST_WINDOW_LOADS = 4 };

// An access of a memory group (a group of loads or of stores), as rtl/pipeline/memory_group.v makes it.
struct access {
  unsigned root, mask;  // indexes in the group's roots and masks
  uint32_t offset;      // bytes from the root to its first word
  // 0: one word of each work-item. Else log2 of the consecutive words that it has for each of some work-items.
  unsigned across;
  unsigned turn;   // which of the work-items, where it is not for all: a number from 0
  unsigned words;  // how many of these words are accessed, from the first on
  // For each word: its load or store, and the index of the stored value in the group's data.
  struct node *nodes[MOST_WORDS];
  unsigned data[MOST_WORDS];
};

// The accesses of a memory group; their roots (of addresses), masks and stored values, each once.
struct accesses {
  unsigned count;
  struct access items[MOST_ACCESSES];
  unsigned root_count, mask_count, data_count;
  struct node *roots[MOST_GROUP], *masks[MOST_GROUP], *datas[MOST_GROUP];
  bool any[MOST_GROUP];  // by mask: one access serves the whole token, if any lane wants it
};
// Splits an address into a root and a constant offset in bytes.
void access_root(struct node *address, struct node **root, uint32_t *offset);
// groups.c. Finds the accesses of a segment's end. For a window, an access is a pass: one word of each lane, or
// consecutive words that all lanes share.
void schedule_accesses(const struct graph *graph, const struct segment *segment, struct accesses *accesses);
// How many words an access of this segment's group has room for.
unsigned group_lanes(const struct graph *graph, const struct segment *segment);
// How many accesses of the memory port a token makes at the end of a segment, estimated. A window counts as none, since
// most of its words are there already.
unsigned segment_accesses(const struct segment *segment);
// How many work-items have words in an access.
unsigned access_items(const struct graph *graph, const struct access *access);
// The lane of the memory port that moves word `word` of the work-item in lane `lane`; -1: this access does not have it.
int access_lane(const struct graph *graph, const struct access *access, unsigned word, unsigned lane);

// The index, among the words of a window, of word `word` of the work-item in lane `lane`.
unsigned access_window_word(const struct graph *graph, const struct accesses *accesses, unsigned access, unsigned word,
                            unsigned lane);

// Whether tokens that wait for a loop and tokens in it take turns: their first values then have slot stores of their
// own.
bool schedule_is_fair(const struct region *loop);

// The segment and the stage in which the value of an OP_OUT is written to its slot store.
const struct segment *schedule_out_segment(const struct node *out);
unsigned schedule_out_stage(const struct node *out);

// rounds.c. For a carried value that is a register of its segment (`is_state`):
// The carried value that it becomes in the next round, as in a shift register; NULL: it is computed.
const struct node *rounds_source(const struct node *phi);
// Cycles from a round to the next in its segment.
unsigned rounds_apart(const struct node *phi);
// How many rounds at most have read it, and not stored its next value yet, when another round reads it.
unsigned rounds_under_way(const struct node *phi);

// Whether the lanes' values of a node come at different times, so that each lane has a slot store of its own.
bool schedule_is_written_by_lane(const struct node *node);
// Whether a slot store with memories of so many bits is of block RAM, as rtl/pipeline/slot_store.v chooses.
bool schedule_is_in_block_ram(const struct graph *graph, unsigned width);
// The stage of a segment in which a value is read from its slot store: the first that uses it, or the one before, where
// the user leaves no time for a block RAM.
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
