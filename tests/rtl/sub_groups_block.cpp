// SPDX-License-Identifier: Apache-2.0
// The C face of a Verilated sub_groups. Verilator's type of a port depends on its width, hence the templates.
#include "tests/rtl/sub_groups_block.h"

#include <cstring>

#include "Vblock.h"
#include "verilated.h"

double sc_time_stamp() {
  return 0;
}

namespace {
// `width` bits of a port, at most 32, from bit `at` on.
template <typename Port>
uint32_t bits(const Port &port, unsigned at, unsigned width) {
  uint32_t value = 0;
  for (unsigned i = 0; i < width; i++)
    if constexpr (sizeof(Port) <= 8)
      value |= static_cast<uint32_t>(static_cast<uint64_t>(port) >> (at + i) & 1) << i;
    else
      value |= (port[(at + i) / 32] >> (at + i) % 32 & 1) << i;
  return value;
}
}  // namespace

void sub_groups_cycle(const struct sub_groups_in *in, struct sub_groups_out *out) {
  static Vblock block;
  block.rst = in->rst;
  block.start_i = in->start;
  block.sub_groups_i = in->sub_groups;
  block.sub_group_log2_i = in->sub_group_log2;
  block.local_bytes_i = in->local_bytes;
  block.open_i = in->open;
  block.group_valid_i = in->group_valid;
  memcpy(&block.group_id_i, in->group.id, sizeof in->group.id);
  memcpy(&block.group_base_i, in->group.base, sizeof in->group.base);
  block.group_size_i = in->group.size[0] | static_cast<uint64_t>(in->group.size[1]) << 11 |
                       static_cast<uint64_t>(in->group.size[2]) << 22;
  block.done_i = in->done;
  block.done_slot_i = in->done_slot;
  block.group_slot_i = in->group_slot;
  block.id_group_slot_i = in->id_group_slot;
  block.clk = 0;
  block.eval();
  out->group_ready = block.group_ready_o;
  out->begin = block.begin_o;
  out->token = block.token_o;
  out->group_done = block.group_done_o;
  out->running = block.running_o;
  out->idle = block.idle_o;
  out->shift = block.shift_o;
  out->begin_group_slot = block.begin_group_slot_o;
  out->begin_last = block.begin_last_o;
  out->slot = block.slot_o;
  out->lanes = block.lanes_o;
  for (unsigned l = 0; l < LANES; l++) {
    out->local_id[l][0] = bits(block.local_x_o, 10 * l, 10);
    out->local_id[l][1] = bits(block.local_y_o, 10 * l, 10);
    out->local_id[l][2] = bits(block.local_z_o, 10 * l, 10);
  }
  out->sub_group = block.sub_group_o;
  out->sub_group_size = block.sub_group_size_o;
  out->last_sub_group = block.last_sub_group_o;
  memcpy(out->group.id, &block.group_id_o, sizeof out->group.id);
  memcpy(out->group.base, &block.group_base_o, sizeof out->group.base);
  for (unsigned d = 0; d < 3; d++)
    out->group.size[d] = bits(block.group_size_o, 11 * d, 11);
  out->local_base = block.local_base_o;
  memcpy(out->id, &block.id_o, sizeof out->id);
  block.clk = 1;
  block.eval();
}
