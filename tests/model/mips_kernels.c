// SPDX-License-Identifier: Apache-2.0
// Kernels for the model's speed figure (mips.c), in plain C for the device: built by clang for riscv32, linked at
// 0x10000. Integer work only, so that what is measured is the interpreter and not a soft-float library.
typedef unsigned uint32;

static inline uint32 csr_global_id_x(void) {
  uint32 v;
  __asm__("csrr %0, 0xCD0" : "=r"(v));
  return v;
}
static inline uint32 csr_global_id_y(void) {
  uint32 v;
  __asm__("csrr %0, 0xCD1" : "=r"(v));
  return v;
}
static inline const uint32 *arguments(void) {
  const uint32 *packet;
  __asm__("csrr %0, 0xCCD" : "=r"(packet));
  return packet + 16;
}

// An entry makes its stack, calls the kernel and returns from the work-item.
#define ENTRY(name)                          \
  __asm__(                                   \
      ".section .entry,\"ax\"\n"             \
      ".globl entry_" #name                  \
      "\n"                                   \
      "entry_" #name                         \
      ":\n"                                  \
      "csrr sp, 0xCCE\n"                     \
      "call " #name                          \
      "\n"                                   \
      ".insn r CUSTOM_0, 3, 0, x0, x0, x0\n" \
      ".text\n")

ENTRY(vecadd);
void vecadd(void) {
  const uint32 *a = arguments();
  uint32 i = csr_global_id_x();
  ((uint32 *)a[2])[i] = ((const uint32 *)a[0])[i] + ((const uint32 *)a[1])[i];
}

ENTRY(gemm);
void gemm(void) {
  const uint32 *p = arguments();
  const uint32 *a = (const uint32 *)p[0], *b = (const uint32 *)p[1];
  uint32 n = p[3], x = csr_global_id_x(), y = csr_global_id_y(), sum = 0;
  for (uint32 k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  ((uint32 *)p[2])[y * n + x] = sum;
}

// One row a work-item: the lanes read with a pitch, the pattern that gathers.
ENTRY(gemv);
void gemv(void) {
  const uint32 *p = arguments();
  const uint32 *a = (const uint32 *)p[0], *b = (const uint32 *)p[1];
  uint32 n = p[3], y = csr_global_id_x(), sum = 0;
  for (uint32 k = 0; k < n; k++)
    sum += a[y * n + k] * b[k];
  ((uint32 *)p[2])[y] = sum;
}

// Lanes leave the loop at different times.
ENTRY(collatz);
void collatz(void) {
  const uint32 *p = arguments();
  uint32 i = csr_global_id_x(), v = i + 1, steps = 0;
  while (v != 1) {
    v = v & 1 ? 3 * v + 1 : v >> 1;
    steps++;
  }
  ((uint32 *)p[2])[i] = steps;
}

// A small private array, indexed differently by each lane.
ENTRY(histogram);
void histogram(void) {
  const uint32 *p = arguments();
  const unsigned char *bytes = (const unsigned char *)p[0];
  uint32 i = csr_global_id_x(), n = p[3];
  uint32 count[16];
  for (uint32 k = 0; k < 16; k++)
    count[k] = 0;
  for (uint32 k = 0; k < n; k++)
    ((volatile uint32 *)count)[bytes[i * n + k] & 15]++;
  uint32 best = 0;
  for (uint32 k = 1; k < 16; k++)
    best = count[k] > count[best] ? k : best;
  ((uint32 *)p[2])[i] = best;
}

ENTRY(scan);
void scan(void) {
  const uint32 *p = arguments();
  uint32 i = csr_global_id_x(), v = ((const uint32 *)p[0])[i], n = p[3];
  for (uint32 k = 0; k < n; k++) {
    uint32 s;
    __asm__ volatile(".insn r CUSTOM_0, 0, 0x04, %0, %1, x0" : "=r"(s) : "r"(v) : "memory");
    v = s ^ k;
  }
  ((uint32 *)p[2])[i] = v;
}
