// SPDX-License-Identifier: Apache-2.0
// Autorun kernels for tests/pipeline/channels.c, as they are written for Intel's SDK: one without a loop, one with a
// loop that never ends, one that makes what another one reads, and copies of one that know their numbers.
#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int raw __attribute__((depth(8))), doubled, tagged[2];

__attribute__((max_global_work_dim(0))) kernel void feed(uint count, global const int *restrict in) {
  for (uint i = 0; i < count; i++)
    write_channel_intel(raw, in[i]);
}

__attribute__((max_global_work_dim(0))) __attribute__((autorun)) kernel void twice(void) {
  write_channel_intel(doubled, 2 * read_channel_intel(raw));
}

__attribute__((max_global_work_dim(0))) __attribute__((autorun)) kernel void number_them(void) {
  int number = 0;
  while (1) {
    const int value = read_channel_intel(doubled);
    write_channel_intel(tagged[0], value);
    write_channel_intel(tagged[1], number++);
  }
}

__attribute__((max_global_work_dim(0))) kernel void drain(uint count, global int2 *restrict out) {
  for (uint i = 0; i < count; i++) {
    const int value = read_channel_intel(tagged[0]);
    out[i] = (int2)(value, read_channel_intel(tagged[1]));
  }
}

channel ushort noise __attribute__((depth(32)));

__attribute__((max_global_work_dim(0))) __attribute__((autorun)) kernel void make_noise(void) {
  ushort state = 1;
  while (true) {
    state = (ushort)((state >> 1) ^ (state % 2 != 0 ? 0xB400 : 0));
    write_channel_intel(noise, state);
  }
}

__attribute__((max_global_work_dim(0))) kernel void hear(uint count, global ushort *restrict out) {
  for (uint i = 0; i < count; i++)
    out[i] = read_channel_intel(noise);
}

channel int row[4];

__attribute__((max_global_work_dim(0))) kernel void feed_row(uint count, global const int *restrict in) {
  for (uint i = 0; i < count; i++)
    write_channel_intel(row[0], in[i]);
}

__attribute__((max_global_work_dim(0))) __attribute__((autorun)) __attribute__((num_compute_units(3))) kernel void
cell(void) {
  const int id = get_compute_id(0);
  int largest = INT_MIN;
  while (1) {
    const int value = read_channel_intel(row[id]);
    write_channel_intel(row[id + 1], min(value, largest));
    largest = max(value, largest);
  }
}

__attribute__((max_global_work_dim(0))) kernel void drain_row(uint count, global int *restrict out) {
  for (uint i = 0; i < count; i++)
    out[i] = read_channel_intel(row[3]);
}

// A server that polls for requests and for the end, neither of which may hold up the other, and its client, who waits
// for each answer before it asks again.
channel int asks, answers __attribute__((depth(2)));
channel bool stops;

__attribute__((max_global_work_dim(0))) kernel void ask(uint count, global int *restrict out) {
  for (uint i = 0; i < count; i++) {
    write_channel_intel(asks, (int)i);
    out[i] = read_channel_intel(answers);
  }
  write_channel_intel(stops, true);
}

__attribute__((max_global_work_dim(0))) kernel void serve(uint unused, global uint *restrict polls) {
  uint empty = 0;
  bool ends = false;
  while (!ends) {
    bool is_there, is_end, fits = false;
    const int x = read_channel_nb_intel(asks, &is_there);
    if (is_there)
      while (!fits)
        fits = write_channel_nb_intel(answers, x * x);
    else
      empty++;
    const bool last = read_channel_nb_intel(stops, &is_end);
    ends = is_end && last;
  }
  polls[0] = empty;
}

// The same, whose loop is left by whether the last poll has found something: it does more than to try.
channel int questions, replies;
channel bool enough;

__attribute__((max_global_work_dim(0))) kernel void question(uint count, global int *restrict out) {
  for (uint i = 0; i < count; i++) {
    write_channel_intel(questions, (int)i);
    out[i] = read_channel_intel(replies);
  }
  write_channel_intel(enough, true);
}

__attribute__((max_global_work_dim(0))) kernel void reply(uint unused) {
  bool ends = false;
  while (!ends) {
    bool is_there;
    const int x = read_channel_nb_intel(questions, &is_there);
    if (is_there)
      write_channel_intel(replies, 3 * x);
    read_channel_nb_intel(enough, &ends);
  }
}
