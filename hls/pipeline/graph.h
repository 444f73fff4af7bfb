// SPDX-License-Identifier: Apache-2.0
// A kernel as a dataflow graph: regions (the function's body and its loops), and in them nodes, which are operations on
// values. The steps of hls/pipeline hand it to each other: graph.c makes it; classes.c, segments.c and schedule.c each
// fill in fields, which say so; verilog.c and the reports read it. A process handles one kernel at a time, in one
// thread, and frees nothing of the graph before it ends.
#ifndef HEDDLE_HLS_PIPELINE_GRAPH_H
#define HEDDLE_HLS_PIPELINE_GRAPH_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "contract/device_map.h"
#include "contract/status.h"
#include "hls/kernel.h"
#include "hls/pipeline/coalesce.h"
#include "hls/pipeline/verilog_functions.h"

enum op {
  OP_CONSTANT,   // number
  OP_WORD,       // word `number` of the dispatch packet, from bit `low` on
  OP_FIXED_BAD,  // word `number` of graph->fixed could not be loaded: a condition
  OP_FIXED,      // word `number` of graph->fixed. Argument: the root of its address
  OP_MASK,       // the active lanes of the region
  OP_PHI,        // a value carried around the region's loop
  OP_OUT,  // a value of an inner loop, as it was in each lane's last round; number OUT_OF_TOKEN: in the last round
           // of all lanes
  // ids and sizes; number: the dimension
  OP_LOCAL_ID,
  OP_GROUP_ID,
  OP_GROUP_BASE,
  OP_GROUP_SIZE,
  OP_SUB_GROUP,
  OP_SUB_GROUP_SIZE,
  OP_LAST_SUB_GROUP,
  OP_LANE,
  // arithmetic
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_MUL_HIGH,  // the upper half of an unsigned product
  OP_AND,
  OP_OR,
  OP_XOR,
  OP_SHL,
  OP_LSHR,
  OP_ASHR,
  OP_EQ,
  OP_ULT,
  OP_SLT,
  OP_SELECT,
  OP_ZEXT,
  OP_SEXT,
  OP_SLICE,   // bits from `number` on
  OP_CONCAT,  // first argument highest
  OP_POPCOUNT,
  OP_DIVIDE,  // unsigned; number 1: the remainder
  OP_FDIV,
  OP_FSQRT,
  OP_VERILOG,  // what module `number` of graph->modules makes of its arguments
  // float
  OP_FADD,
  OP_FSUB,
  OP_FMUL,
  OP_FMA,
  OP_FROM_UINT,
  OP_FROM_INT,
  OP_TO_UINT,
  OP_TO_INT,
  OP_FLT,  // ordered less
  OP_FEQ,  // ordered equal
  OP_NAN,  // is one
  // tables, across lanes
  OP_TABLE,    // word of table `number` at a byte address
  OP_ELEMENT,  // of array `number`, at an index
  OP_SCAN,     // inclusive, operator `number`; value, mask
  OP_FSCAN,    // the same of float sums
  OP_BELOW,    // the value of the lane below; of the first the constant that is the second argument
  OP_LAST,     // the last lane's value: one per token
  OP_SHUFFLE,  // value, lane, mask
  OP_BALLOT,   // value, mask: a bit a lane
  // in the order of the program
  OP_LOAD,        // address, mask; number 1: volatile or atomic
  OP_STORE,       // address, value, mask
  OP_ATOMIC,      // address, value, mask; number: funct5
  OP_PIPE_READ,   // mask. Value: the packet, and above it a bit: there was one. number: of this read among those of the
                  // pipe
  OP_PIPE_WRITE,  // mask, the packet's words. Value: a bit, the pipe took the packet. number: the same
  OP_SET_ELEMENT,  // of array `number`: index, value, mask
  OP_HAZARDS,      // a round waits for those in front of it that come to the same words (hazards.h). number: for each
                   // word eight bits, hazards_array
  OP_BARRIER,
  OP_CARRY,  // a sub-group's total goes in, that of the sub-groups before it in the work-group comes out; number:
             // operator
  OP_TOTAL,  // a sub-group's total goes in, that of its work-group comes out; number: operator
  OP_LOOP,
  OP_MEETING,  // marks a converged collective: the lanes that come to it; number 1: of a work-group. divergence.c
               // replaces it
  OP_CHECK,  // a fault if any lane of the first argument (a word, a bit a lane) is set: lanes that came to a collective
             // and should not have. number CHECK_ADDRESS: lanes whose address, the second argument, is outside an
             // array's memory; CHECK_FIXED: lanes that load a word of graph->fixed which is missing
};
enum { OUT_OF_TOKEN = 1, CHECK_ADDRESS = 1, CHECK_FIXED = 2 };
enum { MOST_BITS = 128 };              // of a value
enum { MOST_LOCAL_MEMORY = 1 << 20 };  // bytes of a kernel's local variables, whatever the device has

// Operators of scans, as in rtl/pipeline/lane_operator.v.
enum lane_operator { LANE_ADD, LANE_MIN, LANE_MAX, LANE_UMIN, LANE_UMAX, LANE_AND, LANE_OR, LANE_XOR };

// How many copies of a value exist: a constant of the design; one for a dispatch; one for a token (a sub-group in the
// pipeline); one for each lane. In the order of their numbers.
enum value_class { CLASS_CONSTANT, CLASS_DISPATCH, CLASS_TOKEN, CLASS_LANE };

enum memory_space { SPACE_GLOBAL, SPACE_LOCAL, SPACE_PRIVATE, SPACE_GENERIC };

// Which elements of an array the lanes access together, as in rtl/pipeline/local_array.v: the same one, consecutive
// ones in the order of the lanes, or any.
enum lane_pattern { LANES_ALIKE, LANES_NEIGHBOURS, LANES_ANYWHERE };

// Whether a load reads through words that stay on the chip (windows.c): a window of lanes' consecutive words, a window
// of words that all lanes share, or the line that each lane keeps (lines.c).
enum window { WINDOW_NONE, WINDOW_POSSIBLE, WINDOW_OF_LANES, WINDOW_OF_TOKEN, WINDOW_OF_LINES };

struct region;
struct segment;

struct node;
struct list {
  struct node **items;
  unsigned count;
};

struct node {
  enum op op;
  unsigned id;
  unsigned width;  // bits of the value, 0 for none
  unsigned count;  // of arguments
  struct node **arguments;
  uint64_t number;        // its meaning stands beside each op; else 0
  unsigned pipe;          // of OP_PIPE_READ and OP_PIPE_WRITE: which of the graph's
  bool waits;             // of both: it waits until it succeeds
  bool polls;             // of both: it does not wait at all
  unsigned low;           // of OP_WORD: the first bit; of OP_PHI: its index among the region's phis
  struct region *region;  // the one that computes it; NULL: a constant
  unsigned line;          // of the source; 0: not known
  // memory
  unsigned bytes;
  enum memory_space space;
  unsigned site;
  enum window window;           // of OP_LOAD
  bool is_claimed, is_checked;  // of both, hazards.c: later rounds wait for it; it waits for those of earlier ones
  bool is_seldom;               // of OP_LOAD and OP_STORE: few rounds of its loop make it (coalesce_is_seldom)
  unsigned distance;      // of OP_ELEMENT and OP_SET_ELEMENT: rounds until the element is accessed again; 0: not known
  unsigned ivdep;         // of accesses, a bit for each loop around: no other round stores there, or accesses what it
                          // stores (ivdep.h)
  bool stays;             // of OP_LOAD: of constant memory, which nobody changes while the kernel runs
  bool is_pointer;        // of OP_WORD: it is used as an address
  bool is_descriptor;     // of OP_LOAD: of an image's descriptor, which is always there
  uint32_t window_order;  // of a window's loads: offset of the address, by which they are ordered
  unsigned stream;        // of WINDOW_OF_LINES: the number of its stream; loads of one stream share lines
  struct region *loop;    // of OP_LOOP and OP_OUT
  uint64_t most;          // of OP_PHI: no value of it is larger; 0: not known
  bool is_state;          // of OP_PHI, overlap.c: a register of its segment, from one round to the next
  unsigned kept;          // of such, rounds.c: the stage at whose end that register takes the next round's value
  struct node *out;       // the OP_OUT by which the region around its loop reads it; NULL: none yet
  // of OP_ELEMENT and OP_SET_ELEMENT, arrays.c: accesses that have to come before in the same region; its port
  struct list after;
  unsigned port;
  // of local arrays with memories of their own, local_arrays.c
  unsigned local_array;       // of OP_STORE and OP_ELEMENT: the array's number + 1; 0: none
  enum lane_pattern pattern;  // of both
  bool knows_bank;            // of both, with LANES_NEIGHBOURS: the first lane's element is always in one bank,
  unsigned bank;              // this one
  // classes.c
  enum value_class class;
  unsigned digits[2];  // of OP_MUL and OP_MUL_HIGH, graph_products: of 18 bits, that its factors have
  // sharing.c: operations of its segment that share operators with it, itself included, and how many operators they
  // have; 0: it shares none; the first of these operations. schedule.c: which of the operators is its own
  unsigned sharers, operators, operator;
  struct node *first_sharer;
  // segments.c
  struct segment *home;  // the segment that computes it
  int earliest, latest;  // indexes, in its region, of the first and the last segment that may compute it
  int order;             // schedule.c: nodes on the longest chain of arguments up to it
  bool placed, wanted;   // marks of walks over the graph; wanted, prune.c: something uses it
  // schedule.c
  unsigned not_before;    // the first stage in which it may read its arguments
  unsigned start, stage;  // the stage in which it reads its arguments, and the one in which its value is ready
  double ns;              // from the beginning of that stage until the value is ready
};

struct region {
  unsigned id;
  struct region *parent;
  LLVMBasicBlockRef header, latch;
  LLVMBasicBlockRef *blocks;  // in reverse postorder
  unsigned block_count;
  struct list nodes;  // in program order
  struct node *mask;
  struct list phis, initial, next;  // of a loop; initial[i] is a node of the parent
  struct node *enter;               // of a loop: the lanes that enter it, in the parent
  struct node *again;               // of a loop: the lanes that make another round
  struct node *go;  // of a loop with a barrier: some lane of the work-group makes another round; NULL: `again` tells
  struct segment *first, *last;
  struct segment **segments;
  unsigned segment_count;
  bool touches_memory;  // a load or atomic, or a loop with one
  bool waits;           // a barrier or work-group collective, or a loop with one
  // overlap.c
  bool overlaps;             // a round begins before the one in front of it has ended
  struct node *hazards;      // its OP_HAZARDS; NULL: there is none
  uint32_t hazard_arrays;    // hazards.c: a bit for each array whose elements its OP_HAZARDS compares
  bool meets_often;          // hazards.c: rounds are expected to meet, as addresses are counted up, not loaded
  bool meets_soon;           // hazards.c: a round accesses what one right in front of it stores
  bool any_order;            // interleave.c: its rounds overlap, and end in any order
  const char *why_not;       // of a loop of a kernel of one work-item; NULL: they do
  struct coalesced made_of;  // of a loop
  unsigned back;  // stage of its first segment in which the next round's values, and whether there is one, are known
  unsigned interval;  // initiation interval: least number of cycles from a round to the next
  // rounds.c: how far rounds have to be apart for what they carry on, and as which operations share operators
  unsigned carried_apart, shared_apart;
  unsigned line;
};

// What a segment ends with.
enum segment_end { END_EXIT, END_BACK, END_LOADS, END_STORES, END_LOOP, END_BARRIER, END_PIPE, END_HAZARDS, END_APART };

struct segment {
  unsigned id;
  struct region *region;
  unsigned index;  // in the region
  enum segment_end end;
  struct list group;  // loads, stores, an atomic; the loop; the barrier, carry or total; what is done to a pipe
  struct list nodes;  // in the order of their arguments
  struct segment *next;
  struct segment *from;  // the segment before it, whose end starts it; NULL for the first
  unsigned depth;        // the last stage
  // of END_LOADS and END_STORES; of the stores of a local array, the port counts behind those of memory, and there are
  // no sites
  unsigned port, access_count, first_site;
  unsigned local_array, writer;  // the array's number + 1, and which of its writers; 0: memory
  bool is_window;                // loads that read through a window, or through lanes' lines, windows.c
  unsigned turns;                // sharing.c: lanes that share one float operator, one after the other
  bool is_aligned;               // sharing.c: tokens come at multiples of `apart`, since operations share operators
  unsigned apart;                // least number of cycles between tokens: for what is shared, or by rounds.c
  bool shares_freely;            // sharing costs no cycles, as tokens come no faster anyway
  struct node **uses;            // values that it reads, each with the stage
  unsigned *use_stages;
  unsigned use_count;
};

struct table {
  const char *name;
  bool is_read;  // else only its address is used, as of a string that printf prints
  LLVMValueRef global;
  uint32_t base;  // its address among the tables
  uint32_t words, log2_bytes;
  uint32_t *values;
};

// An array in private or local memory that has a memory of its own.
struct array {
  const char *name;
  unsigned bytes_log2, width;     // of an element; bits
  unsigned elements, index_bits;  // index_bits: 1 at least
  // Ports: one for each access in the graph. A local array has a writer for each memory group. With arrays_of_one,
  // accesses of different regions share ports.
  unsigned readers, writers;
  bool is_local;
  bool has_local_address;  // the source has it in local memory: fault records name addresses there
  LLVMValueRef variable;
  const struct region *round;  // each round of this loop begins with an array that nobody has set; NULL: there is none
  unsigned base;               // of a local array: its offset in local memory, for fault records
  unsigned banks_log2;         // of a local array
  // Of a local array of a kernel that requires no size of work-groups: block RAMs that it would take if it did.
  unsigned required_blocks;
};
enum { MOST_ARRAYS = 16 };
// What to write for fewer block RAMs: lanes are then neighbours in x, so that more reads of a local array are of
// neighbours. In two dimensions, too, if each row is whole sub-groups and the kernel does not ask which one it is in.
#define GRAPH_REQUIRE_A_SIZE "with __attribute__((reqd_work_group_size(N, 1, 1))) for the N work-items of a work-group"

// A local or private array without a memory of its own, and the reason. It is reached through the memory port.
struct port_array {
  LLVMValueRef variable;
  const char *kind, *name, *why;
};

// A pipe of a kernel that is a queue on the chip, as the options name it.
enum { PIPELINE_MOST_PIPES = HEDDLE_DISPATCH_PIPE_COUNT * HEDDLE_CHAIN_KERNELS };
struct pipeline_pipe {
  unsigned argument;  // its number
  bool is_read;       // else the kernel writes it
  unsigned bytes;     // of a packet; 0: not known yet
};
struct pipe {
  struct pipeline_pipe is;
  const char *name;  // of the argument, as the source has it
  unsigned word;     // of the packet, that the argument is
  unsigned sites;    // reads or writes of it in the kernel
  uint64_t polls;    // a bit for each of them: it polls
};

// A word that is loaded once a dispatch (preamble.c), from address root + offset.
struct fixed_word {
  struct node *root;
  uint32_t offset;  // bytes
  unsigned level;   // length of the chain of such loads that ends in it: addresses may come of loaded words
  unsigned site;
  bool is_sure;  // every work-item loads it
};
enum { MOST_FIXED = 32 };

// A place of the source that can fault. Its index in graph->sites is the PC of a fault record.
struct site {
  const char *file;
  unsigned line, column;
  const char *what;
};

struct graph {
  const char *kernel;  // its name as a word of Verilog
  LLVMValueRef function;
  LLVMTargetDataRef layout;
  unsigned lanes, lanes_log2, slots_log2;
  bool may_have_few, wants_few;  // slots: it may be made with few, and has to be
  bool is_trial;                 // nothing is said of what it cannot be
  // Words of an access of the memory port: as many as lanes, or more where few lanes have neighbouring words (port.c).
  unsigned port_lanes, port_lanes_log2;
  unsigned units;   // copies of the pipeline in a device, which share out a dispatch's work-groups
  unsigned unroll;  // rounds in one that were asked for; 1: as the source has them
  unsigned banks;   // of the device's cache: rows of memory that these copies get at once
  struct region *top;
  struct region **regions;
  unsigned region_count;
  struct node **nodes;
  unsigned node_count;
  struct segment **segments;
  unsigned segment_count;
  struct table *tables;
  unsigned table_count;
  struct fixed_word fixed[MOST_FIXED];  // in the order of their levels
  unsigned fixed_count;
  const struct kernel *source;  // the kernel as the front end has it
  unsigned *layouts;            // of printf, by the kernel's own numbers from 1: their numbers in the module
  unsigned layout_count;
  struct array arrays[MOST_ARRAYS];
  unsigned array_count;
  struct port_array *port_arrays;
  unsigned port_array_count;
  unsigned group_slots_log2;  // work-groups that may be in flight, for the sake of local arrays
  bool checks_addresses;      // an OP_CHECK has an address
  struct site *sites;
  unsigned site_count;
  unsigned words;          // of the packet that are used, from its first
  unsigned local_bytes;    // of static local variables
  unsigned private_bytes;  // of a work-item's arrays that are in the memory port
  unsigned private_log2;   // of the room they take; 0: there are none
  bool uses_local, uses_atomic, uses_narrow;
  struct verilog_function *modules;  // that functions of the kernel are
  unsigned module_count;
  struct pipe pipes[PIPELINE_MOST_PIPES];
  unsigned pipe_count;
  bool has_meetings;  // markers of collectives are wanted
  bool windows;       // loads may read through windows
  bool interleaves;   // rounds of loops with loops in them may be interleaved
  unsigned ports;
  unsigned settle;                        // cycles until what is computed from words stands
  double period;                          // ns of a stage
  unsigned share;                         // cycles between tokens that sharing operators may cost; 0: none
  bool operations_share_freely;           // operations share where tokens are some cycles apart anyway
  const unsigned *intervals;              // by region: how far rounds that overlap are apart anyway; NULL: not known
  const struct coalesce_reasons *as_one;  // why loops around each other are not one loop; NULL: nothing is known
  unsigned exclusive, joined;             // what exclusive branches do alike, and how much is left of it (exclusive.h)
  bool multiplied_shifts;                 // in float operators, by multipliers that are left over (shifts.h)
  unsigned group_size[3];                 // of work-items, if the kernel requires one; else 0
  bool sees_sub_groups;                   // a function of the kernel depends on which work-items are a sub-group
  bool has_small_sub_groups;              // the kernel requires sub-groups of fewer work-items than there are lanes
  bool is_of_one;                         // it has one work-item at a time, in slot 0, and rounds of its loops overlap
  bool arrays_of_one;  // arrays have room for one work-item, and local ones are private: it has to be so
  bool by_rows;        // no sub-group is to have work-items of two rows: neighbours in x are neighbours of lanes
};

// The steps, in the order in which generate.c runs them. A kernel that cannot be hardware is STATUS_REJECTED, explained
// on stderr by kernel, line and reason.
enum status graph_make(struct graph *graph);
enum status graph_classes(struct graph *graph);
enum status graph_preamble(struct graph *graph);    // makes classes again
enum status graph_divergence(struct graph *graph);  // classes are to be made again after it
enum status graph_sums(struct graph *graph);        // classes are to be made again after it
enum status graph_segments(struct graph *graph);
enum status graph_sharing(struct graph *graph);
enum status graph_schedule(struct graph *graph);
enum status graph_verilog(const struct graph *graph, FILE *out);

// The condition beside the loop's mask under which lanes make another round; NULL: there is none, or more than one.
struct node *graph_condition(const struct region *loop);
// Whether a value is the same in all sub-groups of a work-group, as far as can be told.
bool graph_is_of_group(const struct graph *graph, const struct node *node);

// How many ports of the arrays are in use, by region and array.
struct port_counts {
  unsigned *readers, *writers;
};
struct port_counts graph_port_counts(const struct graph *graph);
// The next port for a read (`reads`) or a write in a region. Adds a port to the array if all are in use.
unsigned graph_next_port(const struct graph *graph, struct array *array, struct port_counts *counts,
                         const struct region *region, bool reads);
// Gives accesses of arrays their order and their ports.
void graph_order_arrays(struct graph *graph);
// Block RAMs of an array, all lanes and ports.
unsigned graph_array_blocks(const struct graph *graph, const struct array *array);
// Whether a private array has room for each slot, and not for the work-item alone.
bool graph_array_has_slots(const struct graph *graph, const struct array *array);
// Block RAMs of one copy, in the best of their shapes.
unsigned graph_copy_blocks(unsigned depth, unsigned width);

// local_arrays.c. Chooses banks for local arrays by the patterns of their accesses. Needs classes. False: an array
// would take too many block RAMs and has been added to port_arrays, so that the graph has to be made again.
bool graph_local_arrays(struct graph *graph);
void graph_keep_on_port(struct graph *graph, LLVMValueRef variable, const char *why);
unsigned graph_local_array_blocks(const struct graph *graph, unsigned array);
// Whether lanes are sure to be neighbours in x, and to have one y and z.
bool graph_lanes_are_neighbours(const struct graph *graph);
// The bank of a local array that the first lane's access goes to (those of the other lanes go to the following ones),
// if it is always the same; else -1. The second: for all stores of a memory group.
int graph_bank(const struct graph *graph, const struct node *access);
int graph_bank_of_stores(const struct graph *graph, const struct segment *s);

// Takes out what nobody uses, and puts a region's nodes in order.
void graph_prune(struct graph *graph);
// Adds a node of a region to a list, after its arguments, unless it is `placed`.
void graph_arrange(struct region *r, struct node *node, struct list *list);

// Whether `inner` is `outer` or a loop in it.
bool graph_encloses(const struct region *outer, const struct region *inner);
// Loops around a region.
unsigned graph_depth(const struct region *r);
bool graph_is_in(const struct region *r, LLVMBasicBlockRef block);
// The innermost region with a block.
const struct region *graph_region_of(const struct graph *graph, LLVMBasicBlockRef block);

// Whether an operation stays in the program's order: accesses, barriers, work-group collectives, loops.
bool graph_is_ordered(const struct node *node);

// Whether a product takes a multiplier of several 18-bit digits, rtl/pipeline/multiply_wide.v.
bool graph_is_wide_product(const struct node *node);
// Whether a product is a sum or a difference of the factor at two places, as by 33 or 7, and needs no multiplier.
struct product_places {
  unsigned high, low;  // by which the factor moves up
  bool is_difference;
};
// `places` may be NULL.
bool graph_is_sum(const struct node *node, struct product_places *places);

// How many bits of a value are not known to be 0, where it has more than 32 bits; else its width. For estimates of
// room.
unsigned graph_live_bits(const struct node *node);

// What an operation costs in this graph.
struct cost {
  unsigned latency;       // registers between its arguments and its value
  double before, behind;  // ns in front of the first of them, and behind the last
  double lut, ff, dsp;    // LUT4, flip-flops and multipliers of one copy, from measurements on an ECP5
};
struct cost graph_cost(const struct graph *graph, const struct node *node);
// Says of all products how many digits their factors have; before any of the functions below.
void graph_products(struct graph *graph);
bool graph_is_float_operator(enum op op);
// How many lanes share one operator, one after the other; 1: each has its own.
unsigned graph_turns(const struct graph *graph, const struct node *node);
// The most lanes that take turns at a float operator.
unsigned graph_most_turns(const struct graph *graph);
// Whether an operation is large enough to share an operator with others, and whether one operator can do both.
bool graph_is_large(const struct node *node);
bool graph_is_of_one_operator(const struct graph *graph, const struct node *node, const struct node *other);
// Of an operation that shares its operator, behind schedule.c: the first one of the segment that has the operator.
const struct node *graph_first_of_operator(const struct segment *segment, const struct node *node);
// Whether operations may share operators in a segment whose tokens come some cycles apart anyway.
bool graph_may_share_freely(const struct graph *graph);
// Least number of cycles between launches of tokens.
unsigned graph_interval(const struct graph *graph);

// Word of the packet that byte `offset` of the argument block is in (contract/DEVICE.md).
unsigned graph_argument_word(unsigned offset);

// Bits of the number of a site, one at least.
unsigned graph_site_bits(const struct graph *graph);

// Copies of a value: 1 or the lanes.
unsigned graph_copies(const struct graph *graph, const struct node *node);
bool graph_is_of_memory(const struct node *node);  // a load or a store
bool graph_is_element(const struct node *node);    // reads or sets one of an array; of a local one it reads
bool graph_is_static(const struct node *node);     // constant or one a dispatch
bool graph_is_number(const struct node *node, uint64_t number);  // this constant
bool graph_is_answer(const struct node *node);  // it comes while the token waits: of memory or of a pipe
// Whether work-items ask for their ids, or for sizes of their work-groups.
bool graph_asks_for_ids(const struct graph *graph);
// Whether a word of the packet is used; whether a dispatch is one work-item.
bool graph_uses_packet(const struct graph *graph);
bool graph_is_once(const struct graph *graph);
bool graph_is_given(const struct node *node);  // a launch, or the entry of a loop, brings it

void list_add(struct list *list, struct node *node);
void *graph_allocate(size_t bytes);
// An identifier for a name: of letters, digits, _ and the characters of `also`. Different names give different ones.
char *graph_word(const char *name, const char *also);

#endif
