// SPDX-License-Identifier: Apache-2.0
// Events (event.h).
#include "host/cl/event.h"

#include <stdlib.h>

#include "host/cl/chain.h"
#include "host/cl/channel_waits.h"
#include "host/cl/schedule.h"

pthread_mutex_t heddle_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t heddle_changed = PTHREAD_COND_INITIALIZER;

void heddle_events_forked(void) {
  pthread_mutex_init(&heddle_lock, NULL);
  pthread_cond_init(&heddle_changed, NULL);
}

bool heddle_is_event(cl_event event) {
  return heddle_object_valid(event, HEDDLE_EVENT_OBJECT);
}

cl_event heddle_event_create(cl_context context, cl_command_queue queue, cl_command_type type, cl_int status) {
  cl_event event = heddle_object_create(HEDDLE_EVENT_OBJECT, sizeof *event);
  if (!event)
    return NULL;
  heddle_object_retain(context);
  if (queue)
    heddle_object_retain(queue);
  event->context = context;
  event->queue = queue;
  event->type = type;
  event->status = status;
  event->callbacks_end = &event->callbacks;
  return event;
}

static void destroy(cl_event event) {
  // Callbacks are left only on a user event that never got a status.
  while (event->callbacks) {
    struct heddle_event_callback *next = event->callbacks->next;
    free(event->callbacks);
    event->callbacks = next;
  }
  free(event->dispatch.fault_text);
  if (event->queue)
    heddle_queue_release(event->queue);
  heddle_context_release(event->context);
  free(event);
}

void heddle_event_release(cl_event event) {
  if (heddle_object_release(event))
    destroy(event);
}

// Takes the callbacks out that are due at the event's status, in the order of their registration. heddle_lock is held.
static struct heddle_event_callback *take_due(cl_event event) {
  struct heddle_event_callback *due = NULL, **due_end = &due;
  struct heddle_event_callback **at = &event->callbacks;
  while (*at) {
    struct heddle_event_callback *callback = *at;
    if (event->status > callback->type) {
      at = &callback->next;
      continue;
    }
    *at = callback->next;
    callback->next = NULL;
    *due_end = callback;
    due_end = &callback->next;
  }
  event->callbacks_end = at;
  return due;
}

// `status` is the event's: a callback hears the status it waited for, or the error that came instead.
static void call(cl_event event, cl_int status, struct heddle_event_callback *callbacks) {
  while (callbacks) {
    struct heddle_event_callback *next = callbacks->next;
    callbacks->notify(event, status < 0 ? status : callbacks->type, callbacks->user_data);
    free(callbacks);
    callbacks = next;
  }
}

void heddle_event_set_status(cl_event event, cl_int status) {
  heddle_object_retain(event);
  pthread_mutex_lock(&heddle_lock);
  event->status = status;
  struct heddle_event_callback *due = take_due(event);
  if (status <= CL_COMPLETE) {
    heddle_schedule_ended(event);
    pthread_cond_broadcast(&heddle_changed);
  }
  pthread_mutex_unlock(&heddle_lock);
  call(event, status, due);
  heddle_event_release(event);
}

void heddle_event_complete(cl_event event, cl_int status) {
  pthread_mutex_lock(&heddle_lock);
  event->status = status;
  event->queue->pending--;
  heddle_schedule_ended(event);
  struct heddle_event_callback *due = take_due(event);
  // With callbacks to call the event must stay until they have been.
  const bool last = !due && heddle_object_release(event);
  pthread_cond_broadcast(&heddle_changed);
  pthread_mutex_unlock(&heddle_lock);
  call(event, status, due);
  if (due)
    heddle_event_release(event);
  else if (last)
    destroy(event);
}

cl_int heddle_event_wait(cl_uint count, const cl_event *events) {
  cl_int result = CL_COMPLETE;
  pthread_mutex_lock(&heddle_lock);
  heddle_chain_release();
  heddle_channels_release_for(count, events);
  for (cl_uint i = 0; i < count; i++) {
    while (events[i]->status > CL_COMPLETE)
      heddle_channels_wait();
    if (result == CL_COMPLETE)
      result = events[i]->status;
  }
  pthread_mutex_unlock(&heddle_lock);
  return result;
}

cl_int heddle_check_wait_list(cl_context context, cl_uint count, const cl_event *events) {
  if ((count == 0) != !events)
    return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++) {
    if (!heddle_is_event(events[i]))
      return CL_INVALID_EVENT_WAIT_LIST;
    if (events[i]->context != context)
      return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}
