// SPDX-License-Identifier: Apache-2.0
// The program as heddlec links it: object files, one for each sub-group size that kernels demand, as a device that
// lacks one still runs the others; and a list of all kernels for the host.
#ifndef HEDDLE_SYCL_PROGRAM_H
#define HEDDLE_SYCL_PROGRAM_H

#include "hls/sycl/kernel.h"

// Makes PREFIX-0.o, PREFIX-1.o … and PREFIX.list, which has a line for each kernel, with these words:
//  - the number of its object file, or "-" where no device has sub-groups of its size;
//  - its name;
//  - the sub-group size, and "sycl" or "intel", whose attribute asks for it;
//  - the aspects that it demands, a bit each, in hexadecimal;
//  - dimensions and sizes of its work-groups, dimension 0 fastest; 0 dimensions: any size;
//  - for each pipe, which are its last arguments: "r" or "w", bytes of a packet, packets, name, with colons between
//  them
//    and a comma behind;
//  - file:line.
// `has_checks`: for a device that checks kernels (hls/checks.h). The modules of `units` are consumed.
enum status program_write(struct unit *units, size_t count, struct sycl_kernels *kernels, const char *prefix,
                          const char *isa, bool has_checks);

#endif
