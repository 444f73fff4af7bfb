// SPDX-License-Identifier: Apache-2.0
// Kernels with pipes between them, for chains.c: pipelines of one device, and on the model with pipes in memory.

// ---- primes in two steps

static bool is_left(uint n) {
  return n % 2 && n % 3 && n % 5 && n % 7 && n % 11 && n % 13;
}

static bool is_prime(uint n) {
  for (uint divisor = 17; divisor * divisor <= n; divisor += 2)
    if (n % divisor == 0)
      return false;
  return true;
}

// How many writes the pipe did not take is counted.
kernel void sift(uint first, write_only pipe uint numbers, global uint *refused) {
  const uint n = first + get_global_id(0);
  if (is_left(n) && write_pipe(numbers, &n) != 0)
    atomic_inc(refused);
}

kernel void test(read_only pipe uint numbers, global uint *primes, global uint *count) {
  uint n;
  while (read_pipe(numbers, &n) == 0)
    if (is_prime(n))
      primes[atomic_inc(count)] = n;
}

// ---- edges of a picture in three steps, whose values are in memory before the first and behind the last alone

kernel void gradients(global const uchar *picture, uint width, uint height, write_only pipe int4 gradients) {
  const int x = get_global_id(0), y = get_global_id(1), w = width, h = height;
  int pixel[3][3];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      pixel[j][i] = picture[clamp(y + j - 1, 0, h - 1) * w + clamp(x + i - 1, 0, w - 1)];
  const int4 found = {y * w + x,
                      pixel[0][2] + 2 * pixel[1][2] + pixel[2][2] - pixel[0][0] - 2 * pixel[1][0] - pixel[2][0],
                      pixel[2][0] + 2 * pixel[2][1] + pixel[2][2] - pixel[0][0] - 2 * pixel[0][1] - pixel[0][2], 0};
  write_pipe(gradients, &found);
}

kernel void lengths(read_only pipe int4 gradients, write_only pipe short4 values) {
  int4 found;
  if (read_pipe(gradients, &found) != 0)
    return;
  const short length = (short)min(abs(found.y) + abs(found.z), 255u);
  const short4 value = {(short)(found.x & 0x7FFF), (short)(found.x >> 15), length, 0};
  write_pipe(values, &value);
}

kernel void edges(read_only pipe short4 values, global uchar *result, uint limit) {
  short4 value;
  while (read_pipe(values, &value) == 0)
    result[(uint)value.x | (uint)value.y << 15] = value.z > limit ? value.z : 0;
}

// ---- packets of three bytes, some of which nobody reads; a loop that writes

struct triple {
  uchar bytes[3];
};

kernel void many(uint count, write_only pipe struct triple triples, global uint *refused) {
  for (uint i = 0; i < count; i++) {
    const uint n = get_global_id(0) * count + i;
    const struct triple triple = {{(uchar)n, (uchar)(n >> 8), (uchar)(n * 7)}};
    if (write_pipe(triples, &triple) != 0)
      atomic_inc(refused);
  }
}

kernel void few(read_only pipe struct triple triples, global uint *seen, global uint *wrong) {
  struct triple triple;
  if (read_pipe(triples, &triple) != 0)
    return;
  const uint n = triple.bytes[0] | (uint)triple.bytes[1] << 8;
  if (triple.bytes[2] != (uchar)(n * 7))
    atomic_inc(wrong);
  atomic_inc(&seen[n]);
}

// ---- what goes wrong

kernel void stray(uint count, write_only pipe uint numbers, global uint *nowhere) {
  const uint n = get_global_id(0);
  write_pipe(numbers, &n);
  if (n == count)
    nowhere[n] = n;
}

// With patience it waits for ever.
kernel void collect(read_only pipe uint numbers, global uint *sum, uint patience) {
  for (bool more = true; more;) {
    uint n;
    more = read_pipe(numbers, &n) == 0;
    if (more)
      atomic_add(sum, n);
    more |= patience != 0;
  }
}

// ---- a stream through three kernels, whose rounds overlap

__attribute__((reqd_work_group_size(1, 1, 1))) kernel void bring(global const uint *restrict in, uint count,
                                                                 write_only pipe uint words) {
  for (uint i = 0; i < count; i++)
    write_pipe(words, &in[i]);
}

// Sums of four that follow each other, of those that are odd; twice that of others.
__attribute__((reqd_work_group_size(1, 1, 1))) kernel void pass(uint count, read_only pipe uint words,
                                                                write_only pipe uint sums) {
  uint last[4] = {0, 0, 0, 0};
  for (uint i = 0; i < count; i++) {
    uint word = 0;
    if (i % 5 != 3)
      read_pipe(words, &word);
    for (int k = 3; k > 0; k--)
      last[k] = last[k - 1];
    last[0] = word;
    const uint sum = word % 2 != 0 ? last[0] + last[1] + last[2] + last[3] : 2 * word;
    write_pipe(sums, &sum);
  }
}

__attribute__((reqd_work_group_size(1, 1, 1))) kernel void keep(uint count, read_only pipe uint sums,
                                                                global uint *restrict out) {
  uint total = 0;
  for (uint i = 0; i < count; i++) {
    uint sum;
    total += read_pipe(sums, &sum) == 0 ? sum : 1000000;
    out[i] = total;
  }
}

// ---- who waits for room, and for a packet

struct pair {
  uint at;
  ulong value;
};

__attribute__((reqd_work_group_size(1, 1, 1))) kernel void send(uint count, write_only pipe struct pair pairs) {
  for (uint i = 0; i < count; i++) {
    const struct pair pair = {i, (ulong)i * i << 20};
    while (write_pipe(pairs, &pair) != 0)
      ;
  }
}

__attribute__((reqd_work_group_size(1, 1, 1))) kernel void receive(uint count, read_only pipe struct pair pairs,
                                                                   global ulong *sums) {
  ulong sum = 0;
  for (uint i = 0; i < count; i += 2) {
    struct pair one, two;
    while (read_pipe(pairs, &one) != 0)
      ;
    do
      ;
    while (read_pipe(pairs, &two) != 0);
    sum = sum * 3 + one.value + two.at;
    sums[i / 2] = sum;
  }
}
