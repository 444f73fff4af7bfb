// SPDX-License-Identifier: Apache-2.0
// The Verilated device behind sim.h: clocks rtl/heddle.v, is its external memory, and gives the host its control
// registers and its link. While nothing runs the host reads and writes external memory itself, which takes no time. One
// shared object for each LANES, SLOTS and UNITS; loaded by host/transport/sim.c. C++ because Verilator's models are.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <memory>
#include <new>

#include "Vheddle.h"
#include "contract/device_map.h"
#include "contract/sim.h"
#include "verilated.h"
#if VM_COVERAGE
#include "sim/rtl/coverage.h"
#endif
#include "sim/rtl/observer.h"
#ifdef HEDDLE_TRACE
#include "sim/rtl/tracer.h"
#endif
#if VM_TRACE
#include "sim/rtl/waves.h"
#endif

namespace {

constexpr uint32_t kControlBase = 0xF0000000u;
constexpr uint32_t kControlBytes = 0x1000u;
constexpr uint32_t kGlobalBytes = 1u << GLOBAL_LOG2;
constexpr uint32_t kBeatBytes = LANES > 4 ? 4 * LANES : 16;
constexpr uint32_t kLineLeast = 1u << HEDDLE_LINE_LOG2_LEAST;
constexpr uint32_t kLineBytes = kBeatBytes > kLineLeast ? kBeatBytes : kLineLeast;  // what a read brings
constexpr uint32_t kIntervalBytes = 64;                                             // what `interval` is for
constexpr uint32_t kDefaultLatency = 60, kDefaultInterval = 4, kMost = 65535;
constexpr int kWake = 1100;  // cycles from reset to the host's first access, if the device is ready by then
constexpr unsigned kReadsUnderWay = 128;  // more than the device cache ever has (rtl/memory/cache.v)
constexpr uint32_t kWaiting = 16;  // lines' worth of requests that wait for their turn, as in a memory controller

// A channel of external memory: serves lines read and beats written in order. 64 bytes are moved every `interval`
// cycles, a smaller beat or a larger line pays in proportion; requests that come faster wait, up to kWaiting lines of
// them. A line's first beat comes `latency` cycles after its turn, its beats follow one a cycle at most.
struct Channel {
  uint64_t busy_until_x64 = 0;  // in 1/64 cycles, so that beats smaller than a line pay their share
  struct Read {
    uint64_t due;
    uint8_t line[kLineBytes];  // as it was when it was asked for
    bool failed;
  } reads[kReadsUnderWay];
  unsigned head = 0, count = 0;
  uint32_t offset = 0;  // of the beat that the line at `head` gives next
};

struct Device {
  VerilatedContext context;
  std::unique_ptr<Vheddle> rtl;
  uint8_t *memory = nullptr;
  uint32_t latency, interval;
  Channel channels[BANKS];
  uint64_t cycle = 0;
  bool stale = false;                      // the host has written external memory, and the cache does not know
  uint32_t fail_from = 0, fail_bytes = 0;  // accesses of external memory that fail, if there are any
  bool write_failed[BANKS] = {};
  std::unique_ptr<Observer> observer;  // nullptr: nobody looks on
#ifdef HEDDLE_TRACE
  Tracer tracers[UNITS];
  TraceSignals signals[UNITS];
#endif
#if VM_TRACE
  std::unique_ptr<Waves<Device>> waves;  // nullptr: nothing is recorded
#endif
};

// Ports of up to 64 bits are integers, wider ones arrays of words: both are little-endian bytes in memory.
template <typename Port>
uint8_t *bytes_of(Port &port) {
  return reinterpret_cast<uint8_t *>(&port);
}

template <typename Port>
bool bit_of(Port &port, unsigned bit) {
  return (bytes_of(port)[bit / 8] >> (bit % 8)) & 1;
}

template <typename Port>
void set_bit(Port &port, unsigned bit, bool value) {
  uint8_t *byte = bytes_of(port) + bit / 8;
  *byte = (uint8_t)((*byte & ~(1u << bit % 8)) | (unsigned)value << bit % 8);
}

template <typename Port>
uint32_t address_of(Port &port, unsigned channel) {
  uint32_t address = 0;
  for (unsigned i = 0, bit = channel * GLOBAL_LOG2; i < GLOBAL_LOG2; i++, bit++)
    address |= (uint32_t)bit_of(port, bit) << i;
  return address;
}

// Memory's answer and readiness, before the rising edge. The answer says whether there is one.
bool offer(Device *d, unsigned number) {
  Vheddle *rtl = d->rtl.get();
  Channel *c = &d->channels[number];
  const bool answering = c->count != 0 && c->reads[c->head].due <= d->cycle;
  set_bit(rtl->response_valid_i, number, answering);
  // A line that could not be read comes with wrong bytes, a beat that could not be written is reported the cycle after.
  set_bit(rtl->memory_error_i, number, (answering && c->reads[c->head].failed) || d->write_failed[number]);
  d->write_failed[number] = false;
  if (answering)
    memcpy(bytes_of(rtl->response_data_i) + number * kBeatBytes, c->reads[c->head].line + c->offset, kBeatBytes);
  set_bit(rtl->request_ready_i, number,
          c->busy_until_x64 <= (d->cycle + (uint64_t)(kWaiting - 1) * d->interval) * kIntervalBytes &&
              c->count < kReadsUnderWay);
  return answering;
}

bool fails(const Device *d, uint32_t address, uint32_t bytes) {
  return address < d->fail_from + d->fail_bytes && d->fail_from < address + bytes;
}

// What the device asks for and takes at the rising edge.
void serve(Device *d, unsigned number, bool answering) {
  Vheddle *rtl = d->rtl.get();
  Channel *c = &d->channels[number];
  // Until it has been reset the device may ask for anything.
  if (bit_of(rtl->request_valid_o, number) && bit_of(rtl->request_ready_i, number) && !rtl->rst) {
    const uint32_t address = address_of(rtl->request_address_o, number);
    const bool store = bit_of(rtl->request_store_o, number);
    const uint64_t now_x64 = d->cycle * kIntervalBytes;
    const uint64_t cost_x64 = (uint64_t)d->interval * (store ? kBeatBytes : kLineBytes);
    const uint64_t turn_x64 = c->busy_until_x64 > now_x64 ? c->busy_until_x64 : now_x64;
    c->busy_until_x64 = turn_x64 + cost_x64;
    if (d->observer)
      d->observer->moved(store ? kBeatBytes : kLineBytes);
    if (store && fails(d, address, kBeatBytes)) {
      d->write_failed[number] = true;
    } else if (store) {
      const uint8_t *data = bytes_of(rtl->request_data_o) + number * kBeatBytes;
      for (unsigned i = 0; i < kBeatBytes; i++)
        if (bit_of(rtl->request_strobe_o, number * kBeatBytes + i))
          d->memory[address + i] = data[i];
    } else {
      Channel::Read *read = &c->reads[(c->head + c->count) % kReadsUnderWay];
      read->due = (turn_x64 + kIntervalBytes - 1) / kIntervalBytes + d->latency;
      memcpy(read->line, d->memory + address, kLineBytes);
      read->failed = fails(d, address, kLineBytes);
      for (unsigned i = 0; i < kLineBytes && read->failed; i++)
        read->line[i] = (uint8_t)~read->line[i];
      c->count++;
    }
  }
  if (answering && bit_of(rtl->response_ready_o, number))
    c->offset += kBeatBytes;
  if (c->offset == kLineBytes) {
    c->offset = 0;
    c->head = (c->head + 1) % kReadsUnderWay;
    c->count--;
  }
}

// One clock cycle.
void tick(Device *d) {
  Vheddle *rtl = d->rtl.get();
  bool answering[BANKS];
  for (unsigned i = 0; i < BANKS; i++)
    answering[i] = offer(d, i);
  rtl->clk = 0;
  rtl->eval();
  if (d->observer)
    d->observer->cycle(d->cycle);
#if VM_TRACE
  if (d->waves)
    d->waves->settled();
#endif
#ifdef HEDDLE_TRACE
  for (unsigned i = 0; i < UNITS; i++)
    d->tracers[i].cycle(d->signals[i]);
#endif
  for (unsigned i = 0; i < BANKS; i++)
    serve(d, i, answering[i]);
  rtl->clk = 1;
  rtl->eval();
#if VM_TRACE
  if (d->waves)
    d->waves->edge();
#endif
  d->cycle++;
}

void destroy(void *device) {
  Device *d = static_cast<Device *>(device);
#if VM_COVERAGE
  Coverage::end(&d->context);
#endif
#if VM_TRACE
  d->waves = nullptr;
#endif
  Verilated::threadContextp(&d->context);  // which Verilator's destructors look for, and another device may be the last
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
  if (config->memory_latency > kMost || config->memory_interval > kMost) {
    *error = "memory latency and interval go up to 65535 cycles";
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
  d->interval = config->memory_interval ? config->memory_interval : kDefaultInterval;
  d->context.threads(1);
  d->context.randReset(2);  // registers start with arbitrary values: nothing may depend on them
  d->context.randSeed(1);   // the same ones every time
#if VM_TRACE
  d->context.traceEverOn(true);
#endif
  d->rtl = std::make_unique<Vheddle>(&d->context);
#ifdef HEDDLE_TRACE
  for (unsigned i = 0; i < UNITS; i++)
    d->signals[i] = trace_signals(d->rtl->rootp, i);
#endif
#if VM_COVERAGE
  Coverage::begin(&d->context);
#endif
  d->rtl->rst = 1;
  d->rtl->control_valid_i = 0;
  d->rtl->link_valid_i = 0;
  d->rtl->forget_i = 0;
  d->rtl->hold_i = 0;
  d->rtl->memory_busy_i = 0;
  d->rtl->memory_latency_i = d->latency;
  d->rtl->memory_interval_i = d->interval;
  for (int i = 0; i < 4; i++)
    tick(d);
  d->rtl->rst = 0;
  for (int i = 0; i < kWake || !d->rtl->ready_o; i++)
    tick(d);
  return d;
}

uint32_t read_register(Device *d, uint32_t offset) {
  d->rtl->control_valid_i = 1;
  d->rtl->control_write_i = 0;
  d->rtl->control_address_i = offset >> 2;
  tick(d);
  d->rtl->control_valid_i = 0;
  return d->rtl->control_data_o;
}

// Whatever a register starts finds what the host has written.
void publish(Device *d) {
  while (!d->rtl->link_quiet_o || (d->stale && d->rtl->busy_o))
    tick(d);
  d->rtl->forget_i = d->stale;
  tick(d);
  d->rtl->forget_i = 0;
  d->stale = false;
}

void write_register(Device *d, uint32_t offset, uint32_t value) {
  if (d->stale || !d->rtl->link_quiet_o)
    publish(d);
  d->rtl->control_valid_i = 1;
  d->rtl->control_write_i = 1;
  d->rtl->control_address_i = offset >> 2;
  d->rtl->control_data_i = value;
  tick(d);
  d->rtl->control_valid_i = 0;
  tick(d);  // what a command brings about stands two cycles after it
}

bool in_global(uint32_t address, size_t bytes) {
  return address <= kGlobalBytes && bytes <= kGlobalBytes - address;
}

bool in_control(uint32_t address, size_t bytes) {
  return address >= kControlBase && address - kControlBase <= kControlBytes &&
         bytes <= kControlBytes - (address - kControlBase) && address % 4 == 0 && bytes % 4 == 0;
}

// One request of the link for the beat that `address` is in. Where it stores, `strobe` has the bytes.
void ask_link(Device *d, uint32_t address, bool store) {
  Vheddle *rtl = d->rtl.get();
  rtl->link_valid_i = 1;
  rtl->link_store_i = store;
  rtl->link_address_i = address / kBeatBytes * kBeatBytes;
  do {
    rtl->eval();  // readiness follows from what else is asked in this cycle
    if (rtl->link_ready_o)
      break;
    tick(d);
  } while (true);
  tick(d);
  rtl->link_valid_i = 0;
}

// Calls `beat` with each beat that the bytes lie in: address, how many bytes of it, their offset among all.
template <typename Beat>
void by_beat(uint32_t address, size_t bytes, Beat beat) {
  for (size_t done = 0; done < bytes;) {
    const size_t to_end = kBeatBytes - (address + done) % kBeatBytes;
    const size_t count = bytes - done < to_end ? bytes - done : to_end;
    beat(address + (uint32_t)done, count, done);
    done += count;
  }
}

void read_link(Device *d, uint32_t address, uint8_t *data, size_t bytes) {
  by_beat(address, bytes, [&](uint32_t at, size_t count, size_t done) {
    ask_link(d, at, false);
    while (!d->rtl->link_answer_o)
      tick(d);
    memcpy(data + done, bytes_of(d->rtl->link_answer_data_o) + at % kBeatBytes, count);
    tick(d);
  });
}

void write_link(Device *d, uint32_t address, const uint8_t *data, size_t bytes) {
  by_beat(address, bytes, [&](uint32_t at, size_t count, size_t done) {
    const uint32_t first = at % kBeatBytes;
    memcpy(bytes_of(d->rtl->link_data_i) + first, data + done, count);
    for (unsigned i = 0; i < kBeatBytes; i++)
      set_bit(d->rtl->link_strobe_i, i, i >= first && i < first + count);
    ask_link(d, at, true);
  });
}

int read(void *device, uint32_t address, void *data, size_t bytes) {
  Device *d = static_cast<Device *>(device);
  if (in_global(address, bytes)) {
    if (d->rtl->busy_o)
      read_link(d, address, static_cast<uint8_t *>(data), bytes);
    else
      memcpy(data, d->memory + address, bytes);
    return 0;
  }
  if (!in_control(address, bytes))
    return -EFAULT;
  for (size_t i = 0; i < bytes; i += 4) {
    const uint32_t word = read_register(d, address - kControlBase + (uint32_t)i);
    memcpy(static_cast<uint8_t *>(data) + i, &word, 4);
  }
  return 0;
}

int write(void *device, uint32_t address, const void *data, size_t bytes) {
  Device *d = static_cast<Device *>(device);
  if (in_global(address, bytes)) {
    if (d->rtl->busy_o) {
      write_link(d, address, static_cast<const uint8_t *>(data), bytes);
    } else {
      memcpy(d->memory + address, data, bytes);
      d->stale = true;
    }
    return 0;
  }
  if (!in_control(address, bytes))
    return -EFAULT;
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t word;
    memcpy(&word, static_cast<const uint8_t *>(data) + i, 4);
    write_register(d, address - kControlBase + (uint32_t)i, word);
  }
  return 0;
}

int run(void *device, uint64_t cycles) {
  Device *d = static_cast<Device *>(device);
  // A start takes a cycle to show.
  tick(d);
  for (uint64_t i = 0; i < cycles && d->rtl->busy_o; i++)
    tick(d);
  return !d->rtl->busy_o;
}

void observe(void *device, const heddle_sim_observer *observer) {
  Device *d = static_cast<Device *>(device);
  Verilated::threadContextp(&d->context);  // in which the observer looks for pipelines
  d->observer = observer ? std::make_unique<Observer>(d->rtl->rootp, *observer) : nullptr;
}

const heddle_sim_api api = {"Heddle sim", create, destroy, read, write, run, observe};

}  // namespace

extern "C" __attribute__((visibility("default"))) const heddle_sim_api *heddle_rtl_api(void) {
  return &api;
}

// For tests: from now on external memory fails to read and write these bytes. No bytes: it works.
extern "C" __attribute__((visibility("default"))) void heddle_rtl_fail_memory(void *device, uint32_t address,
                                                                              uint32_t bytes) {
  static_cast<Device *>(device)->fail_from = address;
  static_cast<Device *>(device)->fail_bytes = bytes;
}

extern "C" __attribute__((visibility("default"))) const heddle_sim_line *heddle_rtl_lines(void *device, size_t *count) {
  const Device *d = static_cast<Device *>(device);
  *count = d->observer ? d->observer->lines().size() : 0;
  return d->observer ? d->observer->lines().data() : nullptr;
}

#ifdef HEDDLE_TRACE
extern "C"
    __attribute__((visibility("default"))) void heddle_rtl_set_trace(void *device, heddle_rtl_trace trace, void *user) {
  for (Tracer &tracer : static_cast<Device *>(device)->tracers)
    tracer.set(trace, user);
}
#endif

#if VM_TRACE
extern "C" __attribute__((visibility("default")))
const char *heddle_rtl_waves_begin(void *device, const heddle_waves *asked) {
  Device *d = static_cast<Device *>(device), *follower = nullptr;
  const char *error = nullptr;
  if (asked->before_fault != 0) {
    heddle_sim_config config = {};
    config.memory_latency = d->latency;
    config.memory_interval = d->interval;
    follower = static_cast<Device *>(create(&config, &error));
  }
  if (!error)
    d->waves = std::make_unique<Waves<Device>>(d, follower, destroy, *asked);
  return error;
}

extern "C" __attribute__((visibility("default"))) void heddle_rtl_waves_end(void *device, heddle_waves_end *end) {
  static_cast<Device *>(device)->waves->end(end);
}
#endif
