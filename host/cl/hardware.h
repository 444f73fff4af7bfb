// SPDX-License-Identifier: Apache-2.0
// The simulated device that is made on the user's machine: one with kernel pipelines, or one that records waveforms, or
// both.
//
// Environment: HEDDLE_HARDWARE says which pipelines: a kernel source file, a folder that `heddlec --hardware` made, or
// a device that sim/rtl/hardware.sh made of one. HEDDLE_HARDWARE_OPTIONS are options of `heddlec --hardware` for a
// source file, in the quotes of build options. HEDDLE_SIM_UNITS is the number of programmable units beside them
// (default 0), HEDDLE_SIM_LANES and HEDDLE_SIM_SLOTS are their shape. The device is made once, which takes some seconds
// and needs Verilator and a C++ compiler, and kept in the cache of kernels (cache.h). HEDDLE_WAVE asks for waveforms
// (host/observe/waves.h): the device is then made with them, in the shape and with the ISA of the other variables.
#ifndef HEDDLE_CL_HARDWARE_H
#define HEDDLE_CL_HARDWARE_H

#include <stdbool.h>

#include "contract/error.h"
#include "host/transport/transport.h"

// Whether the environment asks for one.
bool heddle_hardware_asked(void);

// Makes it if it has to be, says so on stderr, and opens it: as heddle_sim_open does.
int heddle_hardware_open(struct heddle_link *link, struct heddle_error *error);

#endif
