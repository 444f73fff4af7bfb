#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels that were once no pipeline, or another than the golden model's: each is carried out as random_kernels.py does it."""
import os
import shutil
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]
import tap
import pipelines
import values

LANES, SLOTS, ITEMS, LOCAL = 4, 8, 40, 16
DIVERGENT_COLLECTIVE, OUTSIDE_PRIVATE = 6, 5  # contract/DEVICE.md
KERNELS = {
    "a_constant_may_be_a_nan_for_all_the_compiler_knows": "out[i] = as_uint(fmin(as_float(in[i]), 2.5f)) ^ as_uint(fmax((float)n, -1.5f));",
    "work_items_share_asynchronous_copies": """
        local uint l[48];
        uint lid = get_local_id(0), first = get_group_id(0) * get_local_size(0);
        event_t e = async_work_group_copy(l, in + first, get_local_size(0), 0);
        e = async_work_group_strided_copy(l + 16, in, 8, 3, e);
        wait_group_events(1, &e);
        uint x = l[lid] + l[16 + (lid & 7)] * 5;
        barrier(CLK_LOCAL_MEM_FENCE);
        l[lid] = x ^ n;
        barrier(CLK_LOCAL_MEM_FENCE);
        e = async_work_group_copy(out + first, l, get_local_size(0), 0);
        wait_group_events(1, &e);""",
    "a_loop_whose_bound_another_carried_value_gives_has_barriers": """
        local uint l[32];
        uint lid = get_local_id(0), bound = n, later = n, next = get_sub_group_id(), rounds = 0;
        for (uint c = 0; c <= bound; c++) {
          if (c == 1) { l[lid] = in[i]; barrier(CLK_LOCAL_MEM_FENCE); rounds += l[lid ^ 1]; }
          bound = later; later = (next & 7) | 2;
          next = next * 3 + 1;
          rounds += 1000;
        }
        out[i] = rounds;""",
    "loops_in_loops_have_barriers": """
        local uint l[32];
        uint lid = get_local_id(0), x = in[i];
        #pragma nounroll
        for (uint c = 0; c < 3; c++) {
          #pragma nounroll
          for (uint d = 0; d < 2 + c; d++) {
            l[lid] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x += l[lid ^ 1] * 3;
            barrier(CLK_LOCAL_MEM_FENCE);
          }
        }
        out[i] = x;""",
    "a_count_of_rounds_stays_as_it_was_when_a_lane_left": """
        uint x = in[i] & 255 | 1, rounds = 0;
        while (x != 1 && rounds < n * 40) {
          x = x & 1 ? 3 * x + 1 : x / 2;
          rounds++;
        }
        out[i] = rounds;""",
    "a_carried_value_begins_alike_and_ends_apart": """
        uint last = n, sum = 0;
        #pragma nounroll
        for (uint c = 0; c < n; c++) {
          sum += last * (c + 1);
          last = last * 5 ^ in[(i + c) & 31];
        }
        out[i] = sum;""",
    "quotients_and_roots_of_floats_are_the_models_bit_for_bit": """
        float x = as_float(in[i]), y = as_float(in[i ^ 1]);
        out[i] = as_uint(x / y) ^ as_uint(sqrt(x)) * 3 ^ as_uint(1.0f / (float)(i + 1)) * 5 ^ as_uint(sqrt((float)n) / 3.0f) * 7;""",
    "quotients_by_constants_of_every_kind": """
        uint x = in[i], r = 0;
        #define BY(t, d) { t v = (t)x; r = r * 33 ^ (uint)(v / (t)(d)) ^ (uint)(v % (t)(d)) * 7; v = (t)~v; r = r * 33 ^ (uint)(v / (t)(d)); }
        #define ALL(t) BY(t, 3) BY(t, 6) BY(t, 7) BY(t, 10) BY(t, 100)
        ALL(uint) BY(uint, 8) BY(uint, 641) BY(uint, 0x7fffffff) BY(uint, 0x80000001) BY(uint, 0xfffffffe) BY(uint, 0xffffffff)
        ALL(int) BY(int, 8) BY(int, -5) BY(int, 0x7fffffff) BY(int, 0x80000000) ALL(ushort) ALL(short) ALL(uchar) BY(ushort, 65535) BY(uchar, 255)
        r = r * 33 ^ (x >> 9) / 11 ^ (x & 1023) % 640 ^ (uint)get_local_id(0) / 3 * 5;
        out[i] = r;""",
    "who_takes_no_branch_stores_nothing": "if (in[i] & 1) out[i] = (uint)((int)(short)in[i] * 3);",
    "zeros_are_counted_from_the_top": "out[i] = clz(in[i]) * 100 + ctz(in[i]) * 10000 + popcount(in[i]);",
    "minima_of_some_work_items_of_a_sub_group": """
        uint x = 7;
        if (in[i] & 2) x = sub_group_non_uniform_reduce_min(in[i] | 1);
        out[i] = x ^ sub_group_reduce_min(in[i] | 3) ^ work_group_scan_exclusive_min(in[i] | 5);""",
    "bits_of_a_sub_group": """
        uint x = in[i];
        x = sub_group_reduce_and(x | 0xF0F0) ^ sub_group_scan_inclusive_or(x) ^ sub_group_scan_exclusive_xor(x) ^ sub_group_reduce_xor(x * 3);
        out[i] = x + sub_group_scan_exclusive_and(in[i]) + sub_group_reduce_or(in[i] & 0xF0F0);""",
    "bits_of_a_work_group": """
        ulong wide = (ulong)in[i] << 17 | i;
        wide = work_group_reduce_xor(wide) ^ work_group_scan_inclusive_and(wide | 0xFF00FF) ^ work_group_scan_exclusive_or(wide);
        out[i] = (uint)(wide ^ wide >> 32) + work_group_reduce_and(in[i]) + work_group_scan_exclusive_and(in[i]);""",
    "bits_of_some_work_items_of_a_sub_group": """
        uint x = 7;
        if (in[i] & 4)
          x = sub_group_non_uniform_reduce_and(in[i]) ^ sub_group_non_uniform_scan_inclusive_xor(in[i]) ^ sub_group_non_uniform_scan_exclusive_or(in[i]);
        else
          x = sub_group_non_uniform_reduce_xor((ulong)in[i] << 9) >> 8 ^ sub_group_non_uniform_scan_exclusive_and(in[i]);
        out[i] = x;""",
    "scans_of_a_work_group_exclude_their_own": "out[i] = work_group_scan_exclusive_add(in[i]) ^ work_group_scan_exclusive_max(in[i] >> 3);",
    "a_generic_pointer_is_global_or_local_when_the_kernel_runs": """
        local uint l[16];
        uint lid = get_local_id(0);
        l[lid] = in[i] * 3;
        out[i] = i;
        uint *p = in[i] & 4 ? (uint *)&l[lid] : (uint *)&out[i];
        *p += 5;
        p[0] ^= *p << 3;
        atomic_fetch_add((volatile atomic_uint *)p, 1000u);
        out[i] += l[lid];""",
    "a_generic_pointer_that_is_always_global": "uint *p = out + i; *p = n; p[0] += *(const uint *)(in + i); uint4 v = vload4(0, (const uint *)in); p[0] ^= v.y ^ v.w;",
    "work_items_of_a_sub_group_compare_and_exchange_one_word": """
        local uint l[4];
        uint lid = get_local_id(0);
        if (lid < 4) l[lid] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        volatile local uint *p = &l[in[i] & 3];
        uint old = *p;
        while (true) { uint found = atomic_cmpxchg(p, old, old + i); if (found == old) break; old = found; }
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = l[lid & 3];""",
    "who_finds_another_value_leaves_it": """
        out[i] = in[i];
        volatile global uint *p = &out[i];
        uint found = atomic_cmpxchg(p, 1u, 77u);
        uint e = n;
        if (in[i] & 2) out[i] += found * 2 + atomic_compare_exchange_strong((volatile global atomic_uint *)p, &e, i) + e;""",
    "who_is_too_late_tries_again_with_what_there_is": """
        volatile global uint *sum = out + 39;
        if (i < 39) {
          uint old = *sum, seen;
          while ((seen = atomic_cmpxchg(sum, old, old + (in[i] & 255))) != old) old = seen;
          out[i] = n;
        }""",
    "a_lock_that_few_take": """
        volatile global uint *lock = out + 39;
        bool done = get_sub_group_local_id() != 0 || i >= 39;
        while (!done)
          if (atomic_cmpxchg(lock, 0u, 1u) == 0) { out[38] += in[i] & 255; mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock, 0u); done = true; }""",
    "a_private_array_is_a_window_of_what_was_seen": """
        uint w[16], a = n, b = i;
        #pragma nounroll
        for (uint k = 0; k < 16; k++) w[k] = in[(i + k) & 31];
        #pragma nounroll
        for (uint t = 0; t < 64; t++) {
          if (t >= 16) w[t & 15] += (w[(t + 1) & 15] >> 3 ^ w[(t + 1) & 15] << 7) + w[(t + 9) & 15] + (w[(t + 14) & 15] >> 10);
          a = b ^ (a + w[t & 15] * 3);
          b = a >> 5 | a << 27;
        }
        out[i] = a + b;""",
    "a_private_array_counts": """
        uchar count[8] = {0};
        #pragma nounroll
        for (uint k = 0; k < 20; k++) count[in[(i * 3 + k) & 31] & 7]++;
        uint x = 0;
        #pragma nounroll
        for (uint k = 0; k < 8; k++) x = x << 4 ^ count[k];
        out[i] = x;""",
    "a_private_array_is_sorted_in_part_of_the_lanes": """
        float key[6];
        #pragma nounroll
        for (int k = 0; k < 6; k++) key[k] = (float)(in[(i + k) & 31] >> 20);
        if (in[i] & 1) {
          #pragma nounroll
          for (int k = 1; k < 6; k++) {
            float x = key[k];
            int j = k - 1;
            while (j >= 0 && key[j] > x) { key[j + 1] = key[j]; j--; }
            key[j + 1] = x;
          }
        }
        float sum = 0;
        #pragma nounroll
        for (int k = 0; k < 6; k++) sum = sum * 2 + key[k];
        out[i] = as_uint(sum);""",
    "a_private_array_of_long_and_pointers_into_it": """
        ulong own[6];
        ulong *p = own;
        #pragma nounroll
        for (uint k = 0; k < 6; k++) *p++ = (ulong)in[(i + k) & 31] * i << k;
        ulong x = 0;
        p = own + (in[i] & 3);
        #pragma nounroll
        for (uint k = 0; k < 3; k++) { x += *p; *p++ = x * 5; }
        out[i] = (uint)(x ^ x >> 32 ^ own[n & 3] >> 7);""",
    "sub_groups_wait_for_flags_in_turns": """
        local atomic_uint flag;
        uint id = get_sub_group_id(), last = get_num_sub_groups() - 1, seen = 0;
        if (get_local_id(0) == 0) atomic_store_explicit(&flag, 0, memory_order_release, memory_scope_work_group);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (last != 0 && (id == 0 || id == last)) {
          for (uint k = 0; k < 5; k++) {
            uint mine = 2 * k + (id == last);
            while ((seen = atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group)) != mine);
            if (get_sub_group_local_id() == 0) atomic_store_explicit(&flag, mine + 1, memory_order_release, memory_scope_work_group);
          }
        } else if (last != 0) {
          while ((seen = atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group)) != 10);
        }
        out[i] = seen;""",
    "a_pointer_to_one_of_several_tables": """
        constant uint *p = in[i] & 1 ? table_a : in[i] & 2 ? table_b + 1 : table_a + 3;
        out[i] = p[in[i] >> 2 & 3] + table_b[n] + (in[i] & 4 ? bytes : (constant uchar *)table_b)[in[i] >> 3 & 7];""",
    "a_pointer_to_a_table_or_to_memory": """
        constant uint *p = in[i] & 1 ? table_a : (constant uint *)(uint)in;
        out[i] = p[in[i] >> 1 & 3];""",
    "many_sub_groups_that_wait_at_local_memory_do_not_keep_out_one_that_waits_for_global": """
        volatile local uint flags[64];
        uint id = get_sub_group_id(), turn = get_num_sub_groups() - 1 - id, before = 0;
        for (uint k = get_local_id(0); k < 64; k += get_local_size(0)) flags[k] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        volatile global uint *p = out + i;
        if (turn == 0) for (uint k = 0; k < 50; k++) *p += k;
        else while ((before = flags[turn - 1]) == 0);
        out[i] = before;
        if (get_sub_group_local_id() == 0) flags[turn] = before + 1;""",
    "private_memory_of_bytes_and_words": """
        uint own[9] = {0};
        uchar *bytes = (uchar *)own;
        #pragma nounroll
        for (uint k = 0; k < n + 5; k++) bytes[(in[(i + k) & 31] + k) & 31] += in[k] | 1;
        own[8] = i;
        uint x = 0;
        #pragma nounroll
        for (uint k = 0; k < 9; k++) x = x * 7 + own[k];
        out[i] = x;""",
    "a_generic_pointer_is_private_too": """
        uint own[4] = {i, n, in[i], 7};
        local uint l[16];
        uint lid = get_local_id(0);
        l[lid] = i;
        out[i] = n;
        uint *p = in[i] & 4 ? (uint *)&l[lid] : in[i] & 1 ? (uint *)&out[i] : &own[in[i] >> 3 & 3];
        *p += 9;
        atomic_fetch_add((volatile atomic_uint *)p, in[i]);
        out[i] += l[lid] * 3 + own[0] + own[1] * 5 + own[2] * 7 + own[3];""",
    "neighbouring_words_of_a_work_item_come_together": """
        global const uint *p = in + (i * 5 & 15), *q = in + (in[i] & 15);
        uint4 a = *(global const uint4 *)(in + 4 * (i * 5 & 7));
        uint x = p[0] + p[1] * 3 + p[2] * 5 + p[3] * 7 + q[5] * 11 + q[4] * 13;
        if (in[i] & 2) { global const uint *r = in + 3 * (i & 3); x ^= r[0] * 17 + r[1] * 19 + r[2] * 23; }
        out[i] = x + a.x + a.y * 3 + a.z * 5 + a.w * 7;""",
    "neighbouring_words_for_all_work_items_come_once": """
        global const uint *row = in + n * 4 + 1;
        uint x = row[0] + row[1] * 3 + row[2] * 5 + row[3] * 7 + row[4] * 11 + row[5] * 13;
        #pragma nounroll
        for (uint k = 0; k < n; k++) x = x * 3 + in[5 * k] + in[5 * k + 2] * (k + 1);
        out[i] = x + i;""",
    "neighbouring_words_of_a_work_item_are_stored_in_their_order": """
        if (i < 10) {
          global uint *own = out + 4 * i;
          uint k = in[i] & 3;
          own[0] = i; own[1] = in[i]; own[k] = 77; own[2] = i * 3; own[3] = k; own[k ^ 1] = 99; own[1] = own[1] + 1;
          if (in[i] & 4) *(global uint2 *)(own + 2) = (uint2)(i, k);
        }""",
    "neighbouring_words_are_stored_by_those_that_store_them": """
        if (i < 10) {
          global uint *own = out + 4 * i;
          own[0] = i;
          if (in[i] & 1) own[1] = in[i];
          if (in[i] & 2) own[2] = 5;
          own[3] = i * 7;
        }""",
    "members_of_packed_structures_lie_anywhere": """
        struct __attribute__((packed)) p { uchar a; uint b; ushort c; ulong d; float f; };
        local struct p l[16];
        if (i < 8) {
          global const struct p *from = (global const struct p *)in + (i * 5 & 7);
          global struct p *to = (global struct p *)out + i;
          struct p own[3];
          for (uint k = 0; k < 3; k++) own[k] = *((global const struct p *)in + k);
          l[get_local_id(0)] = *from;
          to->a = n; to->b = from->b * 3 + own[n & 1].b; to->c = from->c + n; to->d = l[get_local_id(0)].d ^ own[i & 1].d; to->f = from->f;
        }""",
    "elements_of_vectors_lie_across_words": """
        uint x = as_uint(vload2(0, (global const ushort *)in + 1 + i)) + as_uint(vload4(0, (global const uchar *)in + 3 + i)) * 3;
        ulong y = as_ulong(vload4(0, (global const ushort *)in + 3 + i)) ^ as_ulong(vload8(0, (global const uchar *)in + 5 + i));
        if (i < 19) { vstore2(as_ushort2(x), 0, (global ushort *)out + 1 + 4 * i); vstore2(as_ushort2((uint)(y ^ y >> 32)), 0, (global ushort *)out + 3 + 4 * i); }""",
    "bytes_of_vectors_are_stored_across_words": """
        if (i < 20) vstore4(as_uchar4(in[i]), 0, (global uchar *)out + 1 + 5 * i);""",
    "elements_are_chosen_by_two_sums": """
        uint s[16], r = 0;
        #pragma nounroll
        for (uint k = 0; k < 16; k++) s[k] = in[i ^ k & 7] + k * n;
        #pragma nounroll
        for (uint k = 0; k < 16; k++) s[k] = s[k < 7 ? k + 9 : k - 7] ^ s[k == 15 ? 0 : k + 1] >> 1 ^ (s[k] & 1 ? 0x9908B0DF : 0);
        #pragma nounroll
        for (uint k = 0; k < 16; k++) r = r * 5 + s[in[i] + k & 15];
        out[i] = r;""",
    "vectors_of_narrow_elements_are_words": """
        local uchar4 tile[32]; local uchar mixed[64];
        uchar4 own[8];
        uint l = get_local_id(0), g = l & ~3u;
        char4 c = ((global const char4 *)in)[i]; short4 s = ((global const short4 *)in)[i & 15]; uchar16 b = ((global const uchar16 *)in)[i & 7];
        char2 p = ((global const char2 *)in)[i]; half4 h = ((global const half4 *)in)[i & 15]; uchar3 t = ((global const uchar3 *)in)[i]; short3 v = ((global const short3 *)in)[i & 15];
        for (uint k = 0; k < 8; k++) own[k] = as_uchar4(in[i ^ k]) + b.s0369;
        tile[l] = as_uchar4(c) ^ b.s89ab; mixed[l] = t.y; mixed[l + 32] = p.x;
        barrier(CLK_LOCAL_MEM_FENCE);
        uchar4 u = tile[g | (l + 1 & 3)] + own[n & 7] * own[in[i] & 7] + vload4(g / 4, mixed) + mixed[l + 32];
        uint r = as_uint(u) ^ as_uint(s.xy * v.yz) ^ as_ushort(p.yx) * 77 ^ (as_ushort(h.x) + as_ushort(h.w)) * 5 ^ t.x << 8 ^ v.x;
        ((global uchar4 *)out)[i] = as_uchar4(r);""",
    "stores_of_vectors_leave_the_other_elements": """
        ((global uchar4 *)out)[i / 4][i & 3] = in[i] & 255;
        if (i < 4) ((global uchar8 *)out)[i + 5].even = as_uchar4(in[i]);
        if (i < 8 && i & 1) ((global short4 *)out)[i / 2 + 9].zw = as_short2(in[i]);
        else if (i < 8) ((global short4 *)out)[i / 2 + 9].x = in[i];
        if (i < 6) { ((global uchar3 *)out)[i + 26] = ((global const uchar3 *)in)[i].zyx; ((global uchar4 *)out)[i + 26].w = i; }
        if (i < 8) ((global half2 *)out)[i + 32] = (half2)((half)((float)(int)in[i] * 0x1p-20f), (half)(n + i));""",
    # No sub-group loads anything, so that they follow each other into what their lanes share.
    "lanes_take_turns_at_operators_they_share": """
        float x = as_float(i | 0x3f800000), y = as_float(i * 3 | 0x40000000), z = 3, w = 2;
        if (n != 3) { x = as_float(in[i]); y = as_float(in[i + 1]); z = as_float(in[i + 2]); w = as_float(in[i + 3]); }
        out[i] = as_uint(x * y + z) ^ as_uint(y / w) * 3 ^ as_uint(sqrt(x)) * 5 ^ as_uint(x - y) * 7 ^ as_uint(x * (float)n);""",
    "operations_share_operators": """
        float x = as_float(in[i] & 0x41ffffff), y = as_float(in[i ^ 1]), s = x;
        for (uint k = 0; k <= (i & 3); k++) {
          float z = as_float(in[i ^ k] & 0x42ffffff);
          s = fma(s, x, z) * fma(z, y, 1.5f) + fma(x, z, s) / (y * y + 2) - sqrt(fabs(z)) / 3 + convert_float(k * n) - z * s;
        }
        out[i] = as_uint(s) ^ as_uint(fma(x, x, s)) * 3 ^ as_uint(fma(y, x, 2)) * 5 ^ in[i] % (n + i) * 7 ^ in[i ^ 1] / (i + 2);""",
    # Nothing is between the entry of the loop and what is to be shared.
    "operations_of_a_loop_share_operators": """
        float x = as_float((in[i] & 0x7fffff) | 0x3f800000), s = 1;
        uint r = in[i] | 1;
        #pragma nounroll
        for (uint k = 0; k < 2 + (i & 7); k++) {
          r ^= r << 13; r ^= r >> 17; r ^= r << 5;
          float u = (r >> 8) * 0x1p-24f;
          s = fma(s, u, x) / (fma(u, u, 1.0f) + fma(x, u, 2.0f)) + sqrt(u) * sqrt(x + u);
          if (r % (k + 3) == 1) s += (float)(r % 1000) / (k + 1);
        }
        out[i] = as_uint(s);""",
    # No sub-group waits for anything before.
    "operations_right_behind_the_launch_share_operators": """
        float x = convert_float(i * 2654435761u >> 9), y = fma(x, 0x1p-20f, 1.0f) * (x + 3) / fma((float)(i + 1), x, 0.5f);
        uint r = i * n * 2246822519u;
        for (uint k = 0; k < (i & 3); k++) y = fma(y, x, 2.0f) + fma(x, x, y);
        out[i] = as_uint(y) ^ as_uint(sqrt(x) + sqrt(x + 1)) * 3 ^ r % (i + 3) ^ r / (i + 5) * 5 ^ as_uint((x - y) * (x + y));""",
    "products_of_integers_share_operators": """
        uint x = in[i], y = in[i ^ 1], r = x;
        ulong a = upsample(x, y), b = upsample(y, n + i), c = a * b, d = (ulong)x * y;
        for (uint k = 0; k <= (i & 3); k++) {
          r = r * x + k; r = r * y + 77771u; r = r * (r >> 3) ^ mul_hi(r, x) ^ mul_hi((int)r, (int)y) * 3;
          c = c * a + d; c = (c ^ d) * (c >> 9) + mul_hi(c, b); d = mul_hi(c, 0x9e3779b97f4a7c15ul) * (a | 1) + (ulong)r * (uint)c;
          c ^= mul_hi((long)c, (long)d) * n;
        }
        out[i] = r ^ (uint)c ^ (uint)(c >> 32) * 3 ^ (uint)d * 5 ^ (uint)(d >> 32) * 7 ^ mad24(x, y, r) ^ (uint)((ushort)x * (ushort)y);""",
    "a_loop_of_barriers_that_the_size_of_the_group_bounds": """
        local uint l[16];
        uint lid = get_local_id(0);
        l[lid] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
          if (lid < half_size) l[lid] += l[lid + half_size];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[i] = l[0] + l[lid];""",
    "shuffles_from_who_is_not_there_give_zero": """
        uint x = 9;
        if (in[i] & 4) x = sub_group_shuffle_xor(in[i], 1) + 1;
        out[i] = x;""",
}
# clang declares bitwise collectives of active work-items only; the library has those of whole groups, too.
BITWISE = "".join(f"{type} __attribute__((overloadable, convergent)) {group}_{mode}_{operation}({type}); "
                  for group in ("sub_group", "work_group") for mode in ("reduce", "scan_inclusive", "scan_exclusive")
                  for operation in ("and", "or", "xor") for type in ("uint", "ulong"))
HALF = '_Pragma("OPENCL EXTENSION cl_khr_fp16 : enable") '
# Options of heddlec.
OPTIONS = {"operations_share_operators": ["--share=8"], "operations_of_a_loop_share_operators": ["--share=16"],
           "operations_right_behind_the_launch_share_operators": ["--share=8"],
           "products_of_integers_share_operators": ["--share=8"]}
# Slots, work-items and work-items of a work-group, where they are others.
SHAPES = {"many_sub_groups_that_wait_at_local_memory_do_not_keep_out_one_that_waits_for_global": (32, 256, 128)}
TABLES = ("constant uint table_a[8] = {1, 2, 3, 5, 7, 11, 13, 17}; constant uint table_b[8] = {99, 98, 97, 5, 4, 3, 2, 1}; "
          "constant uchar bytes[8] = {7, 6, 5, 4, 3, 2, 1, 0}; ")
# Collectives that lanes come to although they have missed one: the source line that the fault has, and what is not so.
DIVERGENT = {
    "two_arms_have_a_collective_each": (4, """
        if (in[i] & 1) out[i] = sub_group_reduce_add(i);
        else out[i] = sub_group_scan_inclusive_max(i + 1);"""),
    "a_lane_skips_one_and_comes_to_the_next": (5, """
        uint x = 1;
        if ((in[i] >> 3) & 1) x = sub_group_reduce_max(i);
        out[i] = sub_group_reduce_add(x);"""),
    "lanes_leave_a_loop_of_collectives_in_different_rounds": (6, """
        uint x = i;
        #pragma nounroll
        for (uint k = 0; k <= (i & 3); k++) x += sub_group_reduce_add(k);
        out[i] = sub_group_scan_inclusive_add(x);"""),
    "a_lane_comes_back_from_a_loop_inside": (8, """
        uint x = i;
        #pragma nounroll
        for (uint k = 0; k < n; k++) {
          #pragma nounroll
          for (uint l = 0; l < (i & 1) + 1; l++) x += sub_group_reduce_add(l);
          x += sub_group_reduce_max(k);
        }
        out[i] = x;"""),
    "a_lane_skips_a_barrier_of_the_sub_group": (4, """
        if (i & 1) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = sub_group_reduce_add(i);"""),
    "a_lane_skips_a_barrier_and_comes_to_a_sum_of_the_work_group": (4, """
        if (i & 1) barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = work_group_reduce_add(i);"""),
    "a_sub_group_skips_a_barrier": (4, """
        if (get_sub_group_id() == 0) barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = work_group_reduce_add(i);"""),
    "sub_groups_leave_a_loop_of_barriers_in_different_rounds": (6, """
        uint x = i;
        #pragma nounroll
        for (uint k = 0; k <= get_sub_group_id(); k++) { x += k; barrier(CLK_LOCAL_MEM_FENCE); }
        out[i] = work_group_reduce_add(x);"""),
}
# Accesses outside private memory: the reason, and the source line.
OUTSIDE = {
    # An array with a memory of its own; those that follow are in the memory port, as their indices may lie between elements.
    "an_index_outside_an_array_on_the_chip": (7, """
        uint own[8];
        #pragma nounroll
        for (uint k = 0; k < 8; k++) own[k] = in[k];
        own[i == 21 ? 900000 : i & 7] = 1;
        out[i] = own[n] + own[i & 7];"""),
    "an_index_above_a_private_array": (7, """
        uint own[8];
        #pragma nounroll
        for (uint k = 0; k < 8; k++) own[k] = in[k];
        own[i * 100000] = 1;
        out[i] = own[n] + own[i & 7];"""),
    "an_index_below_a_private_array": (8, """
        uint own[8];
        own[0] = n; own[1] = i; own[2] = in[i];
        #pragma nounroll
        for (uint k = 3; k < 8; k++) own[k] = in[k];
        out[i] = own[(int)i * -100000] + own[i & 7];"""),
    "an_address_outside_private_memory": (8, """
        uint own[12];
        #pragma nounroll
        for (uint k = 0; k < 12; k++) own[k] = in[k];
        ((uchar *)own)[3] = 1;
        own[i * 100000] = 1;
        out[i] = own[n] + own[i & 7];"""),
}
KERNELS.update({
    "who_has_returned_is_not_missed": """
        if (in[i] & 1) return;
        uint x = sub_group_reduce_add(i);
        if (in[i] & 2) return;
        out[i] = x + sub_group_scan_inclusive_max(i) + work_group_reduce_add(i);""",
    "an_exclusive_sum_of_floats_is_positive_zero_where_all_before_have_returned": """
        if ((i & 3) < 2 && i & 12) return;
        out[i] = as_uint(sub_group_scan_exclusive_add(as_float(in[i] & 0xC0F00000)));""",
    "who_skips_the_last_collective_is_not_missed": """
        uint x = sub_group_reduce_add(i);
        if (in[i] & 1) x += sub_group_reduce_max(i);
        out[i] = x;""",
    "who_leaves_a_loop_to_the_end_is_not_missed": """
        uint x = i;
        #pragma nounroll
        for (uint k = 0; k <= (i & 3); k++) x += sub_group_reduce_add(k) + work_group_reduce_max(k);
        out[i] = x;""",
    "whole_sub_groups_may_go_their_own_ways": """
        uint x = i;
        if (get_sub_group_id() & 1) x += sub_group_reduce_add(i);
        else x += sub_group_reduce_max(i);
        #pragma nounroll
        for (uint k = 0; k < get_sub_group_id(); k++) x += sub_group_reduce_add(k);
        out[i] = x + work_group_reduce_add(x);""",
    "a_branch_of_all_work_items_has_barriers": """
        local uint l[16];
        uint lid = get_local_id(0), x = i;
        if (n == 3) { l[lid] = x; barrier(CLK_LOCAL_MEM_FENCE); x += l[lid ^ 1]; }
        else { l[lid] = n; barrier(CLK_LOCAL_MEM_FENCE); x -= l[lid ^ 2]; }
        out[i] = x + work_group_reduce_add(i);""",
})
# Words that are loaded once a dispatch: one after the other, several of one address, and some that only a branch or a loop loads.
KERNELS.update({
    "words_of_constant_memory_at_places_that_the_dispatch_decides": """
        constant const uint *c = (constant const uint *)(uint)in;
        uint x = c[3] + c[n + 4] * c[c[c[1]] & 7] + (uint)((constant const ulong *)c)[5];
        if (in[i] & 1) x += c[5] * c[3];
        #pragma nounroll
        for (uint k = 0; k < n; k++) x = x * 5 + c[9] + c[k];
        out[i] = x;""",
    "words_of_constant_memory_by_the_rounds_of_loops": """
        constant const uint *c = (constant const uint *)(uint)in;
        uint x = in[i];
        #pragma nounroll
        for (uint k = 0; k < 5; k++) x = x * 3 + c[k];
        #pragma nounroll
        for (int k = 12; k > 2; k -= 3) x ^= c[k] * c[k + n];
        out[i] = x;""",
    "words_of_constant_memory_behind_a_bad_one_and_an_early_return": """
        constant const uint *c = (constant const uint *)(uint)in, *bad = (constant const uint *)(n * 4);
        if (i == 1000) out[0] = bad[n];
        out[i] = 7;
        if (in[i] & 1) return;
        uint x = in[i] + c[4];
        #pragma nounroll
        for (uint k = 0; k < 6; k++) x = x * 3 ^ c[k + 9];
        if (x & 4) x += c[c[1]] * c[20];
        out[i] = x;""",
    "words_of_constant_memory_by_rounds_that_lanes_make_apart": """
        constant const uint *c = (constant const uint *)(uint)in;
        uint x = in[i];
        #pragma nounroll
        for (uint k = 0; k < 4; k++) {
          x = x * 5 + c[k * k];
          if (x & 2) x += c[20 + k];
          if (x % 5 == 3) break;
        }
        out[i] = x;""",
    "rounds_that_nobody_makes_load_nothing": """
        constant const uint *c = (constant const uint *)(n * 4);
        uint x = in[i];
        if (i > 1000) {
          #pragma nounroll
          for (uint k = 0; k < 4; k++) x = x * 3 ^ c[k];
        }
        out[i] = x;""",
    "a_word_that_is_not_there_and_that_nobody_loads": """
        constant const uint *c = (constant const uint *)(n * 4);
        out[i] = in[i];
        if (i > 1000) out[i] = c[n];""",
})
# Line, reason and body: the first work-item misses the word.
MISSING = {
    "a_word_of_constant_memory_that_is_not_there": (5, 3, """
        constant const uint *c = (constant const uint *)(n * 4), *d = (constant const uint *)(uint)in;
        out[i] = d[2] + c[d[1]];"""),
    "a_word_of_constant_memory_across_two": (5, 2, """
        constant const uint *c = (constant const uint *)((uint)in + 2);
        out[i] = c[n];"""),
    "a_word_of_constant_memory_that_some_work_items_miss": (7, 3, """
        constant const uint *c = (constant const uint *)(n * 4), *d = (constant const uint *)(uint)in;
        uint x = in[i];
        if (i == 1000) x += c[n + 1];
        if (i >= 22) x += c[d[1]] + d[2];
        out[i] = x;"""),
    "a_word_of_constant_memory_that_some_rounds_miss": (8, 3, """
        constant const uint *c = (constant const uint *)((uint)in & 0xFFFFF000);
        uint x = in[i];
        #pragma nounroll
        for (int k = 0; k < 3; k++)
          if (i == 21 || k == 0) x = x * 3 + c[k * 0x10000000];
        out[i] = x;"""),
    "a_word_of_constant_memory_above_global_memory": (5, 3, """
        constant const uint *c = (constant const uint *)((uint)in | 0x70000000);
        out[i] = c[n];"""),
}
KERNELS.update(values.KERNELS)
FOLDER = tempfile.mkdtemp(prefix="pipelines-")
PROGRAMS = pipelines.Programs(FOLDER)


def lanes_of(name):
    return values.lanes(name) if name in values.KERNELS else LANES


def dispatch(name, seed=1):
    chosen = {}
    for test, bodies in TESTS.items():
        for one, body in bodies.items():
            if tap.is_chosen(f"{test.__name__}[{one}]"):
                slots, _, _ = SHAPES.get(one, (SLOTS * LANES // lanes_of(one), ITEMS, LOCAL))
                source = f"{HALF}{BITWISE}{TABLES}kernel void k(global const uint *in, global uint *out, uint n) {{\nuint i = get_global_id(0);\n{body}\n}}\n"
                chosen[one] = source, lanes_of(one), slots, [*values.options(one), *OPTIONS.get(one, [])]
    program = PROGRAMS.verilated(chosen)
    _, items, local = SHAPES.get(name, (SLOTS, ITEMS, LOCAL))
    words = [0, 1, 0x7FC00000, 0x7F800001, 0xFFC00000, 0x80000000, 0x3F800000, 0x40400000] + [i * seed * 0x9E3779B9 & 0xFFFFFFFF for i in range(items - 8)]
    memory = struct.pack(f"<{2 * items}I", *words, *[0] * items)
    return PROGRAMS.dispatch(program, name, pipelines.job([items], [local], lanes_of(name)), [pipelines.BUFFERS, pipelines.BUFFERS + 4 * items, 3], memory)


def expect_fault(name, reason, source_line):
    outcome = dispatch(name)
    pipelines.expect_fault(outcome, PROGRAMS.kernel(name), reason, source_line)


@tap.test_for(**{name: name for name in KERNELS})
def a_pipeline_is_what_the_model_is(name):
    for seed in (1, 3, 5, 7) if name in values.KERNELS else (1,):
        pipelines.expect_same(dispatch(name, seed), f"words of {seed}")


@tap.test_for(**{name: name for name in DIVERGENT})
def a_pipeline_has_the_models_fault_and_its_line(name):
    expect_fault(name, DIVERGENT_COLLECTIVE, DIVERGENT[name][0])


@tap.test_for(**{name: name for name in OUTSIDE})
def an_access_outside_private_memory_is_the_models_fault_and_has_its_line(name):
    expect_fault(name, OUTSIDE_PRIVATE, OUTSIDE[name][0])


@tap.test_for(**{name: name for name in MISSING})
def a_word_of_the_dispatch_that_is_not_there_is_the_models_fault_and_has_its_line(name):
    expect_fault(name, MISSING[name][1], MISSING[name][0])


# What runs in which test: kernels of the chosen ones are compiled.
TESTS = {a_pipeline_is_what_the_model_is: KERNELS,
         a_pipeline_has_the_models_fault_and_its_line: {name: body for name, (_, body) in DIVERGENT.items()},
         an_access_outside_private_memory_is_the_models_fault_and_has_its_line: {name: body for name, (_, body) in OUTSIDE.items()},
         a_word_of_the_dispatch_that_is_not_there_is_the_models_fault_and_has_its_line: {name: body for name, (_, _, body) in MISSING.items()}}

try:
    tap.run("directed")
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
