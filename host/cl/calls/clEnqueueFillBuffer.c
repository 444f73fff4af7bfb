// SPDX-License-Identifier: Apache-2.0
// clEnqueueFillBuffer: the device has no engine for it, so the host writes the pattern.
#include <stdlib.h>
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/memory.h"

enum { BYTES_A_PIECE = 64 << 10, PATTERN_MAX = 128 };

struct fill {
  struct heddle_command command;
  cl_mem memory;  // retained
  size_t offset, size, pattern_size;
  unsigned char pattern[PATTERN_MAX];
};

static cl_int run(struct heddle_command *command) {
  const struct fill *fill = (const struct fill *)command;
  cl_device_id device = command->event->queue->device;
  const enum heddle_use use = fill->size == fill->memory->size ? HEDDLE_OVERWRITES : HEDDLE_WRITES;
  const uint32_t address = heddle_memory_address(fill->memory, device) + (uint32_t)fill->offset;
  const size_t most = fill->size < BYTES_A_PIECE ? fill->size : BYTES_A_PIECE;
  unsigned char *piece = malloc(most);
  if (!piece)
    return CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; i < most; i += fill->pattern_size)
    memcpy(piece + i, fill->pattern, fill->pattern_size);
  int result = heddle_memory_prepare(fill->memory, device, use);
  for (size_t done = 0; done < fill->size && result == 0; done += most) {
    const size_t now = fill->size - done < most ? fill->size - done : most;
    result = heddle_device_write(device->driver, address + (uint32_t)done, piece, now);
  }
  free(piece);
  return result == 0 ? CL_COMPLETE : CL_OUT_OF_RESOURCES;
}

static void drop(struct heddle_command *command) {
  heddle_memory_release(((struct fill *)command)->memory);
}

static bool pattern_size_valid(size_t size) {
  return size != 0 && size <= PATTERN_MAX && (size & (size - 1)) == 0;
}

cl_int clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                           size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event) {
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, buffer);
  if (error == CL_SUCCESS && !heddle_range_inside(buffer, offset, size))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && (!pattern || !pattern_size_valid(pattern_size)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && (offset % pattern_size != 0 || size % pattern_size != 0))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  struct fill *fill = heddle_command_create(sizeof *fill, command_queue, CL_COMMAND_FILL_BUFFER,
                                            num_events_in_wait_list, event_wait_list);
  if (!fill)
    return CL_OUT_OF_HOST_MEMORY;
  heddle_object_retain(buffer);
  fill->memory = buffer;
  fill->offset = offset;
  fill->size = size;
  fill->pattern_size = pattern_size;
  memcpy(fill->pattern, pattern, pattern_size);
  fill->command.run = size != 0 ? run : NULL;
  fill->command.drop = drop;
  return heddle_enqueue(&fill->command, false, event);
}
