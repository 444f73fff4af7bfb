// SPDX-License-Identifier: Apache-2.0
// Pipes: their size, and how they are when they are empty (pipe.h).
#include "host/cl/pipe.h"

#include <errno.h>
#include <stdlib.h>

#include "contract/device_map.h"
#include "contract/isa.h"
#include "contract/little_endian.h"

// A packet is copied by one work-item, and what it is copied from or to is often private. Reservations: each takes at
// least a packet, so what a pipe can have at once is bounded by its room alone; this many have it on all but the
// smallest devices.
enum { PACKET_BYTES_MAX = 1 << 16, RESERVATIONS_MAX = 1 << 16 };

static uint64_t slots_for(uint64_t max_packets) {
  uint64_t slots = 1;
  while (slots < max_packets)
    slots *= 2;
  return slots;
}

static uint64_t packets_offset(uint64_t slots) {
  const uint64_t bytes = HEDDLE_PIPE_HEADER_WORDS * 4 + slots * 4;
  return (bytes + HEDDLE_PIPE_PACKETS_ALIGNMENT - 1) / HEDDLE_PIPE_PACKETS_ALIGNMENT * HEDDLE_PIPE_PACKETS_ALIGNMENT;
}

uint64_t heddle_pipe_bytes(cl_uint packet_bytes, cl_uint max_packets) {
  const uint64_t slots = slots_for(max_packets);
  return packets_offset(slots) + slots * packet_bytes;
}

struct heddle_pipe_limits heddle_pipe_limits_of(const struct heddle_capabilities *capabilities) {
  const uint64_t room = heddle_max_allocation(capabilities);
  struct heddle_pipe_limits limits = {0};
  if (!heddle_isa_has(capabilities->isa, "a"))
    return limits;
  limits.arguments = HEDDLE_PARAMETER_BYTES / HEDDLE_POINTER_BYTES;
  limits.reservations = RESERVATIONS_MAX;
  while (heddle_pipe_bytes(sizeof(cl_uint), limits.reservations) > room)
    limits.reservations /= 2;
  limits.packet_bytes = PACKET_BYTES_MAX;
  while (heddle_pipe_bytes(limits.packet_bytes, 1) > room)
    limits.packet_bytes /= 2;
  return limits;
}

uint32_t heddle_pipe_packets_offset(cl_mem pipe) {
  return (uint32_t)packets_offset(slots_for(pipe->max_packets));
}

int heddle_pipe_settle(cl_mem pipe, cl_device_id device) {
  struct heddle_device *driver = device->root->driver;
  const uint32_t address = heddle_memory_address(pipe, device), slots = (uint32_t)slots_for(pipe->max_packets);
  unsigned char left[4];
  int result = heddle_device_read(driver, address + 4 * HEDDLE_PIPE_WRITTEN, left, sizeof left);
  const uint32_t count = heddle_get32(left);
  if (result != 0 || count == 0)
    return result;
  pipe->is_used = true;
  // The heads were both in the first slot's mark; the one of writing moves behind the packets.
  const uint32_t last = count & (slots - 1);
  const struct {
    uint32_t word, value;
  } words[] = {{HEDDLE_PIPE_TAKEN_FOR_WRITING, count},
               {HEDDLE_PIPE_HEADER_WORDS, HEDDLE_PIPE_MARK_READING_TURN},
               {HEDDLE_PIPE_HEADER_WORDS + last,
                HEDDLE_PIPE_MARK_WRITING_TURN | (last == 0 ? HEDDLE_PIPE_MARK_READING_TURN : 0)}};
  for (size_t i = 0; i < sizeof words / sizeof *words && result == 0; i++) {
    unsigned char bytes[4];
    heddle_put32(bytes, words[i].value);
    result = heddle_device_write(driver, address + 4 * words[i].word, bytes, sizeof bytes);
  }
  return result;
}

int heddle_pipe_count(cl_mem pipe, cl_device_id device, uint32_t *count) {
  const uint32_t address = heddle_memory_address(pipe, device) + 4 * HEDDLE_PIPE_WRITTEN;
  unsigned char words[8];  // written, taken for reading
  const int result = heddle_device_read(device->root->driver, address, words, sizeof words);
  *count = result == 0 ? heddle_get32(words) - heddle_get32(words + 4) : 0;
  return result;
}

bool heddle_is_pipe(cl_mem memory) {
  return heddle_is_memory(memory) && memory->packet_bytes != 0;
}

// What is in front of the packets of an empty pipe. NULL: host memory is out.
static uint32_t *start_of(cl_uint packet_bytes, cl_uint max_packets, size_t *bytes) {
  const uint64_t slots = slots_for(max_packets);
  *bytes = (size_t)packets_offset(slots);
  uint32_t *start = calloc(1, *bytes);
  if (!start)
    return NULL;
  start[HEDDLE_PIPE_PACKET_BYTES] = packet_bytes;
  start[HEDDLE_PIPE_MAX_PACKETS] = max_packets;
  start[HEDDLE_PIPE_SLOT_MASK] = (uint32_t)(slots - 1);
  start[HEDDLE_PIPE_PACKETS_OFFSET] = (uint32_t)*bytes;
  start[HEDDLE_PIPE_HEADER_WORDS] = HEDDLE_PIPE_MARK_WRITING_TURN | HEDDLE_PIPE_MARK_READING_TURN;
  return start;
}

int heddle_pipe_empty(cl_mem pipe, cl_device_id device) {
  size_t bytes;
  uint32_t *start = start_of(pipe->packet_bytes, pipe->max_packets, &bytes);
  if (!start)
    return -ENOMEM;
  const int result = heddle_device_write(device->root->driver, heddle_memory_address(pipe, device), start, bytes);
  free(start);
  return result;
}

cl_mem heddle_pipe_create(cl_context context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
                          cl_int *error) {
  size_t start_bytes;
  uint32_t *start = start_of(packet_bytes, max_packets, &start_bytes);
  if (!start) {
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  cl_mem memory =
      heddle_memory_create(context, flags, (size_t)heddle_pipe_bytes(packet_bytes, max_packets), 0, NULL, error);
  if (!memory) {
    free(start);
    return NULL;
  }
  memory->packet_bytes = packet_bytes;
  memory->max_packets = max_packets;
  for (cl_uint i = 0; i < context->num_roots; i++)
    heddle_device_is_buffer(context->roots[i]->driver, memory->storage->addresses[i], (uint32_t)memory->size, true);
  heddle_memory_start(memory, start, start_bytes);
  return memory;
}
