// SPDX-License-Identifier: Apache-2.0
// Kernels for chains.c of which one writes several pipes, or reads several: numbers are dealt to two that add them up,
// and two streams become one.

kernel void deal(uint count, write_only pipe uint evens, write_only pipe uint odds) {
  for (uint i = 0; i < count; i++) {
    const uint number = get_global_id(0) * count + i;
    if (number % 2 == 0)
      write_pipe(evens, &number);
    else
      write_pipe(odds, &number);
  }
}

kernel void of_evens(read_only pipe uint evens, global uint *sum) {
  uint number;
  while (read_pipe(evens, &number) == 0)
    atomic_add(sum, number);
}

kernel void of_odds(read_only pipe uint odds, global uint *product) {
  uint number;
  while (read_pipe(odds, &number) == 0)
    atomic_xor(product, number * number);
}

kernel void upwards(global const uint *words, write_only pipe uint left) {
  const uint word = words[get_global_id(0)];
  write_pipe(left, &word);
}

kernel void downwards(global const ulong *words, write_only pipe ulong right) {
  const ulong word = words[get_global_size(0) - 1 - get_global_id(0)];
  write_pipe(right, &word);
}

kernel void both(uint count, read_only pipe uint left, read_only pipe ulong right, global ulong *restrict sums) {
  for (uint i = 0; i < count; i++) {
    uint word = 0;
    ulong wide = 0;
    if (read_pipe(left, &word) != 0 || read_pipe(right, &wide) != 0)
      word = 1;
    sums[i] = word + wide;
  }
}
