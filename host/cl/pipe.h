// SPDX-License-Identifier: Apache-2.0
// Pipes: memory objects that only kernels look into (contract/DEVICE.md, "Pipes"; hls/lib/pipes.cl). To the rest of the
// library they are memory like any other, with first contents made here.
#ifndef HEDDLE_CL_PIPE_H
#define HEDDLE_CL_PIPE_H

#include "host/cl/memory.h"

// What a device offers: CL_DEVICE_MAX_PIPE_ARGS, _PIPE_MAX_ACTIVE_RESERVATIONS, _PIPE_MAX_PACKET_SIZE. Zeros without
// atomic instructions (A).
struct heddle_pipe_limits {
  cl_uint arguments, reservations, packet_bytes;
};
struct heddle_pipe_limits heddle_pipe_limits_of(const struct heddle_capabilities *capabilities);

bool heddle_is_pipe(cl_mem memory);

// Bytes of a pipe in device memory. More than any device has, if need be.
uint64_t heddle_pipe_bytes(cl_uint packet_bytes, cl_uint max_packets);

// After the pipe was a queue on the device's chip: makes of what the queue left in memory (contract/DEVICE.md,
// "Chains") a pipe that has these packets. Called on the device's worker. 0 or -errno.
int heddle_pipe_settle(cl_mem pipe, cl_device_id device);

// Counts the packets in a pipe's memory that nobody has read, when no command in flight uses it. Called on the device's
// worker. 0 or -errno.
int heddle_pipe_count(cl_mem pipe, cl_device_id device, uint32_t *count);

// Takes what is left out of a pipe in memory that no command in flight uses. Called on the device's worker. 0 or
// -errno.
int heddle_pipe_empty(cl_mem pipe, cl_device_id device);

// Bytes from a pipe's address to its packets.
uint32_t heddle_pipe_packets_offset(cl_mem pipe);

// An empty pipe; everything has been checked, and heddle_pipe_bytes fits a device's largest allocation.
// CL_MEM_OBJECT_ALLOCATION_FAILURE when a device has no room.
cl_mem heddle_pipe_create(cl_context context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
                          cl_int *error);

#endif
