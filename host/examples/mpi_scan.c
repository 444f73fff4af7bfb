// SPDX-License-Identifier: Apache-2.0
// The inclusive scan of a row of numbers that is spread over the ranks of an MPI program, each with a Heddle device of
// its own: work_group_scan on each device, MPI_Exscan between them. Run it by `mpirun -np 4 build/bin/mpi_scan`.
#include <stdio.h>
#include <stdlib.h>

#include "host/examples/ranks.h"

enum { LOCAL = 32, MOST = 1 << 24 };

// Number i of the row, the same in every run: small, so that sums fit.
static cl_int value_of(size_t i) {
  return (cl_int)(i * 2654435761U >> 24 & 0xFF) - 128;
}

// The inclusive scan of this rank's n values, across all ranks; returns the device's cycles.
static unsigned long long scan(const struct ranks *ranks, const cl_int *values, cl_int *sums, size_t n) {
  const size_t groups = n / LOCAL, items[2] = {n, 1};
  cl_int *before = allocate(groups * sizeof *before);
  cl_mem in = ranks_buffer(ranks, n * sizeof *values), out = ranks_buffer(ranks, n * sizeof *sums);
  cl_mem of_groups = ranks_buffer(ranks, groups * sizeof *before);
  ranks_write(ranks, in, values, n * sizeof *values);
  unsigned long long cycles = ranks_run(ranks, "scan_groups", items, LOCAL, (cl_mem[]){in, out, of_groups}, 3, 0);
  ranks_read(ranks, of_groups, before, groups * sizeof *before);

  // The groups' sums become what comes before each group: first on this rank, then with the ranks before it.
  cl_int own = 0, of_ranks = 0;
  for (size_t g = 0; g < groups; g++) {
    const cl_int total = before[g];
    before[g] = own;
    own += total;
  }
  MPI_Exscan(&own, &of_ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (ranks->rank == 0)
    of_ranks = 0;  // which MPI_Exscan leaves undefined
  for (size_t g = 0; g < groups; g++)
    before[g] += of_ranks;

  ranks_write(ranks, of_groups, before, groups * sizeof *before);
  cycles += ranks_run(ranks, "add_before", items, LOCAL, (cl_mem[]){out, of_groups}, 2, 0);
  ranks_read(ranks, out, sums, n * sizeof *sums);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(of_groups);
  free(before);
  return cycles;
}

// Compares all sums with a loop. Whether they are right.
static bool are_right(const cl_int *sums, size_t n) {
  cl_int sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += value_of(i);
    if (sums[i] != sum) {
      printf("NOT right: sum %zu is %d, expected %d\n", i, sums[i], sum);
      return false;
    }
  }
  puts("all sums are right");
  return true;
}

int main(int argc, char **argv) {
  program_name = "mpi_scan";
  static const char usage[] =
      "usage: mpirun -np RANKS mpi_scan [--device sim|model|NUMBER|each] [COUNT]\n"
      "Scans COUNT numbers (16384 without) across all ranks, each on a device.\n"
      "  --device each   rank r takes device r: for several boards in one machine";
  struct ranks ranks = ranks_begin(&argc, &argv, usage, "COUNT", 16384, LOCAL, MOST);
  ranks_open(&ranks, "mpi_scan.cl");
  const size_t n = ranks.size, own = n / (size_t)ranks.count;
  cl_int *values = allocate(own * sizeof *values), *sums = allocate(own * sizeof *sums);
  for (size_t i = 0; i < own; i++)
    values[i] = value_of((size_t)ranks.rank * own + i);
  ranks_report(&ranks, "numbers", scan(&ranks, values, sums, own));

  cl_int *all = allocate(ranks.rank == 0 ? n * sizeof *all : 1);  // filled on rank 0
  MPI_Gather(sums, (int)own, MPI_INT, all, (int)own, MPI_INT, 0, MPI_COMM_WORLD);
  const bool right = ranks.rank == 0 && are_right(all, n);
  free(values);
  free(sums);
  free(all);
  return ranks_end(&ranks, right);
}
