// SPDX-License-Identifier: Apache-2.0
// Kernels for tests/pipeline/channels.c: three that send rows and their sums to each other on the chip; ways that part
// and meet again; two that a third one asks in turn; three between two kernels; and two of which each waits for the
// other.
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

channel uint quotients[2] __attribute__((depth(16)));
channel uint weighted;

__attribute__((max_global_work_dim(0))) kernel void part(uint count, global const uint *restrict in) {
  for (uint i = 0; i < count; i++) {
    write_channel_intel(quotients[0], in[i] / 7);
    write_channel_intel(quotients[1], in[i] % 7);
  }
}

__attribute__((max_global_work_dim(0))) kernel void weigh(uint count) {
  for (uint i = 0; i < count; i++)
    write_channel_intel(weighted, read_channel_intel(quotients[1]) * (i + 1));
}

__attribute__((max_global_work_dim(0))) kernel void meet(uint count, global uint2 *restrict out) {
  for (uint i = 0; i < count; i++) {
    const uint quotient = read_channel_intel(quotients[0]);
    out[i] = (uint2)(quotient, read_channel_intel(weighted));
  }
}

channel ushort even __attribute__((depth(2)));
channel ulong odd __attribute__((depth(100)));

__attribute__((max_global_work_dim(0))) kernel void give_even(uint count) {
  for (uint i = 0; i < count; i++)
    write_channel_intel(even, (ushort)(3 * i));
}

__attribute__((max_global_work_dim(0))) kernel void give_odd(uint count, ulong factor) {
  for (uint i = 0; i < count; i++)
    write_channel_intel(odd, factor * i);
}

// Of odd ones it takes three in a row.
__attribute__((max_global_work_dim(0))) kernel void take_both(uint count, global ulong *restrict out) {
  for (uint i = 0; i < 4 * count; i++)
    out[i] = i % 4 == 0 ? read_channel_intel(even) : read_channel_intel(odd);
}

channel uchar3 colours;
channel uint numbers __attribute__((depth(3)));
channel ulong2 squares;

__attribute__((max_global_work_dim(0))) kernel void spread(uint count, global const uint *restrict in) {
  for (uint i = 0; i < count; i++) {
    const ulong x = in[i];
    write_channel_intel(squares, (ulong2)(x * x, ~x));
    write_channel_intel(colours, (uchar3)(x, x >> 8, x >> 16));
    write_channel_intel(numbers, i);
  }
}

__attribute__((max_global_work_dim(0))) kernel void gather(uint count, global ulong4 *restrict out) {
  for (uint i = 0; i < count; i++) {
    const uchar3 colour = read_channel_intel(colours);
    const ulong2 square = read_channel_intel(squares);
    out[i] = (ulong4)(square, colour.x + colour.y * 3 + colour.z * 5, read_channel_intel(numbers));
  }
}

channel uint questions;
channel uint2 answers;

__attribute__((max_global_work_dim(0))) kernel void ask(uint count, global uint *restrict out) {
  uint next = 1;
  for (uint i = 0; i < count; i++) {
    write_channel_intel(questions, next);
    const uint2 answer = read_channel_intel(answers);
    out[i] = answer.x;
    next = answer.y;
  }
}

__attribute__((max_global_work_dim(0))) kernel void answer(uint count) {
  for (uint i = 0; i < count; i++) {
    const uint question = read_channel_intel(questions);
    write_channel_intel(answers, (uint2)(question * question, question * 5 + i));
  }
}
