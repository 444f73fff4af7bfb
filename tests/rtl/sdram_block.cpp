// SPDX-License-Identifier: Apache-2.0
// The Verilated sdram_bench.v behind memory_block.h and sdram_block.h.
#include "tests/rtl/sdram_block.h"

#include "tests/rtl/memory_ports.h"

constexpr uint64_t kCycle = 1000000000 / CLOCK_KHZ;  // ps

struct memory_block {
  MemoryPorts ports;
  sdram_chip chip;
  uint64_t now = kCycle;
  explicit memory_block(int seed) : ports(seed), chip() {}
};

extern "C" {

memory_block *memory_block_create(int seed) {
  memory_block *block = new memory_block(seed);
  if (!sdram_chip_begin(&block->chip, block->now)) {
    delete block;
    return nullptr;
  }
  return block;
}

void memory_block_destroy(memory_block *block) {
  sdram_chip_end(&block->chip);
  delete block;
}

const sdram_chip *sdram_block_chip(const memory_block *block) {
  return &block->chip;
}

const char *memory_block_wrong(const memory_block *block) {
  return block->chip.wrong;
}

void memory_block_cycle(memory_block *block, const memory_in *in, memory_out *out) {
  Vblock &rtl = block->ports.rtl;
  block->ports.settle(in, out);
  block->ports.rise();
  // The chip's clock rises a little later, when the pins have changed.
  sdram_pins pins = {};
  pins.cke = true;
  pins.ras_n = rtl.command_o >> 2 & 1;
  pins.cas_n = rtl.command_o >> 1 & 1;
  pins.we_n = rtl.command_o & 1;
  pins.ba = rtl.bank_o;
  pins.a = rtl.address_o;
  pins.dqm = rtl.dqm_o;
  pins.dq = rtl.data_o;
  pins.dq_driven = rtl.drive_o;
  // Before its first edges the pins' registers hold anything.
  if (in->rst)
    pins.ras_n = pins.cas_n = pins.we_n = true;
  sdram_chip_edge(&block->chip, block->now, &pins);
  rtl.data_i = block->chip.dq;
  block->now += kCycle;
}

}  // extern "C"
