// SPDX-License-Identifier: Apache-2.0
// What a Verilated device built for tracing (rtl-trace-L<lanes>-S<slots>.so) offers beyond contract/sim.h: a callback
// for every retired instruction. For lockstep with the golden model; the host library does not need it.
#ifndef HEDDLE_SIM_RTL_TRACE_H
#define HEDDLE_SIM_RTL_TRACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// One instruction retired by some lanes of one sub-group, reported when the last of its register writes is done. A pass
// that parks lanes or arrives at a work-group collective retires nothing. Within a sub-group reports come in program
// order; what retires or writes after a fault has ended the dispatch may not be reported. Pointers are valid during the
// call only.
struct heddle_rtl_retired {
  uint32_t slot;  // of its unit
  uint32_t group_id[3];
  uint32_t sub_group_id;
  uint32_t pc;
  uint32_t mask;            // bit l: lane l retired it
  uint32_t rd;              // register written, 0: none
  const uint32_t *value;    // indexed by lane, those of mask: written to rd, or stored (rs2, all 32 bits); else NULL
  uint64_t cycle;           // in which it was decided that it retires, counted since the trace was set
  uint64_t arrived;         // in which it had arrived, at a work-group collective; the same for all others
  const uint32_t *address;  // indexed by lane, those of mask: address of a load or store, else NULL
};
typedef void (*heddle_rtl_trace)(void *user, const struct heddle_rtl_retired *retired);

// Calls `trace` for each instruction `device` retires from now on; NULL ends it. Exported under this name.
#define HEDDLE_RTL_SET_TRACE_SYMBOL "heddle_rtl_set_trace"
void heddle_rtl_set_trace(void *device, heddle_rtl_trace trace, void *user);

#ifdef __cplusplus
}
#endif

#endif
