// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/port.h"

#include "hls/pipeline/rates.h"

#define WORTH 0.95  // of the cycles, at most: a wider port takes room

void port_set(struct graph *graph, unsigned words) {
  graph->port_lanes = words;
  graph->port_lanes_log2 = (unsigned)__builtin_ctz(words);
}

static double cycles_with(struct graph *graph, unsigned words) {
  port_set(graph, words);
  return rates_usual_cycles(graph);
}

unsigned port_words(struct graph *graph, unsigned most) {
  const unsigned has = graph->port_lanes, limit = most != 0 && most < PORT_MOST_WORDS ? most : PORT_MOST_WORDS;
  // Private memory in the port has a place for each of its lanes, and windows are made for as many words.
  if (graph->ports == 0 || graph->private_log2 != 0 || graph->windows)
    return has;
  unsigned best = has;
  double fewest = cycles_with(graph, has);
  for (unsigned words = 2 * has; words <= limit; words *= 2) {
    const double cycles = cycles_with(graph, words);
    if (cycles >= WORTH * fewest)
      continue;
    fewest = cycles;
    best = words;
  }
  port_set(graph, has);
  return best;
}
