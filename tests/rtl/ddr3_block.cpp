// SPDX-License-Identifier: Apache-2.0
// The Verilated ddr3_bench.v behind ddr3_block.h.
#include "tests/rtl/ddr3_block.h"

#include <cstring>
#include <memory>

#include "Vblock.h"
#include "verilated.h"
#if VM_COVERAGE
#include "sim/rtl/coverage.h"
#endif

constexpr unsigned kRowBytes = 1u << ROW_LOG2;

struct ddr3_block {
  VerilatedContext context;
  std::unique_ptr<Vblock> rtl;
  ddr3_chip chip;
};

extern "C" {

ddr3_block *ddr3_block_create(int seed) {
  ddr3_block *block = new ddr3_block;
  if (!ddr3_chip_begin(&block->chip)) {
    delete block;
    return nullptr;
  }
  ddr3_chip_use(&block->chip);
  block->context.threads(1);
  block->context.randReset(2);
  block->context.randSeed(seed);
  block->rtl = std::make_unique<Vblock>(&block->context);
#if VM_COVERAGE
  Coverage::begin(&block->context);
#endif
  return block;
}

void ddr3_block_destroy(ddr3_block *block) {
#if VM_COVERAGE
  Coverage::end(&block->context);
#endif
  block->rtl->final();
  ddr3_chip_end(&block->chip);
  delete block;
}

ddr3_chip *ddr3_block_chip(ddr3_block *block) {
  return &block->chip;
}

void ddr3_block_cycle(ddr3_block *block, const ddr3_in *in, ddr3_out *out) {
  Vblock *rtl = block->rtl.get();
  rtl->core_rst = in->core_rst;
  rtl->rst = in->rst || in->core_rst;
  rtl->request_valid_i = in->valid;
  rtl->request_store_i = in->store;
  rtl->request_address_i = in->address;
  rtl->response_ready_i = in->response_ready;
  memcpy(&rtl->request_data_i, in->data, kRowBytes);
  uint8_t bits[MOST_DDR3_ROW_BYTES / 8] = {};
  for (unsigned i = 0; i < kRowBytes; i++)
    bits[i / 8] |= in->strobe[i] << (i % 8);
  memcpy(&rtl->request_strobe_i, bits, kRowBytes / 8);
  rtl->clk = 0;
  rtl->eval();
  out->ready = rtl->request_ready_o;
  out->response_valid = rtl->response_valid_o;
  memcpy(out->response, &rtl->response_data_o, kRowBytes);
  out->started = rtl->ready_o;
  out->failed = rtl->failed_o;
  out->chosen = rtl->chosen_o;
  rtl->clk = 1;
  rtl->eval();
}

}  // extern "C"
