// SPDX-License-Identifier: Apache-2.0
// The program as heddlec links it: object files, one for each sub-group size that kernels demand, as a device that
// lacks one still runs the others; and a list of all kernels for the host.
#ifndef HEDDLE_SYCL_PROGRAM_H
#define HEDDLE_SYCL_PROGRAM_H

#include "hls/sycl/kernel.h"

// Makes PREFIX-0.o, PREFIX-1.o … and PREFIX.list, which says of each kernel, a line each:
// number of its object file, or - where no device has its sub-groups; name; sub-group size; sycl or intel, whose
// attribute it is; in hexadecimal the aspects that it demands, a bit each; dimensions and size of its work-groups,
// dimension 0 fastest, 0 dimensions for any; of each pipe, which are its last arguments, r or w, bytes of a packet,
// packets, name, with colons between and a comma behind; file:line. With `has_checks` for a device that checks kernels
// (hls/checks.h). The units' modules are used up.
enum status program_write(struct unit *units, size_t count, struct sycl_kernels *kernels, const char *prefix,
                          const char *isa, bool has_checks);

#endif
