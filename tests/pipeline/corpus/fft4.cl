// SPDX-License-Identifier: Apache-2.0
// The same by quarters, in Stockham's order, which needs no turning of bits: Van Loan, Computational Frameworks for the
// Fast Fourier Transform, 1992, section 1.7.
float2 product(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

kernel void fft4(global const float2 *in, global float2 *out, constant float2 *root) {
  local float2 x[64];
  uint i = get_local_id(0), base = get_group_id(0) * 64;
  for (uint q = 0; q < 4; q++)
    x[i + 16 * q] = in[base + i + 16 * q];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint span = 1; span < 64; span *= 4) {
    uint k = i % span, turn = k * (16 / span);
    float2 a = x[i], b = product(root[turn], x[i + 16]), c = product(root[2 * turn], x[i + 32]),
           d = product(root[3 * turn], x[i + 48]);
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 ac = a + c, a_c = a - c, bd = b + d, b_d = (float2)(b.y - d.y, d.x - b.x);  // by -i
    uint at = (i - k) * 4 + k;
    x[at] = ac + bd;
    x[at + span] = a_c + b_d;
    x[at + 2 * span] = ac - bd;
    x[at + 3 * span] = a_c - b_d;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint q = 0; q < 4; q++)
    out[base + i + 16 * q] = x[i + 16 * q];
}
