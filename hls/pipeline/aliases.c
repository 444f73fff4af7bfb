// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/aliases.h"

#include "hls/kernel_hints.h"
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/variables.h"

enum { MOST_STEPS = 4000 };

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
  static const char name[] = "noalias";
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  const int argument = argument_of(graph, word);
  return kernel_hints_args_restrict(graph->source->body) ||
         (argument >= 0 && LLVMGetEnumAttributeAtIndex(graph->source->body, (unsigned)argument + 1, kind));
}

// The pointer that an address is made of; 0: not known.
static unsigned pointer_of(const struct graph *graph, const struct node *node, unsigned *steps) {
  unsigned found = 0;
  if (*steps == 0)
    return 0;
  --*steps;
  if (node->op == OP_WORD)
    return aliases_is_pointer(graph, node) ? (unsigned)node->number : 0;
  if (node->op != OP_ADD && node->op != OP_SUB)
    return 0;
  for (unsigned i = 0; i < 2; i++) {
    const unsigned one = pointer_of(graph, node->arguments[i], steps);
    if (one != 0 && found != 0)
      return 0;
    found = one != 0 ? one : found;
  }
  return found;
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
  unsigned steps = MOST_STEPS;
  const unsigned p = pointer_of(graph, access->arguments[0], &steps),
                 q = pointer_of(graph, other->arguments[0], &steps);
  // `restrict`: what is stored through one pointer is not reached through another one. Nor is one variable through
  // another.
  return p != 0 && q != 0 && p != q &&
         (is_restrict(graph, p) || is_restrict(graph, q) || (variables_have(graph, p) && variables_have(graph, q)));
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
