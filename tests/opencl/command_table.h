// SPDX-License-Identifier: Apache-2.0
// Every clEnqueue… that this device runs, in one table: a promise that holds for all commands is one loop over it
// (wait_lists.c, references.c). tests/opencl/every_name.py holds the table to the names of the OpenCL headers.
#ifndef HEDDLE_TESTS_COMMAND_TABLE_H
#define HEDDLE_TESTS_COMMAND_TABLE_H

#include "tests/opencl/harness.h"

enum { BED_BYTES = 64, BED_BEFORE = 0x11, BED_AFTER = 0x22 };

// What one command works on. The command of the table turns all bytes of `to`, of `to_image`, of `shared` or of `host`
// from BED_BEFORE to BED_AFTER.
struct bed {
  cl_mem from;                    // BED_BEFORE or, for commands that bring its bytes elsewhere, BED_AFTER
  cl_mem to;                      // BED_BEFORE
  cl_mem from_image, to_image;    // the same
  unsigned char host[BED_BYTES];  // the same as `from` for a command that writes, BED_BEFORE for one that reads
  unsigned char *shared;          // of clSVMAlloc, BED_BEFORE
  cl_kernel kernel;               // writes BED_AFTER to `to`, one work-item
  unsigned char *mapped;          // of `to`, for what maps or unmaps it
  cl_mem mapped_object;           // what a command that maps has mapped
};

struct command {
  const char *name;
  cl_command_type type;
  enum { CHANGES_BUFFER, CHANGES_IMAGE, CHANGES_SHARED, CHANGES_HOST, MAPS, UNMAPS, CHANGES_NOTHING } what;
  // Enqueues it and returns its code. `event` may be NULL.
  cl_int (*enqueue)(struct bed *bed, cl_command_queue queue, cl_uint num_waits, const cl_event *waits, cl_event *event);
  // The same with `blocking` CL_TRUE; NULL: it has no such form.
  cl_int (*blocking)(struct bed *bed, cl_command_queue queue, cl_uint num_waits, const cl_event *waits,
                     cl_event *event);
};

extern const struct command commands[];
extern const size_t num_commands;

// A bed for one run of the command. The kernel is shared; everything else is given up by bed_end.
struct bed bed_for(const struct command *command);

// Gives up what bed_for made, after the command has ended.
void bed_end(const struct command *command, struct bed *bed);

// The test fails unless every byte the command changes is `value`; nothing is asked of commands that change none, and
// of mapping and unmapping before they are done, where the text leaves the contents open.
void bed_expect(const struct command *command, const struct bed *bed, unsigned char value, const char *when);

// A queue of the device under test beside harness()->queue, one for each set of properties. That with both properties
// is for watching: no command may wait in it.
cl_command_queue queue_with(cl_command_queue_properties properties);

// Comes back when every command that could run has run: a second queue's command was enqueued after them, and the
// device takes what is ready in the order of enqueueing.
void let_run_what_can(void);

cl_event user_event(void);
cl_int event_status(cl_event event);

#endif
