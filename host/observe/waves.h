// SPDX-License-Identifier: Apache-2.0
// Waveforms of the simulated RTL, as the environment asks for them (docs/how-to/look-at-waveforms.md):
// HEDDLE_WAVE=FILE, with HEDDLE_WAVE_FROM and HEDDLE_WAVE_TO, or HEDDLE_WAVE_BEFORE_FAULT, in cycles, and
// HEDDLE_WAVE_BYTES. The device that records them is one of its own (host/cl/hardware.h). Of a program the first such
// device is recorded.
//
// Threads: any thread may call.
#ifndef HEDDLE_OBSERVE_WAVES_H
#define HEDDLE_OBSERVE_WAVES_H

#include <stdbool.h>

#include "contract/error.h"

// Whether the environment asks for waveforms.
bool heddle_waves_asked(void);

// 0, or -EINVAL when the variables do not fit together, or -errno when the file cannot be written; *error says so.
int heddle_waves_check(struct heddle_error *error);

// Begins to record a device that has just been made, of a library that dlopen gave. 0, also when it need not be
// recorded; or negative errno, and *error says what is wrong.
int heddle_waves_begin(void *library, void *device, struct heddle_error *error);

// Called before a device is destroyed: the file is closed, if it is of this device.
void heddle_waves_end(const void *device);

#endif
