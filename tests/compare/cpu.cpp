// SPDX-License-Identifier: Apache-2.0
// VexRiscv and its memory: runs each part of a kernel of kernels.c from reset to its end, one after the other, and
// prints the cycles of each as `PHASE PART CYCLES`. Called by compare_cpu.py.
//
//   cpu MEMORY LATENCY PHASES PARTS    MEMORY: a file of the whole memory, from address 0, rewritten at the end
//
// Both buses of the CPU have a port of their own. The first word of a burst is there LATENCY cycles after it was asked
// for (0: in the same cycle), the next ones each cycle. A store is accepted at once, as if behind a buffer without end.
// So the CPU waits for no other CPU.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "VVexRiscv.h"
#include "verilated.h"

namespace {

const uint32_t WORK = 0x8000 / 4, PHASE = WORK + 1, PART = WORK + 2, PARTS = WORK + 3;
const uint32_t CONTROL = 0x80000000 / 4;
const uint64_t MOST = 200000000;  // cycles, after which a program has not ended
const unsigned INCREMENTING = 2;  // Wishbone's CTI: more words follow

[[noreturn]] void die(const char *text) {
  fprintf(stderr, "cpu: %s\n", text);
  exit(1);
}

// A bus that reads: when the word that it asks for is there.
class Port {
 public:
  explicit Port(unsigned latency) : latency(latency) {}

  // In each cycle; whether the word is there in this one.
  bool answers(bool asks, unsigned cti) {
    if (!asks)
      return false;
    if (!within && waited < latency) {
      waited++;
      return false;
    }
    within = cti == INCREMENTING;
    waited = 0;
    return true;
  }

 private:
  const unsigned latency;
  unsigned waited = 0;
  bool within = false;  // a burst
};

uint32_t word_at(const std::vector<uint32_t> &memory, uint32_t address) {
  return address < memory.size() ? memory[address] : 0;  // also what is read ahead of a jump
}

void store(std::vector<uint32_t> &memory, uint32_t address, uint32_t value, unsigned bytes) {
  if (address >= memory.size())
    die("a store outside of the memory");
  for (int byte = 0; byte < 4; byte++)
    if (bytes >> byte & 1) {
      const uint32_t mask = UINT32_C(0xff) << 8 * byte;
      memory[address] = (memory[address] & ~mask) | (value & mask);
    }
}

// From reset to the end; cycles between the two stores of start.S.
uint64_t run(std::vector<uint32_t> &memory, unsigned latency) {
  VerilatedContext context;
  context.threads(1);
  VVexRiscv cpu(&context);
  Port instructions(latency), data(latency);
  uint64_t start = 0;
  for (uint64_t cycle = 0; cycle < MOST; cycle++) {
    cpu.reset = cycle < 4;
    cpu.clk = 0;
    cpu.eval();
    const bool asks = cpu.dBusWishbone_CYC && cpu.dBusWishbone_STB, stores = asks && cpu.dBusWishbone_WE;
    cpu.iBusWishbone_ACK = instructions.answers(cpu.iBusWishbone_CYC && cpu.iBusWishbone_STB, cpu.iBusWishbone_CTI);
    cpu.iBusWishbone_DAT_MISO = word_at(memory, cpu.iBusWishbone_ADR);
    const bool answers = data.answers(asks && !stores, cpu.dBusWishbone_CTI);
    cpu.dBusWishbone_ACK = stores || answers;
    cpu.dBusWishbone_DAT_MISO = word_at(memory, cpu.dBusWishbone_ADR);
    if (stores && cpu.dBusWishbone_ADR == CONTROL)
      start = cycle;
    else if (stores && cpu.dBusWishbone_ADR == CONTROL + 1)
      return cycle - start;
    else if (stores)
      store(memory, cpu.dBusWishbone_ADR, cpu.dBusWishbone_DAT_MOSI, cpu.dBusWishbone_SEL);
    cpu.eval();
    cpu.clk = 1;
    cpu.eval();
  }
  die("the program does not end");
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 5)
    die("usage: cpu MEMORY LATENCY PHASES PARTS");
  const unsigned latency = atoi(argv[2]), phases = atoi(argv[3]), parts = atoi(argv[4]);
  FILE *file = fopen(argv[1], "r+b");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    die("cannot open the memory's file");
  std::vector<uint32_t> memory(ftell(file) / 4);
  rewind(file);
  if (memory.size() <= PARTS || fread(memory.data(), 4, memory.size(), file) != memory.size())
    die("cannot read the memory's file");
  for (unsigned phase = 0; phase < phases; phase++)
    for (unsigned part = 0; part < parts; part++) {
      memory[PHASE] = phase, memory[PART] = part, memory[PARTS] = parts;
      printf("%u %u %llu\n", phase, part, (unsigned long long)run(memory, latency));
    }
  rewind(file);
  if (fwrite(memory.data(), 4, memory.size(), file) != memory.size() || fclose(file) != 0)
    die("cannot write the memory's file");
  return 0;
}
