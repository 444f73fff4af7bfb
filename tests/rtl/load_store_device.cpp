// SPDX-License-Identifier: Apache-2.0
// The C face of a Verilated load_store. Verilator's type of a port depends on its width, hence the templates.
#include "tests/rtl/load_store_device.h"

#include <deque>
#include <type_traits>

#include "Vblock.h"
#include "verilated.h"

namespace {

template <typename Port>
struct Bits {
  static void set(Port &port, unsigned at, uint32_t value) {
    port |= static_cast<Port>(value) << at;
  }
  static uint32_t get(const Port &port, unsigned at) {
    return static_cast<uint32_t>(port >> at);
  }
};

template <std::size_t N>
struct Bits<VlWide<N>> {
  static void set(VlWide<N> &port, unsigned at, uint32_t value) {
    port[at / 32] |= value << at % 32;
    if (at % 32 != 0 && at / 32 + 1 < N)
      port[at / 32 + 1] |= value >> (32 - at % 32);
  }
  static uint32_t get(const VlWide<N> &port, unsigned at) {
    return port[at / 32] >> at % 32;
  }
};

// Every `width` bits of the port are one element; widths that do not divide 32 are only written.
template <typename Port>
void pack(Port &port, const uint32_t *value, unsigned count, unsigned width) {
  port = Port{};
  for (unsigned i = 0; i < count; i++)
    Bits<Port>::set(port, i * width, width == 32 ? value[i] : value[i] & ((1U << width) - 1));
}

template <typename Port>
void unpack(const Port &port, uint32_t *value, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    value[i] = Bits<Port>::get(port, i * 32);
}

// The labels of requests come back with their answers, in order.
using Label = std::decay_t<decltype(Vblock::request_label_o)>;
struct Device : Vblock {
  std::deque<Label> labels;
};

}  // namespace

double sc_time_stamp() {
  return 0;
}

void *load_store_open(void) {
  return new Device;
}

void load_store_close(void *device) {
  delete static_cast<Device *>(device);
}

void load_store_settle(void *device, const load_store_in *in, load_store_out *out) {
  auto *top = static_cast<Device *>(device);
  top->clk = 0;
  top->rst = in->rst;
  top->begin_i = in->begin;
  top->push_i = in->push;
  top->store_i = in->store;
  top->atomic_i = in->atomic;
  top->function_i = in->function;
  top->unsigned_i = in->is_unsigned;
  top->rd_i = in->rd;
  top->slot_i = in->slot;
  top->size_i = in->size;
  top->lanes_i = in->lanes;
  top->local_i = in->local;
  pack(top->address_i, in->address, LANES, ADDRESS_BITS);
  pack(top->data_i, in->data, LANES, 32);
  top->rd_shuffle_i = in->rd_shuffle;
  top->e1_shuffle_i = in->e1_shuffle;
  pack(top->e2_word_i, in->e2_word, LANES, 32);
  pack(top->e2_from_i, in->e2_from, LANES, LANES);
  top->write_ready_i = in->write_ready;
  top->request_ready_i = in->request_ready;
  top->response_valid_i = in->response_valid;
  pack(top->response_data_i, in->response_data, BEAT_WORDS, 32);
  if (!top->labels.empty())
    top->response_label_i = top->labels.front();
  top->eval();
  *out = {};
  out->full = top->full_o;
  out->idle = top->idle_o;
  out->conflict = top->conflict_o;
  unpack(top->e2_shuffled_o, out->e2_shuffled, LANES);
  out->write_valid = top->write_valid_o;
  out->write_rd = top->write_rd_o;
  out->write_slot = top->write_slot_o;
  out->write_lanes = top->write_lanes_o;
  out->write_last = top->write_last_o;
  unpack(top->write_value_o, out->write_value, LANES);
  out->request_valid = top->request_valid_o;
  out->request_kind = top->request_kind_o;
  out->request_function = top->request_function_o;
  out->request_address = top->request_address_o;
  out->request_owner = top->request_owner_o;
  out->response_ready = top->response_ready_o;
  unpack(top->request_data_o, out->request_data, BEAT_WORDS);
  unpack(top->request_strobe_o, out->request_strobe, (BEAT_BYTES + 31) / 32);
}

void load_store_clock(void *device) {
  auto *top = static_cast<Device *>(device);
  if (top->response_valid_i && top->response_ready_o)
    top->labels.pop_front();
  if (top->request_valid_o && top->request_ready_i && top->request_kind_o != 1)
    top->labels.push_back(top->request_label_o);
  top->clk = 1;
  top->eval();
}
