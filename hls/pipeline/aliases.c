// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/aliases.h"

#include <limits.h>

#include "hls/kernel_hints.h"
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/variables.h"

enum { MOST_STEPS = 4000, MOST_PHIS = 8 };

// The argument that a word of the packet is the first of; -1: none.
static int argument_of(const struct graph *graph, unsigned word) {
  for (uint32_t i = 0; i < graph->source->argument_count; i++)
    if (graph_argument_word(graph->source->arguments[i].offset) == word)
      return (int)i;
  return -1;
}

bool aliases_is_pointer(const struct graph *graph, const struct node *word) {
  const int argument = argument_of(graph, (unsigned)word->number);
  return word->is_pointer || variables_have(graph, (unsigned)word->number) ||
         (argument >= 0 && graph->source->arguments[argument].address_space != 0);
}

static bool is_restrict(const struct graph *graph, unsigned word) {
  const int argument = argument_of(graph, word);
  return argument >= 0 ? kernel_hints_is_restrict(graph->source->body, (unsigned)argument)
                       : kernel_hints_args_restrict(graph->source->body);
}

// Pointers that loops carry, and that are being looked at.
struct walk {
  const struct graph *graph;
  unsigned steps, depth;
  const struct node *phis[MOST_PHIS];
};
enum { ITSELF = UINT_MAX };  // such a pointer, further on

static unsigned pointer_of(struct walk *w, const struct node *node);

// Where one of two values is taken: the pointer of both.
static unsigned pointer_of_either(struct walk *w, const struct node *one, const struct node *other) {
  const unsigned p = pointer_of(w, one), q = p != 0 ? pointer_of(w, other) : 0;
  return p == q || q == ITSELF ? p : p == ITSELF ? q : 0;
}

static unsigned pointer_of_phi(struct walk *w, const struct node *phi) {
  for (unsigned i = 0; i < w->depth; i++)
    if (w->phis[i] == phi)
      return ITSELF;
  if (w->depth == MOST_PHIS)
    return 0;
  w->phis[w->depth++] = phi;
  const unsigned found = pointer_of_either(w, phi->region->initial.items[phi->low], phi->region->next.items[phi->low]);
  w->depth--;
  return found;
}

// The pointer that an address is made of; 0: not known.
static unsigned pointer_of(struct walk *w, const struct node *node) {
  if (w->steps == 0)
    return 0;
  w->steps--;
  unsigned found = 0;
  switch (node->op) {
    case OP_WORD:
      return aliases_is_pointer(w->graph, node) ? (unsigned)node->number : 0;
    case OP_PHI:
      return pointer_of_phi(w, node);
    case OP_OUT:
      return pointer_of(w, node->arguments[0]);
    case OP_SELECT:
      return pointer_of_either(w, node->arguments[1], node->arguments[2]);
    case OP_ADD:
    case OP_SUB:
      for (unsigned i = 0; i < 2; i++) {
        const unsigned one = pointer_of(w, node->arguments[i]);
        if (one != 0 && found != 0)
          return 0;
        found = one != 0 ? one : found;
      }
      return found;
    default:
      return 0;
  }
}

static bool stays(const struct node *access) {
  return access->op == OP_LOAD && access->stays;
}

bool aliases_are_apart(const struct graph *graph, const struct node *access, const struct node *other) {
  if (stays(access) || stays(other))
    return true;
  if (access->space == SPACE_GENERIC || other->space == SPACE_GENERIC)
    return false;
  if (access->space != other->space)
    return true;
  struct walk w = {.graph = graph, .steps = MOST_STEPS};
  const unsigned p = pointer_of(&w, access->arguments[0]), q = pointer_of(&w, other->arguments[0]);
  // `restrict`: what is stored through one pointer is not reached through another one. Nor is one variable through
  // another.
  return p != 0 && q != 0 && p != q &&
         (is_restrict(graph, p) || is_restrict(graph, q) || (variables_have(graph, p) && variables_have(graph, q)));
}

bool aliases_are_of_one(const struct graph *graph, const struct node *access, const struct node *other) {
  struct walk w = {.graph = graph, .steps = MOST_STEPS};
  const unsigned p = pointer_of(&w, access->arguments[0]);
  return p != 0 && p == pointer_of(&w, other->arguments[0]);
}

bool aliases_meet(const struct graph *graph, const struct node *load, const struct node *store) {
  struct node *root, *other;
  uint32_t offset, other_offset;
  access_root(load->arguments[0], &root, &offset);
  access_root(store->arguments[0], &other, &other_offset);
  if (root == other)
    return offset - other_offset < store->bytes || other_offset - offset < load->bytes;
  return !aliases_are_apart(graph, load, store);
}
