// SPDX-License-Identifier: Apache-2.0
// A keyed hash of two words of 64 bits: SipHash-2-4 of Aumasson and Bernstein, 2012.
ulong4 rounds(ulong4 v, int count) {
  for (int i = 0; i < count; i++) {
    v.x += v.y, v.z += v.w;
    v.y = rotate(v.y, 13ul) ^ v.x;
    v.w = rotate(v.w, 16ul) ^ v.z;
    v.x = rotate(v.x, 32ul);
    v.z += v.y, v.x += v.w;
    v.y = rotate(v.y, 17ul) ^ v.z;
    v.w = rotate(v.w, 21ul) ^ v.x;
    v.z = rotate(v.z, 32ul);
  }
  return v;
}

kernel void siphash(global const ulong *messages, global ulong *hashes, ulong k0, ulong k1) {
  size_t item = get_global_id(0);
  ulong4 v = (ulong4)(k0, k1, k0, k1) ^
             (ulong4)(0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573);
  for (int i = 0; i < 3; i++) {
    ulong m = i < 2 ? messages[2 * item + i] : 16ul << 56;
    v.w ^= m;
    v = rounds(v, 2);
    v.x ^= m;
  }
  v.z ^= 0xFF;
  v = rounds(v, 4);
  hashes[item] = v.x ^ v.y ^ v.z ^ v.w;
}
