// SPDX-License-Identifier: Apache-2.0
// The sources of the soak's programs.
#ifndef HEDDLE_TESTS_SOAK_SOURCES_H
#define HEDDLE_TESTS_SOAK_SOURCES_H

static const char good_options[] = "-cl-std=CL3.0 -cl-kernel-arg-info";

// Kernels as kernels_of_good (calls_kernel.c) has them. Whatever NDRange they get, they touch one word.
static const char good_source[] =
    "kernel void none(void) {}\n"
    "kernel void add(global uint *x, uint y) { if (get_global_linear_id() == 0) x[0] += y; }\n"
    "kernel void wild(global uint *x) { *(global volatile uint *)16 = 1; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(uint y) {}\n"
    "kernel __attribute__((intel_reqd_sub_group_size(2))) void narrow(ulong y) {}\n"
    "kernel void locals(local uint *x, local ulong *y, uint z) {\n"
    "  if (get_local_linear_id() == 0) x[0] = z, y[0] = z;\n"
    "}\n"
    "kernel void piped(write_only pipe uint p, uint y) { if (get_global_linear_id() == 0) write_pipe(p, &y); }\n";
static const char wrong_source[] = "kernel void wrong(global uint *x) { x[0] = y; }\n";
static const char caller_source[] =
    "uint helper(uint);\n"
    "kernel void calls(global uint *x) { x[0] = helper(3); }\n";
static const char callee_source[] = "uint helper(uint x) { return x + 1; }\n";

#endif
