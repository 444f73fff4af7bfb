; SPDX-License-Identifier: Apache-2.0
; Local memory of the work-group functions in collective_trees.cl: from index 1 on, 64 bits for the total of each
; sub-group of a work-group, of which a unit has room for 128 at most. OpenCL C has no local variables outside of kernels.
; By its name it is known not to be the kernel's own (hls/checks.c).
@__heddle_library.totals = internal addrspace(3) global [129 x i64] undef, align 8

define ptr addrspace(3) @__heddle_totals() alwaysinline {
  ret ptr addrspace(3) @__heddle_library.totals
}
