// SPDX-License-Identifier: Apache-2.0
// The kernels of this folder, for one device that has all of them as pipelines.
#include "mandelbrot.cl"
#include "sha256.cl"
#include "sha256_plain.cl"
#include "sub_group_scan_inclusive_add.cl"
#include "work_group_scan_inclusive_add.cl"
