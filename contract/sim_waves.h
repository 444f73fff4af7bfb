// SPDX-License-Identifier: Apache-2.0
// What a Verilated device that records waveforms offers beyond contract/sim.h: sim/rtl/hardware.sh makes such devices.
// Called by host/observe/waves.c.
#ifndef HEDDLE_SIM_WAVES_H
#define HEDDLE_SIM_WAVES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// In a file of waveforms cycle n begins, with the rising edge of the clock, at so many picoseconds times n.
enum { HEDDLE_WAVES_CYCLE_PS = 1000 };

// Cycles are those of all dispatches since the device was made, from 0. Of the time between dispatches nothing is
// recorded.
struct heddle_waves {
  const char *path;       // of the file, in GTKWave's format FST. It is written anew
  const char *save_path;  // of a file for GTKWave that says which signals to show first
  uint64_t from, to;      // the first and the last cycle that are recorded
  uint64_t before_fault;  // not 0: instead so many cycles up to the first fault, at most, and a few behind it
  uint64_t bytes;         // the most that the file may have, about
};

// What was recorded.
struct heddle_waves_end {
  uint64_t cycles;       // so many
  uint64_t first, last;  // of them
  uint64_t left_out;     // cycles that were asked for, when the file had its most bytes
  uint64_t ran;          // cycles of dispatches that the device ran
  bool faulted;          // with before_fault: there was a fault
  bool is_whole;         // the file is: nothing of it was lost
};

// Begins to record. Call once, when the device has just been made. NULL, or what is wrong: a static message.
#define HEDDLE_WAVES_BEGIN_SYMBOL "heddle_rtl_waves_begin"
const char *heddle_rtl_waves_begin(void *device, const struct heddle_waves *waves);

// Ends it, and closes the files. Any thread may call, while the device runs, too.
#define HEDDLE_WAVES_END_SYMBOL "heddle_rtl_waves_end"
void heddle_rtl_waves_end(void *device, struct heddle_waves_end *end);

#ifdef __cplusplus
}
#endif

#endif
