// SPDX-License-Identifier: Apache-2.0
// A block of key stream: RFC 8439, section 2.3. The number of the block is the work-item's.
void quarter(uint4 *a, uint4 *b, uint4 *c, uint4 *d) {
  *a += *b;
  *d = rotate(*d ^ *a, (uint4)(16));
  *c += *d;
  *b = rotate(*b ^ *c, (uint4)(12));
  *a += *b;
  *d = rotate(*d ^ *a, (uint4)(8));
  *c += *d;
  *b = rotate(*b ^ *c, (uint4)(7));
}

kernel void chacha20(constant uint4 *key, global uint4 *stream, uint n0, uint n1, uint n2) {
  size_t item = get_global_id(0);
  uint4 a = (uint4)(0x61707865, 0x3320646E, 0x79622D32, 0x6B206574), b = key[0], c = key[1],
        d = (uint4)((uint)item, n0, n1, n2);
  uint4 first = a, last = d;
  for (int round = 0; round < 10; round++) {
    quarter(&a, &b, &c, &d);
    b = b.yzwx, c = c.zwxy, d = d.wxyz;
    quarter(&a, &b, &c, &d);
    b = b.wxyz, c = c.zwxy, d = d.yzwx;
  }
  stream[4 * item] = a + first;
  stream[4 * item + 1] = b + key[0];
  stream[4 * item + 2] = c + key[1];
  stream[4 * item + 3] = d + last;
}
