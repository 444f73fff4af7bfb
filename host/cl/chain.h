// SPDX-License-Identifier: Apache-2.0
// Chains: kernels with pipes between them on the chip (contract/DEVICE.md). To a program they are kernels like any
// other. Which of them run as one the host finds out as they are enqueued: a kernel of a chain that reads no pipe on
// the chip is held, as OpenCL allows until its queue is flushed, and those that follow join it, if
// - they are on the device's pipelines of that chain, and each pipe has the same pipe object at both ends;
// - what they read is written by kernels that came before;
// - nothing came in between, and they wait for nothing else: then one after the other and all at once are the same;
// - no other memory object is written by one of them and used by another.
// When all have come they run; when anything else comes before, each runs by itself, with its pipes in memory. So they
// do if a pipe already has packets in memory.
//
// Threads: heddle_lock is held in every call but heddle_chain_forget.
#ifndef HEDDLE_CL_CHAIN_H
#define HEDDLE_CL_CHAIN_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/cl/memory.h"
#include "host/device/chains.h"

// The end of a stream that a memory object is to a kernel (streams.h).
enum heddle_stream_end { HEDDLE_NO_STREAM, HEDDLE_READS_STREAM, HEDDLE_WRITES_STREAM };

// A memory object that a kernel may touch.
struct heddle_used_memory {
  cl_mem memory;  // retained
  enum heddle_use use;
  enum heddle_stream_end stream;
};

struct heddle_chain;

// Of a command that runs a kernel which may be part of a chain. It belongs to the command.
struct heddle_chain_member {
  struct heddle_command *command;
  const struct heddle_capabilities *capabilities;  // of its device
  struct heddle_chain_shape shape;                 // of its chain
  uint32_t number;                                 // in that one
  cl_mem ends[HEDDLE_CHAIN_PIPES];                 // its pipes on the chip, by their numbers; NULL: it has no end of it
  const struct heddle_used_memory *memories;
  uint32_t num_memories;
  struct heddle_chain *chain;  // that it is part of; NULL: none
};

// Some kernels that run as one.
struct heddle_chain {
  struct heddle_chain_member
      *members[HEDDLE_CHAIN_KERNELS];   // in the order in which they came; valid until they have run
  cl_mem pipes[HEDDLE_CHAIN_PIPES];     // by their numbers; of members that have come
  bool makes_room[HEDDLE_CHAIN_PIPES];  // the reader need not have waited for the writer
  uint32_t count, users;                // users: members that still hold it
  bool complete;                        // all have come
  bool ran;                             // or is not going to
  bool apart;                           // each runs by itself after all
  // what became of it
  cl_int result;  // of the driver
  cl_ulong start;
  struct heddle_record record;
};

// To be called with every command before it is added to the schedule: it joins the chain that is held, or ends the
// hold. `command->member` is not NULL for a kernel that may be part of a chain.
void heddle_chain_arrive(struct heddle_command *command);

// Makes a chain of commands that are held for other reasons, all of which could begin now but for each other. False:
// they are none, and nothing has changed.
bool heddle_chain_join(struct heddle_command *const *commands, uint32_t count);

// Ends the hold: what is held runs. To be called wherever a program may wait for a command.
void heddle_chain_release(void);

// To be called by the first member when the chain has run, or with `apart` is not going to: the others go on.
void heddle_chain_ran(struct heddle_chain *chain, bool apart);

// Whether all kernels of a chain have come, so that they run as one.
bool heddle_chain_is_whole(const struct heddle_chain *chain);

// A member is done with its chain. Takes heddle_lock.
void heddle_chain_forget(struct heddle_chain_member *member);

#endif
