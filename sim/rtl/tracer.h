// SPDX-License-Identifier: Apache-2.0
// Puts together what rtl/unit/trace.v shows under HEDDLE_TRACE: an instruction retires in one cycle, its results reach
// the registers in later ones; those of a load perhaps in several parts, and after instructions behind it have retired.
// Part of device.cpp.
#ifndef HEDDLE_SIM_RTL_TRACER_H
#define HEDDLE_SIM_RTL_TRACER_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "Vheddle.h"
#include "Vheddle___024root.h"
#include "sim/rtl/trace.h"

// The signals of a unit.
struct TraceSignals {
  const CData *halted, *retires, *arrives, *released, *memory, *store, *writes;
  const IData *slot, *group_x, *group_y, *group_z, *sub_group, *pc, *lanes, *rd, *write_slot, *write_rd, *write_lanes;
  const void *address, *stored, *write_value;  // a word for each lane
};

inline TraceSignals trace_signals(const Vheddle___024root *device, unsigned unit) {
#define HEDDLE_AT(n, name) \
  &device                  \
       ->heddle__DOT__compute_units__DOT__compute__BRA__##n##__KET____DOT__compute_unit__DOT__programmable__DOT__unit__DOT__trace__DOT__trace_##name
#define HEDDLE_UNIT(n)                                                                                            \
  case n:                                                                                                         \
    return {HEDDLE_AT(n, halted),     HEDDLE_AT(n, retires),     HEDDLE_AT(n, arrives), HEDDLE_AT(n, released),   \
            HEDDLE_AT(n, memory),     HEDDLE_AT(n, store),       HEDDLE_AT(n, writes),  HEDDLE_AT(n, slot),       \
            HEDDLE_AT(n, group_x),    HEDDLE_AT(n, group_y),     HEDDLE_AT(n, group_z), HEDDLE_AT(n, sub_group),  \
            HEDDLE_AT(n, pc),         HEDDLE_AT(n, lanes),       HEDDLE_AT(n, rd),      HEDDLE_AT(n, write_slot), \
            HEDDLE_AT(n, write_rd),   HEDDLE_AT(n, write_lanes), HEDDLE_AT(n, address), HEDDLE_AT(n, stored),     \
            HEDDLE_AT(n, write_value)};
  switch (unit) {
#if UNITS > 2
    HEDDLE_UNIT(2)
#endif
#if UNITS > 1
    HEDDLE_UNIT(1)
#endif
#if UNITS > 3
#error "devices with a trace have up to 3 units"
#endif
    default:
      HEDDLE_UNIT(0)
  }
#undef HEDDLE_UNIT
#undef HEDDLE_AT
}

class Tracer {
 public:
  void set(heddle_rtl_trace trace, void *user) {
    trace_ = trace;
    user_ = user;
    forget();
  }

  // Call once a cycle, with all signals settled and before the rising edge.
  void cycle(const TraceSignals &unit) {
    if (!trace_)
      return;
#define HEDDLE_SIGNAL(name) (*unit.name)
    if (halted_ && !HEDDLE_SIGNAL(halted))
      forget();
    halted_ = HEDDLE_SIGNAL(halted);
    // A write first: it belongs to an instruction that retired before.
    if (HEDDLE_SIGNAL(write_lanes) != 0 && HEDDLE_SIGNAL(write_rd) != 0)
      write(HEDDLE_SIGNAL(write_slot), HEDDLE_SIGNAL(write_rd), HEDDLE_SIGNAL(write_lanes), unit.write_value);
    now_++;
    if (HEDDLE_SIGNAL(arrives))
      arrived_[HEDDLE_SIGNAL(slot)] = now_;
    if (!HEDDLE_SIGNAL(retires))
      return;
    std::deque<Pending> &queue = pending_[HEDDLE_SIGNAL(slot)];
    if (queue.size() == kMostPending)
      fail(HEDDLE_SIGNAL(slot), "an instruction far behind has not written its register");
    Pending &p = queue.emplace_back();
    heddle_rtl_retired &r = p.retired;
    r.slot = HEDDLE_SIGNAL(slot);
    r.group_id[0] = HEDDLE_SIGNAL(group_x);
    r.group_id[1] = HEDDLE_SIGNAL(group_y);
    r.group_id[2] = HEDDLE_SIGNAL(group_z);
    r.sub_group_id = HEDDLE_SIGNAL(sub_group);
    r.pc = HEDDLE_SIGNAL(pc);
    r.mask = HEDDLE_SIGNAL(lanes);
    r.cycle = now_;
    r.arrived = HEDDLE_SIGNAL(released) ? arrived_[r.slot] : now_;
    // What was on its way when the dispatch faulted still retires, but its CSR reads are no longer right.
    p.ignored = halted_;
    if (HEDDLE_SIGNAL(memory)) {
      memcpy(p.address, unit.address, sizeof p.address);
      p.has_address = true;
    }
    if (HEDDLE_SIGNAL(store)) {
      memcpy(p.value, unit.stored, sizeof p.value);
      p.has_value = true;
    }
    if (HEDDLE_SIGNAL(writes)) {
      r.rd = HEDDLE_SIGNAL(rd);
      p.has_value = true;
      p.missing = r.mask;
    }
    report(&queue);
#undef HEDDLE_SIGNAL
  }

 private:
  // More than a slot can have under way.
  static constexpr size_t kMostPending = 256;

  struct Pending {
    heddle_rtl_retired retired = {};
    uint32_t value[LANES], address[LANES];
    uint32_t missing = 0;  // lanes whose register write is still to come
    bool has_value = false, has_address = false, ignored = false;
  };

  void forget() {
    for (std::deque<Pending> &queue : pending_)
      queue.clear();
  }

  // A slot may have several loads under way, but only one for a register: {slot, rd} names the instruction.
  void write(uint32_t slot, uint32_t rd, uint32_t lanes, const void *values) {
    uint32_t value[LANES];
    memcpy(value, values, sizeof value);
    for (Pending &p : pending_[slot]) {
      if (p.missing == 0 || p.retired.rd != rd)
        continue;
      if ((lanes & ~p.missing) != 0)
        fail(slot, "a register is written in a lane that no instruction wrote");
      for (unsigned l = 0; l < LANES; l++)
        if (lanes >> l & 1)
          p.value[l] = value[l];
      p.missing &= ~lanes;
      report(&pending_[slot]);
      return;
    }
    fail(slot, "a register is written that no instruction wrote");
  }

  // In program order: an instruction is kept back until those before it are complete.
  void report(std::deque<Pending> *queue) {
    while (!queue->empty() && queue->front().missing == 0) {
      Pending &p = queue->front();
      p.retired.value = p.has_value ? p.value : nullptr;
      p.retired.address = p.has_address ? p.address : nullptr;
      if (!p.ignored)
        trace_(user_, &p.retired);
      queue->pop_front();
    }
  }

  [[noreturn]] static void fail(uint32_t slot, const char *what) {
    fprintf(stderr, "Heddle RTL trace: slot %u: %s\n", slot, what);
    abort();
  }

  heddle_rtl_trace trace_ = nullptr;
  void *user_ = nullptr;
  bool halted_ = false;
  uint64_t now_ = 0, arrived_[SLOTS] = {};  // cycles since the trace was set; when a slot last arrived somewhere
  std::deque<Pending> pending_[SLOTS];
};

#endif
