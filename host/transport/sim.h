// SPDX-License-Identifier: Apache-2.0
// Simulated devices: the Verilated RTL, loaded at run time, and the golden model, linked in.
//
// Environment: HEDDLE_SIM_LANES, HEDDLE_SIM_SLOTS and HEDDLE_SIM_UNITS choose the shape of both (default 8, 32 and 1);
// HEDDLE_RTL_DIR names the folder of the Verilated devices (default: `heddle/` beside this library), one file a shape:
// rtl-L<lanes>-S<slots>[-U<units>][-<ISA>][-P].so, without -U for one unit and with the ISA that HEDDLE_SIM_ISA names;
// -P has a command processor. HEDDLE_SIM_PROCESSOR=0: devices without, 1: with; unset: with, or without where there is
// no such file. HEDDLE_SIM_MEMORY_LATENCY and HEDDLE_SIM_MEMORY_INTERVAL are the external memory of the Verilated
// devices, in cycles (1 to 65535): to the answer, and between lines of 64 bytes. HEDDLE_MODEL_THREADS (1 to 16,
// default: as many as there are processors) is how many threads the model may use.
#ifndef HEDDLE_TRANSPORT_SIM_H
#define HEDDLE_TRANSPORT_SIM_H

#include <stdbool.h>

#include "contract/error.h"
#include "contract/sim.h"
#include "host/transport/transport.h"

enum heddle_sim_kind { HEDDLE_SIM_RTL, HEDDLE_SIM_MODEL };

// Whether such a device can be expected to open. Cheap: looks for the file, loads nothing. Thread-safe.
bool heddle_sim_present(enum heddle_sim_kind kind);

// Whether kernels are to be checked (HEDDLE_CHECK), which the model alone can. Thread-safe as getenv is.
bool heddle_sim_is_check_asked(void);

// Makes a device after reset. On success *link is the caller's, to be closed through its transport. 0 or negative
// errno: -EINVAL (a shape that is none, or one this device is not built for), -ENOENT (file missing), -ENOMEM.
// Thread-safe.
int heddle_sim_open(enum heddle_sim_kind kind, struct heddle_link *link, struct heddle_error *error);

// The shape that the environment asks for. With pipelines there may be no programmable unit, and none is the default,
// nor is there a command processor unless one is asked for.
int heddle_sim_read_variables(struct heddle_sim_config *config, bool with_pipelines, struct heddle_error *error);

// The ISA that is asked for: the name of one of those that small boards have, or "" for all instructions. NULL: there
// is no such.
const char *heddle_sim_asked_isa(void);

// As heddle_sim_open, for the Verilated device in a file.
int heddle_sim_open_file(const char *path, const struct heddle_sim_config *config, struct heddle_link *link,
                         struct heddle_error *error);

#endif
