// SPDX-License-Identifier: Apache-2.0
// Kernels for tests/pipeline/channels.c: three that send rows and their sums to each other on the chip.
#pragma OPENCL EXTENSION cl_intel_channels : enable
channel uint4 rows __attribute__((depth(4)));
channel uint totals;

__attribute__((max_global_work_dim(0))) kernel void load(uint count, global const uint4 *restrict in) {
  for (uint i = 0; i < count; i++)
    write_channel_intel(rows, in[i]);
}

// Asks for no id: so it is of one work-item, too.
kernel void add_up(uint count) {
  for (uint i = 0; i < count; i++) {
    const uint4 row = read_channel_intel(rows);
    write_channel_intel(totals, row.x + row.y * 3 + row.z * 5 + row.w * 7);
  }
}

__attribute__((max_global_work_dim(0))) kernel void store(uint count, global uint *restrict out) {
  uint sum = 0;
  for (uint i = 0; i < count; i++) {
    sum += read_channel_intel(totals);
    out[i] = sum;
  }
}
