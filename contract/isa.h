// SPDX-License-Identifier: Apache-2.0
// What an ISA string says.
#ifndef HEDDLE_DEVICE_ISA_H
#define HEDDLE_DEVICE_ISA_H

#include <stdbool.h>

// Whether it names an extension: "a", "zfinx".
bool heddle_isa_has(const char *isa, const char *extension);

// Whether a device of `isa` runs code compiled for `needed`: it has every extension of it.
bool heddle_isa_covers(const char *isa, const char *needed);

#endif
