// SPDX-License-Identifier: Apache-2.0
// Kernels of the kind that benchmark suites for accelerators have, written anew from the descriptions of Parboil and
// SHOC: one or more for each workload. workloads.py runs them. Sizes that the host chooses come as macros.

// ---- stencil: seven points in three dimensions, a tile of a plane in local memory, marching along z

__kernel void stencil(float c0, float c1, __global const float *restrict in, __global float *restrict out, int nx,
                      int ny, int nz) {
  __local float tile[TILE_Y + 2][TILE_X + 2];
  const int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  const int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
  const bool inside = x < nx - 1 && y < ny - 1;
#define AT(z) ((z) * ny + min(y, ny - 1)) * nx + min(x, nx - 1)
  float below = in[AT(0)], here = in[AT(1)];
  for (int z = 1; z < nz - 1; z++) {
    const float above = in[AT(z + 1)];
    tile[ly][lx] = here;
    if (lx == 1)
      tile[ly][0] = in[(z * ny + min(y, ny - 1)) * nx + x - 1];
    if (lx == TILE_X)
      tile[ly][TILE_X + 1] = in[(z * ny + min(y, ny - 1)) * nx + min(x + 1, nx - 1)];
    if (ly == 1)
      tile[0][lx] = in[(z * ny + y - 1) * nx + min(x, nx - 1)];
    if (ly == TILE_Y)
      tile[TILE_Y + 1][lx] = in[(z * ny + min(y + 1, ny - 1)) * nx + min(x, nx - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside)
      out[AT(z)] = c1 * (above + below + tile[ly - 1][lx] + tile[ly + 1][lx] + tile[ly][lx - 1] + tile[ly][lx + 1]) -
                   c0 * here;
    barrier(CLK_LOCAL_MEM_FENCE);
    below = here;
    here = above;
  }
#undef AT
}

// ---- sgemm: columns first; each work-item a row of N_TILE results, which stay in registers

__kernel void sgemm(__global const float *A, int lda, __global const float *B, int ldb, __global float *C, int ldc,
                    int k, float alpha, float beta) {
  float c[N_TILE];
  for (int i = 0; i < N_TILE; i++)
    c[i] = 0.0f;
  const int mid = get_local_id(1) * get_local_size(0) + get_local_id(0);
  const int m = get_group_id(0) * M_TILE + mid;
  const int n = get_group_id(1) * N_TILE + get_local_id(0);
  __local float b_s[K_TILE][N_TILE];
  for (int i = 0; i < k; i += K_TILE) {
    b_s[get_local_id(1)][get_local_id(0)] = B[n + (i + get_local_id(1)) * ldb];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < K_TILE; j++) {
      const float a = A[m + (i + j) * lda];
      for (int kk = 0; kk < N_TILE; kk++)
        c[kk] += a * b_s[j][kk];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int t = ldc * get_group_id(1) * N_TILE + m;
  for (int i = 0; i < N_TILE; i++)
    C[t + i * ldc] = C[t + i * ldc] * beta + alpha * c[i];
}

// ---- spmv: jagged diagonals, rows sorted by their length

__kernel void spmv_jds(__global float *dst, __global const float *data, __global const int *index,
                       __global const int *perm, __global const float *x, int dim, __constant int *jds_ptr,
                       __constant int *rows_of_sub_group) {
  const int i = get_global_id(0);
  if (i >= dim)
    return;
  float sum = 0.0f;
  const int bound = rows_of_sub_group[i / 32];
  for (int k = 0; k < bound; k++) {
    const int j = jds_ptr[k] + i;
    if (i < jds_ptr[k + 1] - jds_ptr[k])
      sum += data[j] * x[index[j]];
  }
  dst[perm[i]] = sum;
}

// ---- mri-q: sums over points of k-space, of which a part at a time is in constant memory

struct k_value {
  float x, y, z, phi_magnitude;
};

__kernel void phi_magnitude(__global const float *re, __global const float *im, __global float *magnitude, int n) {
  const int i = get_global_id(0);
  if (i < n)
    magnitude[i] = re[i] * re[i] + im[i] * im[i];
}

__kernel void compute_q(int n, int start, __global const float *x, __global const float *y, __global const float *z,
                        __global float *re, __global float *im, __constant struct k_value *k) {
  const int i = get_global_id(0);
  const float sx = x[i], sy = y[i], sz = z[i];
  float sum_re = re[i], sum_im = im[i];
  int at = 0;
  // Two at a time, with the odd one ahead.
  if (n % 2 != 0) {
    const float angle = 6.2831853071795864769252867665590058f * (k[0].x * sx + k[0].y * sy + k[0].z * sz);
    sum_re += k[0].phi_magnitude * cos(angle);
    sum_im += k[0].phi_magnitude * sin(angle);
    at = 1;
  }
  for (; at < n && start >= 0; at += 2) {
    const float a = 6.2831853071795864769252867665590058f * (k[at].x * sx + k[at].y * sy + k[at].z * sz);
    const float b = 6.2831853071795864769252867665590058f * (k[at + 1].x * sx + k[at + 1].y * sy + k[at + 1].z * sz);
    sum_re += k[at].phi_magnitude * cos(a) + k[at + 1].phi_magnitude * cos(b);
    sum_im += k[at].phi_magnitude * sin(a) + k[at + 1].phi_magnitude * sin(b);
  }
  re[i] = sum_re;
  im[i] = sum_im;
}

// ---- cutcp: the potential of charges within a cutoff, by bins of eight atoms around each block of the lattice

__kernel void cutcp(int bins_x, int bins_y, __global const float4 *bins, __global float *lattice, float h,
                    float cutoff2, float inv_cutoff2, __constant int4 *neighbours, int neighbour_count) {
  __local float4 atoms[8];
  const int gx = get_global_id(0), gy = get_global_id(1), gz = get_global_id(2);
  const float x = gx * h, y = gy * h, z = gz * h;
  const int l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
  const int4 block = (int4)(get_group_id(0) + 1, get_group_id(1) + 1, get_group_id(2) + 1, 0);
  float energy = 0;
  for (int n = 0; n < neighbour_count; n++) {
    const int4 bin = block + neighbours[n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
      atoms[l] = bins[((bin.z * bins_y + bin.y) * bins_x + bin.x) * 8 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) {
      const float q = atoms[i].w;
      if (q == 0.0f)
        break;  // no more in this bin
      const float dx = atoms[i].x - x, dy = atoms[i].y - y, dz = atoms[i].z - z;
      const float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < cutoff2) {
        const float s = 1.0f - r2 * inv_cutoff2;
        energy += q * rsqrt(r2) * s * s;
      }
    }
  }
  lattice[(gz * get_global_size(1) + gy) * get_global_size(0) + gx] = energy;
}

// ---- sad: sums of absolute differences of 4 x 4 blocks for each place of a search, the reference in an image

#define PLACES ((2 * RANGE + 1) * (2 * RANGE + 1))

__kernel void sad_4x4(__global ushort *sads, __global const uchar *frame, int width, __read_only image2d_t reference) {
  const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  __local uchar block[16];
  const int bx = get_group_id(0), by = get_group_id(1);
  for (int i = get_local_id(0); i < 16; i += get_local_size(0))
    block[i] = frame[(4 * by + i / 4) * width + 4 * bx + i % 4];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int place = get_local_id(0); place < PLACES; place += get_local_size(0)) {
    const int x = 4 * bx + place % (2 * RANGE + 1) - RANGE, y = 4 * by + place / (2 * RANGE + 1) - RANGE;
    ushort sum = 0;
#pragma unroll
    for (int i = 0; i < 16; i++) {
      const uint pixel = read_imageui(reference, edge, (int2)(x + i % 4, y + i / 4)).x;
      sum += (ushort)abs_diff(pixel, (uint)block[i]);
    }
    sads[(by * get_num_groups(0) + bx) * PLACES + place] = sum;
  }
}

// Of 8 x 8 from those, two in a word; rows have an even number of blocks.
__kernel void sad_8x8(__global const ushort *small, __global ushort *large, int blocks_x) {
  const int place = get_global_id(0), bx = get_global_id(1), by = get_global_id(2);
  if (place >= PLACES)
    return;
  ushort4 four;
  four.lo = (ushort2)(small[(2 * by * blocks_x + 2 * bx) * PLACES + place],
                      small[(2 * by * blocks_x + 2 * bx + 1) * PLACES + place]);
  four.hi = (ushort2)(small[((2 * by + 1) * blocks_x + 2 * bx) * PLACES + place],
                      small[((2 * by + 1) * blocks_x + 2 * bx + 1) * PLACES + place]);
  four.xy += four.zw;
  large[(by * (blocks_x / 2) + bx) * PLACES + place] = four.x + four.y;
}

// ---- lbm: 19 directions, structure of arrays, pull; solid cells bounce back

__constant int lbm_c[19][3] = {{0, 0, 0},  {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},  {0, -1, 0}, {0, 0, 1},  {0, 0, -1},
                               {1, 1, 0},  {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
                               {-1, 0, 1}, {0, 1, 1},  {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
__constant int lbm_opposite[19] = {0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17};

__kernel void lbm(__global const float *from, __global float *to, __global const uchar *solid, float omega) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2), cells = nx * ny * nz;
  const int cell = (z * ny + y) * nx + x;
  float f[19], rho = 0, ux = 0, uy = 0, uz = 0;
  for (int i = 0; i < 19; i++) {
    const int sx = (x - lbm_c[i][0] + nx) % nx, sy = (y - lbm_c[i][1] + ny) % ny, sz = (z - lbm_c[i][2] + nz) % nz;
    f[i] = from[i * cells + (sz * ny + sy) * nx + sx];
    rho += f[i];
    ux += lbm_c[i][0] * f[i];
    uy += lbm_c[i][1] * f[i];
    uz += lbm_c[i][2] * f[i];
  }
  if (solid[cell]) {
    for (int i = 0; i < 19; i++)
      to[lbm_opposite[i] * cells + cell] = f[i];
    return;
  }
  ux /= rho, uy /= rho, uz /= rho;
  const float u2 = 1.5f * (ux * ux + uy * uy + uz * uz);
  for (int i = 0; i < 19; i++) {
    const float cu = 3.0f * (lbm_c[i][0] * ux + lbm_c[i][1] * uy + lbm_c[i][2] * uz);
    const float weight = i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
    const float equal = weight * rho * (1.0f + cu + 0.5f * cu * cu - u2);
    to[i * cells + cell] = f[i] + omega * (equal - f[i]);
  }
}

// ---- histo: bytes that saturate, the middle of the range in local memory, the rest by global atomics

__kernel void histo_main(__global const uint *values, int n, __global uint *counts, int first, int last) {
  __local uint here[HISTO_LOCAL];
  for (int i = get_local_id(0); i < HISTO_LOCAL; i += get_local_size(0))
    here[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    const int v = values[i];
    if (v >= first && v < last)
      atomic_inc(&here[v - first]);
    else
      atomic_inc(&counts[v]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < last - first; i += get_local_size(0))
    if (here[i] != 0)
      atomic_add(&counts[first + i], here[i]);
}

__kernel void histo_final(__global const uint4 *counts, __global uchar4 *bytes) {
  bytes[get_global_id(0)] = convert_uchar4_sat(counts[get_global_id(0)]);
}

// ---- tpacf: angles between points on a sphere, in bins found by halving; a histogram for each sub-group's worth

struct cartesian {
  float x, y, z;
};

__kernel void tpacf(__global ulong *all_bins, __global const struct cartesian *points, int n, __constant float *edges) {
  __local uint bins[TPACF_COPIES][TPACF_BINS];
  __local struct cartesian tile[TPACF_TILE];
  const int l = get_local_id(0), size = get_local_size(0);
  for (int i = l; i < TPACF_COPIES * TPACF_BINS; i += size)
    bins[i / TPACF_BINS][i % TPACF_BINS] = 0;
  const int mine = get_global_id(0);
  struct cartesian p = {0, 0, 0};
  if (mine < n)
    p = points[mine];
  for (int start = get_group_id(0) * size; start < n; start += TPACF_TILE) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (start + l < n && l < TPACF_TILE)
      tile[l] = points[start + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < TPACF_TILE && start + j < n; j++) {
      if (start + j <= mine || mine >= n)
        continue;
      const float distance = p.x * tile[j].x + p.y * tile[j].y + p.z * tile[j].z;
      int low = 0, high = TPACF_BINS;  // edges go down
      while (low < high - 1) {
        const int middle = (low + high) / 2;
        if (distance >= edges[middle])
          high = middle;
        else
          low = middle;
      }
      atomic_inc(&bins[l % TPACF_COPIES][low]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < TPACF_BINS; i += size) {
    ulong sum = 0;
    for (int c = 0; c < TPACF_COPIES; c++)
      sum += bins[c][i];
    all_bins[get_group_id(0) * TPACF_BINS + i] = sum;
  }
}

// ---- bfs: a frontier in a queue of the work-group first, then in that of the device

// colours[n] is the last level that put the node into a queue.
__kernel void bfs_level(__global const int *frontier, __global int *next, __global const int2 *nodes,
                        __global const int2 *edges, volatile __global int *colours, volatile __global int *costs,
                        volatile __global int *tail, int count, int level) {
  __local int queue[BFS_QUEUE], queued, base;
  if (get_local_id(0) == 0)
    queued = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int i = get_global_id(0);
  if (i < count) {
    const int node = frontier[i], cost = atomic_or(&costs[node], 0);
    for (int e = nodes[node].x; e < nodes[node].x + nodes[node].y; e++) {
      const int to = edges[e].x, through = cost + edges[e].y;
      if (atomic_min(&costs[to], through) > through && atomic_xchg(&colours[to], level) != level) {
        const int at = atomic_add(&queued, 1);
        if (at < BFS_QUEUE)
          queue[at] = to;
        else
          next[atomic_add(tail, 1)] = to;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int kept = min(queued, BFS_QUEUE);
  if (get_local_id(0) == 0)
    base = atomic_add(tail, kept);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = get_local_id(0); j < kept; j += get_local_size(0))
    next[base + j] = queue[j];
}

// ---- mri-gridding: samples are sorted by their cell, then each cell of the grid gathers those around it

struct sample {
  float re, im, x, y;
};

__kernel void bin_samples(__global const struct sample *samples, int n, int grid, __global uint *cells,
                          __global uint *counts) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  const uint cell = (uint)samples[i].y * grid + (uint)samples[i].x;
  cells[i] = cell;
  atomic_inc(counts + cell);
}

// Exclusive, of 2 SCAN_SIZE numbers a work-group, as a tree with a gap for each bank.
#define GAP(i) ((i) + ((i) >> 4))
__kernel void scan_blocks(__global uint *numbers, __global uint *sums) {
  __local uint s[GAP(2 * SCAN_SIZE) + 1];
  const uint l = get_local_id(0), first = get_group_id(0) * 2 * SCAN_SIZE;
  s[GAP(l)] = numbers[first + l];
  s[GAP(l + SCAN_SIZE)] = numbers[first + l + SCAN_SIZE];
  uint stride = 1;
  for (uint d = SCAN_SIZE; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      s[GAP(stride * (2 * l + 2) - 1)] += s[GAP(stride * (2 * l + 1) - 1)];
    stride *= 2;
  }
  if (l == 0) {
    sums[get_group_id(0)] = s[GAP(2 * SCAN_SIZE - 1)];
    s[GAP(2 * SCAN_SIZE - 1)] = 0;
  }
  for (uint d = 1; d <= SCAN_SIZE; d *= 2) {
    stride >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      const uint t = s[GAP(stride * (2 * l + 1) - 1)];
      s[GAP(stride * (2 * l + 1) - 1)] = s[GAP(stride * (2 * l + 2) - 1)];
      s[GAP(stride * (2 * l + 2) - 1)] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  numbers[first + l] = s[GAP(l)];
  numbers[first + l + SCAN_SIZE] = s[GAP(l + SCAN_SIZE)];
}

__kernel void scan_add(__global uint *numbers, __global const uint *sums) {
  numbers[get_global_id(0)] += sums[get_group_id(0)];
}

__kernel void reorder(__global const struct sample *samples, int n, __global const uint *cells, __global uint *starts,
                      __global struct sample *sorted) {
  const int i = get_global_id(0);
  if (i < n)
    sorted[atomic_inc(&starts[cells[i]])] = samples[i];
}

// Behind reorder, starts[c] is where the cell's samples end.
__kernel void gridding(__global const struct sample *sorted, __global const uint *ends, int grid, float radius,
                       __constant float *kernel_table, float table_scale, __global float2 *result) {
  const int x = get_global_id(0), y = get_global_id(1), reach = (int)ceil(radius);
  float2 sum = 0;
  for (int cy = max(y - reach, 0); cy <= min(y + reach, grid - 1); cy++) {
    const int low = max(x - reach, 0), high = min(x + reach, grid - 1);
    uint i = cy * grid + low == 0 ? 0 : ends[cy * grid + low - 1];
    for (const uint end = ends[cy * grid + high]; i < end; i++) {
      const struct sample s = sorted[i];
      const float d2 = (s.x - x) * (s.x - x) + (s.y - y) * (s.y - y);
      if (d2 < radius * radius)
        sum += kernel_table[(int)(d2 * table_scale)] * (float2)(s.re, s.im);
    }
  }
  result[y * grid + x] = sum;
}

// ---- fft: 64 points a work-group of 8, radix 8 twice, through local memory

#define CMUL(a, b) ((float2)((a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x))
#define SWAP_ADD(a, b) { const float2 t_ = a; a += b; b = t_ - b; }

void fft8(float2 *a) {
  const float2 root = (float2)(M_SQRT1_2_F, -M_SQRT1_2_F);
  for (int i = 0; i < 4; i++)
    SWAP_ADD(a[i], a[i + 4])
  a[5] = CMUL(a[5], root);
  a[6] = (float2)(a[6].y, -a[6].x);
  a[7] = CMUL(a[7], ((float2)(-root.x, root.y)));
  for (int h = 0; h < 8; h += 4) {
    SWAP_ADD(a[h], a[h + 2])
    SWAP_ADD(a[h + 1], a[h + 3])
    a[h + 3] = (float2)(a[h + 3].y, -a[h + 3].x);
    SWAP_ADD(a[h], a[h + 1])
    SWAP_ADD(a[h + 2], a[h + 3])
  }
}

__constant int reversed8[8] = {0, 4, 2, 6, 1, 5, 3, 7};

__kernel void fft64(__global float2 *work) {
  __local float re[64 + 8], im[64 + 8];
  const int l = get_local_id(0);
  float2 a[8];
  work += get_group_id(0) * 64;
  for (int i = 0; i < 8; i++)
    a[i] = work[8 * i + l];
  fft8(a);
  for (int i = 0; i < 8; i++) {
    float c;
    const float s = sincos(-2 * M_PI_F * (float)(reversed8[i] * l) / 64, &c);
    const float2 turned = CMUL(a[i], ((float2)(c, s)));
    re[9 * reversed8[i] + l] = turned.x;
    im[9 * reversed8[i] + l] = turned.y;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 8; i++)
    a[i] = (float2)(re[9 * l + i], im[9 * l + i]);
  fft8(a);
  for (int i = 0; i < 8; i++)
    work[l + 8 * reversed8[i]] = a[i];
}

// ---- md: the force of a Lennard-Jones potential by lists of neighbours

__kernel void lennard_jones(__global float4 *restrict force, __global const float4 *restrict position, int neighbours,
                            __global const int *restrict list, float cut2, float lj1, float lj2, int n) {
  const uint i = get_global_id(0);
  const float4 mine = position[i];
  float4 f = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int j = 0; j < neighbours; j++) {
    const float4 d = mine - position[list[j * n + i]];
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
    if (r2 < cut2) {
      r2 = native_recip(r2);
      const float r6 = r2 * r2 * r2, scale = r2 * r6 * (lj1 * r6 - lj2);
      f.xyz += d.xyz * scale;
    }
  }
  force[i] = f;
}
