// SPDX-License-Identifier: Apache-2.0
// Command buffers (command_buffer.h).
#include "host/cl/command_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "host/cl/channel_waits.h"
#include "host/cl/device_time.h"
#include "host/cl/worker.h"

bool heddle_is_command_buffer(cl_command_buffer_khr buffer) {
  return heddle_object_valid(buffer, HEDDLE_COMMAND_BUFFER_OBJECT);
}

cl_command_buffer_khr heddle_command_buffer_create(cl_command_queue queue,
                                                   const cl_command_buffer_properties_khr *properties,
                                                   size_t properties_bytes, bool simultaneous, cl_int *error) {
  cl_command_buffer_khr buffer = heddle_object_create(HEDDLE_COMMAND_BUFFER_OBJECT, sizeof *buffer);
  *error = CL_OUT_OF_HOST_MEMORY;
  if (!buffer)
    return NULL;
  pthread_mutex_init(&buffer->recording, NULL);
  buffer->end = &buffer->first;
  buffer->simultaneous = simultaneous;
  heddle_object_retain(queue);
  buffer->queue = queue;
  buffer->recorder = heddle_recorder_create(queue, buffer);
  buffer->properties = properties_bytes != 0 ? malloc(properties_bytes) : NULL;
  if (!buffer->recorder || (properties_bytes != 0 && !buffer->properties)) {
    heddle_command_buffer_release(buffer);
    return NULL;
  }
  if (properties_bytes != 0)
    memcpy(buffer->properties, properties, properties_bytes);
  buffer->properties_bytes = properties_bytes;
  *error = CL_SUCCESS;
  return buffer;
}

static void rest(struct heddle_command *command, bool rests) {
  if (command->rest)
    command->rest(command, rests);
}

// heddle_lock is held.
static void rest_all(cl_command_buffer_khr buffer, bool rests) {
  for (struct heddle_command *part = buffer->first; part; part = part->next)
    rest(part, rests);
  if (rests)
    pthread_cond_broadcast(&heddle_changed);
}

// Its commands stop resting before they let go of what they refer to.
static void discard_commands(cl_command_buffer_khr buffer) {
  pthread_mutex_lock(&heddle_lock);
  rest_all(buffer, false);
  pthread_mutex_unlock(&heddle_lock);
  while (buffer->first) {
    struct heddle_command *next = buffer->first->next;
    heddle_command_discard(buffer->first);
    buffer->first = next;
  }
}

void heddle_command_buffer_release(cl_command_buffer_khr buffer) {
  if (!heddle_object_release(buffer))
    return;
  discard_commands(buffer);
  if (buffer->recorder)
    heddle_queue_release(buffer->recorder);
  heddle_queue_release(buffer->queue);
  pthread_mutex_destroy(&buffer->recording);
  free(buffer->properties);
  free(buffer);
}

// ---- Recording

static cl_int check_sync_points(cl_command_buffer_khr buffer, cl_uint count, const cl_sync_point_khr *points) {
  if ((count == 0) != !points)
    return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
  pthread_mutex_lock(&heddle_lock);
  const cl_uint last = buffer->num_commands;
  pthread_mutex_unlock(&heddle_lock);
  for (cl_uint i = 0; i < count; i++)
    if (points[i] == 0 || points[i] > last)
      return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
  return CL_SUCCESS;
}

static bool is_finalized(cl_command_buffer_khr buffer) {
  pthread_mutex_lock(&heddle_lock);
  const bool finalized = buffer->finalized;
  pthread_mutex_unlock(&heddle_lock);
  return finalized;
}

cl_int heddle_record_begin(cl_command_buffer_khr buffer, cl_command_queue queue, cl_uint num_sync_points,
                           const cl_sync_point_khr *sync_points, const cl_mutable_command_khr *mutable_handle) {
  if (queue)
    return CL_INVALID_COMMAND_QUEUE;
  if (!heddle_is_command_buffer(buffer))
    return CL_INVALID_COMMAND_BUFFER_KHR;
  pthread_mutex_lock(&buffer->recording);
  cl_int error = is_finalized(buffer) ? CL_INVALID_OPERATION : CL_SUCCESS;
  if (error == CL_SUCCESS && mutable_handle)
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = check_sync_points(buffer, num_sync_points, sync_points);
  if (error != CL_SUCCESS)
    pthread_mutex_unlock(&buffer->recording);
  return error;
}

cl_int heddle_record_end(cl_command_buffer_khr buffer, cl_int error, cl_sync_point_khr *sync_point) {
  pthread_mutex_lock(&heddle_lock);
  if (error == CL_SUCCESS && sync_point)
    *sync_point = buffer->num_commands;
  pthread_mutex_unlock(&heddle_lock);
  pthread_mutex_unlock(&buffer->recording);
  return error;
}

void heddle_record(cl_command_buffer_khr buffer, struct heddle_command *command) {
  pthread_mutex_lock(&heddle_lock);
  *buffer->end = command;
  buffer->end = &command->next;
  buffer->num_commands++;
  rest(command, true);
  pthread_mutex_unlock(&heddle_lock);
}

// ---- Running

struct replay {
  struct heddle_command command;
  cl_command_buffer_khr buffer;  // retained; its commands are constant, and one worker runs them
  // While it runs: those of its commands that are on the device, oldest first.
  struct heddle_command *in_flight[HEDDLE_MAX_IN_FLIGHT];
  cl_uint num_in_flight;
};

// A command has ended: what it left behind becomes part of the replay's.
static void account(struct replay *replay, struct heddle_command *part, cl_ulong took) {
  struct heddle_dispatch_record *all = &replay->command.event->dispatch, *one = &part->event->dispatch;
  const cl_ulong nanoseconds =
      part->nanoseconds_with_children > part->nanoseconds ? part->nanoseconds_with_children : part->nanoseconds;
  heddle_worker_trace_part(&replay->command, part, nanoseconds ? nanoseconds : took);
  replay->command.nanoseconds += nanoseconds ? nanoseconds : took;
  pthread_mutex_lock(&heddle_lock);
  all->figures = heddle_figures_sum(&all->figures, &one->figures);
  if (all->figures.groups_done > all->groups_total)  // with what kernels enqueued
    all->groups_total = all->figures.groups_done;
  if (one->fault_text && !all->fault_text) {
    all->fault_text = one->fault_text;
    all->fault_offset = one->fault_offset;
    one->fault_text = NULL;
  }
  pthread_mutex_unlock(&heddle_lock);
}

static cl_int land_first(struct replay *replay) {
  struct heddle_command *part = replay->in_flight[0];
  const cl_int status = part->end(part);
  replay->num_in_flight--;
  memmove(replay->in_flight, replay->in_flight + 1, replay->num_in_flight * sizeof *replay->in_flight);
  account(replay, part, 0);
  return status;
}

// The first error there is, or CL_COMPLETE.
static cl_int land_all(struct replay *replay, cl_int status) {
  while (replay->num_in_flight != 0) {
    const cl_int landed = land_first(replay);
    status = status < 0 ? status : landed;
  }
  return status;
}

// Gives it to the device behind the one before it, without which it is not to run. False: it has to be run.
static bool launch(struct replay *replay, struct heddle_command *part) {
  struct heddle_waits waits = {0};
  if (!part->begin)
    return false;
  if (replay->num_in_flight != 0)
    waits.numbers[waits.count++] = replay->in_flight[replay->num_in_flight - 1]->number;
  if (!part->begin(part, &waits))
    return false;
  replay->in_flight[replay->num_in_flight++] = part;
  return true;
}

static cl_int run_part(struct replay *replay, struct heddle_command *part) {
  const cl_ulong before = heddle_host_nanoseconds();
  if (part->channel_user) {
    pthread_mutex_lock(&heddle_lock);
    heddle_channels_replayed(part->channel_user);
    pthread_mutex_unlock(&heddle_lock);
  }
  const cl_int status = part->run ? part->run(part) : CL_COMPLETE;
  account(replay, part, heddle_host_nanoseconds() - before);
  return status;
}

// What an earlier replay left.
static void renew(struct heddle_command *part) {
  part->nanoseconds = part->nanoseconds_with_children = 0;
  part->event->dispatch.figures = (struct heddle_figures){0};
}

static cl_int run(struct heddle_command *command) {
  struct replay *replay = (struct replay *)command;
  cl_int status = CL_COMPLETE;
  for (struct heddle_command *part = replay->buffer->first; part && status == CL_COMPLETE; part = part->next) {
    renew(part);
    if (replay->num_in_flight == HEDDLE_MAX_IN_FLIGHT)
      status = land_first(replay);
    if (status == CL_COMPLETE && !launch(replay, part)) {
      status = land_all(replay, status);
      status = status == CL_COMPLETE ? run_part(replay, part) : status;
    }
  }
  return land_all(replay, status);
}

static void drop(struct heddle_command *command) {
  const struct replay *replay = (const struct replay *)command;
  pthread_mutex_lock(&heddle_lock);
  if (--replay->buffer->pending == 0)
    rest_all(replay->buffer, true);
  pthread_mutex_unlock(&heddle_lock);
  heddle_command_buffer_release(replay->buffer);
}

// Whether it may be pending once more, which it is then.
static bool take_turn(cl_command_buffer_khr buffer) {
  pthread_mutex_lock(&heddle_lock);
  const bool rested = buffer->pending == 0, may = buffer->simultaneous || rested;
  buffer->pending += may;
  if (rested)
    rest_all(buffer, false);
  pthread_mutex_unlock(&heddle_lock);
  return may;
}

cl_int heddle_enqueue_command_buffer(cl_command_buffer_khr buffer, cl_command_queue queue, cl_uint num_waits,
                                     const cl_event *waits, cl_event *event) {
  struct replay *replay = heddle_command_create(sizeof *replay, queue, CL_COMMAND_COMMAND_BUFFER_KHR, num_waits, waits);
  if (!replay)
    return CL_OUT_OF_HOST_MEMORY;
  if (!take_turn(buffer)) {
    heddle_command_discard(&replay->command);
    return CL_INVALID_OPERATION;
  }
  for (const struct heddle_command *part = buffer->first; part; part = part->next) {
    replay->command.event->dispatch.groups_total += part->event->dispatch.groups_total;
    if (part->event->dispatch.units != 0) {
      replay->command.event->dispatch.lanes = part->event->dispatch.lanes;
      replay->command.event->dispatch.units = part->event->dispatch.units;
    }
  }
  heddle_object_retain(buffer);
  replay->buffer = buffer;
  replay->command.run = run;
  replay->command.drop = drop;
  return heddle_enqueue(&replay->command, false, event);
}
