// SPDX-License-Identifier: Apache-2.0
// The worker of a device (worker.h): takes commands from its queues, runs them, and ends them. Kernels, copies and
// fills go to the device while others are under way there, so that it never waits for the host between two of them.
#include "host/cl/worker.h"

#include <CL/cl_ext.h>
#include <inttypes.h>
#include <stdlib.h>

#include "contract/output_file.h"
#include "host/cl/channel_waits.h"
#include "host/cl/device_time.h"
#include "host/cl/log.h"
#include "host/cl/schedule.h"
#include "host/observe/observe.h"

// Whether an event that the command waits for ended with an error.
static bool waits_failed(const struct heddle_command *command) {
  pthread_mutex_lock(&heddle_lock);
  const bool failed = heddle_schedule_fails(command);
  pthread_mutex_unlock(&heddle_lock);
  return failed;
}

bool heddle_is_held_back(const struct heddle_command *command, const struct heddle_record *record) {
  return record->status == HEDDLE_RECORD_DID_NOT_RUN && !waits_failed(command) && !command->event->queue->recorded;
}

static void stamp(cl_ulong *when, cl_device_id device) {
  pthread_mutex_lock(&heddle_lock);
  *when = heddle_device_time(device, heddle_host_nanoseconds());
  pthread_mutex_unlock(&heddle_lock);
}

static void submitted(cl_device_id device, struct heddle_command *command) {
  stamp(&command->event->times.submit, device);
  heddle_event_set_status(command->event, CL_SUBMITTED);
}

static const char *type_name(cl_command_type type) {
  switch (type) {
    case CL_COMMAND_NDRANGE_KERNEL:
    case CL_COMMAND_TASK:
      return "kernel";
    case CL_COMMAND_READ_BUFFER:
    case CL_COMMAND_READ_BUFFER_RECT:
      return "read buffer";
    case CL_COMMAND_WRITE_BUFFER:
    case CL_COMMAND_WRITE_BUFFER_RECT:
      return "write buffer";
    case CL_COMMAND_COPY_BUFFER:
    case CL_COMMAND_COPY_BUFFER_RECT:
      return "copy buffer";
    case CL_COMMAND_FILL_BUFFER:
      return "fill buffer";
    case CL_COMMAND_MAP_BUFFER:
      return "map buffer";
    case CL_COMMAND_READ_IMAGE:
      return "read image";
    case CL_COMMAND_WRITE_IMAGE:
      return "write image";
    case CL_COMMAND_COPY_IMAGE:
    case CL_COMMAND_COPY_IMAGE_TO_BUFFER:
    case CL_COMMAND_COPY_BUFFER_TO_IMAGE:
      return "copy image";
    case CL_COMMAND_FILL_IMAGE:
      return "fill image";
    case CL_COMMAND_MAP_IMAGE:
      return "map image";
    case CL_COMMAND_UNMAP_MEM_OBJECT:
      return "unmap buffer";
    case CL_COMMAND_MIGRATE_MEM_OBJECTS:
      return "migrate";
    case CL_COMMAND_MARKER:
      return "marker";
    case CL_COMMAND_BARRIER:
      return "barrier";
    case CL_COMMAND_SVM_MEMCPY:
    case CL_COMMAND_MEMCPY_INTEL:
      return "copy memory";
    case CL_COMMAND_SVM_MEMFILL:
    case CL_COMMAND_MEMFILL_INTEL:
      return "fill memory";
    case CL_COMMAND_SVM_MAP:
      return "map memory";
    case CL_COMMAND_SVM_UNMAP:
      return "unmap memory";
    case CL_COMMAND_SVM_FREE:
      return "free memory";
    case CL_COMMAND_SVM_MIGRATE_MEM:
    case CL_COMMAND_MIGRATEMEM_INTEL:
      return "migrate";
    case CL_COMMAND_MEMADVISE_INTEL:
      return "advice";
    case CL_COMMAND_COMMAND_BUFFER_KHR:
      return "command buffer";
    default:
      return "command";
  }
}

static void trace(cl_device_id device, const struct heddle_command *command, cl_command_queue queue,
                  const struct heddle_times *times) {
  const cl_command_type type = command->event->type;
  const struct heddle_traced_command traced = {
      .queue = queue,
      .name = command->name ? command->name : type_name(type),
      .queued = times->queued,
      .submit = times->submit,
      .start = times->start,
      .end = times->end,
      .bytes = command->bytes,
      .is_dispatch = type == CL_COMMAND_NDRANGE_KERNEL || type == CL_COMMAND_TASK,
  };
  heddle_trace_command(device->root->driver ? heddle_device_observed(device->root->driver) : NULL, &traced);
  heddle_trace_ahead(device->root->ahead);
}

void heddle_worker_trace_part(const struct heddle_command *whole, const struct heddle_command *part, cl_ulong took) {
  cl_command_queue queue = whole->event->queue;
  struct heddle_times times = whole->event->times;
  if (!heddle_traces())
    return;
  times.start += whole->nanoseconds;
  times.end = times.start + took;
  trace(queue->device, part, queue, &times);
}

// Ends a command with a status; it took so long, as far as it does not know better.
static void complete(cl_device_id device, struct heddle_command *command, cl_int status, cl_ulong took) {
  cl_event event = command->event;
  struct heddle_times *times = &event->times;
  const cl_ulong spent = command->nanoseconds ? command->nanoseconds : took;
  const cl_ulong all = command->nanoseconds_with_children > spent ? command->nanoseconds_with_children : spent;
  pthread_mutex_lock(&heddle_lock);
  times->end = heddle_device_time_end(device, times->start, spent);
  times->complete = heddle_device_time_end(device, times->start, all);
  pthread_mutex_unlock(&heddle_lock);
  heddle_log(HEDDLE_LOG_DEBUG, "command 0x%x ended with status %d, %" PRIu64 " ns", event->type, status,
             (uint64_t)(times->end - times->start));
  if (heddle_traces())
    trace(device, command, event->queue, times);
  // Buffers and kernels go first: who sees the end of the command may count on them.
  heddle_command_drop(command);
  free(command);
  heddle_event_complete(event, status);
}

static void execute(cl_device_id device, struct heddle_command *command) {
  cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  cl_ulong took = 0;
  submitted(device, command);
  stamp(&command->event->times.start, device);
  if (!waits_failed(command)) {
    heddle_event_set_status(command->event, CL_RUNNING);
    const cl_ulong before = heddle_host_nanoseconds();
    status = command->run ? command->run(command) : CL_COMPLETE;
    took = heddle_host_nanoseconds() - before;
  }
  complete(device, command, status, took);
}

// It began when it was there and nothing before it was.
static void stamp_start(cl_device_id device, struct heddle_times *times) {
  pthread_mutex_lock(&heddle_lock);
  times->start = times->submit > device->last_end ? times->submit : device->last_end;
  pthread_mutex_unlock(&heddle_lock);
}

// Waits for the first of what is on the device.
static void land_first(cl_device_id device) {
  struct heddle_command *command = device->in_flight[0];
  stamp_start(device, &command->event->times);
  heddle_event_set_status(command->event, CL_RUNNING);
  const cl_int status = command->end(command);
  pthread_mutex_lock(&heddle_lock);
  command->event->command = NULL;
  device->num_in_flight--;
  for (cl_uint i = 0; i < device->num_in_flight; i++)
    device->in_flight[i] = device->in_flight[i + 1];
  pthread_mutex_unlock(&heddle_lock);
  complete(device, command, status, 0);
}

static void land_all(cl_device_id device) {
  while (device->num_in_flight != 0)
    land_first(device);
}

// It waits for the one before it on the device, which has waited for the one before that: so it does not run behind one
// that went wrong, whose stores may have hit anything, and what it waits for is among those. heddle_lock is held.
static void waits_on_device(cl_device_id device, struct heddle_waits *waits) {
  *waits = (struct heddle_waits){0};
  if (device->num_in_flight != 0)
    waits->numbers[waits->count++] = device->in_flight[device->num_in_flight - 1]->number;
}

// Gives it to the device if it goes there and nothing it waits for has failed so far.
static bool launch(cl_device_id device, struct heddle_command *command) {
  struct heddle_waits waits;
  if (!command->begin)
    return false;
  if (device->num_in_flight == HEDDLE_MAX_IN_FLIGHT)
    land_first(device);
  // Nobody but this worker ends what is on the device.
  pthread_mutex_lock(&heddle_lock);
  waits_on_device(device, &waits);
  pthread_mutex_unlock(&heddle_lock);
  if (waits_failed(command) || !command->begin(command, &waits))
    return false;
  pthread_mutex_lock(&heddle_lock);
  command->event->command = command;
  device->in_flight[device->num_in_flight++] = command;
  heddle_schedule_begun(command->event);
  pthread_mutex_unlock(&heddle_lock);
  submitted(device, command);
  return true;
}

bool heddle_is_worker_of(cl_device_id device) {
  return device->root->working && pthread_equal(pthread_self(), device->root->worker);
}

static void *work(void *argument) {
  cl_device_id device = argument;
  struct heddle_output_limit limit;
  heddle_output_limit_enter(&limit);  // to its end: it writes what kernels print and waveforms
  pthread_mutex_lock(&heddle_lock);
  while (!device->stop) {
    struct heddle_command *command = heddle_schedule_take(device);
    if (!command && device->num_in_flight == 0) {
      heddle_channels_idle(device);
      continue;
    }
    pthread_mutex_unlock(&heddle_lock);
    if (!command) {
      land_first(device);
    } else if (!launch(device, command)) {
      land_all(device);
      execute(device, command);
    }
    pthread_mutex_lock(&heddle_lock);
  }
  pthread_mutex_unlock(&heddle_lock);
  land_all(device);
  return NULL;
}

bool heddle_worker_start(cl_device_id device) {
  return pthread_create(&device->worker, NULL, work, device) == 0;
}

bool heddle_worker_stop(cl_device_id device) {
  pthread_mutex_lock(&heddle_lock);
  const bool working = device->working;
  device->stop = true;
  pthread_cond_broadcast(&heddle_changed);
  pthread_mutex_unlock(&heddle_lock);
  if (!working)
    return true;
  if (pthread_equal(pthread_self(), device->worker))
    return false;
  pthread_join(device->worker, NULL);
  return true;
}

void heddle_worker_reset(cl_device_id device) {
  pthread_mutex_lock(&heddle_lock);
  device->working = device->stop = false;
  device->ahead = device->last_end = 0;
  pthread_mutex_unlock(&heddle_lock);
}
