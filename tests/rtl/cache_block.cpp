// SPDX-License-Identifier: Apache-2.0
// The Verilated device cache behind cache_block.h.
#include "tests/rtl/cache_block.h"

#include <cstring>
#include <memory>

#include "Vblock.h"
#include "verilated.h"

constexpr unsigned kBeatBytes = 1u << BEAT_LOG2;

struct cache_block {
  VerilatedContext context;
  std::unique_ptr<Vblock> rtl;
};

extern "C" {

cache_block *cache_block_create(int seed) {
  cache_block *block = new cache_block;
  block->context.threads(1);
  block->context.randReset(2);
  block->context.randSeed(seed);
  block->rtl = std::make_unique<Vblock>(&block->context);
  return block;
}

void cache_block_destroy(cache_block *block) {
  block->rtl->final();
  delete block;
}

void cache_block_settle(cache_block *block, const cache_in *in, cache_out *out) {
  Vblock *rtl = block->rtl.get();
  rtl->rst = in->rst;
  rtl->invalidate_i = in->invalidate;
  rtl->request_valid_i = !!in->request;
  if (const beat_request *request = in->request) {
    rtl->request_kind_i = request->kind;
    rtl->request_function_i = request->function;
    rtl->request_owner_i = request->owner;
    rtl->request_address_i = request->address;
    rtl->request_label_i = request->label;
    memcpy(&rtl->request_data_i, request->data, kBeatBytes);
    uint8_t bits[MOST_BEAT_BYTES / 8] = {};
    for (unsigned i = 0; i < kBeatBytes; i++)
      bits[i / 8] |= request->strobe[i] << (i % 8);
    memcpy(&rtl->request_strobe_i, bits, kBeatBytes / 8);
  }
  rtl->response_ready_i = in->response_ready;
  rtl->memory_ready_i = in->memory_ready;
  rtl->fill_valid_i = !!in->fill;
  if (in->fill)
    memcpy(&rtl->fill_data_i, in->fill, kBeatBytes);
  rtl->clk = 0;
  rtl->eval();
  out->request_ready = rtl->request_ready_o;
  out->response_valid = rtl->response_valid_o;
  memcpy(out->response_data, &rtl->response_data_o, kBeatBytes);
  out->response_label = rtl->response_label_o;
  out->memory_valid = rtl->memory_valid_o;
  out->memory_store = rtl->memory_store_o;
  out->memory_address = rtl->memory_address_o;
  memcpy(out->memory_data, &rtl->memory_data_o, kBeatBytes);
  uint8_t bits[MOST_BEAT_BYTES / 8];
  memcpy(bits, &rtl->memory_strobe_o, kBeatBytes / 8);
  for (unsigned i = 0; i < kBeatBytes; i++)
    out->memory_strobe[i] = bits[i / 8] >> (i % 8) & 1;
  out->fill_ready = rtl->fill_ready_o;
  out->missed = rtl->missed_o;
  out->idle = rtl->idle_o;
}

void cache_block_edge(cache_block *block) {
  block->rtl->clk = 1;
  block->rtl->eval();
}

cache_shape cache_block_shape(void) {
  return {1u << CACHE_LOG2, kBeatBytes, 1u << LINE_LOG2};
}
}
