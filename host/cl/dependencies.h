// SPDX-License-Identifier: Apache-2.0
// The commands that commands depend on: those in front of them in their queues, and those of the events that they wait
// for.
//
// Threads: heddle_lock is held in every call, and from the first command added to heddle_dependencies_free.
#ifndef HEDDLE_CL_DEPENDENCIES_H
#define HEDDLE_CL_DEPENDENCIES_H

#include <stddef.h>

#include "host/cl/queue.h"

// Commands, each once. All zeros: none. One exists at a time, as commands are marked (`wanted`, `looked`).
struct heddle_dependencies {
  struct heddle_command **commands;
  size_t count, room;
};

// NULL, or one that is there, adds nothing. Without host memory a command is left out.
void heddle_dependencies_add(struct heddle_dependencies *dependencies, struct heddle_command *command);
// Adds what a command depends on without others between. Where what is there stands for something in front of it, as
// in a queue, that may be left out: it is added with what is there.
void heddle_dependencies_add_of(struct heddle_dependencies *dependencies, struct heddle_command *command);
// Takes the marks away, too.
void heddle_dependencies_free(struct heddle_dependencies *dependencies);

#endif
