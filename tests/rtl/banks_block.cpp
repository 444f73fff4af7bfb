// SPDX-License-Identifier: Apache-2.0
// The Verilated banks of the device cache behind banks_block.h.
#include "tests/rtl/banks_block.h"

#include <cstring>
#include <memory>

#include "Vblock.h"
#include "verilated.h"

constexpr unsigned kBeatBytes = 1u << BEAT_LOG2;
static_assert(UNITS <= MOST_UNITS && BANKS <= MOST_BANKS && kBeatBytes <= MOST_BEAT_BYTES);

struct banks_block {
  VerilatedContext context;
  std::unique_ptr<Vblock> rtl;
};

// The ports hold a field for each unit or bank: field n of `bits` bits. Verilator keeps a port as words, the lowest
// first, whatever its width.
template <class Port>
static void put(Port &port, unsigned n, unsigned bits, uint32_t value) {
  uint8_t *bytes = reinterpret_cast<uint8_t *>(&port);
  for (unsigned i = 0, at = n * bits; i < bits; i++, at++)
    bytes[at / 8] = (bytes[at / 8] & ~(1u << at % 8)) | (value >> i & 1) << at % 8;
}

template <class Port>
static uint32_t get(const Port &port, unsigned n, unsigned bits) {
  const uint8_t *bytes = reinterpret_cast<const uint8_t *>(&port);
  uint32_t value = 0;
  for (unsigned i = 0, at = n * bits; i < bits; i++, at++)
    value |= (bytes[at / 8] >> at % 8 & 1u) << i;
  return value;
}

template <class Port>
static void put_beat(Port &port, unsigned n, const uint8_t *beat) {
  memcpy(reinterpret_cast<uint8_t *>(&port) + n * kBeatBytes, beat, kBeatBytes);
}

template <class Port>
static void get_beat(const Port &port, unsigned n, uint8_t *beat) {
  memcpy(beat, reinterpret_cast<const uint8_t *>(&port) + n * kBeatBytes, kBeatBytes);
}

// Verilator wants the bits of a port above its fields to be 0.
template <class... Ports>
static void clear(Ports &...ports) {
  (memset(&ports, 0, sizeof ports), ...);
}

static void put_request(Vblock *rtl, unsigned u, const beat_request &request) {
  put(rtl->request_kind_i, u, 2, request.kind);
  put(rtl->request_function_i, u, 5, request.function);
  put(rtl->request_address_i, u, ADDRESS_BITS, request.address);
  put_beat(rtl->request_data_i, u, request.data);
  for (unsigned i = 0; i < kBeatBytes; i++)
    put(rtl->request_strobe_i, u * kBeatBytes + i, 1, request.strobe[i]);
  put(rtl->request_owner_i, u, SLOT_BITS, request.owner);
  put(rtl->request_label_i, u, LABEL_BITS, request.label);
}

extern "C" {

banks_block *banks_block_create(int seed) {
  banks_block *block = new banks_block;
  block->context.threads(1);
  block->context.randReset(2);
  block->context.randSeed(seed);
  block->rtl = std::make_unique<Vblock>(&block->context);
  Vblock *rtl = block->rtl.get();
  clear(rtl->request_kind_i, rtl->request_function_i, rtl->request_address_i, rtl->request_data_i,
        rtl->request_strobe_i, rtl->request_owner_i, rtl->request_label_i, rtl->request_valid_i, rtl->response_ready_i,
        rtl->memory_ready_i, rtl->fill_valid_i, rtl->fill_data_i);
  return block;
}

void banks_block_destroy(banks_block *block) {
  block->rtl->final();
  delete block;
}

void banks_block_settle(banks_block *block, const banks_in *in, banks_out *out) {
  Vblock *rtl = block->rtl.get();
  rtl->rst = in->rst;
  rtl->invalidate_i = in->invalidate;
  for (unsigned u = 0; u < UNITS; u++) {
    put(rtl->request_valid_i, u, 1, !!in->unit[u].request);
    if (in->unit[u].request)
      put_request(rtl, u, *in->unit[u].request);
    put(rtl->response_ready_i, u, 1, in->unit[u].response_ready);
  }
  for (unsigned c = 0; c < BANKS; c++) {
    put(rtl->memory_ready_i, c, 1, in->channel[c].memory_ready);
    put(rtl->fill_valid_i, c, 1, !!in->channel[c].fill);
    if (in->channel[c].fill)
      put_beat(rtl->fill_data_i, c, in->channel[c].fill);
  }
  rtl->clk = 0;
  rtl->eval();
  for (unsigned u = 0; u < UNITS; u++) {
    banks_unit_out *unit = &out->unit[u];
    unit->request_ready = get(rtl->request_ready_o, u, 1);
    unit->taken = get(rtl->taken_o, u, 1);
    unit->response_valid = get(rtl->response_valid_o, u, 1);
    unit->response_label = get(rtl->response_label_o, u, LABEL_BITS);
    get_beat(rtl->response_data_o, u, unit->response_data);
  }
  for (unsigned c = 0; c < BANKS; c++) {
    banks_channel_out *channel = &out->channel[c];
    channel->memory_valid = get(rtl->memory_valid_o, c, 1);
    channel->memory_store = get(rtl->memory_store_o, c, 1);
    channel->memory_address = get(rtl->memory_address_o, c, ADDRESS_BITS);
    get_beat(rtl->memory_data_o, c, channel->memory_data);
    for (unsigned i = 0; i < kBeatBytes; i++)
      channel->memory_strobe[i] = get(rtl->memory_strobe_o, c * kBeatBytes + i, 1);
    channel->fill_ready = get(rtl->fill_ready_o, c, 1);
    channel->missed = get(rtl->missed_o, c, 1);
  }
  out->idle = rtl->idle_o;
}

void banks_block_edge(banks_block *block) {
  block->rtl->clk = 1;
  block->rtl->eval();
}

banks_shape banks_block_shape(void) {
  return {UNITS, BANKS, 1u << SLOT_BITS, kBeatBytes, 1u << LINE_LOG2, 1u << CACHE_LOG2, 1u << ADDRESS_BITS};
}
}
