// SPDX-License-Identifier: Apache-2.0
// Kernels for tests/pipeline/channels.c that print while they send to each other: one reads memory, one is started by
// nobody, one stores.
#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int words, halves;

__attribute__((max_global_work_dim(0))) kernel void send(uint count, global const int *restrict in) {
  for (uint i = 0; i < count; i++) {
    if (in[i] % 5 == 0)
      printf("send %u: %d\n", i, in[i]);
    write_channel_intel(words, in[i]);
  }
}

__attribute__((max_global_work_dim(0))) __attribute__((autorun)) kernel void halve(void) {
  const int word = read_channel_intel(words);
  if (word < 0)
    printf("halve %d of %s\n", word, word % 2 == 0 ? "two" : "one and a bit");
  write_channel_intel(halves, word / 2);
}

__attribute__((max_global_work_dim(0))) kernel void keep(uint count, global int *restrict out) {
  for (uint i = 0; i < count; i++) {
    const int half_word = read_channel_intel(halves);
    printf("keep %v2d %.1f\n", (int2)((int)i, half_word), half_word * 0.5f);
    out[i] = half_word;
  }
}
