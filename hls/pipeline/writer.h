// SPDX-License-Identifier: Apache-2.0
// What the writers of Verilog share: verilog.c (the module), segments_verilog.c, ends_verilog.c, operations_verilog.c.
// Texts are small and live until the process ends.
#ifndef HEDDLE_HLS_PIPELINE_WRITER_H
#define HEDDLE_HLS_PIPELINE_WRITER_H

#include <stdio.h>

#include "hls/pipeline/graph.h"

struct writer {
  const struct graph *graph;
  FILE *declare, *body;  // declarations, and what follows them
  unsigned site_bits;
  struct list checks;
};

// ---- writer.c
void write_body(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_declaration(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *write_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
// A value's name: its operation, the line of the source, its number.
const char *write_name(const struct node *node);
// The signal of a value in a stage of a segment (NULL: of no segment).
const char *write_signal(const struct segment *s, const struct node *node, unsigned stage);
const char *write_range(unsigned width);
const char *write_number(unsigned width, uint64_t number);
// Bits of a value of one lane, as it stands in a stage of a segment.
const char *write_bits(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                       unsigned lane, unsigned low, unsigned width);
const char *write_operand(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                          unsigned lane);
// A value for each of `copies` lanes, the last lane first.
const char *write_all_lanes(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                            unsigned copies);

// ---- operations_verilog.c
// Makes a value of a segment, or one a dispatch where s is NULL; `result` is its signal of all lanes.
void write_operation(struct writer *w, const struct segment *s, const struct node *node, const char *result);

// ---- pipes_verilog.c
void write_pipe_end(struct writer *w, const struct segment *s);
// The signals that store what a place of the kernel gets of a pipe: write_…, slot_…, value_…
void write_pipe_answer(struct writer *w, const struct node *node);
// The kernel's ports to its pipes, and what leads to them.
void write_pipe_ports(const struct graph *graph, FILE *out);
void write_pipes(struct writer *w);

// ---- windows_verilog.c
struct accesses;
// `roots` and `masks` are those of the token at the head of the queue, the last first.
void write_window(struct writer *w, const struct segment *s, const struct accesses *a, unsigned access_bits,
                  const char *roots, const char *masks);
// The signals that store a word that comes from a window: write_…, slot_…, value_…
void write_window_answer(struct writer *w, const struct node *node);

// ---- verilog.c
// The slot store of a value, read at `slot` into `result` a cycle later.
void write_read_store(struct writer *w, const struct node *node, const char *instance, const char *slot,
                      const char *result);

// ---- arrays_verilog.c
// The memories of arrays, with the operations that are their ports.
void write_arrays(struct writer *w);

// ---- segments_verilog.c
void write_segment(struct writer *w, const struct segment *s);
// Where a segment begins: at once, or behind a register.
void write_wire_start(struct writer *w, const struct segment *s, const char *valid, const char *slot);
void write_register_start(struct writer *w, const struct segment *s, const char *valid, const char *slot);

// ---- ends_verilog.c
const char *write_last_valid(const struct segment *s);
const char *write_last_slot(const struct segment *s);
void write_memory_end(struct writer *w, const struct segment *s);
void write_barrier_end(struct writer *w, const struct segment *s);
void write_loop_entry(struct writer *w, const struct region *loop);

#endif
