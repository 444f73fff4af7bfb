// SPDX-License-Identifier: Apache-2.0
// The product of two square matrices whose rows are spread over the ranks of an MPI program, each with a Heddle device
// of its own: MPI_Scatter of A's rows, MPI_Bcast of B, MPI_Gather of the product's rows. Run it by
// `mpirun -np 4 build/bin/mpi_sgemm`.
#include <stdio.h>
#include <stdlib.h>

#include "host/examples/ranks.h"

enum { LOCAL = 32, MOST = 1024 };

// Element i of a matrix, the same in every run: whole numbers so small that every sum of a row's is exact.
static float value_of(size_t i, unsigned seed) {
  return (float)((i * 2654435761U + seed) >> 24 & 0xF) - 7.0F;
}

static void fill(float *matrix, size_t elements, unsigned seed) {
  for (size_t i = 0; i < elements; i++)
    matrix[i] = value_of(i, seed);
}

// The product of this rank's rows of A and B; returns the device's cycles.
static unsigned long long multiply(const struct ranks *ranks, const float *a, const float *b, float *c, size_t rows) {
  const size_t n = ranks->size, items[2] = {n, rows};
  cl_mem of_a = ranks_buffer(ranks, rows * n * sizeof *a), of_b = ranks_buffer(ranks, n * n * sizeof *b);
  cl_mem of_c = ranks_buffer(ranks, rows * n * sizeof *c);
  ranks_write(ranks, of_a, a, rows * n * sizeof *a);
  ranks_write(ranks, of_b, b, n * n * sizeof *b);
  const unsigned long long cycles =
      ranks_run(ranks, "sgemm", items, LOCAL, (cl_mem[]){of_a, of_b, of_c}, 3, (cl_uint)n);
  ranks_read(ranks, of_c, c, rows * n * sizeof *c);
  clReleaseMemObject(of_a);
  clReleaseMemObject(of_b);
  clReleaseMemObject(of_c);
  return cycles;
}

// Compares the product with loops. Whether it is right.
static bool is_right(const float *a, const float *b, const float *c, size_t n) {
  for (size_t row = 0; row < n; row++) {
    for (size_t column = 0; column < n; column++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++)
        sum += (double)a[row * n + k] * b[k * n + column];
      if (c[row * n + column] != sum) {
        printf("NOT right: element (%zu, %zu) is %g, expected %g\n", row, column, c[row * n + column], sum);
        return false;
      }
    }
  }
  puts("all elements are right");
  return true;
}

int main(int argc, char **argv) {
  program_name = "mpi_sgemm";
  static const char usage[] =
      "usage: mpirun -np RANKS mpi_sgemm [--device sim|model|NUMBER|each] [SIZE]\n"
      "Multiplies two matrices of SIZE rows and columns (64 without) across all ranks, each on a device.\n"
      "  --device each   rank r takes device r: for several boards in one machine";
  struct ranks ranks = ranks_begin(&argc, &argv, usage, "SIZE", 64, 1, MOST);
  if (ranks.size % LOCAL != 0)
    die(EXIT_USAGE, "SIZE must be a multiple of %d", LOCAL);
  ranks_open(&ranks, "mpi_sgemm.cl");
  const size_t n = ranks.size, rows = n / (size_t)ranks.count, all = ranks.rank == 0 ? n * n : 1;
  float *a = allocate(all * sizeof *a), *c = allocate(all * sizeof *c);  // whole on rank 0 alone
  float *b = allocate(n * n * sizeof *b), *own_a = allocate(rows * n * sizeof *a);
  float *own_c = allocate(rows * n * sizeof *c);
  if (ranks.rank == 0) {
    fill(a, n * n, 1);
    fill(b, n * n, 0x51ED270);
  }
  const int share = (int)(rows * n);
  MPI_Scatter(a, share, MPI_FLOAT, own_a, share, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, (int)(n * n), MPI_FLOAT, 0, MPI_COMM_WORLD);
  const unsigned long long cycles = multiply(&ranks, own_a, b, own_c, rows);
  MPI_Gather(own_c, share, MPI_FLOAT, c, share, MPI_FLOAT, 0, MPI_COMM_WORLD);
  ranks_report(&ranks, "rows", cycles);
  const bool right = ranks.rank == 0 && is_right(a, b, c, n);
  free(a);
  free(b);
  free(c);
  free(own_a);
  free(own_c);
  return ranks_end(&ranks, right);
}
