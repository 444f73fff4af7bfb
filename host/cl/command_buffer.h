// SPDX-License-Identifier: Apache-2.0
// Command buffers (cl_khr_command_buffer 0.9.0, the version of Debian 12's CL/cl_ext.h; later ones have other
// parameters): commands that are recorded once and run as one, as often as that is enqueued.
//
// What is recorded is a command as a queue would get it. clCommand… hands clEnqueue… the buffer's recorder, a queue
// that no device knows: its commands stay in the buffer. Whatever clEnqueue… checks is checked, and nothing is done
// twice.
//
// An enqueued buffer is one command. It runs what it has in the order of recording, which is an order that sync points
// allow, since they are of commands that were recorded before. Kernels that follow each other are on the device
// together. What fails ends it: nothing behind that runs.
#ifndef HEDDLE_CL_COMMAND_BUFFER_H
#define HEDDLE_CL_COMMAND_BUFFER_H

#include <CL/cl_ext.h>

#include "host/cl/queue.h"

struct _cl_command_buffer_khr {
  struct heddle_object object;
  cl_command_queue queue;                        // as given, retained
  cl_command_queue recorder;                     // of the same context and device
  cl_command_buffer_properties_khr *properties;  // as given, with the final 0; NULL: none
  size_t properties_bytes;
  bool simultaneous;          // may be enqueued while it is
  pthread_mutex_t recording;  // one clCommand… at a time; taken before heddle_lock and the leaves

  // Guarded by heddle_lock.
  bool finalized;
  cl_uint pending;       // how often it is enqueued and has not ended
  cl_uint num_commands;  // sync points are their numbers, from 1
  struct heddle_command *first, **end;
};

bool heddle_is_command_buffer(cl_command_buffer_khr buffer);

// A buffer for a queue; properties have been checked.
cl_command_buffer_khr heddle_command_buffer_create(cl_command_queue queue,
                                                   const cl_command_buffer_properties_khr *properties,
                                                   size_t properties_bytes, bool simultaneous, cl_int *error);
void heddle_command_buffer_release(cl_command_buffer_khr buffer);

// Begins recording a command: what all clCommand… check beside clEnqueue…'s own. After CL_SUCCESS the caller calls
// clEnqueue… with buffer->recorder and no wait list, and ends with its result, which is returned; the command's sync
// point goes to *sync_point if that is wanted.
cl_int heddle_record_begin(cl_command_buffer_khr buffer, cl_command_queue queue, cl_uint num_sync_points,
                           const cl_sync_point_khr *sync_points, const cl_mutable_command_khr *mutable_handle);
cl_int heddle_record_end(cl_command_buffer_khr buffer, cl_int error, cl_sync_point_khr *sync_point);

// A command that was enqueued to a recorder becomes the buffer's.
void heddle_record(cl_command_buffer_khr buffer, struct heddle_command *command);

// Enqueues all that was recorded as one command of a queue that is compatible with the buffer's.
cl_int heddle_enqueue_command_buffer(cl_command_buffer_khr buffer, cl_command_queue queue, cl_uint num_waits,
                                     const cl_event *waits, cl_event *event);

#endif
