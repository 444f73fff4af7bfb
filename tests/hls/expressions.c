// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/expressions.h"

#include <stdio.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"

// Compiling takes longer than running, so expressions of one kind are kernels k0, k1, ... of few programs.
enum { BATCH = 16, SOURCE_BYTES = 1 << 17 };

void evaluate(const struct operands *operands, const void *expressions, size_t stride, int count, const char *type,
              size_t type_bytes, uint32_t points, void *out, void (*check)(int index, uint32_t points)) {
  static char source[SOURCE_BYTES];
  const char *of = operands->type;
  const size_t bytes = points * operands->bytes;
  for (int first = 0; first < count; first += BATCH) {
    int end = first + BATCH < count ? first + BATCH : count;
    int used = snprintf(source, sizeof source,
                        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                        "#define T %s\n#define T2 %s2\n#define T3 %s3\n#define T4 %s4\n#define as_uT as_u%s\n",
                        of, of, of, of, operands->integer);
    for (int i = first; i < end; i++) {
      used += snprintf(source + used, sizeof source - (size_t)used,
                       "kernel void k%d(global const %s *a, global const %s *b, global const %s *c,\n"
                       "  global %s *out) { size_t i = get_global_id(0); %s x = a[i], y = b[i], z = c[i];\n"
                       "  out[i] = %s; }\n",
                       i, of, of, of, type, of, *(const char *const *)((const char *)expressions + (size_t)i * stride));
    }
    struct result result = compile_well(source, "-cl-std=CL3.0", operands->option, NULL);
    for (int i = first; i < end; i++) {
      if (operands->prepare)
        operands->prepare(i, points);
      char kernel[16];
      snprintf(kernel, sizeof kernel, "k%d", i);
      run_kernel(&result, &(struct dispatch){.kernel = kernel,
                                             .global = {points},
                                             .local = {64},
                                             .buffers = {{operands->in[0], bytes},
                                                         {operands->in[1], bytes},
                                                         {operands->in[2], bytes},
                                                         {out, points * type_bytes}}});
      check(i, points);
    }
    result_free(&result);
  }
}
