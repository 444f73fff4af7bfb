// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMFree: frees memory when the command runs, or calls the application to do so.
#include <stdlib.h>
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/shared.h"

typedef void(CL_CALLBACK *free_function)(cl_command_queue queue, cl_uint num_svm_pointers, void *svm_pointers[],
                                         void *user_data);

struct freeing {
  struct heddle_command command;
  cl_uint count;
  void **pointers;  // a copy
  free_function function;
  void *user_data;
};

static cl_int run(struct heddle_command *command) {
  const struct freeing *freeing = (const struct freeing *)command;
  const cl_command_queue queue = command->event->queue;
  if (freeing->function)
    freeing->function(queue, freeing->count, freeing->pointers, freeing->user_data);
  for (cl_uint i = 0; i < freeing->count && !freeing->function; i++)
    heddle_shared_free(queue->context, freeing->pointers[i], 1u << HEDDLE_SVM);
  return CL_COMPLETE;
}

static void drop(struct heddle_command *command) {
  free(((struct freeing *)command)->pointers);
}

cl_int clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
                        void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue, cl_uint num_svm_pointers,
                                                         void *svm_pointers[], void *user_data),
                        void *user_data, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                        cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  if ((num_svm_pointers == 0) != !svm_pointers)
    return CL_INVALID_VALUE;
  const cl_int error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  struct freeing *freeing = heddle_command_create(sizeof *freeing, command_queue, CL_COMMAND_SVM_FREE,
                                                  num_events_in_wait_list, event_wait_list);
  if (!freeing)
    return CL_OUT_OF_HOST_MEMORY;
  freeing->command.run = run;
  freeing->command.drop = drop;
  freeing->count = num_svm_pointers;
  freeing->function = pfn_free_func;
  freeing->user_data = user_data;
  freeing->pointers = malloc((num_svm_pointers + (size_t)1) * sizeof *freeing->pointers);
  if (!freeing->pointers) {
    heddle_command_discard(&freeing->command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  if (num_svm_pointers != 0)
    memcpy(freeing->pointers, svm_pointers, num_svm_pointers * sizeof *freeing->pointers);
  return heddle_enqueue(&freeing->command, false, event);
}
