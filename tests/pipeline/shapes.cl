// SPDX-License-Identifier: Apache-2.0
// Kernels for tests/pipeline/shapes.c. Its device has several pipelines of some of them, and four rounds in one of loops
// without a hint. Those that end in
// _alone do the same work and have one; a number that differs makes another hash of them.
#define WORK(name, add)                                                        \
  kernel void name(global const uint *in, global uint *out) {                  \
    uint x = in[get_global_id(0)];                                             \
    _Pragma("unroll 1") for (uint i = 0; i < 100; i++) x = x * 1664525u + add; \
    out[get_global_id(0)] = x;                                                 \
  }
WORK(work, 1013904223u)
WORK(work_alone, 1013904227u)

#define STREAM(name, operator)                                                     \
  kernel void name(global const uint4 *in, global uint4 *out) {                    \
    out[get_global_id(0)] = in[get_global_id(0)] operator(uint4)(7u, 77u, 777u, 5u); \
  }
STREAM(stream, +)
STREAM(stream_alone, ^)

// What work-items of a work-group share stays in their copy; what all share is the device's.
kernel void totals(global const uint *in, global uint *out, global uint *counts, local uint *tile) {
  const uint l = get_local_id(0), n = get_local_size(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = work_group_scan_inclusive_add(tile[n - 1 - l]) + get_group_id(0);
  atomic_add(&counts[in[get_global_id(0)] & 15], 1u);
}

#define ROUNDS 8
kernel void sums(global const uint *in, global uint *out) {
  uint sum = 0;
  for (uint i = 0; i < ROUNDS; i++)
    sum = sum * 3 + in[get_global_id(0) + ((i * 5 + sum) & 255)];
  out[get_global_id(0)] = sum;
}
kernel void sums_by_round(global const uint *in, global uint *out) {
  uint sum = 1;
#pragma unroll 1
  for (uint i = 0; i < ROUNDS; i++)
    sum = sum * 3 + in[get_global_id(0) + ((i * 5 + sum) & 255)];
  out[get_global_id(0)] = sum;
}
