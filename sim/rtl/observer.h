// SPDX-License-Identifier: Apache-2.0
// Counts, of what sim/rtl/observer.sv shows, what each instruction of a dispatch did and what its cycles were lost to
// (struct heddle_sim_dispatch of contract/sim.h). Part of device.cpp.
#ifndef HEDDLE_SIM_RTL_OBSERVER_H
#define HEDDLE_SIM_RTL_OBSERVER_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "Vheddle.h"
#include "Vheddle___024root.h"
#include "contract/sim.h"
#include "contract/sim_rows.h"
#include "sim/rtl/cache_observer.h"
#include "sim/rtl/pipeline_observer.h"

// Sets of slots, and the signals that show one.
#if SLOTS > 64
typedef unsigned __int128 SlotSet;
typedef VlWide<4> SlotWord;
inline SlotSet set_of(const SlotWord *word) {
  SlotSet set;
  memcpy(&set, word, sizeof set);
  return set;
}
inline unsigned first_of(SlotSet set) {
  const uint64_t low = (uint64_t)set;
  return (unsigned)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64)));
}
inline unsigned count_of(SlotSet set) {
  return (unsigned)(__builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64)));
}
#else
typedef uint64_t SlotSet;
typedef QData SlotWord;
inline SlotSet set_of(const SlotWord *word) {
  return *word;
}
inline unsigned first_of(SlotSet set) {
  return (unsigned)__builtin_ctzll(set);
}
inline unsigned count_of(SlotSet set) {
  return (unsigned)__builtin_popcountll(set);
}
#endif

// The signals of a unit, and of the dispatcher.
struct UnitSignals {
  const IData *flags, *f1_slot, *f1_pc, *e3_slot, *e3_lanes, *e3_size, *queue, *ends, *groups, *group_x, *group_y,
      *group_z;
  const SlotWord *memory, *fetch, *divider, *collective;
};
struct DispatchSignals {
  const IData *state, *entry, *memory;
  const QData *requests;
};

#if UNITS > 0
inline UnitSignals unit_signals(const Vheddle___024root *device, unsigned unit) {
#define HEDDLE_AT(n, name) \
  &device                  \
       ->heddle__DOT__compute_units__DOT__compute__BRA__##n##__KET____DOT__compute_unit__DOT__programmable__DOT__unit__DOT__observer__DOT__seen_##name
#define HEDDLE_UNIT(n)                                                                                   \
  case n:                                                                                                \
    return {HEDDLE_AT(n, flags),    HEDDLE_AT(n, f1_slot), HEDDLE_AT(n, f1_pc),   HEDDLE_AT(n, e3_slot), \
            HEDDLE_AT(n, e3_lanes), HEDDLE_AT(n, e3_size), HEDDLE_AT(n, queue),   HEDDLE_AT(n, ends),    \
            HEDDLE_AT(n, groups),   HEDDLE_AT(n, group_x), HEDDLE_AT(n, group_y), HEDDLE_AT(n, group_z), \
            HEDDLE_AT(n, memory),   HEDDLE_AT(n, fetch),   HEDDLE_AT(n, divider), HEDDLE_AT(n, collective)};
  switch (unit) {
#if UNITS > 1
    HEDDLE_UNIT(1)
#endif
#if UNITS > 2
    HEDDLE_UNIT(2)
#endif
#if UNITS > 3
    HEDDLE_UNIT(3)
#endif
#if UNITS > 4
    HEDDLE_UNIT(4)
#endif
#if UNITS > 5
    HEDDLE_UNIT(5)
#endif
#if UNITS > 6
    HEDDLE_UNIT(6)
#endif
#if UNITS > 7
    HEDDLE_UNIT(7)
#endif
    default:
      HEDDLE_UNIT(0)
  }
#undef HEDDLE_UNIT
#undef HEDDLE_AT
}
#endif

inline DispatchSignals dispatch_signals(const Vheddle___024root *device) {
  return {&device->heddle__DOT__control_side__DOT__dispatcher__DOT__observer__DOT__seen_state,
          &device->heddle__DOT__control_side__DOT__dispatcher__DOT__observer__DOT__seen_entry,
          &device->heddle__DOT__control_side__DOT__control__DOT__observer__DOT__seen_memory,
          &device->heddle__DOT__control_side__DOT__control__DOT__observer__DOT__seen_requests};
}

// The rows of the dispatch that runs, and who observes.
struct Rows {
  heddle_sim_observer observer;
  heddle_rows rows = {};

  heddle_sim_row *of(uint32_t pc, uint32_t *caller) {
    return heddle_rows_of(&rows, &observer, pc, caller);
  }
};

class UnitObserver {
 public:
  void begin() {
    resident_ = 0;
    starting = empty = resident = 0;
    std::fill(std::begin(row_), std::end(row_), nullptr);
    std::fill(std::begin(queued_), std::end(queued_), nullptr);
    served_ = nullptr;
    fetch_misses = 0;
    passes_to_come_.disown(nullptr);
    std::fill(std::begin(masks_), std::end(masks_), 0);
    std::fill(std::begin(states_), std::end(states_), HEDDLE_SIM_EMPTY);
    for (Pass &pass : passes_)
      pass.valid = false;
  }

  // Call in every cycle: which operation of memory makes passes.
  void serve(const UnitSignals &s) {
    const uint32_t read = *s.queue & kQueue;
    if (read != read_) {
      served_ = queued_[read_];
      read_ = read;
    }
    if (*s.flags & PASS)
      passes_to_come_.put(served_ ? &served_->misses : nullptr);
  }

  // Where misses of the request count that the unit gives the device cache in this cycle; nullptr: not known.
  uint64_t *asked(const UnitSignals &s) {
    return *s.flags & FETCHES ? &fetch_misses : passes_to_come_.take(nullptr);
  }

  // A cycle that counts for a dispatch: it is charged to one row, or to `starting` or `empty`.
  void cycle(const UnitSignals &s, Rows *rows, uint32_t entry) {
    const uint32_t flags = *s.flags;
    resident += count_of(resident_);
    const uint32_t e3_slot = *s.e3_slot & kMostSlot;
    if (flags & FURTHER && served_)
      served_->passes++;
    if (flags & ISSUE) {
      if (heddle_sim_row *row = row_[e3_slot]) {
        row->issues++;
        row->lanes += (uint64_t)__builtin_popcount(*s.e3_lanes);
        row->present += *s.e3_size;
      } else {
        starting++;
      }
    } else if (flags & EXTRA) {
      if (*s.e3_slot >> 31 || !row_[e3_slot])
        starting++;
      else
        row_[e3_slot]->lost[HEDDLE_SIM_PASSES]++;
    } else if (flags & FURTHER && served_) {
      served_->lost[flags & IN_LOCAL ? HEDDLE_SIM_BANKS : HEDDLE_SIM_BEATS]++;
    } else if (flags & WAIT) {
      lose(set_of(s.memory), s);
    } else {
      lose(resident_, s);
    }
    if (flags & PUSH) {
      heddle_sim_row *row = row_[*s.queue >> 16 & kMostSlot];
      queued_[*s.queue >> 8 & kQueue] = row;
      if (row)
        row->accesses++;
    }
    // What begins or ends in this cycle.
    if (flags & ENTERS)
      row_[*s.f1_slot & kMostSlot] = rows->of(*s.f1_pc, &caller_[*s.f1_slot & kMostSlot]);
    if (flags & DEAD)
      resident_ &= ~((SlotSet)1 << (*s.ends & kMostSlot));
    if (flags & LAUNCH) {
      const uint32_t slot = *s.ends >> 16 & kMostSlot;
      resident_ |= (SlotSet)1 << slot;
      caller_[slot] = 0;
      row_[slot] = rows->of(entry, &caller_[slot]);
    }
  }

  // What happens in the same cycle, behind cycle().
  void events(const UnitSignals &s, uint32_t unit, uint64_t cycle, const heddle_sim_observer &observer) {
    const uint32_t flags = *s.flags;
    if (flags & GROUP_ENDS)
      tell(observer, {cycle, HEDDLE_SIM_EVENT_GROUP_ENDS, unit, *s.groups & 0xFFFF, {}});
    if (flags & GROUP)
      tell(observer, {cycle, HEDDLE_SIM_EVENT_GROUP, unit, *s.groups >> 16, {*s.group_x, *s.group_y, *s.group_z}});
    if (flags & COLLECTIVE) {
      const uint32_t slot = *s.e3_slot & kMostSlot;
      tell(observer, {cycle, HEDDLE_SIM_EVENT_COLLECTIVE, unit, slot, {*s.e3_lanes, pc_of(slot), 0}});
    }
    const SlotSet now[kMasks] = {resident_, set_of(s.memory), set_of(s.fetch), set_of(s.divider), set_of(s.collective)};
    SlotSet changed = 0;
    for (unsigned i = 0; i < kMasks; i++) {
      changed |= now[i] ^ masks_[i];
      masks_[i] = now[i];
    }
    for (; changed != 0; changed &= changed - 1) {
      const unsigned slot = first_of(changed);
      const uint32_t state = state_of(slot, s);
      if (state != states_[slot])
        tell(observer, {cycle, HEDDLE_SIM_EVENT_SLOT, unit, slot, {state, pc_of(slot), 0}});
      states_[slot] = (uint8_t)state;
    }
  }

  // The same: passes of instructions through the pipeline. `cycle` counts on from dispatch to dispatch.
  void passes(const UnitSignals &s, uint32_t unit, uint64_t cycle, const heddle_sim_observer &observer) {
    const uint32_t flags = *s.flags;
    if (flags & GROUP) {
      const uint32_t group_id[3] = {*s.group_x, *s.group_y, *s.group_z};
      std::copy(group_id, group_id + 3, group_ids_[*s.groups >> 16 & kMostSlot]);
    }
    if (flags & ANSWERED) {
      const heddle_sim_pass answered = {
          .cycle = cycle, .end = HEDDLE_SIM_PASS_ANSWERED, .unit = unit, .slot = *s.ends >> 24};
      observer.pass(observer.user, &answered);
    }
    // What is in a stage was in f1 so many cycles before.
    enum { DE = 2, RD = 3, E1 = 5, E3 = 7 };
    if (flags & MISSES)
      end_pass(cycle - DE, HEDDLE_SIM_PASS_MISSED, 0, observer);
    if (flags & STAYS)
      end_pass(cycle - RD, HEDDLE_SIM_PASS_AWAITS, 0, observer);
    if (flags & LEAVES)
      end_pass(cycle - E1, HEDDLE_SIM_PASS_DIVIDER, 0, observer);
    if (flags & RETRY)
      end_pass(cycle - E3, HEDDLE_SIM_PASS_FULL, *s.e3_lanes, observer);
    if (flags & FAULTS)
      end_pass(cycle - E3, HEDDLE_SIM_PASS_FAULTS, *s.e3_lanes, observer);
    if (flags & EXTRA)
      end_pass(cycle - E3, HEDDLE_SIM_PASS_AGAIN, *s.e3_lanes, observer);
    if (flags & ISSUE)
      end_pass(cycle - E3, flags & LOADS ? HEDDLE_SIM_PASS_LOADS : HEDDLE_SIM_PASS_ISSUED, *s.e3_lanes, observer);
    Pass *pass = &passes_[cycle % kStages];
    pass->valid = (flags & ENTERS) != 0 && (flags & LAUNCHES) == 0;
    if (!pass->valid)
      return;
    pass->told = {.cycle = cycle,
                  .tail = *s.f1_slot >> 24,
                  .unit = unit,
                  .slot = *s.f1_slot & kMostSlot,
                  .pc = *s.f1_pc,
                  .sub_group = *s.f1_slot >> 16 & kMostSlot};
    std::copy(group_ids_[*s.f1_slot >> 8 & kMostSlot], group_ids_[*s.f1_slot >> 8 & kMostSlot] + 3,
              pass->told.group_id);
  }

  uint64_t starting = 0, empty = 0;  // cycles
  uint64_t resident = 0;             // slots with a sub-group, summed over cycles
  uint64_t fetch_misses = 0;         // of instructions, in the device cache

 private:
  // Of the unit's flags (observer.sv).
  enum {
    ISSUE = 1,
    EXTRA = 2,
    ENTERS = 4,
    PUSH = 8,
    FURTHER = 16,
    IN_LOCAL = 32,
    WAIT = 64,
    LAUNCH = 128,
    DEAD = 256,
    COLLECTIVE = 512,
    GROUP = 1024,
    GROUP_ENDS = 2048,
    LAUNCHES = 1 << 12,
    MISSES = 1 << 13,
    STAYS = 1 << 14,
    LEAVES = 1 << 15,
    RETRY = 1 << 16,
    FAULTS = 1 << 17,
    LOADS = 1 << 18,
    ANSWERED = 1 << 19,
    PASS = 1 << 20,
    FETCHES = 1 << 21
  };
  static constexpr unsigned kMasks = 5;
  static constexpr unsigned kMostSlots = 8 * sizeof(SlotSet), kMostSlot = kMostSlots - 1;

  static void tell(const heddle_sim_observer &observer, const heddle_sim_event &event) {
    observer.event(observer.user, &event);
  }

  // The pass that was in f1 in this cycle ends. Of a start of a sub-group there is none.
  void end_pass(uint64_t cycle, heddle_sim_pass_end end, uint32_t lanes, const heddle_sim_observer &observer) {
    Pass *pass = &passes_[cycle % kStages];
    if (!pass->valid || pass->told.cycle != cycle)
      return;
    pass->valid = false;
    pass->told.end = end;
    pass->told.lanes = lanes;
    observer.pass(observer.user, &pass->told);
  }

  uint32_t pc_of(uint32_t slot) const {
    return row_[slot] ? row_[slot]->pc : 0;
  }

  uint32_t state_of(unsigned slot, const UnitSignals &s) const {
    const SlotSet one = (SlotSet)1 << slot;
    return set_of(s.memory) & one       ? HEDDLE_SIM_WAITS_FOR_MEMORY
           : set_of(s.fetch) & one      ? HEDDLE_SIM_WAITS_FOR_INSTRUCTION
           : set_of(s.divider) & one    ? HEDDLE_SIM_WAITS_FOR_DIVIDER
           : set_of(s.collective) & one ? HEDDLE_SIM_WAITS_AT_COLLECTIVE
           : resident_ & one            ? HEDDLE_SIM_ISSUES
                                        : HEDDLE_SIM_EMPTY;
  }

  static constexpr uint32_t kQueue = 15;  // entries of the queue of memory operations, less one

  // A cycle is lost by one of these slots: they take turns.
  void lose(SlotSet slots, const UnitSignals &s) {
    const SlotSet later = slots & (~(SlotSet)0 << turn_);
    if (slots == 0) {
      empty++;
      return;
    }
    const unsigned slot = first_of(later ? later : slots);
    const SlotSet one = (SlotSet)1 << slot;
    turn_ = (slot + 1) % kMostSlots;
    if (!row_[slot]) {
      starting++;
      return;
    }
    const heddle_sim_reason reason = set_of(s.memory) & one       ? HEDDLE_SIM_MEMORY
                                     : set_of(s.fetch) & one      ? HEDDLE_SIM_INSTRUCTION
                                     : set_of(s.divider) & one    ? HEDDLE_SIM_DIVIDER
                                     : set_of(s.collective) & one ? HEDDLE_SIM_COLLECTIVE
                                                                  : HEDDLE_SIM_PIPELINE;
    row_[slot]->lost[reason]++;
  }

  SlotSet resident_ = 0;                     // slots with a sub-group
  unsigned turn_ = 0;                        // the slot that is charged next
  heddle_sim_row *row_[kMostSlots] = {};     // of the instruction that a slot carries out
  uint32_t caller_[kMostSlots] = {};         // PC: heddle_rows_of
  heddle_sim_row *queued_[kQueue + 1] = {};  // of the memory operations in the queue
  heddle_sim_row *served_ = nullptr;         // of the last one that left it
  uint32_t read_ = 0;                        // the entry that leaves next
  RequestQueue passes_to_come_;              // of global memory, on their way to the unit's port
  SlotSet masks_[kMasks] = {};               // what state_of needs, in the cycle before
  uint8_t states_[kMostSlots] = {};          // of slots
  static constexpr unsigned kStages = 8;     // from f1 to e3
  struct Pass {
    bool valid;
    heddle_sim_pass told;
  };
  Pass passes_[kStages] = {};               // by the cycle in which they were in f1
  uint32_t group_ids_[kMostSlots][3] = {};  // by group slot
};

class Observer {
 public:
  Observer(const Vheddle___024root *device, const heddle_sim_observer &observer)
      : dispatch_(dispatch_signals(device)), cache_(device), rows_{observer} {
#if UNITS > 0
    for (unsigned i = 0; i < UNITS; i++)
      units_[i].signals = unit_signals(device, i);
#endif
    if (const VerilatedScopeNameMap *scopes = Verilated::scopeNameMap())
      for (const auto &scope : *scopes)
        PipelineObserver::make(scope.second, places_, &pipelines_);
    for (PipelineObserver &pipeline : pipelines_)
      if (pipeline.of_chain == 0 && pipeline.unit < kMostUnits)
        alone_[pipeline.unit] = &pipeline;
  }

  ~Observer() {
    heddle_rows_free(&rows_.rows);
  }
  Observer(const Observer &) = delete;

  // Of the device's pipelines.
  const std::vector<heddle_sim_line> &lines() const {
    return places_.lines();
  }

  // External memory has moved so many bytes.
  void moved(uint32_t bytes) {
    if (running_)
      counted_.external_bytes += bytes;
  }

  // Call once a cycle, with all signals settled and before the rising edge. `cycle` counts from the device's making.
  void cycle(uint64_t cycle) {
    enum { BEGIN = 1, RUNS = 2, COUNTING = 4 };
    const uint32_t state = *dispatch_.state;
    if (state & BEGIN) {
      heddle_rows_clear(&rows_.rows);
      for (Unit &unit : units_)
        unit.observer.begin();
      for (PipelineObserver &pipeline : pipelines_)
        pipeline.begin();
      cache_.begin();
      start_ = cycle;
      cycles_ = 0;
      counted_ = told_ = {};
      running_ = true;
      if (traces())
        tell(HEDDLE_SIM_EVENT_BEGINS, 0, 0, 0);
    }
    for (unsigned i = 0; i < UNITS; i++)
      units_[i].observer.serve(units_[i].signals);
    cache_.cycle(running_ && (state & COUNTING), [this](unsigned unit) -> uint64_t * {
      if (unit < UNITS)
        return units_[unit].observer.asked(units_[unit].signals);
      return unit < kMostUnits && alone_[unit] ? alone_[unit]->asked() : nullptr;
    });
    if (!running_)
      return;
    counted_.cache_requests += (uint64_t)__builtin_popcountll(*dispatch_.requests);
    if (state & COUNTING) {
      counted_.cache_misses += (uint64_t)__builtin_popcount(*dispatch_.memory & 0xFFFF);
      counted_.external_lines += (uint64_t)__builtin_popcount(*dispatch_.memory >> 16);
    }
    if (state & RUNS) {
      cycles_++;
      for (unsigned i = 0; i < UNITS; i++)
        units_[i].observer.cycle(units_[i].signals, &rows_, *dispatch_.entry);
      for (PipelineObserver &pipeline : pipelines_)
        if (pipeline.kind == state >> 8)
          pipeline.cycle(cycles_, &rows_.observer);
      if (traces())
        trace();
      for (unsigned i = 0; i < UNITS && rows_.observer.pass; i++)
        units_[i].observer.passes(units_[i].signals, i, all_cycles_, rows_.observer);
      all_cycles_++;
    } else if (!(state & (BEGIN | COUNTING))) {
      running_ = false;
      report(state >> 8);
    }
  }

 private:
  bool traces() const {
    return rows_.observer.event;
  }

  void tell(uint32_t kind, uint64_t one, uint64_t two, uint64_t three) {
    const heddle_sim_event event = {cycles_, kind, 0, 0, {(uint32_t)one, (uint32_t)two, (uint32_t)three}};
    rows_.observer.event(rows_.observer.user, &event);
  }

  void trace() {
    for (unsigned i = 0; i < UNITS; i++)
      units_[i].observer.events(units_[i].signals, i, cycles_, rows_.observer);
    if (cycles_ % HEDDLE_SIM_MEMORY_CYCLES == 0) {
      tell(HEDDLE_SIM_EVENT_MEMORY, counted_.external_lines - told_.external_lines,
           counted_.cache_misses - told_.cache_misses, counted_.cache_requests - told_.cache_requests);
      told_ = counted_;
    }
  }

  void report(uint32_t kind) {
    heddle_sim_dispatch dispatch = counted_;
    dispatch.entry = *dispatch_.entry;
    dispatch.kind = kind;
    dispatch.start = start_;
    dispatch.cycles = cycles_;
    dispatch.other_misses = cache_.others;
    if (kind != 0) {
      report_pipelines(&dispatch);
      return;
    }
    dispatch.lanes = LANES;
    dispatch.units = UNITS;
    for (unsigned i = 0; i < UNITS; i++) {
      dispatch.starting += units_[i].observer.starting;
      dispatch.empty += units_[i].observer.empty;
      dispatch.resident += units_[i].observer.resident;
      dispatch.fetch_misses += units_[i].observer.fetch_misses;
    }
    dispatch.rows = heddle_rows_sorted(&rows_.rows);
    dispatch.num_rows = dispatch.rows ? rows_.rows.count : 0;
    rows_.observer.dispatch(rows_.observer.user, &dispatch);
  }

  // What the pipelines of a kind did, together. Cycles before the dispatch's kind was known are those of its start.
  void report_pipelines(heddle_sim_dispatch *dispatch) {
    std::vector<heddle_sim_row> rows(places_.lines().size());
    for (const PipelineObserver &pipeline : pipelines_) {
      if (pipeline.kind != dispatch->kind)
        continue;
      uint64_t charged = pipeline.starting + pipeline.empty;
      for (size_t i = 0; i < rows.size(); i++) {
        const heddle_sim_row &row = pipeline.rows()[i];
        rows[i].pc = (uint32_t)i;
        rows[i].issues += row.issues;
        rows[i].accesses += row.accesses;
        rows[i].misses += row.misses;
        charged += row.issues;
        for (unsigned reason = 0; reason < HEDDLE_SIM_REASONS; reason++) {
          rows[i].lost[reason] += row.lost[reason];
          charged += row.lost[reason];
        }
      }
      dispatch->units++;
      dispatch->lanes = pipeline.lanes;
      dispatch->starting += pipeline.starting + (cycles_ - charged);
      dispatch->empty += pipeline.empty;
      dispatch->resident += pipeline.resident;
    }
    dispatch->rows = rows.data();
    dispatch->num_rows = dispatch->units != 0 ? rows.size() : 0;
    rows_.observer.dispatch(rows_.observer.user, dispatch);
  }

  struct Unit {
    UnitObserver observer;
    UnitSignals signals;
  };
  DispatchSignals dispatch_;
  CacheObserver cache_;
  Unit units_[UNITS > 0 ? UNITS : 1];
  static constexpr unsigned kMostUnits = 16;
  AllPlaces places_;
  std::vector<PipelineObserver> pipelines_;
  PipelineObserver *alone_[kMostUnits] = {};  // by unit: the pipeline that is all of it
  Rows rows_;
  bool running_ = false;
  heddle_sim_dispatch counted_ = {};  // of the memory side
  heddle_sim_dispatch told_ = {};     // of that, what events have told
  uint64_t start_ = 0, cycles_ = 0;
  uint64_t all_cycles_ = 0;  // of all dispatches
};

#endif
