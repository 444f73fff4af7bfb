// SPDX-License-Identifier: Apache-2.0
// One step of ranks of pages: Page and Brin, The Anatomy of a Large-Scale Hypertextual Web Search Engine, 1998, taken
// from who links here.
kernel void pagerank(global const uint *starts, global const uint *sources, global const uint *links,
                     global const float *ranks, global float *next, float damping) {
  size_t page = get_global_id(0);
  float sum = 0;
  for (uint i = starts[page]; i < starts[page + 1]; i++)
    sum += ranks[sources[i]] / (float)links[sources[i]];
  next[page] = (1 - damping) / (float)get_global_size(0) + damping * sum;
}
