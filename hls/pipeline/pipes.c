// SPDX-License-Identifier: Apache-2.0
// Reads and writes of pipes on the chip, as hls/lib/pipes.cl has them: a call that reads a packet, calls for its words,
// and a call that writes one with its words. A token waits at the pipe as it waits for memory.
#include "hls/pipeline/pipes.h"

enum { MOST_PACKET_BYTES = 64, WORD_BITS = 32 };

// One that is not on the chip: a channel, or a pipe of OpenCL C.
static void refuse_other(struct maker *m, LLVMValueRef call, const struct node *pipe, const char *function) {
  const struct kernel *kernel = m->graph->source;
  for (uint32_t i = 0; pipe && pipe->op == OP_WORD && i < kernel->argument_count; i++)
    if (kernel->arguments[i].channel != 0 && graph_argument_word(kernel->arguments[i].offset) == pipe->number) {
      make_refuse(m, call, "its channel '%s' is not on the chip", kernel->arguments[i].name);
      return;
    }
  make_refuse(m, call,
              "a pipe that it uses is not on the chip, and pipelines have no others: it has to be an argument of one "
              "name in one kernel that writes it and one that reads it, or --pipe WRITER.PIPE=READER.PIPE names them, "
              "and %s has to name the argument itself",
              function);
}

static struct pipe *pipe_of_word(struct graph *graph, uint64_t word, bool reads) {
  for (unsigned i = 0; i < graph->pipe_count; i++)
    if (graph->pipes[i].word == word && graph->pipes[i].is.is_read == reads)
      return &graph->pipes[i];
  return NULL;
}

bool pipes_is_one(const struct graph *graph, const struct node *node) {
  bool is = false;
  for (unsigned i = 0; i < graph->pipe_count; i++)
    is |= node->op == OP_WORD && graph->pipes[i].word == node->number;
  return is;
}

// The pipe that a call names, if it is one of this direction.
static struct pipe *find(struct maker *m, LLVMValueRef call, bool reads) {
  const char *function = reads ? "read_pipe" : "write_pipe";
  LLVMValueRef bytes = LLVMGetOperand(call, 1);
  const struct node *argument = make_value(m, LLVMGetOperand(call, 0));
  struct pipe *pipe = argument && argument->op == OP_WORD ? pipe_of_word(m->graph, argument->number, reads) : NULL;
  if (!pipe) {
    refuse_other(m, call, argument, function);
    return NULL;
  }
  const uint64_t size = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 0;
  if (size == 0 || size > MOST_PACKET_BYTES || (pipe->is.bytes != 0 && pipe->is.bytes != size)) {
    make_refuse(m, call, "packets of a pipe on the chip have 1 to %d bytes, all of them as many", MOST_PACKET_BYTES);
    return NULL;
  }
  pipe->is.bytes = (unsigned)size;
  for (struct region *r = m->builder.region; r; r = r->parent)
    r->touches_memory = true;
  return pipe;
}

// Bits of a word of a packet: the last may have fewer.
static unsigned bits_of_word(unsigned bytes, unsigned index) {
  const unsigned left = 8 * bytes - WORD_BITS * index;
  return left < WORD_BITS ? left : WORD_BITS;
}

// Which of the places that use a pipe poll it.
static void note_polls(struct maker *m, LLVMValueRef call, const struct node *node) {
  if (node->polls && node->number >= 64)
    make_refuse(m, call, "it polls one pipe in more than 64 places");
  else if (node->polls)
    m->graph->pipes[node->pipe].polls |= UINT64_C(1) << node->number;
}

static struct node *make_read(struct maker *m, const struct primitive *primitive, LLVMValueRef call) {
  struct pipe *pipe = find(m, call, true);
  if (!pipe)
    return make_constant(m, WORD_BITS, 0);
  struct node *active = make_active_lanes(m);
  struct node *packet = build_ordered(&m->builder, OP_PIPE_READ, 8 * pipe->is.bytes + 1, pipe->sites++, 1, &active);
  packet->pipe = (unsigned)(pipe - m->graph->pipes);
  packet->waits = primitive->waits;
  packet->polls = primitive->polls;
  note_polls(m, call, packet);
  return build_resize(&m->builder, build_slice(&m->builder, packet, 8 * pipe->is.bytes, 1), WORD_BITS, false);
}

// The packet that a word is asked of, by what the call that read it has given; that may have been in a loop that waits
// for it.
static struct node *packet_of(struct node *given) {
  while (given && (given->op == OP_ZEXT || given->op == OP_SLICE || given->op == OP_OUT))
    given = given->arguments[0];
  return given && given->op == OP_PIPE_READ ? given : NULL;
}

static struct node *make_word(struct maker *m, LLVMValueRef call) {
  struct node *packet = packet_of(make_value(m, LLVMGetOperand(call, 0)));
  LLVMValueRef index = LLVMGetOperand(call, 1);
  if (!packet || !LLVMIsAConstantInt(index)) {
    make_refuse(m, call, "a packet of one read of a pipe or of another: each read_pipe has to store what it reads");
    return make_constant(m, WORD_BITS, 0);
  }
  const unsigned at = (unsigned)LLVMConstIntGetZExtValue(index), bits = bits_of_word((packet->width - 1) / 8, at);
  struct builder of_packet = m->builder;
  of_packet.region = packet->region;
  struct node *word = make_seen_from(m, m->builder.region, build_slice(&of_packet, packet, WORD_BITS * at, bits));
  return build_resize(&m->builder, word, WORD_BITS, false);
}

static struct node *make_write(struct maker *m, const struct primitive *primitive, LLVMValueRef call) {
  struct node *arguments[1 + MOST_PACKET_BYTES * 8 / WORD_BITS];
  struct pipe *pipe = find(m, call, false);
  if (!pipe)
    return make_constant(m, WORD_BITS, 0);
  unsigned count = 0;
  arguments[count++] = make_active_lanes(m);
  for (unsigned i = 0; WORD_BITS * i < 8 * pipe->is.bytes; i++) {
    struct node *word = make_value(m, LLVMGetOperand(call, 2 + i));
    if (!word) {
      make_refuse(m, call, "it writes a value to a pipe that pipelines do not have");
      return make_constant(m, WORD_BITS, 0);
    }
    arguments[count++] = build_slice(&m->builder, word, 0, bits_of_word(pipe->is.bytes, i));
  }
  struct node *taken = build_ordered(&m->builder, OP_PIPE_WRITE, 1, pipe->sites++, count, arguments);
  taken->pipe = (unsigned)(pipe - m->graph->pipes);
  taken->waits = primitive->waits;
  taken->polls = primitive->polls;
  note_polls(m, call, taken);
  return build_resize(&m->builder, taken, WORD_BITS, false);
}

bool pipes_is_primitive(const struct primitive *primitive) {
  return primitive->meaning >= PRIMITIVE_PIPE_READ && primitive->meaning <= PRIMITIVE_PIPE_WRITE;
}

struct node *pipes_make(struct maker *m, const struct primitive *primitive, LLVMValueRef call) {
  return primitive->meaning == PRIMITIVE_PIPE_READ   ? make_read(m, primitive, call)
         : primitive->meaning == PRIMITIVE_PIPE_WORD ? make_word(m, call)
                                                     : make_write(m, primitive, call);
}
