// SPDX-License-Identifier: Apache-2.0
// The permutation of SHA-3, its state in a private array: FIPS 202, section 3.
constant ulong keccak_rc[24] = {0x1ul, 0x8082ul, 0x800000000000808aul, 0x8000000080008000ul, 0x808bul, 0x80000001ul,
    0x8000000080008081ul, 0x8000000000008009ul, 0x8aul, 0x88ul, 0x80008009ul, 0x8000000aul, 0x8000808bul,
    0x800000000000008bul, 0x8000000000008089ul, 0x8000000000008003ul, 0x8000000000008002ul, 0x8000000000000080ul,
    0x800aul, 0x800000008000000aul, 0x8000000080008081ul, 0x8000000000008080ul, 0x80000001ul, 0x8000000080008008ul};
constant uchar keccak_rot[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61,
    20, 44}, keccak_pi[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6,
    1};

kernel void keccak_f(global ulong *state) {
  ulong s[25];
  global ulong *mine = state + 25 * get_global_id(0);
  for (int i = 0; i < 25; i++) s[i] = mine[i];
  for (int round = 0; round < 24; round++) {
    ulong c[5];
    for (int i = 0; i < 5; i++) c[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
    for (int i = 0; i < 5; i++) {
      ulong t = c[(i + 4) % 5] ^ rotate(c[(i + 1) % 5], 1ul);
      for (int j = 0; j < 25; j += 5) s[i + j] ^= t;
    }
    ulong t = s[1];
    for (int i = 0; i < 24; i++) {
      int j = keccak_pi[i];
      ulong b = s[j];
      s[j] = rotate(t, (ulong)keccak_rot[i]);
      t = b;
    }
    for (int j = 0; j < 25; j += 5) {
      for (int i = 0; i < 5; i++) c[i] = s[i + j];
      for (int i = 0; i < 5; i++) s[i + j] = c[i] ^ (~c[(i + 1) % 5] & c[(i + 2) % 5]);
    }
    s[0] ^= keccak_rc[round];
  }
  for (int i = 0; i < 25; i++) mine[i] = s[i];
}
