// SPDX-License-Identifier: Apache-2.0
// The Verilated sdram_bench.v behind sdram_block.h.
#include "tests/rtl/sdram_block.h"

#include <cstring>
#include <memory>

#include "Vblock.h"
#include "verilated.h"

constexpr unsigned kRowBytes = 1u << ROW_LOG2;
constexpr uint64_t kCycle = 1000000000 / CLOCK_KHZ;  // ps

struct sdram_block {
  VerilatedContext context;
  std::unique_ptr<Vblock> rtl;
  sdram_chip chip;
  uint64_t now = kCycle;
};

extern "C" {

sdram_block *sdram_block_create(int seed) {
  sdram_block *block = new sdram_block;
  block->context.threads(1);
  block->context.randReset(2);
  block->context.randSeed(seed);
  block->rtl = std::make_unique<Vblock>(&block->context);
  if (!sdram_chip_begin(&block->chip, block->now)) {
    delete block;
    return nullptr;
  }
  return block;
}

void sdram_block_destroy(sdram_block *block) {
  block->rtl->final();
  sdram_chip_end(&block->chip);
  delete block;
}

const sdram_chip *sdram_block_chip(const sdram_block *block) {
  return &block->chip;
}

void sdram_block_cycle(sdram_block *block, const sdram_in *in, sdram_out *out) {
  Vblock *rtl = block->rtl.get();
  rtl->rst = in->rst;
  rtl->request_valid_i = in->valid;
  rtl->request_store_i = in->store;
  rtl->request_address_i = in->address;
  rtl->response_ready_i = in->response_ready;
  memcpy(&rtl->request_data_i, in->data, kRowBytes);
  uint8_t bits[MOST_SDRAM_ROW_BYTES / 8] = {};
  for (unsigned i = 0; i < kRowBytes; i++)
    bits[i / 8] |= in->strobe[i] << (i % 8);
  memcpy(&rtl->request_strobe_i, bits, kRowBytes / 8);
  rtl->clk = 0;
  rtl->eval();
  out->ready = rtl->request_ready_o;
  out->response_valid = rtl->response_valid_o;
  memcpy(out->response, &rtl->response_data_o, kRowBytes);
  rtl->clk = 1;
  rtl->eval();
  // The chip's clock rises a little later, when the pins have changed.
  sdram_pins pins = {};
  pins.cke = true;
  pins.ras_n = rtl->command_o >> 2 & 1;
  pins.cas_n = rtl->command_o >> 1 & 1;
  pins.we_n = rtl->command_o & 1;
  pins.ba = rtl->bank_o;
  pins.a = rtl->address_o;
  pins.dqm = rtl->dqm_o;
  pins.dq = rtl->data_o;
  pins.dq_driven = rtl->drive_o;
  // Before its first edges the pins' registers hold anything.
  if (in->rst)
    pins.ras_n = pins.cas_n = pins.we_n = true;
  sdram_chip_edge(&block->chip, block->now, &pins);
  rtl->data_i = block->chip.dq;
  block->now += kCycle;
}

}  // extern "C"
