// SPDX-License-Identifier: Apache-2.0
// The acceleration of each body by all others: x, y, z, and the mass in w.
kernel void nbody(global const float4 *bodies, global float4 *accelerations, int n, float softening) {
  int i = get_global_id(0);
  float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float4 other = bodies[j];
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
    float pull = other.w * inverse * inverse * inverse;
    ax += dx * pull;
    ay += dy * pull;
    az += dz * pull;
  }
  accelerations[i] = (float4)(ax, ay, az, 0);
}
