// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/totals.h"

enum { MOST_MADE = 32, MOST_STEPS = 1000 };

enum operator { OPERATOR_NONE, OPERATOR_ADD, OPERATOR_AND, OPERATOR_OR, OPERATOR_XOR, OPERATOR_LEAST };

// What a round makes of a total that it has got.
struct total {
  const struct node *phi;
  enum operator operator;
  enum op comparison;  // of OPERATOR_LEAST
  bool is_largest;
  struct node *made[MOST_MADE];  // the last of it is carried on
  unsigned count;
  unsigned *steps;  // left
};

static bool is_made(const struct total *t, const struct node *node) {
  bool is = node == t->phi;
  for (unsigned i = 0; i < t->count; i++)
    is |= t->made[i] == node;
  return is;
}

static bool takes(struct total *t, enum operator operator) {
  const bool is = t->operator == OPERATOR_NONE || t->operator == operator;
  t->operator = operator;
  return is;
}

static enum operator operator_of(enum op op) {
  switch (op) {
    case OP_ADD:
    case OP_SUB:
      return OPERATOR_ADD;
    case OP_AND:
      return OPERATOR_AND;
    case OP_OR:
      return OPERATOR_OR;
    case OP_XOR:
      return OPERATOR_XOR;
    default:
      return OPERATOR_NONE;
  }
}

static bool add_made(struct total *t, struct node *node);

static bool keep(struct total *t, struct node *node) {
  if (t->count == MOST_MADE)
    return false;
  t->made[t->count++] = node;
  return true;
}

// Of two values one is made of the total, and only one.
static bool is_one_made(struct total *t, struct node *one, struct node *other) {
  struct total before = *t;
  if (!add_made(t, one)) {
    *t = before;
    return add_made(t, other);
  }
  before = *t;
  const bool are_both = add_made(t, other);
  *t = before;
  return !are_both;
}

// The least or largest of the total and another value.
static bool is_least(struct total *t, struct node *choice) {
  struct node *condition = choice->arguments[0];
  struct node *const *of = condition->arguments;
  const bool is_least = of[0] == choice->arguments[1] && of[1] == choice->arguments[2];
  const bool is_largest = of[1] == choice->arguments[1] && of[0] == choice->arguments[2];
  if (is_least == is_largest || !takes(t, OPERATOR_LEAST))
    return false;
  if (t->comparison != OP_CONSTANT && (t->comparison != condition->op || t->is_largest != is_largest))
    return false;
  t->comparison = condition->op;
  t->is_largest = is_largest;
  return is_one_made(t, of[0], of[1]) && keep(t, condition) && keep(t, choice);
}

static bool add_made(struct total *t, struct node *node) {
  if (is_made(t, node))
    return true;
  if (node->region != t->phi->region || graph_is_static(node) || *t->steps == 0)
    return false;
  --*t->steps;
  const enum operator operator = operator_of(node->op);
  if (operator != OPERATOR_NONE)
    return takes(t, operator) &&
           (node->op == OP_SUB ? add_made(t, node->arguments[0]) && !is_made(t, node->arguments[1])
                               : is_one_made(t, node->arguments[0], node->arguments[1])) &&
           keep(t, node);
  if (node->op != OP_SELECT)
    return false;
  const enum op condition = node->arguments[0]->op;
  struct total before = *t;
  if ((condition == OP_ULT || condition == OP_SLT) && is_least(t, node))
    return true;
  // Of some rounds only.
  *t = before;
  return add_made(t, node->arguments[1]) && add_made(t, node->arguments[2]) && keep(t, node);
}

// Whether nothing else takes what is made of the total.
static bool is_alone(const struct graph *graph, const struct total *t, const struct node *last) {
  const struct region *r = t->phi->region;
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (!node->wanted || is_made(t, node))
      continue;
    for (unsigned k = 0; k < node->count && !graph_is_given(node); k++)
      if (is_made(t, node->arguments[k]) && (node->op != OP_OUT || node->loop != r || node->arguments[k] != last))
        return false;
  }
  for (unsigned i = 0; i < graph->region_count; i++) {
    const struct region *other = graph->regions[i];
    if (other->parent && (is_made(t, other->enter) || is_made(t, other->again)))
      return false;
    for (unsigned k = 0; k < other->phis.count; k++)
      if (is_made(t, other->initial.items[k]) || (is_made(t, other->next.items[k]) && other->phis.items[k] != t->phi))
        return false;
  }
  return true;
}

static bool find(struct total *t, const struct node *phi) {
  unsigned steps = MOST_STEPS;
  *t = (struct total){.phi = phi, .steps = &steps};
  struct node *last = phi->region->next.items[phi->low];
  const bool is = last != phi && add_made(t, last);
  t->steps = NULL;
  return is;
}

bool totals_is(const struct graph *graph, const struct node *phi) {
  struct total t;
  return find(&t, phi) && is_alone(graph, &t, phi->region->next.items[phi->low]);
}

bool totals_leaves(const struct graph *graph, const struct node *out) {
  const struct region *r = out->loop;
  for (unsigned i = 0; i < r->phis.count; i++)
    if (r->next.items[i] == out->arguments[0] && totals_is(graph, r->phis.items[i]))
      return true;
  return false;
}

void totals_place(struct node *phi) {
  struct total t;
  find(&t, phi);
  const int last = phi->region->next.items[phi->low]->earliest;
  for (unsigned i = 0; i < t.count; i++)
    t.made[i]->earliest = last;
  phi->earliest = last;
  phi->is_state = true;
}
