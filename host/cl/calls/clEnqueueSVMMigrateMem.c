// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMMigrateMem: brings memory to the queue's device now rather than when a command uses it.
#include <stdlib.h>

#include "host/cl/calls.h"
#include "host/cl/shared.h"

struct migration {
  struct heddle_command command;
  cl_uint count;
  struct heddle_shared_place *places;
};

static cl_int run(struct heddle_command *command) {
  const struct migration *migration = (const struct migration *)command;
  int result = 0;
  for (cl_uint i = 0; i < migration->count && result == 0; i++)
    result = heddle_memory_prepare(migration->places[i].memory, command->event->queue->device, HEDDLE_READS);
  return result == 0 ? CL_COMPLETE : CL_OUT_OF_RESOURCES;
}

static void drop(struct heddle_command *command) {
  struct migration *migration = (struct migration *)command;
  for (cl_uint i = 0; i < migration->count; i++)
    heddle_shared_leave(&migration->places[i]);
  free(migration->places);
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers, const void **svm_pointers,
                              const size_t *sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (num_svm_pointers == 0 || !svm_pointers || (flags & ~known) != 0)
    return CL_INVALID_VALUE;
  cl_int error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  struct migration *migration = heddle_command_create(sizeof *migration, command_queue, CL_COMMAND_SVM_MIGRATE_MEM,
                                                      num_events_in_wait_list, event_wait_list);
  if (!migration)
    return CL_OUT_OF_HOST_MEMORY;
  migration->places = calloc(num_svm_pointers, sizeof *migration->places);
  migration->command.drop = drop;
  migration->command.run = flags == 0 ? run : NULL;
  error = migration->places ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  // A size of 0 stands for all of the memory.
  for (; migration->count < num_svm_pointers && error == CL_SUCCESS; migration->count += error == CL_SUCCESS) {
    struct heddle_shared_place *place = &migration->places[migration->count];
    const size_t size = sizes && sizes[migration->count] != 0 ? sizes[migration->count] : 1;
    if (heddle_shared_find(command_queue->context, svm_pointers[migration->count], size, place) && place->memory &&
        place->memory->shared->kind == HEDDLE_SVM)
      continue;
    heddle_shared_leave(place);
    error = CL_INVALID_VALUE;
  }
  if (error == CL_SUCCESS)
    return heddle_enqueue(&migration->command, false, event);
  heddle_command_discard(&migration->command);
  return error;
}
