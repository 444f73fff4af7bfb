// SPDX-License-Identifier: Apache-2.0
// Keeps, for each command, how many events it still waits for, and for each device a pairing heap of the commands that
// may begin (schedule.h). A command that may begin once may begin for ever, so that it enters the heap once.
#include "host/cl/schedule.h"

#include "host/cl/channel_waits.h"
#include "host/cl/channels.h"

// ---- The heap: the command with the lowest sequence number is the root, children are a list.

static struct heddle_command *meld(struct heddle_command *one, struct heddle_command *other) {
  if (!one || !other)
    return one ? one : other;
  struct heddle_command *root = one->sequence < other->sequence ? one : other;
  struct heddle_command *child = root == one ? other : one;
  child->sibling = root->child;
  root->child = child;
  return root;
}

// Melds a list of heaps: two by two from the front, then all of these, which keeps later steps short.
static struct heddle_command *meld_all(struct heddle_command *list) {
  struct heddle_command *pairs = NULL, *root = NULL;
  while (list) {
    struct heddle_command *one = list, *other = list->sibling;
    list = other ? other->sibling : NULL;
    one->sibling = NULL;
    if (other)
      other->sibling = NULL;
    struct heddle_command *pair = meld(one, other);
    pair->sibling = pairs;
    pairs = pair;
  }
  while (pairs) {
    struct heddle_command *next = pairs->sibling;
    pairs->sibling = NULL;
    root = meld(root, pairs);
    pairs = next;
  }
  return root;
}

// ---- Whether a command may begin

// Whether what is behind the command in its queue waits until it is taken.
static bool closes_queue(const struct heddle_command *command) {
  return command->barrier || heddle_is_in_order(command->event->queue);
}

// Puts the command into the heap if it may begin now.
static void look_at(struct heddle_command *command) {
  cl_command_queue queue = command->event->queue;
  if (command->held && command->channel_user)
    heddle_channels_changed(command->channel_user);
  if (command->ready || command->held || !command->open || command->pending != 0 ||
      command->in_flight > HEDDLE_MAX_DEVICE_WAITS || (command->after_all && queue->first != command))
    return;
  command->ready = true;
  cl_device_id root = queue->device->root;
  root->ready = meld(root->ready, command);
}

// Whether the command may go to the device while the event's command is there.
static bool may_follow(const struct heddle_command *command, const struct _cl_event *event) {
  return command->begin && event->command && event->queue->device->root == command->event->queue->device->root;
}

static void wait_for(struct heddle_command *command, struct heddle_wait_link *wait, cl_event event) {
  if (event->status <= CL_COMPLETE)
    return;
  wait->command = command;
  wait->flies = may_follow(command, event);
  if (wait->flies)
    command->in_flight++;
  else
    command->pending++;
  wait->next = event->waits;
  event->waits = wait;
}

void heddle_schedule_number(struct heddle_command *command) {
  static uint64_t numbers;  // guarded by heddle_lock
  command->sequence = numbers++;
}

void heddle_schedule_add(struct heddle_command *command) {
  cl_command_queue queue = command->event->queue;
  command->event->waiting = command;
  command->next = NULL;
  command->previous = queue->last;
  if (queue->last)
    queue->last->next = command;
  else
    queue->first = command;
  queue->last = command;
  for (cl_uint i = 0; i < command->num_waits; i++)
    wait_for(command, &command->links[i], command->waits[i]);
  command->open = !command->previous || (command->previous->open && !closes_queue(command->previous));
  look_at(command);
}

void heddle_schedule_let_go(struct heddle_command *command) {
  command->held = false;
  look_at(command);
}

bool heddle_schedule_fails(const struct heddle_command *command) {
  bool fails = command->fails;
  for (cl_uint i = 0; i < command->num_waits; i++)
    fails = fails || command->waits[i]->status < 0;
  return fails;
}

static void take_out(struct heddle_command *command) {
  cl_command_queue queue = command->event->queue;
  command->event->waiting = NULL;
  if (command->previous)
    command->previous->next = command->next;
  else
    queue->first = command->next;
  if (command->next)
    command->next->previous = command->previous;
  else
    queue->last = command->previous;
}

struct heddle_command *heddle_schedule_take(cl_device_id device) {
  struct heddle_command *command = device->ready;
  if (!command)
    return NULL;
  cl_command_queue queue = command->event->queue;
  device->ready = meld_all(command->child);
  device->busy = true;
  command->child = NULL;
  take_out(command);
  // What it held back may begin, up to the next command that holds others back.
  struct heddle_command *opened = closes_queue(command) ? command->next : NULL;
  for (bool more = true; opened && more; opened = opened->next) {
    more = !closes_queue(opened);
    opened->open = true;
    look_at(opened);
  }
  if (queue->first)
    look_at(queue->first);
  if (command->channel_user)
    heddle_channels_begun(command->channel_user);
  return command;
}

void heddle_schedule_begun(cl_event event) {
  for (struct heddle_wait_link *wait = event->waits; wait; wait = wait->next) {
    if (wait->flies || !may_follow(wait->command, event))
      continue;
    wait->flies = true;
    wait->command->pending--;
    wait->command->in_flight++;
    look_at(wait->command);
  }
}

void heddle_schedule_ended(cl_event event) {
  while (event->waits) {
    struct heddle_wait_link *wait = event->waits;
    event->waits = wait->next;
    if (wait->flies)
      wait->command->in_flight--;
    else
      wait->command->pending--;
    look_at(wait->command);
  }
}
