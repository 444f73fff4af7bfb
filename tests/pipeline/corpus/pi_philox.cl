// SPDX-License-Identifier: Apache-2.0
// The same with numbers that a counter gives: Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as 1, 2,
// 3, 2011, Philox-4x32-10.
uint4 philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; round++) {
    uint high0 = mul_hi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x, high1 = mul_hi(0xCD9E8D57u, c.z),
         low1 = 0xCD9E8D57u * c.z;
    c = (uint4)(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
    key += (uint2)(0x9E3779B9, 0xBB67AE85);
  }
  return c;
}

kernel void pi_philox(global uint *inside, uint points, uint2 key) {
  uint item = get_global_id(0), count = 0;
  for (uint i = 0; i < points; i++) {
    uint4 r = philox((uint4)(i, item, 0, 0), key) >> 17;
    count += (r.x * r.x + r.y * r.y < 1u << 30) + (r.z * r.z + r.w * r.w < 1u << 30);
  }
  inside[item] = count;
}
