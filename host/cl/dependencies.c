// SPDX-License-Identifier: Apache-2.0
#include "host/cl/dependencies.h"

#include <stdlib.h>

void heddle_dependencies_add(struct heddle_dependencies *dependencies, struct heddle_command *command) {
  if (!command || command->wanted)
    return;
  if (dependencies->count == dependencies->room) {
    const size_t room = dependencies->room != 0 ? 2 * dependencies->room : 64;
    struct heddle_command **larger = realloc(dependencies->commands, room * sizeof *larger);
    if (!larger)
      return;
    dependencies->commands = larger;
    dependencies->room = room;
  }
  command->wanted = true;
  dependencies->commands[dependencies->count++] = command;
}

// In an in-order queue it depends on the one in front of it; in another one on the barrier in front of it, or on all. A
// command that is there stands for what it depends on itself.
static void add_those_in_front(struct heddle_dependencies *dependencies, struct heddle_command *command) {
  struct heddle_command *at = command->previous;
  if (heddle_is_in_order(command->event->queue)) {
    heddle_dependencies_add(dependencies, at);
    return;
  }
  bool more = true;
  for (; at && more && !(at->wanted && at->after_all); at = at->previous) {
    if (command->after_all || at->barrier)
      heddle_dependencies_add(dependencies, at);
    more = command->after_all || !at->looked;
  }
  command->looked = true;
}

void heddle_dependencies_add_of(struct heddle_dependencies *dependencies, struct heddle_command *command) {
  add_those_in_front(dependencies, command);
  for (cl_uint i = 0; i < command->num_waits; i++)
    heddle_dependencies_add(dependencies, command->waits[i]->waiting);
}

void heddle_dependencies_free(struct heddle_dependencies *dependencies) {
  for (size_t i = 0; i < dependencies->count; i++)
    dependencies->commands[i]->wanted = dependencies->commands[i]->looked = false;
  free(dependencies->commands);
  *dependencies = (struct heddle_dependencies){0};
}
