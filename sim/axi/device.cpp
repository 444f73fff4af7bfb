// SPDX-License-Identifier: Apache-2.0
// A device on a bus behind sim.h: clocks rtl/axi/heddle_axi.v, and is what stands around it: memory on AXI4 that lets
// everything wait at random and serves bursts in any order that AXI allows, and a host that reaches control over
// AXI4-Lite, sleeps until the interrupt, and shares memory with the device as contract/DEVICE.md says ("A device on a
// bus"). One shared object for a shape; loaded by host/transport/sim.c. C++ because Verilator's models are.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <deque>
#include <memory>
#include <new>
#include <vector>

#include "Vheddle_axi.h"
#include "contract/device_map.h"
#include "contract/sim.h"
#include "verilated.h"

namespace {

constexpr uint32_t kControlBase = 0xF0000000u, kControlBytes = 0x1000u;
constexpr uint32_t kGlobalBytes = 1u << GLOBAL_LOG2;
constexpr uint32_t kBeatBytes = LANES > 4 ? 4 * LANES : 16;
constexpr uint32_t kLineLeast = 1u << HEDDLE_LINE_LOG2_LEAST;
constexpr uint32_t kLineBytes = kBeatBytes > kLineLeast ? kBeatBytes : kLineLeast;
constexpr uint32_t kBusBytes = 1u << DATA_LOG2;
constexpr uint32_t kBase = 0x40000000u;  // of global memory on the bus
constexpr uint32_t kDefaultLatency = 60;
constexpr unsigned kAccessCycles = 100000;  // an access of control that takes longer never ends

// Numbers for what is left to chance; always the same ones.
struct Chance {
  uint32_t state = 2463534242u;
  uint32_t below(uint32_t limit) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % limit;
  }
};

struct Burst {
  uint32_t id, address;
  uint64_t due;  // the cycle from which on it may be carried out
  bool carried_out = false;
  bool failed = false;
  uint32_t offset = 0;         // of the transfer that comes next
  std::vector<uint8_t> bytes;  // of a write what has come; of a read the line, once it is carried out
  std::vector<bool> strobes;
};

// The memory behind one of the device's ports.
struct Port {
  std::deque<Burst> reads, writes;  // in the order of their addresses
  bool r_valid = false, b_valid = false;
  Burst *r_burst = nullptr;  // whose transfer stands at R
};

struct Device {
  VerilatedContext context;
  std::unique_ptr<Vheddle_axi> rtl;
  uint8_t *memory = nullptr;
  uint32_t latency = kDefaultLatency;
  Port ports[BANKS];
  Chance chance;
  uint64_t cycle = 0;
  bool written = false;                    // the host has written memory since SYNC
  bool started = false;                    // something may have run since SYNC
  bool broken = false;                     // an access of control never ended
  uint32_t fail_from = 0, fail_bytes = 0;  // bytes that memory cannot read or write, if there are any
};

template <typename Signal>
uint8_t *bytes_of(Signal &signal) {
  return reinterpret_cast<uint8_t *>(&signal);
}

// Field number `i`, so many bits wide, of a port of several channels.
template <typename Signal>
uint32_t field(Signal &signal, unsigned i, unsigned bits) {
  uint32_t value = 0;
  for (unsigned b = 0, at = i * bits; b < bits; b++, at++)
    value |= (uint32_t)(bytes_of(signal)[at / 8] >> at % 8 & 1) << b;
  return value;
}

template <typename Signal>
void set_field(Signal &signal, unsigned i, unsigned bits, uint32_t value) {
  for (unsigned b = 0, at = i * bits; b < bits; b++, at++) {
    uint8_t *byte = bytes_of(signal) + at / 8;
    *byte = (uint8_t)((*byte & ~(1u << at % 8)) | (value >> b & 1) << at % 8);
  }
}

bool fails(const Device *d, uint32_t address, uint32_t bytes) {
  return address < d->fail_from + d->fail_bytes && d->fail_from < address + bytes;
}

// Some burst whose turn it may be: the oldest of its ID, and due.
Burst *choose(Device *d, std::deque<Burst> &bursts, bool (*ready)(const Burst &)) {
  std::vector<Burst *> may;
  uint32_t seen = 0;
  for (Burst &burst : bursts) {
    if ((seen >> burst.id & 1) == 0 && burst.due <= d->cycle && ready(burst))
      may.push_back(&burst);
    seen |= 1u << burst.id;
  }
  return may.empty() ? nullptr : may[d->chance.below((uint32_t)may.size())];
}

void erase(std::deque<Burst> &bursts, const Burst *burst) {
  for (auto i = bursts.begin(); i != bursts.end(); ++i)
    if (&*i == burst) {
      bursts.erase(i);
      return;
    }
}

// What memory shows in a cycle, before the rising edge. What it has offered stays.
void offer(Device *d, unsigned n) {
  Vheddle_axi *rtl = d->rtl.get();
  Port *p = &d->ports[n];
  set_field(rtl->m_axi_arready, n, 1, d->chance.below(4) != 0);
  set_field(rtl->m_axi_awready, n, 1, d->chance.below(4) != 0);
  set_field(rtl->m_axi_wready, n, 1, d->chance.below(4) != 0);
  if (!p->r_valid && d->chance.below(8) != 0) {
    p->r_burst = choose(d, p->reads, [](const Burst &) { return true; });
    if (p->r_burst) {
      Burst *burst = p->r_burst;
      if (!burst->carried_out) {
        burst->carried_out = true;
        burst->failed = fails(d, burst->address, kLineBytes);
        burst->bytes.assign(d->memory + burst->address, d->memory + burst->address + kLineBytes);
        for (uint8_t &byte : burst->bytes)
          byte = (uint8_t)(burst->failed ? ~byte : byte);
      }
      p->r_valid = true;
      set_field(rtl->m_axi_rid, n, ID_BITS, burst->id);
      memcpy(bytes_of(rtl->m_axi_rdata) + n * kBusBytes, burst->bytes.data() + burst->offset, kBusBytes);
      set_field(rtl->m_axi_rresp, n, 2, burst->failed ? 2 + d->chance.below(2) : 0);
      set_field(rtl->m_axi_rlast, n, 1, burst->offset + kBusBytes == kLineBytes);
    }
  }
  if (!p->b_valid && d->chance.below(4) != 0) {
    Burst *burst = choose(d, p->writes, [](const Burst &b) { return b.bytes.size() == kBeatBytes; });
    if (burst) {
      const bool failed = fails(d, burst->address, kBeatBytes);
      for (uint32_t i = 0; i < kBeatBytes && !failed; i++)
        if (burst->strobes[i])
          d->memory[burst->address + i] = burst->bytes[i];
      p->b_valid = true;
      set_field(rtl->m_axi_bid, n, ID_BITS, burst->id);
      set_field(rtl->m_axi_bresp, n, 2, failed ? 2 + d->chance.below(2) : 0);
      erase(p->writes, burst);
    }
  }
  set_field(rtl->m_axi_rvalid, n, 1, p->r_valid);
  set_field(rtl->m_axi_bvalid, n, 1, p->b_valid);
}

// What has been accepted at the rising edge.
void serve(Device *d, unsigned n) {
  Vheddle_axi *rtl = d->rtl.get();
  Port *p = &d->ports[n];
  if (p->r_valid && field(rtl->m_axi_rready, n, 1)) {
    p->r_valid = false;
    p->r_burst->offset += kBusBytes;
    if (p->r_burst->offset == kLineBytes)
      erase(p->reads, p->r_burst);
  }
  if (p->b_valid && field(rtl->m_axi_bready, n, 1))
    p->b_valid = false;
  if (rtl->rst)
    return;
  const uint64_t due = d->cycle + d->latency / 2 + d->chance.below(d->latency + 1);
  if (field(rtl->m_axi_arvalid, n, 1) && field(rtl->m_axi_arready, n, 1))
    p->reads.push_back({field(rtl->m_axi_arid, n, ID_BITS), field(rtl->m_axi_araddr, n, 32) - kBase, due});
  if (field(rtl->m_axi_awvalid, n, 1) && field(rtl->m_axi_awready, n, 1))
    p->writes.push_back({field(rtl->m_axi_awid, n, ID_BITS), field(rtl->m_axi_awaddr, n, 32) - kBase, due});
  if (field(rtl->m_axi_wvalid, n, 1) && field(rtl->m_axi_wready, n, 1))
    for (Burst &burst : p->writes)
      if (burst.bytes.size() < kBeatBytes) {
        const uint8_t *data = bytes_of(rtl->m_axi_wdata) + n * kBusBytes;
        burst.bytes.insert(burst.bytes.end(), data, data + kBusBytes);
        for (uint32_t i = 0; i < kBusBytes; i++)
          burst.strobes.push_back(field(rtl->m_axi_wstrb, n * kBusBytes + i, 1) != 0);
        break;
      }
}

void tick(Device *d) {
  Vheddle_axi *rtl = d->rtl.get();
  for (unsigned i = 0; i < BANKS; i++)
    offer(d, i);
  rtl->clk = 0;
  rtl->eval();
  for (unsigned i = 0; i < BANKS; i++)
    serve(d, i);
  rtl->clk = 1;
  rtl->eval();
  d->cycle++;
}

// A cycle in which what stands at AXI4-Lite is there. Readiness depends on registers alone.
uint32_t read_register(Device *d, uint32_t offset) {
  Vheddle_axi *rtl = d->rtl.get();
  rtl->s_axi_araddr = offset;
  rtl->s_axi_arvalid = 1;
  rtl->s_axi_rready = 1;
  for (unsigned i = 0; i < kAccessCycles && !d->broken; i++) {
    const bool taken = rtl->s_axi_arready;
    if (rtl->s_axi_rvalid) {
      const uint32_t value = rtl->s_axi_rdata;
      tick(d);
      return value;
    }
    tick(d);
    if (taken)
      rtl->s_axi_arvalid = 0;
  }
  d->broken = true;
  return ~0u;
}

void write_register(Device *d, uint32_t offset, uint32_t value) {
  Vheddle_axi *rtl = d->rtl.get();
  rtl->s_axi_awaddr = offset;
  rtl->s_axi_wdata = value;
  rtl->s_axi_wstrb = 15;
  rtl->s_axi_awvalid = rtl->s_axi_wvalid = 1;
  rtl->s_axi_bready = 1;
  for (unsigned i = 0; i < kAccessCycles && !d->broken; i++) {
    const bool address_taken = rtl->s_axi_awready, data_taken = rtl->s_axi_wready, answered = rtl->s_axi_bvalid;
    tick(d);
    if (address_taken)
      rtl->s_axi_awvalid = 0;
    if (data_taken)
      rtl->s_axi_wvalid = 0;
    if (answered)
      return;
  }
  d->broken = true;
}

bool busy(Device *d) {
  return (read_register(d, HEDDLE_REG_BUS_STATE) & HEDDLE_BUS_BUSY) != 0;
}

// The host and the device see the same memory.
void synchronise(Device *d) {
  write_register(d, HEDDLE_REG_SYNC, 1);
  d->written = false;
  d->started = busy(d);
}

void destroy(void *device) {
  Device *d = static_cast<Device *>(device);
  if (d->rtl)
    d->rtl->final();
  if (d->memory)
    munmap(d->memory, kGlobalBytes);
  delete d;
}

void *create(const heddle_sim_config *config, const char **error) {
  if ((config->lanes != 0 && config->lanes != LANES) || (config->slots != 0 && config->slots != SLOTS) ||
      (config->units != 0 && config->units != UNITS)) {
    *error = "this Verilated device was built for other LANES, SLOTS or UNITS";
    return nullptr;
  }
  if (config->global_bytes != 0 && config->global_bytes != kGlobalBytes) {
    *error = "this Verilated device was built for another size of global memory";
    return nullptr;
  }
  Device *d = new (std::nothrow) Device;
  if (!d) {
    *error = "out of memory";
    return nullptr;
  }
  void *bytes = mmap(nullptr, kGlobalBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  d->memory = bytes == MAP_FAILED ? nullptr : static_cast<uint8_t *>(bytes);
  if (!d->memory) {
    *error = "no room for the simulated device's global memory";
    destroy(d);
    return nullptr;
  }
  d->latency = config->memory_latency ? config->memory_latency : kDefaultLatency;
  d->context.threads(1);
  d->context.randReset(2);  // registers start with arbitrary values: nothing may depend on them
  d->context.randSeed(1);
  d->rtl = std::make_unique<Vheddle_axi>(&d->context);
  d->rtl->rst = 1;
  d->rtl->s_axi_awvalid = d->rtl->s_axi_wvalid = d->rtl->s_axi_arvalid = 0;
  for (int i = 0; i < 4; i++)
    tick(d);
  d->rtl->rst = 0;
  write_register(d, HEDDLE_REG_INTERRUPT_ENABLE, 1);
  return d;
}

bool in_global(uint32_t address, size_t bytes) {
  return address <= kGlobalBytes && bytes <= kGlobalBytes - address;
}

bool in_control(uint32_t address, size_t bytes) {
  return address >= kControlBase && address - kControlBase <= kControlBytes &&
         bytes <= kControlBytes - (address - kControlBase) && address % 4 == 0 && bytes % 4 == 0;
}

int read(void *device, uint32_t address, void *data, size_t bytes) {
  Device *d = static_cast<Device *>(device);
  if (in_global(address, bytes)) {
    if (d->started)
      synchronise(d);
    memcpy(data, d->memory + address, bytes);
    return d->broken ? -EIO : 0;
  }
  if (!in_control(address, bytes))
    return -EFAULT;
  for (size_t i = 0; i < bytes; i += 4) {
    const uint32_t word = read_register(d, address - kControlBase + (uint32_t)i);
    memcpy(static_cast<uint8_t *>(data) + i, &word, 4);
  }
  return d->broken ? -EIO : 0;
}

int write(void *device, uint32_t address, const void *data, size_t bytes) {
  Device *d = static_cast<Device *>(device);
  if (in_global(address, bytes)) {
    memcpy(d->memory + address, data, bytes);
    d->written = true;
    return 0;
  }
  if (!in_control(address, bytes))
    return -EFAULT;
  if (d->written)
    synchronise(d);
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t word;
    memcpy(&word, static_cast<const uint8_t *>(data) + i, 4);
    write_register(d, HEDDLE_REG_INTERRUPT, 1);  // what this begins has not ended
    write_register(d, address - kControlBase + (uint32_t)i, word);
    d->started = true;
  }
  return d->broken ? -EIO : 0;
}

int run(void *device, uint64_t cycles) {
  Device *d = static_cast<Device *>(device);
  if (d->broken)
    return -EIO;
  if (!busy(d))
    return 1;
  for (uint64_t i = 0; i < cycles && !d->rtl->interrupt_o; i++)
    tick(d);
  return d->rtl->interrupt_o && !busy(d);
}

const heddle_sim_api api = {"Heddle sim", create, destroy, read, write, run, nullptr, nullptr};

}  // namespace

extern "C" __attribute__((visibility("default"))) const heddle_sim_api *heddle_rtl_api(void) {
  return &api;
}

// For tests: from now on memory answers with an error where it should read or write these bytes. No bytes: it works.
extern "C" __attribute__((visibility("default"))) void heddle_rtl_fail_memory(void *device, uint32_t address,
                                                                              uint32_t bytes) {
  static_cast<Device *>(device)->fail_from = address;
  static_cast<Device *>(device)->fail_bytes = bytes;
}

// For a host that has registers and memory itself (tests/transport/mmio_bed.c): makes a file's first bytes the memory,
// before anything has run; and an access of control as it is, without the SYNC that this file's host gives.
extern "C" __attribute__((visibility("default"))) bool heddle_rtl_share_memory(void *device, int file) {
  uint8_t *memory = static_cast<Device *>(device)->memory;
  return mmap(memory, kGlobalBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == memory;
}

extern "C" __attribute__((visibility("default"))) uint32_t heddle_rtl_read_control(void *device, uint32_t offset) {
  return read_register(static_cast<Device *>(device), offset);
}

extern "C" __attribute__((visibility("default"))) void heddle_rtl_write_control(void *device, uint32_t offset,
                                                                                uint32_t value) {
  write_register(static_cast<Device *>(device), offset, value);
}
