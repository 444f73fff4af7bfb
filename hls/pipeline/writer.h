// SPDX-License-Identifier: Apache-2.0
// What the files that write a pipeline's Verilog share. verilog.c writes the module; each other file a part of it,
// under its name below. Texts that functions return live until the process ends. A signal is named by write_name or by
// write_signal; `stage` counts from 0 in its segment.
#ifndef HEDDLE_HLS_PIPELINE_WRITER_H
#define HEDDLE_HLS_PIPELINE_WRITER_H

#include <stdio.h>

#include "hls/pipeline/graph.h"

struct writer {
  const struct graph *graph;
  FILE *declare, *body;  // declarations, and the statements that follow them
  unsigned site_bits;    // graph_site_bits
  struct list checks;    // each OP_CHECK that has been passed, for the fault record
};

// ---- writer.c
void write_body(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_declaration(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *write_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The name of a value: its operation, its source line and its id.
const char *write_name(const struct node *node);
// The signal that has a value in a stage of a segment; s NULL: a value of the dispatch.
const char *write_signal(const struct segment *s, const struct node *node, unsigned stage);
// "[width-1:0] ", or nothing for one bit; and a sized constant.
const char *write_range(unsigned width);
const char *write_number(unsigned width, uint64_t number);
// The bits low to low + width - 1 of one lane's value in a stage of a segment; and all its bits.
const char *write_bits(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                       unsigned lane, unsigned low, unsigned width);
const char *write_operand(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                          unsigned lane);
// The values of `copies` lanes, the last lane highest.
const char *write_all_lanes(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                            unsigned copies);

// ---- operations_verilog.c
// Computes a value in a segment (s NULL: once a dispatch). `result` is the signal for all lanes.
void write_operation(struct writer *w, const struct segment *s, const struct node *node, const char *result);

// ---- pipes_verilog.c
void write_pipe_end(struct writer *w, const struct segment *s);
// The signals write_…, slot_… and value_… that store the answer of a pipe to a read or write.
void write_pipe_answer(struct writer *w, const struct node *node);
// The module's ports to its pipes; and what connects the reads and writes to them.
void write_pipe_ports(const struct graph *graph, FILE *out);
void write_pipes(struct writer *w);

// ---- windows_verilog.c
struct accesses;
// `roots` and `masks`: those of the token at the head of the queue, the last first.
void write_window(struct writer *w, const struct segment *s, const struct accesses *a, unsigned access_bits,
                  const char *roots, const char *masks);
// The signals write_…, slot_… and value_… that store a word which comes from a window.
void write_window_answer(struct writer *w, const struct node *node);

// ---- verilog.c
// The slot at which a token in a region reads a value, `slot` being its own: what comes from outside of a loop whose
// rounds overlap is the work-item's, in slot 0.
const char *write_slot_of(struct writer *w, const struct region *r, const struct node *node, const char *slot);
// Instantiates the slot store of a value, which is read at `slot` into `result`, a cycle later.
void write_read_store(struct writer *w, const struct node *node, const char *instance, const char *slot,
                      const char *result);

// ---- arrays_verilog.c
// The memories of arrays, with the operations that are their ports.
void write_arrays(struct writer *w);

// ---- segments_verilog.c
void write_segment(struct writer *w, const struct segment *s);
// Starts a segment with a token: in the same cycle, or behind a register.
void write_wire_start(struct writer *w, const struct segment *s, const char *valid, const char *slot);
void write_register_start(struct writer *w, const struct segment *s, const char *valid, const char *slot);

// ---- ends_verilog.c
const char *write_last_valid(const struct segment *s);
const char *write_last_slot(const struct segment *s);
void write_memory_end(struct writer *w, const struct segment *s);
void write_hazards_end(struct writer *w, const struct segment *s);
void write_barrier_end(struct writer *w, const struct segment *s);
void write_loop_entry(struct writer *w, const struct region *loop);

#endif
