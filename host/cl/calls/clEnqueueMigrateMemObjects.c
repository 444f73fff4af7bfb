// SPDX-License-Identifier: Apache-2.0
// clEnqueueMigrateMemObjects: brings buffers to the queue's device now rather than when a command uses them. To the
// host there is nothing to do: mapping and reading fetch what they need.
#include <stdlib.h>

#include "host/cl/calls.h"
#include "host/cl/memory.h"

struct migration {
  struct heddle_command command;
  cl_uint num_memories;
  cl_mem *memories;  // retained
};

static cl_int run(struct heddle_command *command) {
  const struct migration *migration = (const struct migration *)command;
  int result = 0;
  for (cl_uint i = 0; i < migration->num_memories && result == 0; i++)
    result = heddle_memory_prepare(migration->memories[i], command->event->queue->device, HEDDLE_READS);
  return result == 0 ? CL_COMPLETE : CL_OUT_OF_RESOURCES;
}

static void drop(struct heddle_command *command) {
  struct migration *migration = (struct migration *)command;
  for (cl_uint i = 0; i < migration->num_memories; i++)
    heddle_memory_release(migration->memories[i]);
  free(migration->memories);
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
                                  cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                  const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (num_mem_objects == 0 || !mem_objects || (flags & ~known) != 0)
    return CL_INVALID_VALUE;
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < num_mem_objects && error == CL_SUCCESS; i++)
    error = heddle_check_queue_memory(command_queue, mem_objects[i]);
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  struct migration *migration = heddle_command_create(sizeof *migration, command_queue, CL_COMMAND_MIGRATE_MEM_OBJECTS,
                                                      num_events_in_wait_list, event_wait_list);
  if (!migration)
    return CL_OUT_OF_HOST_MEMORY;
  migration->memories = calloc(num_mem_objects, sizeof *migration->memories);
  migration->command.drop = drop;
  migration->command.run = flags == 0 ? run : NULL;
  if (!migration->memories) {
    heddle_command_discard(&migration->command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  for (; migration->num_memories < num_mem_objects; migration->num_memories++) {
    heddle_object_retain(mem_objects[migration->num_memories]);
    migration->memories[migration->num_memories] = mem_objects[migration->num_memories];
  }
  return heddle_enqueue(&migration->command, false, event);
}
