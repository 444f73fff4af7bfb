// SPDX-License-Identifier: Apache-2.0
// The primes of a range in two steps: a quick test of every number, then a slow one of the few that are left. What is
// left goes to the second step through a pipe, or through a buffer that the host packs in between.

static bool is_left(uint n) {
  return n % 2 && n % 3 && n % 5 && n % 7 && n % 11 && n % 13;
}

static bool is_prime(uint n) {
  for (uint divisor = 17; divisor * divisor <= n; divisor += 2)
    if (n % divisor == 0)
      return false;
  return true;
}

// The pipe has room for all numbers, so that no write fails.
kernel void sift(uint first, write_only pipe uint numbers) {
  const uint n = first + get_global_id(0);
  if (is_left(n))
    write_pipe(numbers, &n);
}

// Who is done with a number takes the next, so that nobody waits for the slowest.
kernel void test(read_only pipe uint numbers, global uint *primes, global uint *count) {
  uint n;
  while (read_pipe(numbers, &n) == 0)
    if (is_prime(n))
      primes[atomic_inc(count)] = n;
}

// The same without a pipe. 0 is none.
kernel void sift_buffer(uint first, global uint *numbers) {
  const uint n = first + get_global_id(0);
  numbers[get_global_id(0)] = is_left(n) ? n : 0;
}

kernel void test_buffer(global const uint *numbers, global uint *primes, global uint *count) {
  const uint n = numbers[get_global_id(0)];
  if (is_prime(n))
    primes[atomic_inc(count)] = n;
}
