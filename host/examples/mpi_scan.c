// SPDX-License-Identifier: Apache-2.0
// The inclusive scan of a row of numbers that is spread over the ranks of an MPI program, each with a Heddle device of
// its own: work_group_scan on each device, MPI_Exscan between them. Run it by `mpirun -np 4 build/bin/mpi_scan`.
//
// A rank that fails ends all of them (MPI_Abort), so that none waits for it.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools/client.h"

enum { LOCAL = 32, MOST = 1 << 24 };

static int rank;

// Number i of the row, the same in every run: small, so that sums fit.
static cl_int value_of(size_t i) {
  return (cl_int)(i * 2654435761U >> 24 & 0xFF) - 128;
}

// die() and check() call exit(), and a rank that just leaves would make the others wait.
static bool is_over;
static void abort_all(void) {
  if (!is_over)
    MPI_Abort(MPI_COMM_WORLD, EXIT_KERNEL_FAILED);
}

static cl_mem buffer_of(struct session *session, size_t bytes) {
  cl_int error;
  const cl_mem buffer = clCreateBuffer(session->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  check(error, "clCreateBuffer");
  return buffer;
}

// Runs a kernel of these buffers over n work-items; the device's cycles.
static uint64_t run(struct session *session, cl_program program, const char *name, size_t n, const cl_mem *buffers,
                    cl_uint count) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error, "clCreateKernel");
  for (cl_uint i = 0; i < count; i++)
    check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
  const size_t local = LOCAL;
  cl_event event;
  check(clEnqueueNDRangeKernel(session->queue, kernel, 1, NULL, &n, &local, 0, NULL, &event), "clEnqueueNDRangeKernel");
  check(clWaitForEvents(1, &event), name);
  const uint64_t cycles = figures_of(session->device, event).cycles;
  clReleaseEvent(event);
  clReleaseKernel(kernel);
  return cycles;
}

// The inclusive scan of this rank's n values, across all ranks; returns the device's cycles.
static uint64_t scan(struct session *session, cl_program program, const cl_int *values, cl_int *sums, size_t n) {
  const size_t groups = n / LOCAL;
  cl_int *before = allocate(groups * sizeof *before);
  cl_mem in = buffer_of(session, n * sizeof *values), out = buffer_of(session, n * sizeof *sums);
  cl_mem of_groups = buffer_of(session, groups * sizeof *before);
  check(clEnqueueWriteBuffer(session->queue, in, CL_FALSE, 0, n * sizeof *values, values, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
  uint64_t cycles = run(session, program, "scan_groups", n, (cl_mem[]){in, out, of_groups}, 3);
  check(clEnqueueReadBuffer(session->queue, of_groups, CL_TRUE, 0, groups * sizeof *before, before, 0, NULL, NULL),
        "clEnqueueReadBuffer");

  // The groups' sums become what comes before each group: first on this rank, then with the ranks before it.
  cl_int own = 0, of_ranks = 0;
  for (size_t g = 0; g < groups; g++) {
    const cl_int total = before[g];
    before[g] = own;
    own += total;
  }
  MPI_Exscan(&own, &of_ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    of_ranks = 0;  // which MPI_Exscan leaves undefined
  for (size_t g = 0; g < groups; g++)
    before[g] += of_ranks;

  check(clEnqueueWriteBuffer(session->queue, of_groups, CL_FALSE, 0, groups * sizeof *before, before, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
  cycles += run(session, program, "add_before", n, (cl_mem[]){out, of_groups}, 2);
  check(clEnqueueReadBuffer(session->queue, out, CL_TRUE, 0, n * sizeof *sums, sums, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(of_groups);
  free(before);
  return cycles;
}

// On rank 0: compares all sums with a loop, and says how long each device took. Whether they are right.
static bool report(const cl_int *sums, const unsigned long long *cycles, size_t n, int ranks) {
  unsigned long long most = 0;
  for (int r = 0; r < ranks; r++) {
    printf("rank %d: %zu numbers, %llu cycles\n", r, n / (size_t)ranks, cycles[r]);
    most = cycles[r] > most ? cycles[r] : most;
  }
  printf("%d ranks: %zu numbers, device time %llu cycles\n", ranks, n, most);
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
  answer_help(argc, argv, usage);
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  atexit(abort_all);

  const char *device = NULL;
  size_t n = 16384;
  char number[16];
  for (int i = 1; i < argc; i++) {
    char *end = "";
    if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
      device = argv[++i];
    else if ((n = strtoul(argv[i], &end, 10)), *end || argv[i][0] == '-' || n > MOST)
      die(EXIT_USAGE, "%s", usage);
  }
  if (n == 0 || n % ((size_t)ranks * LOCAL) != 0)
    die(EXIT_USAGE, "COUNT must be a multiple of %d, which is %d times the number of ranks", ranks * LOCAL, LOCAL);
  if (device && strcmp(device, "each") == 0) {
    snprintf(number, sizeof number, "%d", rank);
    device = number;
  }

  const size_t own = n / (size_t)ranks;
  cl_int *values = allocate(own * sizeof *values), *sums = allocate(own * sizeof *sums);
  for (size_t i = 0; i < own; i++)
    values[i] = value_of((size_t)rank * own + i);
  struct session session = open_session(choose_device(device));
  char *path = shared_file("mpi_scan.cl");
  size_t bytes;
  char *source = read_file(path, &bytes);
  cl_program program = build_program(&session, source, bytes, "-cl-std=CL3.0", path);
  const unsigned long long cycles = scan(&session, program, values, sums, own);

  cl_int *all = allocate(rank == 0 ? n * sizeof *all : 1);  // filled on rank 0
  unsigned long long *all_cycles = allocate(rank == 0 ? (size_t)ranks * sizeof *all_cycles : 1);
  MPI_Gather(sums, (int)own, MPI_INT, all, (int)own, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gather(&cycles, 1, MPI_UNSIGNED_LONG_LONG, all_cycles, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  int right = rank == 0 ? report(all, all_cycles, n, ranks) : 0;
  MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
  clReleaseProgram(program);
  free(source);
  free(path);
  free(values);
  free(sums);
  free(all);
  free(all_cycles);
  is_over = true;
  MPI_Finalize();
  return right ? 0 : EXIT_KERNEL_FAILED;
}
