// SPDX-License-Identifier: Apache-2.0
// Whose requests miss in the device cache. Requests of a unit stay in order on their way to a bank, and a bank looks
// them up in the order in which it takes them: so a queue for each unit and each bank says what a request is of. Part
// of device.cpp; the signals are those of sim/rtl/observer.sv.
#ifndef HEDDLE_SIM_RTL_CACHE_OBSERVER_H
#define HEDDLE_SIM_RTL_CACHE_OBSERVER_H

#include <cstdint>

#include "Vheddle.h"
#include "Vheddle___024root.h"

// Where misses of requests are counted, oldest first; `nobody` of one that is not known, since it was there before
// anybody looked.
class RequestQueue {
 public:
  void put(uint64_t *misses) {
    asked_[put_++ % kRoom] = misses;
  }
  uint64_t *take(uint64_t *nobody) {
    return taken_ == put_ ? nobody : asked_[taken_++ % kRoom];
  }
  // All are nobody's from now on.
  void disown(uint64_t *nobody) {
    for (uint64_t *&asked : asked_)
      asked = nobody;
  }

 private:
  static constexpr unsigned kRoom = 16;  // more than a unit has on its way to a bank, or a bank in its tags
  uint64_t *asked_[kRoom] = {};
  unsigned put_ = 0, taken_ = 0;
};

class CacheObserver {
 public:
  explicit CacheObserver(const Vheddle___024root *device)
      : given_(&device->heddle__DOT__memory_side__DOT__cache_banks__DOT__observer__DOT__seen_given) {
#define HEDDLE_BANK(n) \
  banks_[n].seen =     \
      &device          \
           ->heddle__DOT__memory_side__DOT__cache_banks__DOT__bank__BRA__##n##__KET____DOT__cache__DOT__observer__DOT__seen_bank
    HEDDLE_BANK(0);
#if BANKS > 1
    HEDDLE_BANK(1);
#endif
#if BANKS > 2
    HEDDLE_BANK(2);
    HEDDLE_BANK(3);
#endif
#if BANKS > 4
    HEDDLE_BANK(4);
    HEDDLE_BANK(5);
    HEDDLE_BANK(6);
    HEDDLE_BANK(7);
#endif
#undef HEDDLE_BANK
    const unsigned units = *given_ >> kUnitsAt;
    for (number_mask_ = 1; number_mask_ + 1 < units;)
      number_mask_ = 2 * number_mask_ + 1;
  }

  // A dispatch begins: where misses of others were counted is no more.
  void begin() {
    others = 0;
    for (RequestQueue &unit : units_)
      unit.disown(&others);
    for (Bank &bank : banks_)
      bank.queue.disown(&others);
  }

  // Call once a cycle. What a unit gives the cache in this cycle is what whose(unit) says: where its misses count, or
  // nullptr. Misses count if `counts`.
  template <typename Whose>
  void cycle(bool counts, Whose whose) {
    for (uint32_t given = *given_ & ((1u << kUnitsAt) - 1); given != 0; given &= given - 1) {
      const unsigned unit = (unsigned)__builtin_ctz(given);
      uint64_t *misses = whose(unit);
      units_[unit].put(misses ? misses : &others);
    }
    for (Bank &bank : banks_) {
      const uint32_t seen = *bank.seen;
      if (seen & TAKEN)
        bank.queue.put(units_[seen >> 8 & number_mask_].take(&others));
      if (seen & LEAVES) {
        uint64_t *misses = bank.queue.take(&others);
        if (seen & MISSES && counts)
          ++*misses;
      }
    }
  }

  uint64_t others = 0;  // misses that are not of a unit, or not known whose

 private:
  enum { TAKEN = 1, LEAVES = 2, MISSES = 4 };
  static constexpr unsigned kUnitsAt = 24;
  static constexpr unsigned kMostUnits = 16;  // the system port is one

  const IData *given_;
  uint32_t number_mask_;
  RequestQueue units_[kMostUnits];
  struct Bank {
    const IData *seen;
    RequestQueue queue;
  } banks_[BANKS];
};

#endif
