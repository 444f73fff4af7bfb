// SPDX-License-Identifier: Apache-2.0
// Kernel files made by hand, byte by byte: what the loader's tests bend and what the API's tests run without a
// compiler.
#ifndef HEDDLE_TESTS_ELF_BUILDER_H
#define HEDDLE_TESTS_ELF_BUILDER_H

#include <stddef.h>
#include <stdint.h>

// One kernel `name` of four arguments: int by value, global int * "out", const global int * "in", local int *
// "scratch".
struct built_kernel {
  const char *name;
  uint32_t instruction;  // first word at its entry: what fake_device.c acts on
  uint32_t local_bytes;
  uint32_t reqd_work_group_size[3];
  uint32_t sub_group_size;
  uint32_t stack_bytes;
  int takes_pipe;  // "in" is a read_only pipe int
  int prints;      // if any does, there is a printf note of BUILT_LAYOUTS layouts (elf_builder.c)
};

// Where things are in a built file.
enum {
  BUILT_IMAGE_AT = 0x100,
  BUILT_IMAGE_BYTES = 0x400,
  BUILT_RELOCATED_WORD = 0x20,
  BUILT_ADDEND = 0x64,
  BUILT_VARIABLE = 0x3F0,  // in the image, of the first pipeline
  BUILT_LAYOUTS = 3
};

// The file, malloced; *size is its length. Kernel k starts at offset 0x100 + 0x40 * k of the image. One relocation:
// word BUILT_RELOCATED_WORD becomes base + BUILT_ADDEND.
uint8_t *build_elf(const struct built_kernel *kernels, uint32_t num_kernels, const char *isa, size_t *size);

#endif
