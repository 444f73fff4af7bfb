// SPDX-License-Identifier: Apache-2.0
// The C face of a Verilated one_by_one.
#include "tests/rtl/one_by_one_block.h"

#include <cstring>

#include "Vblock.h"
#include "verilated.h"

double sc_time_stamp() {
  return 0;
}

void one_by_one_cycle(const struct one_by_one_in *in, struct one_by_one_out *out) {
  static Vblock block;
  block.rst = in->rst;
  block.start_i = in->start;
  block.open_i = in->open;
  block.group_valid_i = in->group_valid;
  memcpy(&block.group_id_i, in->id, sizeof in->id);
  block.group_size_i =
      in->size[0] | static_cast<uint64_t>(in->size[1]) << 11 | static_cast<uint64_t>(in->size[2]) << 22;
  block.done_i = in->done;
  block.by_arrival_i = in->by_arrival;
  block.arrival_i = in->arrival;
  block.clk = 0;
  block.eval();
  out->group_ready = block.group_ready_o;
  out->begin = block.begin_o;
  out->wipe = block.wipe_o;
  out->token = block.token_o;
  out->group_done = block.group_done_o;
  out->running = block.running_o;
  out->idle = block.idle_o;
  out->number = block.number_o;
  out->arrival = block.arrival_o;
  memcpy(out->id, &block.id_o, sizeof out->id);
  block.clk = 1;
  block.eval();
}
