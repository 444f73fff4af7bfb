// SPDX-License-Identifier: Apache-2.0
// One level of a search in breadth: Harish and Narayanan, Accelerating Large Graph Algorithms on the GPU Using CUDA,
// 2007. Who is on the level tells its neighbours that have none.
kernel void bfs_step(global const uint *starts, global const uint *targets, global int *levels, global int *changed,
                     int level) {
  size_t node = get_global_id(0);
  if (levels[node] != level)
    return;
  for (uint i = starts[node]; i < starts[node + 1]; i++)
    if (atomic_cmpxchg(&levels[targets[i]], -1, level + 1) == -1)
      *changed = 1;
}
