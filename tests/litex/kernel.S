// SPDX-License-Identifier: Apache-2.0
// The kernel file, made by heddlec from scan.cl.
  .section .rodata
  .globl kernel_elf, kernel_elf_bytes
  .balign 4
kernel_elf: .incbin KERNEL_FILE
kernel_elf_end:
  .balign 4
kernel_elf_bytes: .word kernel_elf_end - kernel_elf
