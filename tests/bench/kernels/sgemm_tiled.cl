// SPDX-License-Identifier: Apache-2.0
// The same product through local memory: a work-group loads a tile of A and of B, and all its work-items use them.
#define TILE 8

kernel void sgemm_tiled(global const float *a, global const float *b, global float *c, int columns, int inner) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int first = 0; first < inner; first += TILE) {
    tile_a[y][x] = a[row * inner + first + x];
    tile_b[y][x] = b[(first + y) * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * columns + column] = sum;
}
