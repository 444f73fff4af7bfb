// SPDX-License-Identifier: Apache-2.0
// What a simulated device tells of a dispatch to kernel pipelines, beyond contract/sim.h: there is no instruction, so a
// row is a line of source. Each cycle of a pipeline is charged to one of the sub-groups in it, in turn: that one is on
// its way, or waits for something. `units` of the dispatch are the pipelines of the kernel, and the sum of all rows'
// issues and lost cycles, `starting` and `empty` is `cycles` times `units`. Of a row `pc` is the number of a line,
// `issues` are cycles in which a sub-group was on its way there, `lanes`, `present` and `passes` are 0.
#ifndef HEDDLE_SIM_PIPELINES_H
#define HEDDLE_SIM_PIPELINES_H

#include <stddef.h>
#include <stdint.h>

#include "contract/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a row's `lost` has of a pipeline, in place of the reasons of programmable units.
enum heddle_sim_pipeline_reason {
  HEDDLE_SIM_PIPELINE_MEMORY,   // what was loaded has not come yet
  HEDDLE_SIM_PIPELINE_BANKS,    // a local array takes other stores
  HEDDLE_SIM_PIPELINE_PORT,     // the memory port takes other accesses
  HEDDLE_SIM_PIPELINE_BARRIER,  // others of the work-group have not come to the barrier or collective
  HEDDLE_SIM_PIPELINE_QUEUE,    // others are in front of it, for the same accesses or the same pipe
  HEDDLE_SIM_PIPELINE_SHARED,   // operators that lanes share are busy, or a round waits for what one before makes or
                                // stores
  HEDDLE_SIM_PIPELINE_PIPE,     // a pipe on the chip has no packet, or no room
  HEDDLE_SIM_PIPELINE_RING,     // at the entry of a loop: others go around in it, one a cycle
  HEDDLE_SIM_PIPELINE_REASONS   // not more than HEDDLE_SIM_REASONS
};

// States of a slot of a pipeline besides those of enum heddle_sim_state. In HEDDLE_SIM_EVENT_SLOT value[1] is a line,
// and value[2] which kernel of its chain it is of, its number there + 1; 0 where there is no chain.
enum heddle_sim_pipeline_state {
  HEDDLE_SIM_WAITS_FOR_PORT = HEDDLE_SIM_WAITS_AT_COLLECTIVE + 1,
  HEDDLE_SIM_WAITS_FOR_LOOP,
  HEDDLE_SIM_WAITS_FOR_OPERATORS,
  HEDDLE_SIM_WAITS_FOR_PIPE,
  HEDDLE_SIM_STATES
};

struct heddle_sim_line {
  const char *file;
  uint32_t line;
};

// The lines of a device's pipelines, which stay until it is destroyed; number 0 stands for what has none. NULL, and a
// count of 0: it has no pipelines, nobody observes, or it does not know. Devices without this function have none.
#define HEDDLE_SIM_LINES_SYMBOL "heddle_rtl_lines"
const struct heddle_sim_line *heddle_rtl_lines(void *device, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
