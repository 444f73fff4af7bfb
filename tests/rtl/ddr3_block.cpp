// SPDX-License-Identifier: Apache-2.0
// The Verilated ddr3_bench.v behind memory_block.h and ddr3_block.h.
#include "tests/rtl/ddr3_block.h"

#include "tests/rtl/memory_ports.h"

struct memory_block {
  MemoryPorts ports;
  ddr3_chip chip;
  ddr3_levelling levelling;
  explicit memory_block(int seed) : ports(seed), chip(), levelling() {}
};

extern "C" {

memory_block *memory_block_create(int seed) {
  memory_block *block = new memory_block(seed);
  if (!ddr3_chip_begin(&block->chip)) {
    delete block;
    return nullptr;
  }
  ddr3_chip_use(&block->chip);
  return block;
}

void memory_block_destroy(memory_block *block) {
  ddr3_chip_end(&block->chip);
  delete block;
}

ddr3_chip *ddr3_block_chip(memory_block *block) {
  return &block->chip;
}

ddr3_levelling ddr3_block_levelling(const memory_block *block) {
  return block->levelling;
}

const char *memory_block_wrong(const memory_block *block) {
  return block->chip.wrong;
}

void memory_block_cycle(memory_block *block, const memory_in *in, memory_out *out) {
  Vblock &rtl = block->ports.rtl;
  rtl.core_rst = in->core_rst;
  block->ports.settle(in, out);
  block->levelling = {static_cast<bool>(rtl.ready_o), static_cast<bool>(rtl.failed_o), rtl.chosen_o};
  block->ports.rise();
}

}  // extern "C"
