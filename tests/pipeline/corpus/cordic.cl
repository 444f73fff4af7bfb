// SPDX-License-Identifier: Apache-2.0
// Cosine and sine in fixed point, by Volder's rotations.
constant int cordic_angles[24] = {210828714, 124459457, 65760959, 33381290, 16755422, 8385879, 4193963, 2097109,
    1048571, 524287, 262144, 131072, 65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32};

kernel void cordic(global const int *angles, global int2 *out) {
  size_t g = get_global_id(0);
  int x = 163008218, y = 0, z = angles[g];
  for (int i = 0; i < 24; i++) {
    int d = z >> 31;
    int nx = x - ((y >> i ^ d) - d), ny = y + ((x >> i ^ d) - d);
    z -= (cordic_angles[i] ^ d) - d;
    x = nx; y = ny;
  }
  out[g] = (int2)(x, y);
}
