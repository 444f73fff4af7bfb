// SPDX-License-Identifier: Apache-2.0
// Puts together what rtl/unit/unit.v shows under HEDDLE_TRACE: an instruction retires in one cycle, its results reach
// the registers in later ones, those of a load perhaps in several parts. Part of device.cpp.
#ifndef HEDDLE_SIM_RTL_TRACER_H
#define HEDDLE_SIM_RTL_TRACER_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "Vheddle.h"
#include "Vheddle___024root.h"
#include "sim/rtl/trace.h"

class Tracer {
 public:
  void set(heddle_rtl_trace trace, void *user) {
    trace_ = trace;
    user_ = user;
    for (Pending &p : pending_)
      p.waits = p.ignored = false;
  }

  // Call once a cycle, with all signals settled and before the rising edge.
  void cycle(const Vheddle___024root *unit) {
    if (trace_ == nullptr)
      return;
#define HEDDLE_SIGNAL(name) unit->heddle__DOT__unit__DOT__trace_##name
    // A write first: it belongs to an instruction that retired before.
    const uint32_t lanes = HEDDLE_SIGNAL(write_lanes);
    if (lanes != 0 && HEDDLE_SIGNAL(write_rd) != 0 && !pending_[HEDDLE_SIGNAL(write_slot)].ignored) {
      Pending &p = pending_[HEDDLE_SIGNAL(write_slot)];
      if (!p.waits || p.retired.rd != HEDDLE_SIGNAL(write_rd) || (lanes & ~p.missing) != 0)
        fail(HEDDLE_SIGNAL(write_slot), "a register is written that no instruction wrote");
      uint32_t value[LANES];
      memcpy(value, &HEDDLE_SIGNAL(write_value), sizeof value);
      for (unsigned l = 0; l < LANES; l++)
        if (lanes >> l & 1)
          p.value[l] = value[l];
      p.missing &= ~lanes;
      if (p.missing == 0)
        report(&p);
    }
    if (!HEDDLE_SIGNAL(retires))
      return;
    Pending &p = pending_[HEDDLE_SIGNAL(slot)];
    if (p.waits)
      fail(HEDDLE_SIGNAL(slot), "an instruction retires before the one in front of it has written its register");
    // What was on its way when the dispatch faulted still retires, but its CSR reads are no longer right.
    p.ignored = HEDDLE_SIGNAL(halted);
    if (p.ignored)
      return;
    p.retired = {};
    p.retired.slot = HEDDLE_SIGNAL(slot);
    p.retired.group_id[0] = HEDDLE_SIGNAL(group_x);
    p.retired.group_id[1] = HEDDLE_SIGNAL(group_y);
    p.retired.group_id[2] = HEDDLE_SIGNAL(group_z);
    p.retired.sub_group_id = HEDDLE_SIGNAL(sub_group);
    p.retired.pc = HEDDLE_SIGNAL(pc);
    p.retired.mask = HEDDLE_SIGNAL(lanes);
    if (HEDDLE_SIGNAL(memory)) {
      memcpy(p.address, &HEDDLE_SIGNAL(address), sizeof p.address);
      p.retired.address = p.address;
    }
    if (HEDDLE_SIGNAL(store)) {
      memcpy(p.value, &HEDDLE_SIGNAL(stored), sizeof p.value);
      p.retired.value = p.value;
    }
    if (HEDDLE_SIGNAL(writes)) {
      p.retired.rd = HEDDLE_SIGNAL(rd);
      p.retired.value = p.value;
      p.missing = p.retired.mask;
      p.waits = true;
    } else {
      report(&p);
    }
#undef HEDDLE_SIGNAL
  }

 private:
  struct Pending {
    heddle_rtl_retired retired;
    uint32_t value[LANES], address[LANES];
    uint32_t missing;  // lanes whose register write is still to come
    bool waits;
    bool ignored;  // until its slot's next instruction
  };

  void report(Pending *p) {
    p->waits = false;
    trace_(user_, &p->retired);
  }

  [[noreturn]] static void fail(uint32_t slot, const char *what) {
    fprintf(stderr, "Heddle RTL trace: slot %u: %s\n", slot, what);
    abort();
  }

  heddle_rtl_trace trace_ = nullptr;
  void *user_ = nullptr;
  Pending pending_[SLOTS] = {};
};

#endif
