// SPDX-License-Identifier: Apache-2.0
// Which kernels run as one (chain.h).
#include "host/cl/chain.h"

#include <stdlib.h>

#include "host/cl/schedule.h"

static struct heddle_chain *held;  // guarded by heddle_lock; NULL: none

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

// Nothing is in front of it but kernels of the chain.
static bool follows(const struct heddle_command *command, const struct heddle_chain *chain) {
  const struct _cl_command_queue *queue = command->event->queue;
  return !queue->first || is_member(chain, queue->last->event);
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

// Whether a memory object is a pipe between two kernels.
static bool is_between(cl_mem memory, const struct heddle_chain_member *a, const struct heddle_chain_member *b) {
  for (uint32_t p = 0; p < a->shape.num_pipes; p++)
    if (a->ends[p] == memory && b->ends[p] == memory)
      return true;
  return false;
}

// Whether one writes what the other uses, apart from the pipes between them.
static bool collide(const struct heddle_chain_member *a, const struct heddle_chain_member *b) {
  for (uint32_t i = 0; i < a->num_memories; i++)
    for (uint32_t k = 0; k < b->num_memories; k++) {
      const struct heddle_used_memory *one = &a->memories[i], *other = &b->memories[k];
      if (is_one(one->memory, other->memory) && !is_between(one->memory, a, b) &&
          (one->use != HEDDLE_READS || other->use != HEDDLE_READS))
        return true;
    }
  return false;
}

static const struct heddle_chain_member *member_of_number(const struct heddle_chain *chain, uint32_t number) {
  for (uint32_t i = 0; i < chain->count; i++)
    if (chain->members[i]->number == number)
      return chain->members[i];
  return NULL;
}

// Whether its pipes are objects of their own, and those at the other ends, where the kernels there have come.
static bool has_pipes_of(const struct heddle_chain_member *member, const struct heddle_chain *chain) {
  for (uint32_t p = 0; p < member->shape.num_pipes; p++) {
    const struct heddle_chain_pipe *pipe = &member->shape.pipes[p];
    if (pipe->writer != member->number && pipe->reader != member->number)
      continue;
    if (!member->ends[p] || (chain->pipes[p] && chain->pipes[p] != member->ends[p]))
      return false;
    for (uint32_t other = 0; other < member->shape.num_pipes; other++)
      if (other != p && (member->ends[other] == member->ends[p] || chain->pipes[other] == member->ends[p]))
        return false;
  }
  return true;
}

// Whether it is one of the chain's kernels that has not come yet, and nothing but pipes is between them; or other
// memory, which they may share if the program knows that they run at once.
static bool belongs(const struct heddle_chain_member *member, const struct heddle_chain *chain, bool may_share) {
  const struct heddle_chain_member *first = chain->count != 0 ? chain->members[0] : member;
  const struct heddle_command *command = member->command;
  if (chain->count == member->shape.count || command->event->queue->device != first->command->event->queue->device ||
      command->event->context != first->command->event->context || member->shape.kinds[0] != first->shape.kinds[0] ||
      member_of_number(chain, member->number) || !has_pipes_of(member, chain))
    return false;
  for (uint32_t i = 0; i < chain->count && !may_share; i++)
    if (collide(chain->members[i], member))
      return false;
  return true;
}

// Whether all that it reads on the chip is written by kernels that have come.
static bool is_fed(const struct heddle_chain_member *member, const struct heddle_chain *chain) {
  for (uint32_t p = 0; p < member->shape.num_pipes; p++)
    if (member->shape.pipes[p].reader == member->number && !member_of_number(chain, member->shape.pipes[p].writer))
      return false;
  return true;
}

static bool may_join(const struct heddle_chain_member *member, const struct heddle_chain *chain) {
  return belongs(member, chain, false) && is_fed(member, chain) && follows(member->command, chain) &&
         waits_for_chain_alone(member->command, chain);
}

static bool begins(const struct heddle_chain_member *member) {
  static const struct heddle_chain none;
  return member && belongs(member, &none, false) && is_fed(member, &none);
}

// ---- holding and releasing

// Adds a kernel, and what is now known of its pipes.
static void add_member(struct heddle_chain *chain, struct heddle_chain_member *member) {
  for (uint32_t p = 0; p < member->shape.num_pipes; p++)
    if (member->ends[p])
      chain->pipes[p] = member->ends[p];
  chain->members[chain->count++] = member;
  chain->complete = chain->count == member->shape.count;
}

static void hold(struct heddle_chain *chain, struct heddle_chain_member *member) {
  chain->users++;
  member->chain = chain;
  member->command->held = true;
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

// What it reads makes room where the program does not say that it runs behind the writer.
static void look_for_room(struct heddle_chain *chain, const struct heddle_chain_member *member) {
  for (uint32_t p = 0; p < member->shape.num_pipes; p++)
    if (member->shape.pipes[p].reader == member->number)
      chain->makes_room[p] =
          member->ends[p]->is_concurrent ||
          is_unordered(member->command, member_of_number(chain, member->shape.pipes[p].writer)->command);
}

void heddle_chain_arrive(struct heddle_command *command) {
  struct heddle_chain_member *member = command->member;
  if (held && member && may_join(member, held)) {
    look_for_room(held, member);
    drop_waits(command, held);
    add_member(held, member);
    hold(held, member);
    if (held->complete)
      heddle_chain_release();
    return;
  }
  heddle_chain_release();
  if (!begins(member))
    return;
  held = calloc(1, sizeof *held);
  if (held) {
    add_member(held, member);
    hold(held, member);
  }
}

bool heddle_chain_join(struct heddle_command *const *commands, uint32_t count) {
  struct heddle_chain *chain = count > 1 ? calloc(1, sizeof *chain) : NULL;
  if (!chain)
    return false;
  // Of those that may not be one nothing is to be left: so they are looked at first.
  for (uint32_t i = 0; i < count && commands[i]->member && belongs(commands[i]->member, chain, true); i++)
    add_member(chain, commands[i]->member);
  if (chain->count < count || !chain->complete) {
    free(chain);
    return false;
  }
  for (uint32_t p = 0; p < HEDDLE_CHAIN_PIPES; p++)
    chain->makes_room[p] = chain->pipes[p] && chain->pipes[p]->is_concurrent;
  for (uint32_t i = 0; i < count; i++)
    hold(chain, commands[i]->member);
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
