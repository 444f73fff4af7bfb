// SPDX-License-Identifier: Apache-2.0
// Which kernels run as one (chain.h).
#include "host/cl/chain.h"

#include <stdlib.h>

#include "host/cl/schedule.h"

static struct heddle_chain *held;  // guarded by heddle_lock; NULL: none

static struct heddle_chain_member *last_of(const struct heddle_chain *chain) {
  return chain->members[chain->count - 1];
}

bool heddle_chain_is_whole(const struct heddle_chain *chain) {
  return chain && chain->complete && !chain->apart;
}

// ---- whether a kernel may join

static bool is_member(const struct heddle_chain *chain, const struct _cl_event *event) {
  for (uint32_t i = 0; i < chain->count; i++)
    if (chain->members[i]->command->event == event)
      return true;
  return false;
}

// It waits for nothing but kernels of the chain and what has ended well.
static bool waits_for_chain_alone(const struct heddle_command *command, const struct heddle_chain *chain) {
  for (cl_uint i = 0; i < command->num_waits; i++)
    if (command->waits[i]->status != CL_COMPLETE && !is_member(chain, command->waits[i]))
      return false;
  return true;
}

// Nothing is between it and the chain's last kernel.
static bool follows(const struct heddle_command *command, const struct heddle_command *last) {
  const struct _cl_command_queue *queue = command->event->queue;
  return queue == last->event->queue ? queue->last == last : !queue->first;
}

// Whether the kernel could also begin before the writer has ended.
static bool is_unordered(const struct heddle_command *command, const struct heddle_command *writer) {
  for (cl_uint i = 0; i < command->num_waits; i++)
    if (command->waits[i] == writer->event)
      return false;
  return command->event->queue != writer->event->queue || !heddle_is_in_order(command->event->queue);
}

static bool is_one(cl_mem a, cl_mem b) {
  return a->storage == b->storage;
}

// Whether one writes what the other uses, apart from the pipe between kernels of the chain.
static bool collide(const struct heddle_chain_member *a, const struct heddle_chain_member *b) {
  for (uint32_t i = 0; i < a->num_memories; i++)
    for (uint32_t k = 0; k < b->num_memories; k++) {
      const struct heddle_used_memory *one = &a->memories[i], *other = &b->memories[k];
      const bool is_between = one->memory == a->writes && one->memory == b->reads;
      if (is_one(one->memory, other->memory) && !is_between && (one->use != HEDDLE_READS || other->use != HEDDLE_READS))
        return true;
    }
  return false;
}

// Whether it is at the other end of the last one's pipe, and nothing but that is between them.
static bool is_next(const struct heddle_chain_member *member, const struct heddle_chain *chain) {
  const struct heddle_chain_member *last = last_of(chain);
  const struct heddle_command *command = member->command;
  if (chain->count == HEDDLE_CHAIN_MOST || command->event->queue->device != last->command->event->queue->device ||
      command->event->context != last->command->event->context)
    return false;
  if (HEDDLE_KIND_CHAIN_READER(last->capabilities->kinds[last->kind].chain) != member->kind || !last->writes ||
      last->writes != member->reads)
    return false;
  for (uint32_t i = 0; i < chain->count; i++)
    if (collide(chain->members[i], member))
      return false;
  return true;
}

static bool may_join(const struct heddle_chain_member *member, const struct heddle_chain *chain) {
  return is_next(member, chain) && follows(member->command, last_of(chain)->command) &&
         waits_for_chain_alone(member->command, chain);
}

static bool begins(const struct heddle_chain_member *member) {
  return member && member->writes && heddle_kind_writer(member->capabilities, member->kind) == 0;
}

// ---- holding and releasing

static void hold(struct heddle_chain *chain, struct heddle_chain_member *member) {
  chain->members[chain->count++] = member;
  chain->users++;
  member->chain = chain;
  member->command->held = true;
  chain->complete = member->capabilities->kinds[member->kind].chain == 0;
}

// What it waited for of the chain it waits for no more: the first kernel lets it go on.
static void drop_waits(struct heddle_command *command, const struct heddle_chain *chain) {
  cl_uint kept = 0;
  for (cl_uint i = 0; i < command->num_waits; i++)
    if (is_member(chain, command->waits[i]))
      heddle_event_release(command->waits[i]);
    else
      command->waits[kept++] = command->waits[i];
  command->num_waits = kept;
}

void heddle_chain_release(void) {
  if (!held)
    return;
  struct heddle_chain *chain = held;
  held = NULL;
  heddle_schedule_let_go(chain->members[0]->command);
  pthread_cond_broadcast(&heddle_changed);
}

void heddle_chain_arrive(struct heddle_command *command) {
  struct heddle_chain_member *member = command->member;
  if (held && member && may_join(member, held)) {
    struct heddle_command *writer = last_of(held)->command;
    held->makes_room[held->count] = member->reads->is_concurrent || is_unordered(command, writer);
    drop_waits(command, held);
    hold(held, member);
    if (held->complete)
      heddle_chain_release();
    return;
  }
  heddle_chain_release();
  if (!begins(member))
    return;
  held = calloc(1, sizeof *held);
  if (held)
    hold(held, member);
}

bool heddle_chain_join(struct heddle_command *const *commands, uint32_t count) {
  struct heddle_chain *chain = count > 1 && begins(commands[0]->member) ? calloc(1, sizeof *chain) : NULL;
  if (!chain)
    return false;
  // Of those that may not be one nothing is to be left: so they are counted first.
  uint32_t found = 1;
  chain->members[chain->count++] = commands[0]->member;
  while (found < count && commands[found]->member && is_next(commands[found]->member, chain))
    chain->members[chain->count++] = commands[found++]->member;
  const struct heddle_chain_member *last = last_of(chain);
  if (found < count || last->capabilities->kinds[last->kind].chain != 0) {
    free(chain);
    return false;
  }
  chain->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    chain->makes_room[i] = i > 0 && commands[i]->member->reads->is_concurrent;
    hold(chain, commands[i]->member);
  }
  for (uint32_t i = 0; i < count; i++)
    drop_waits(commands[i], chain);
  heddle_schedule_let_go(chain->members[0]->command);
  return true;
}

void heddle_chain_ran(struct heddle_chain *chain, bool apart) {
  if (chain->ran)
    return;
  chain->ran = true;
  chain->apart = apart;
  for (uint32_t i = 1; i < chain->count; i++)
    heddle_schedule_let_go(chain->members[i]->command);
  pthread_cond_broadcast(&heddle_changed);
}

void heddle_chain_forget(struct heddle_chain_member *member) {
  pthread_mutex_lock(&heddle_lock);
  struct heddle_chain *chain = member->chain;
  if (chain && chain->members[0] == member)
    heddle_chain_ran(chain, true);  // unless it has: then its waits failed
  member->chain = NULL;
  const bool last = chain && --chain->users == 0;
  pthread_mutex_unlock(&heddle_lock);
  if (last)
    free(chain);
}
