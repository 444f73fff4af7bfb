// SPDX-License-Identifier: Apache-2.0
// Queues and their commands (queue.h).
#include "host/cl/queue.h"

#include <stdlib.h>
#include <string.h>

#include "contract/isa.h"
#include "host/cl/chain.h"
#include "host/cl/channel_waits.h"
#include "host/cl/channels.h"
#include "host/cl/command_buffer.h"
#include "host/cl/device_time.h"
#include "host/cl/schedule.h"
#include "host/cl/worker.h"
#include "host/device/device_queue.h"

bool heddle_is_queue(cl_command_queue queue) {
  return heddle_object_valid(queue, HEDDLE_QUEUE_OBJECT);
}

bool heddle_is_host_queue(cl_command_queue queue) {
  return heddle_is_queue(queue) && queue->size == 0;
}

bool heddle_is_on_device_queue(cl_command_queue queue) {
  return heddle_is_queue(queue) && queue->size != 0;
}

void heddle_command_drop(struct heddle_command *command) {
  if (command->drop)
    command->drop(command);
  for (cl_uint i = 0; i < command->num_waits; i++)
    heddle_event_release(command->waits[i]);
  free(command->waits);
  free(command->links);
}

// Makes the device have a worker. False: no thread to be had.
static bool has_worker(cl_device_id device) {
  pthread_mutex_lock(&heddle_lock);
  if (!device->working)
    device->working = heddle_worker_start(device);
  const bool working = device->working;
  pthread_mutex_unlock(&heddle_lock);
  return working;
}

static cl_command_queue create(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                               const cl_queue_properties *list, size_t list_bytes) {
  cl_command_queue queue = heddle_object_create(HEDDLE_QUEUE_OBJECT, sizeof *queue);
  cl_queue_properties *copy = malloc(list_bytes ? list_bytes : 1);
  if (!queue || !copy) {
    if (queue)
      heddle_object_release(queue);
    free(queue);
    free(copy);
    return NULL;
  }
  if (list_bytes != 0)
    memcpy(copy, list, list_bytes);
  queue->context = context;
  queue->device = device;
  queue->properties = properties;
  queue->properties_array = copy;
  queue->properties_bytes = list_bytes;
  return queue;
}

static void discard(cl_command_queue queue) {
  heddle_object_release(queue);
  free(queue->properties_array);
  free(queue);
}

cl_command_queue heddle_queue_create(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                     const cl_queue_properties *list, size_t list_bytes, cl_int *error) {
  cl_command_queue queue = create(context, device, properties, list, list_bytes);
  *error = queue ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  if (queue && (!heddle_open(device) || !has_worker(device->root))) {
    *error = CL_OUT_OF_RESOURCES;
    discard(queue);
    return NULL;
  }
  if (queue)
    heddle_object_retain(context);
  return queue;
}

cl_command_queue heddle_recorder_create(cl_command_queue queue, cl_command_buffer_khr buffer) {
  cl_command_queue recorder = create(queue->context, queue->device, queue->properties, NULL, 0);
  if (recorder) {
    heddle_object_retain(queue->context);
    recorder->recorded = buffer;
  }
  return recorder;
}

// ---- on-device queues

bool heddle_offers_on_device_queues(cl_device_id device) {
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(device);
  return capabilities && heddle_isa_has(capabilities->isa, "a");
}

cl_command_queue heddle_on_device_queue_create(cl_context context, cl_device_id device,
                                               cl_command_queue_properties properties, cl_uint size,
                                               const cl_queue_properties *list, size_t list_bytes, cl_int *error) {
  const int index = heddle_context_index(context, device);
  const bool is_default = (properties & CL_QUEUE_ON_DEVICE_DEFAULT) != 0;
  cl_command_queue queue = create(context, device, properties, list, list_bytes);
  *error = queue ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  if (!queue)
    return NULL;
  queue->size = size ? size : HEDDLE_QUEUE_SIZE_PREFERRED;
  pthread_mutex_lock(&heddle_lock);
  cl_command_queue there = context->on_device[index].queue;
  if (!there) {
    context->on_device[index].queue = queue;
    context->on_device[index].is_default = is_default;
  } else if (is_default && context->on_device[index].is_default) {
    heddle_object_retain(there);
  } else {
    *error = CL_OUT_OF_RESOURCES;
  }
  pthread_mutex_unlock(&heddle_lock);
  if (!there) {
    heddle_object_retain(context);
    return queue;
  }
  discard(queue);
  return *error == CL_SUCCESS ? there : NULL;
}

struct heddle_on_device_queue heddle_on_device_queue_of(cl_context context, cl_device_id device) {
  const int index = heddle_context_index(context, device);
  pthread_mutex_lock(&heddle_lock);
  const struct heddle_on_device_queue found = {
      .size = context->on_device[index].queue ? context->on_device[index].queue->size : 0,
      .is_default = context->on_device[index].is_default,
  };
  pthread_mutex_unlock(&heddle_lock);
  return found;
}

cl_command_queue heddle_default_queue(cl_context context, cl_device_id device) {
  const int index = heddle_context_index(context, device);
  pthread_mutex_lock(&heddle_lock);
  cl_command_queue queue = context->on_device[index].is_default ? context->on_device[index].queue : NULL;
  pthread_mutex_unlock(&heddle_lock);
  return queue;
}

// heddle_lock is held.
static void forget_on_device(cl_command_queue queue) {
  const int index = heddle_context_index(queue->context, queue->device);
  queue->context->on_device[index].queue = NULL;
  queue->context->on_device[index].is_default = false;
}

// ----

void heddle_queue_release(cl_command_queue queue) {
  if (!heddle_object_release(queue))
    return;
  // No command is left: each holds its event, and that the queue.
  if (queue->size != 0) {
    pthread_mutex_lock(&heddle_lock);
    forget_on_device(queue);
    pthread_mutex_unlock(&heddle_lock);
  }
  heddle_context_release(queue->context);
  free(queue->properties_array);
  free(queue->fault_text);
  free(queue);
}

void *heddle_command_create(size_t bytes, cl_command_queue queue, cl_command_type type, cl_uint num_waits,
                            const cl_event *waits) {
  struct heddle_command *command = calloc(1, bytes);
  if (!command)
    return NULL;
  command->waits = calloc(num_waits ? num_waits : 1, sizeof *command->waits);
  command->links = calloc(num_waits ? num_waits : 1, sizeof *command->links);
  command->event = heddle_event_create(queue->context, queue, type, CL_QUEUED);
  if (!command->waits || !command->links || !command->event) {
    heddle_command_discard(command);
    return NULL;
  }
  command->num_waits = num_waits;
  for (cl_uint i = 0; i < num_waits; i++) {
    heddle_object_retain(waits[i]);
    command->waits[i] = waits[i];
  }
  return command;
}

void heddle_command_discard(struct heddle_command *command) {
  cl_event event = command->event;
  heddle_command_drop(command);
  free(command);
  if (event)
    heddle_event_release(event);
}

cl_int heddle_enqueue(struct heddle_command *command, bool blocking, cl_event *event_out) {
  cl_event event = command->event;
  cl_command_queue queue = event->queue;
  if (queue->recorded) {
    heddle_record(queue->recorded, command);
    return CL_SUCCESS;
  }
  if (blocking && heddle_is_worker_of(queue->device)) {
    heddle_command_discard(command);
    return CL_INVALID_OPERATION;
  }
  // A reference beside the command's: the caller's, or one to wait with.
  if (event_out || blocking)
    heddle_object_retain(event);
  pthread_mutex_lock(&heddle_lock);
  heddle_schedule_number(command);
  event->times.queued = heddle_device_time(queue->device, heddle_host_nanoseconds());
  queue->pending++;
  if (command->channel_user) {
    heddle_chain_release();
    heddle_channel_hold(command);
  } else {
    heddle_chain_arrive(command);
  }
  heddle_schedule_add(command);
  if (command->channel_user) {
    heddle_channels_look(command->channel_user);
    heddle_channels_release_come(command->channel_user);
  }
  pthread_cond_broadcast(&heddle_changed);
  pthread_mutex_unlock(&heddle_lock);
  const cl_int status = blocking ? heddle_event_wait(1, &event) : CL_COMPLETE;
  if (event_out && status == CL_COMPLETE)
    *event_out = event;
  else if (event_out || blocking)
    heddle_event_release(event);
  return status < 0 ? status : CL_SUCCESS;
}
