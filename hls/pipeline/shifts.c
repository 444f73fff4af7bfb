// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/shifts.h"

#include "hls/pipeline/estimate.h"

struct shifts_rooms shifts_rooms(struct graph *graph) {
  const bool before = graph->multiplied_shifts;
  struct shifts_rooms rooms;
  for (int with = 0; with < 2; with++) {
    graph->multiplied_shifts = with;
    const struct room room = estimate_room(graph).total;
    rooms.with[with] = estimate_whole(&room, 1);
  }
  graph->multiplied_shifts = before;
  return rooms;
}

bool shifts_are_products(const struct shifts_rooms *rooms, unsigned units, unsigned multipliers) {
  const struct heddle_room with = heddle_room_times(&rooms->with[1], units);
  if (rooms->with[1].dsp == rooms->with[0].dsp)
    return false;
  return with.dsp <= multipliers;
}

unsigned shifts_multipliers(const struct heddle_room *left, size_t kernels) {
  return left->dsp > kernels && kernels != 0 ? (unsigned)(left->dsp / kernels) : 1;
}
