// SPDX-License-Identifier: Apache-2.0
// Drives link_bench.v (link_bench.h). The device takes a row now and then, answers a load some cycles later, and is
// quiet some cycles after the last store.
#include "tests/transport/link_bench.h"

#include <errno.h>
#include <string.h>

#include <deque>
#include <memory>
#include <random>

#include "Vblock.h"
#include "sim/serial_board/serial_pins.h"
#include "sim/serial_board/usb_pins.h"
#include "verilated.h"
#if VM_COVERAGE
#include "sim/rtl/coverage.h"
#endif

namespace {

constexpr unsigned kBeatBytes = 1 << BEAT_LOG2;
// Without a serial line a byte takes a cycle; on USB a bit.
constexpr unsigned kCyclesAMillisecond = DIVISOR != 0 ? 1000 : USB ? 300 : 100;
constexpr unsigned kAnswerCycles = 20, kQuietCycles = 3000;

struct Bench {
  link_bench shown = {};
  std::unique_ptr<uint8_t[]> memory{new uint8_t[LINK_MEMORY_BYTES]()};
  VerilatedContext context;
  std::unique_ptr<Vblock> rtl;
#if USB
  struct Pins {
    Bench *bench;
    bool dp_level = true, dm_level = false;
    void bit(bool dp, bool dm);
    bool drives() const;
    bool dp() const;
    bool dm() const;
  } usb_pins{this};
  UsbHost<Pins> pins{&usb_pins, 1, 2};
#elif DIVISOR
  SerialPins pins{DIVISOR};
#else
  struct {
    std::deque<uint8_t> to_board;
  } pins;
#endif
  link_damage damage = {};
  std::mt19937 random;
  std::deque<uint8_t> come;  // bytes for the host
  uint64_t loads_at = 0, quiet_at = 0;
  bool loading = false, register_asked = false;
  unsigned register_number = 0;
  uint32_t row = 0;
};

template <typename Port>
uint8_t *bytes_of(Port &port) {
  return reinterpret_cast<uint8_t *>(&port);
}

bool happens(Bench *b, uint32_t one_of) {
  return one_of != 0 && b->random() % one_of == 0;
}

void pass_on(Bench *b, uint8_t byte, std::deque<uint8_t> *to) {
  const bool invent = happens(b, b->damage.invent), lose = happens(b, b->damage.lose);
  const bool flip = !lose && happens(b, b->damage.flip);
  b->shown.bytes++;
  b->shown.damaged += (unsigned)invent + lose + flip;
  if (invent)
    to->push_back((uint8_t)b->random());
  if (!lose)
    to->push_back(flip ? (uint8_t)(byte ^ 1u << b->random() % 8) : byte);
}

// The device's side of a cycle, before the rising edge.
void offer(Bench *b) {
  Vblock *rtl = b->rtl.get();
  link_bench *s = &b->shown;
  rtl->busy_i = s->busy;
  rtl->link_ready_i = !b->loading && !s->stalled && b->random() % 4 != 0;
  rtl->link_quiet_i = s->cycles >= b->quiet_at;
  rtl->link_answer_i = b->loading && s->cycles >= b->loads_at;
  if (rtl->link_answer_i)
    memcpy(bytes_of(rtl->link_answer_data_i), b->memory.get() + b->row, kBeatBytes);
  else
    memset(bytes_of(rtl->link_answer_data_i), 0xEE, kBeatBytes);
  rtl->control_data_i = b->register_asked ? s->registers[b->register_number] : 0xDEADDEAD;
  b->register_asked = false;
}

void take(Bench *b) {
  Vblock *rtl = b->rtl.get();
  link_bench *s = &b->shown;
  if (rtl->rst)
    return;
  if (rtl->link_answer_i)
    b->loading = false;
  if (rtl->link_valid_o && rtl->link_ready_i) {
    b->row = rtl->link_address_o;
    if (rtl->link_store_o) {
      for (unsigned i = 0; i < kBeatBytes; i++)
        if (bytes_of(rtl->link_strobe_o)[i / 8] >> i % 8 & 1)
          b->memory[b->row + i] = bytes_of(rtl->link_data_o)[i];
      b->quiet_at = s->cycles + kQuietCycles;
    } else {
      b->loading = true;
      b->loads_at = s->cycles + kAnswerCycles;
    }
  }
  if (rtl->control_valid_o && rtl->control_write_o) {
    s->registers[rtl->control_address_o] = rtl->control_data_o;
    s->register_writes++;
    s->early += s->cycles < b->quiet_at;
  } else if (rtl->control_valid_o) {
    b->register_asked = true;
    b->register_number = rtl->control_address_o;
  }
}

// The host's side of a cycle, up to the rising edge.
#if USB
void before_edge(Bench *b) {
  Vblock *rtl = b->rtl.get();
  rtl->dp_i = b->usb_pins.dp_level;
  rtl->dm_i = b->usb_pins.dm_level;
  for (int i = 0; i < 3; i++) {
    rtl->clk48 = 0;
    rtl->eval();
    rtl->clk48 = 1;
    rtl->clk = rtl->clk && i == 0;
    rtl->eval();
  }
  rtl->clk48 = 0;
  rtl->eval();
  take(b);
  rtl->clk48 = 1;  // rises with the other
}
#elif DIVISOR
void before_edge(Bench *b) {
  Vblock *rtl = b->rtl.get();
  rtl->line_i = b->pins.line();
  if (b->shown.glitches != 0 && b->pins.idle() && b->shown.cycles % 100 == 0) {
    rtl->line_i = 0;
    b->shown.glitches--;
  }
  rtl->clk = 0;
  rtl->eval();
  take(b);
  const int byte = b->pins.cycle(rtl->line_o);
  if (byte >= 0)
    pass_on(b, (uint8_t)byte, &b->come);
}
#else
void before_edge(Bench *b) {
  Vblock *rtl = b->rtl.get();
  rtl->byte_valid_i = !b->pins.to_board.empty() && !rtl->rst;
  rtl->byte_i = rtl->byte_valid_i ? b->pins.to_board.front() : 0;
  rtl->byte_ready_i = 1;
  rtl->clk = 0;
  rtl->eval();
  take(b);
  if (rtl->byte_valid_i)
    b->pins.to_board.pop_front();
  if (rtl->byte_valid_o)
    pass_on(b, rtl->byte_o, &b->come);
}
#endif

void tick(Bench *b) {
  Vblock *rtl = b->rtl.get();
  const bool was_reset = rtl->device_rst_o;
  offer(b);
  before_edge(b);
  rtl->clk = 1;
  rtl->eval();
  b->shown.resets += rtl->device_rst_o && !was_reset;
  b->shown.cycles++;
}

#if USB
void Bench::Pins::bit(bool dp, bool dm) {
  dp_level = dp;
  dm_level = dm;
  tick(bench);
}

bool Bench::Pins::drives() const {
  return bench->rtl->drive_o;
}

bool Bench::Pins::dp() const {
  return bench->rtl->dp_o;
}

bool Bench::Pins::dm() const {
  return bench->rtl->dm_o;
}

void let_pass(Bench *b) {
  b->pins.work();
  for (; !b->pins.from_board.empty(); b->pins.from_board.pop_front())
    pass_on(b, b->pins.from_board.front(), &b->come);
}
#else
void let_pass(Bench *b) {
  tick(b);
}
#endif

int send(void *state, const uint8_t *data, size_t bytes) {
  Bench *b = static_cast<Bench *>(state);
  for (size_t i = 0; i < bytes; i++)
    pass_on(b, data[i], &b->pins.to_board);
  return b->shown.unplugged ? -ENODEV : 0;
}

int receive(void *state, uint8_t *data, size_t room, unsigned milliseconds) {
  Bench *b = static_cast<Bench *>(state);
  const uint64_t end = b->shown.cycles + (uint64_t)milliseconds * kCyclesAMillisecond;
  while (b->shown.cycles < end && b->come.empty())
    let_pass(b);
  size_t count = 0;
  for (; count < room && !b->come.empty(); count++) {
    data[count] = b->come.front();
    b->come.pop_front();
  }
  return b->shown.unplugged ? -ENODEV : (int)count;
}

void close(void *) {}

const heddle_channel_calls calls = {send, receive, close};

}  // namespace

extern "C" link_bench *link_bench_create(const link_damage *damage) {
  Bench *b = new Bench;
  b->damage = *damage;
  b->random.seed(damage->seed);
  b->shown.memory = b->memory.get();
  b->shown.rtl = b;
  b->context.threads(1);
  b->context.randReset(2);
  b->context.randSeed(1);
  b->rtl = std::make_unique<Vblock>(&b->context);
#if VM_COVERAGE
  Coverage::begin(&b->context);
#endif
  link_bench_reset(&b->shown);
  b->shown.resets = 0;
  return &b->shown;
}

extern "C" void link_bench_reset(link_bench *bench) {
  Bench *b = static_cast<Bench *>(bench->rtl);
  b->rtl->rst = 1;
  for (int i = 0; i < 4; i++)
    tick(b);
  b->rtl->rst = 0;
#if USB
  b->pins.reset();
#endif
}

extern "C" void link_bench_destroy(link_bench *bench) {
  Bench *b = static_cast<Bench *>(bench->rtl);
#if VM_COVERAGE
  Coverage::end(&b->context);
#endif
  b->rtl->final();
  delete b;
}

extern "C" heddle_channel link_bench_channel(link_bench *bench) {
  return {&calls, bench->rtl};
}
