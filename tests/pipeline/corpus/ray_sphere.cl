// SPDX-License-Identifier: Apache-2.0
// Where rays meet the nearest sphere: Appel, 1968, and Whitted, An Improved Illumination Model for Shaded Display,
// 1980. Rays begin at 0; -1: they meet none.
kernel void ray_sphere(global const float4 *directions, constant float4 *spheres, global float *distance, int count) {
  size_t i = get_global_id(0);
  float4 d = directions[i];
  float nearest = -1;
  for (int s = 0; s < count; s++) {
    float4 c = spheres[s];
    float along = d.x * c.x + d.y * c.y + d.z * c.z,
          square = along * along - (c.x * c.x + c.y * c.y + c.z * c.z - c.w * c.w);
    if (square < 0)
      continue;
    float hit = along - sqrt(square);
    if (hit > 0 && (nearest < 0 || hit < nearest))
      nearest = hit;
  }
  distance[i] = nearest;
}
