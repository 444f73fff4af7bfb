// SPDX-License-Identifier: Apache-2.0
// What a simulated device can tell of the kernels that it runs, kept for a profile (docs/how-to/see-inside.md). The
// environment asks for it: HEDDLE_PROFILE=FILE. The file is written when the program exits. Without that nothing is
// observed, and these calls do nothing.
//
// Threads: any thread may call. The state is guarded by one mutex, which is a leaf (host/cl/event.h).
#ifndef HEDDLE_OBSERVE_H
#define HEDDLE_OBSERVE_H

#include <stdbool.h>

#include "contract/sim.h"
#include "host/device/kernel_file.h"

struct heddle_capabilities;

// A device that is observed. It stays until the program ends.
struct heddle_observed;

// Called when a simulated device has been made. NULL: it is not observed.
struct heddle_observed *heddle_observe_device(const struct heddle_sim_api *api, void *device);

// Called when the device is closed: it tells nothing more. What it told stays.
void heddle_observe_closed(struct heddle_observed *observed);

// Called when the device's capabilities are known. NULL as `observed` is allowed, here and below.
void heddle_observe_shape(struct heddle_observed *observed, const struct heddle_capabilities *capabilities);

// Called when a program has been written to the device's memory. Copies what it needs. `source` is its text as it was
// compiled, or NULL; `file` is the program's, loaded at `address`.
void heddle_observe_program(struct heddle_observed *observed, const struct heddle_kernel_file *file, uint32_t address,
                            const char *source, size_t source_bytes);

#endif
