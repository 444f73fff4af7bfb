// SPDX-License-Identifier: Apache-2.0
// Reads a kernel file as contract/DEVICE.md describes it: written from that page, not from heddlec.
#ifndef HEDDLE_TESTS_HLS_KERNEL_FILE_READER_H
#define HEDDLE_TESTS_HLS_KERNEL_FILE_READER_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_file {
  const unsigned char *bytes;
  size_t size;
  const Elf32_Ehdr *header;
  const Elf32_Phdr *segments;
  const Elf32_Shdr *sections;
};

// Fails the test if the bytes are not an ELF of the right kind.
struct kernel_file kernel_file_open(const unsigned char *bytes, size_t size);
const Elf32_Shdr *kernel_file_section(const struct kernel_file *file, const char *name);

// Address of a symbol; fails the test if there is none.
uint32_t kernel_file_symbol(const struct kernel_file *file, const char *name);

// The words of a kernel's note, found through PT_NOTE; fails the test if there is none. NULL name: the ISA note.
const uint32_t *kernel_file_note(const struct kernel_file *file, const char *name);

// The words of the printf note, NULL if there is none.
const uint32_t *kernel_file_printf_note(const struct kernel_file *file);

// The words of the note of a block by its number, from 1, and of the one about enqueuing; NULL if there is none.
const uint32_t *kernel_file_block_note(const struct kernel_file *file, uint32_t number);
const uint32_t *kernel_file_enqueuers_note(const struct kernel_file *file);

// From a kernel's note.
const char *note_string(const uint32_t *note, uint32_t offset);
const uint32_t *note_argument(const uint32_t *note, uint32_t index);

// Instruction at an address of .text, and where .text ends.
uint32_t kernel_file_instruction(const struct kernel_file *file, uint32_t address);
uint32_t kernel_file_text_end(const struct kernel_file *file);

// Instructions of .text that have `value` in the bits of `mask`.
int kernel_file_count(const struct kernel_file *file, uint32_t mask, uint32_t value);

#endif
