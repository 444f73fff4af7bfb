// SPDX-License-Identifier: Apache-2.0
// clEnqueueUnmapMemObject: copies back what was mapped for writing.
#include "host/cl/calls.h"
#include "host/cl/pipe.h"
#include "host/cl/transfer.h"

cl_int clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void *mapped_ptr,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  struct heddle_mapping mapping;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_memory(command_queue, memobj);
  if (error == CL_SUCCESS && heddle_is_pipe(memobj))
    error = CL_INVALID_MEM_OBJECT;
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && (!mapped_ptr || !heddle_memory_unmap(memobj, mapped_ptr, &mapping)))
    error = CL_INVALID_VALUE;
  if (error != CL_SUCCESS)
    return error;
  const struct heddle_end from = {
      .host = mapped_ptr, .row_pitch = mapping.row_pitch, .slice_pitch = mapping.slice_pitch};
  const struct heddle_end to = {.memory = memobj,
                                .offset = mapping.offset - memobj->origin,
                                .row_pitch = mapping.row_pitch,
                                .slice_pitch = mapping.slice_pitch};
  const bool written = (mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  struct heddle_box box = mapping.box;
  box.bytes = written ? box.bytes : 0;
  return heddle_transfer(command_queue, CL_COMMAND_UNMAP_MEM_OBJECT, &from, &to, box, false, num_events_in_wait_list,
                         event_wait_list, event);
}
