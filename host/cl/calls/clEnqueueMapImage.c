// SPDX-License-Identifier: Apache-2.0
// clEnqueueMapImage: the pointer is known at once, the pixels are there when the command is done.
#include "host/cl/calls.h"
#include "host/cl/image.h"

void *clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
                        const size_t *origin, const size_t *region, size_t *image_row_pitch, size_t *image_slice_pitch,
                        cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event,
                        cl_int *errcode_ret) {
  HEDDLE_CALL;
  struct heddle_end from;
  struct heddle_mapping wanted = {.flags = map_flags};
  if (!heddle_is_host_queue(command_queue))
    return heddle_created(errcode_ret, CL_INVALID_COMMAND_QUEUE, NULL);
  cl_int error = heddle_check_queue_image(command_queue, image);
  if (error == CL_SUCCESS &&
      (!heddle_image_box(image, origin, region, &from, &wanted.box) || !heddle_map_flags_valid(map_flags) ||
       !image_row_pitch || (image->image->slice_pitch != 0 && !image_slice_pitch)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && !heddle_map_allowed(image, map_flags))
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return heddle_created(errcode_ret, error, NULL);

  void *pointer;
  wanted.offset = from.offset;
  wanted.row_pitch = from.row_pitch;
  wanted.slice_pitch = from.slice_pitch;
  error = heddle_memory_map(image, &wanted, &pointer);
  if (error != CL_SUCCESS)
    return heddle_created(errcode_ret, error, NULL);
  const struct heddle_end to = {.host = pointer, .row_pitch = from.row_pitch, .slice_pitch = from.slice_pitch};
  struct heddle_box box = wanted.box;
  if ((map_flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0)
    box.bytes = 0;
  error = heddle_transfer(command_queue, CL_COMMAND_MAP_IMAGE, &from, &to, box, blocking_map, num_events_in_wait_list,
                          event_wait_list, event);
  if (error != CL_SUCCESS) {
    struct heddle_mapping undone;
    heddle_memory_unmap(image, pointer, &undone);
    return heddle_created(errcode_ret, error, NULL);
  }
  *image_row_pitch = image->image->row_pitch;
  if (image_slice_pitch)
    *image_slice_pitch = image->image->slice_pitch;
  return heddle_created(errcode_ret, error, pointer);
}
