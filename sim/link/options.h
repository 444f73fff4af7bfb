// SPDX-License-Identifier: Apache-2.0
// What the programs that put a simulated device on a bus have in common: numbers on their command lines, and paths of
// sockets.
#ifndef HEDDLE_SIM_LINK_OPTIONS_H
#define HEDDLE_SIM_LINK_OPTIONS_H

#include <stdint.h>
#include <sys/un.h>

#include "contract/sim.h"

enum { HEDDLE_OPTIONS_LANES = 4, HEDDLE_OPTIONS_MIB = 4 };

// Says what is wrong with `text` and how the program is used, as `usage` writes it; ends the program with status 2.
_Noreturn void heddle_option_wrong(const char *what, const char *text);

// To be set first: the program's name, and what writes its usage to standard error.
void heddle_option_program(const char *name, void (*usage)(void));

// Options --lanes and --memory of the golden model.
void heddle_option_lanes(struct heddle_sim_config *config, const char *text);
void heddle_option_memory(struct heddle_sim_config *config, const char *text);

// The address of a UNIX socket.
struct sockaddr_un heddle_option_socket(const char *path);

#endif
