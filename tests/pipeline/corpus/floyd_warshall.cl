// SPDX-License-Identifier: Apache-2.0
// Shortest ways between all pairs, by way of one more node: Floyd, Algorithm 97: Shortest Path, 1962.
kernel void floyd_warshall(global uint *lengths, uint by) {
  size_t from = get_global_id(1), to = get_global_id(0), n = get_global_size(0);
  uint here = lengths[from * n + to], longer = lengths[from * n + by] + lengths[by * n + to];
  if (longer < here)
    lengths[from * n + to] = longer;
}
