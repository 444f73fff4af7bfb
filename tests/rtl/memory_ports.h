// SPDX-License-Identifier: Apache-2.0
// What sdram_block.cpp and ddr3_block.cpp share of memory_block.h: the Verilated module's life, and the ports of a
// channel of external memory.
#ifndef HEDDLE_TESTS_RTL_MEMORY_PORTS_H
#define HEDDLE_TESTS_RTL_MEMORY_PORTS_H

#include <cstring>

#include "Vblock.h"
#include "tests/rtl/memory_block.h"
#include "verilated.h"
#if VM_COVERAGE
#include "sim/rtl/coverage.h"
#endif

class MemoryPorts {
  VerilatedContext context_;

 public:
  Vblock rtl;

  explicit MemoryPorts(int seed) : rtl(with_seed(seed)) {
#if VM_COVERAGE
    Coverage::begin(&context_);
#endif
  }

  ~MemoryPorts() {
#if VM_COVERAGE
    Coverage::end(&context_);
#endif
    rtl.final();
  }

  // Before the clock rises: what stands at the ports, and what they say.
  void settle(const memory_in *in, memory_out *out) {
    rtl.rst = in->rst || in->core_rst;
    rtl.request_valid_i = in->valid;
    rtl.request_store_i = in->store;
    rtl.request_address_i = in->address;
    rtl.response_ready_i = in->response_ready;
    memcpy(&rtl.request_data_i, in->data, kBeatBytes);
    uint8_t bits[MOST_MEMORY_BEAT_BYTES / 8] = {};
    for (unsigned i = 0; i < kBeatBytes; i++)
      bits[i / 8] |= in->strobe[i] << (i % 8);
    memcpy(&rtl.request_strobe_i, bits, kBeatBytes / 8);
    rtl.clk = 0;
    rtl.eval();
    out->ready = rtl.request_ready_o;
    out->response_valid = rtl.response_valid_o;
    memcpy(out->response, &rtl.response_data_o, kBeatBytes);
  }

  void rise() {
    rtl.clk = 1;
    rtl.eval();
  }

 private:
  static constexpr unsigned kBeatBytes = 1u << BEAT_LOG2;

  VerilatedContext *with_seed(int seed) {
    context_.threads(1);
    context_.randReset(2);
    context_.randSeed(seed);
    return &context_;
  }
};

#endif
