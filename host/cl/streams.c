// SPDX-License-Identifier: Apache-2.0
#include "host/cl/streams.h"

#include "host/cl/channel_waits.h"
#include "host/cl/pipe.h"
#include "host/cl/schedule.h"

enum heddle_stream_end heddle_stream_end_of(cl_mem memory, const struct heddle_argument *argument) {
  return !heddle_is_pipe(memory) || !memory->is_concurrent ? HEDDLE_NO_STREAM
         : argument->access == HEDDLE_READ_ONLY            ? HEDDLE_READS_STREAM
                                                           : HEDDLE_WRITES_STREAM;
}

bool heddle_streams_any(const struct heddle_used_memory *memories, uint32_t count) {
  bool any = false;
  for (uint32_t i = 0; i < count; i++)
    any |= memories[i].stream != HEDDLE_NO_STREAM;
  return any;
}

static void set_packets(cl_mem stream, bool has) {
  pthread_mutex_lock(&heddle_lock);
  stream->has_packets = has;
  pthread_mutex_unlock(&heddle_lock);
}

bool heddle_streams_begin(const struct heddle_used_memory *memories, uint32_t count, cl_device_id device) {
  bool may = true;
  for (uint32_t i = 0; i < count; i++) {
    cl_mem stream = memories[i].memory;
    if (memories[i].stream == HEDDLE_WRITES_STREAM && stream->is_spoiled)
      stream->is_spoiled = heddle_pipe_empty(stream, device) != 0;
  }
  for (uint32_t i = 0; i < count; i++)
    may &= memories[i].stream == HEDDLE_NO_STREAM || !memories[i].memory->is_spoiled;
  return may;
}

int heddle_streams_settle(cl_mem stream, cl_device_id device) {
  const int result = heddle_pipe_settle(stream, device);
  if (stream->is_used)
    set_packets(stream, true);
  return result;
}

// One that is read to its end is as good as new: the chip may have it next.
static void look_for_packets(cl_mem stream, cl_device_id device) {
  uint32_t packets;
  if (heddle_pipe_count(stream, device, &packets) != 0)
    return;
  if (packets == 0) {
    set_packets(stream, false);
  } else {
    pthread_mutex_lock(&heddle_lock);
    heddle_channels_left(stream);
    pthread_mutex_unlock(&heddle_lock);
  }
  if (packets == 0 && heddle_pipe_empty(stream, device) == 0)
    stream->is_used = false;
}

void heddle_streams_end(const struct heddle_used_memory *memories, uint32_t count, cl_device_id device, bool failed) {
  for (uint32_t i = 0; i < count; i++) {
    cl_mem stream = memories[i].memory;
    if (memories[i].stream == HEDDLE_NO_STREAM)
      continue;
    if (failed) {
      stream->is_spoiled = true;
      set_packets(stream, false);
    } else if (memories[i].stream == HEDDLE_READS_STREAM) {
      look_for_packets(stream, device);
    }
  }
}
