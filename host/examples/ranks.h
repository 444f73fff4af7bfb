// SPDX-License-Identifier: Apache-2.0
// What the examples for MPI have in common: ranks that end together, each with a device of its own.
#ifndef HEDDLE_EXAMPLES_RANKS_H
#define HEDDLE_EXAMPLES_RANKS_H

#include <mpi.h>
#include <stdbool.h>

#include "host/tools/client.h"

struct ranks {
  int rank, count;     // this one's number; how many there are
  size_t size;         // of the job, as the command line has it
  const char *device;  // the same; NULL: the first
  struct session session;
  cl_program program;
};

// Begins MPI and reads the command line ([--device WHICH] [SIZE]; WHICH `each`: rank r takes device r). The size, or
// `otherwise`, is a multiple of `piece` times the number of ranks, and `most` at most, else the program ends with a
// message that calls it `name`. From here on a rank that ends early ends all, by MPI_Abort: die() and check() call
// exit(), and a rank that just leaves would make the others wait.
struct ranks ranks_begin(int *argc, char ***argv, const char *usage, const char *name, size_t otherwise, size_t piece,
                         size_t most);
// Opens this rank's device, and builds share/heddle/FILE for it.
void ranks_open(struct ranks *ranks, const char *file);

cl_mem ranks_buffer(const struct ranks *ranks, size_t bytes);
void ranks_write(const struct ranks *ranks, cl_mem buffer, const void *data, size_t bytes);
void ranks_read(const struct ranks *ranks, cl_mem buffer, void *data, size_t bytes);

// Runs a kernel over items[0] by items[1] work-items, in work-groups of `local` by 1. Its arguments are the buffers,
// and behind them `number` if that is not 0. Returns the device's cycles.
unsigned long long ranks_run(const struct ranks *ranks, const char *name, const size_t items[2], size_t local,
                             const cl_mem *buffers, cl_uint count, cl_uint number);

// Rank 0 prints how long each rank's device took for its share of `unit`, and the slowest. To be called by all.
void ranks_report(const struct ranks *ranks, const char *unit, unsigned long long cycles);

// Tells all ranks whether rank 0 found the results right, and ends MPI; the program's exit status.
int ranks_end(struct ranks *ranks, bool right);

#endif
