// SPDX-License-Identifier: Apache-2.0
// A collision of a lattice gas with nine speeds: Qian, d'Humieres and Lallemand, Lattice BGK Models for Navier-Stokes
// Equation, 1992.
constant int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float weights[9] = {4 / 9.0f,  1 / 9.0f,  1 / 9.0f,  1 / 9.0f, 1 / 9.0f,
                             1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f};

kernel void lbm(global const float *in, global float *out, float omega) {
  size_t cell = get_global_id(0), cells = get_global_size(0);
  float f[9], density = 0, ux = 0, uy = 0;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    f[k] = in[k * cells + cell];
    density += f[k];
    ux += cx[k] * f[k];
    uy += cy[k] * f[k];
  }
  ux /= density;
  uy /= density;
  float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int k = 0; k < 9; k++) {
    float along = 3 * (cx[k] * ux + cy[k] * uy),
          rest = weights[k] * density * (1 + along + 0.5f * along * along - square);
    out[k * cells + cell] = f[k] + omega * (rest - f[k]);
  }
}
