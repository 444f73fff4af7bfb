// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/kernel_file_reader.h"

#include <criterion/criterion.h>
#include <string.h>

struct kernel_file kernel_file_open(const unsigned char *bytes, size_t size) {
  struct kernel_file file = {.bytes = bytes, .size = size, .header = (const Elf32_Ehdr *)bytes};
  cr_assert_geq(size, sizeof *file.header);
  cr_assert_arr_eq(bytes, ELFMAG, SELFMAG);
  cr_assert_eq(file.header->e_ident[EI_CLASS], ELFCLASS32);
  cr_assert_eq(file.header->e_ident[EI_DATA], ELFDATA2LSB);
  cr_assert_eq(file.header->e_machine, EM_RISCV);
  cr_assert_eq(file.header->e_type, ET_DYN);
  file.segments = (const Elf32_Phdr *)(bytes + file.header->e_phoff);
  file.sections = (const Elf32_Shdr *)(bytes + file.header->e_shoff);
  return file;
}

const Elf32_Shdr *kernel_file_section(const struct kernel_file *file, const char *name) {
  const char *names = (const char *)file->bytes + file->sections[file->header->e_shstrndx].sh_offset;
  for (int i = 0; i < file->header->e_shnum; i++)
    if (strcmp(names + file->sections[i].sh_name, name) == 0)
      return &file->sections[i];
  return NULL;
}

uint32_t kernel_file_symbol(const struct kernel_file *file, const char *name) {
  const Elf32_Shdr *table = kernel_file_section(file, ".symtab");
  cr_assert_not_null(table);
  const Elf32_Sym *symbols = (const Elf32_Sym *)(file->bytes + table->sh_offset);
  const char *names = (const char *)file->bytes + file->sections[table->sh_link].sh_offset;
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
    if (strcmp(names + symbols[i].st_name, name) == 0)
      return symbols[i].st_value;
  cr_assert_fail("no symbol %s", name);
  return 0;
}

// The words of a note of a type, that behind `skipped` others; of kernels, of the one with this name. NULL: there is
// none.
static const uint32_t *find_note(const struct kernel_file *file, uint32_t type, const char *kernel, uint32_t skipped) {
  for (int i = 0; i < file->header->e_phnum; i++) {
    if (file->segments[i].p_type != PT_NOTE)
      continue;
    const unsigned char *at = file->bytes + file->segments[i].p_offset, *end = at + file->segments[i].p_filesz;
    while (at + 12 <= end) {
      const uint32_t *words = (const uint32_t *)at;
      cr_assert_eq(words[0], 7);
      cr_assert_str_eq((const char *)(words + 3), "Heddle");
      const uint32_t *description = words + 5;
      if (words[2] == type && (!kernel || strcmp(note_string(description, description[14]), kernel) == 0) &&
          skipped-- == 0) {
        return description;
      }
      at += 20 + words[1];
    }
    cr_assert_eq(at, end, "notes do not end where PT_NOTE does");
  }
  return NULL;
}

const uint32_t *kernel_file_note(const struct kernel_file *file, const char *name) {
  const uint32_t *note = find_note(file, !name ? 2 : 1, name, 0);
  cr_assert_not_null(note, "no note for %s", name ? name : "the ISA");
  return note;
}

const uint32_t *kernel_file_printf_note(const struct kernel_file *file) {
  return find_note(file, 3, NULL, 0);
}

const uint32_t *kernel_file_block_note(const struct kernel_file *file, uint32_t number) {
  return find_note(file, 5, NULL, number - 1);
}

const uint32_t *kernel_file_enqueuers_note(const struct kernel_file *file) {
  return find_note(file, 6, NULL, 0);
}

const char *note_string(const uint32_t *note, uint32_t offset) {
  cr_assert_lt(offset, note[13]);
  return (const char *)(note + 16 + 10 * note[12]) + offset;
}

const uint32_t *note_argument(const uint32_t *note, uint32_t index) {
  cr_assert_lt(index, note[12]);
  return note + 16 + 10 * index;
}

uint32_t kernel_file_instruction(const struct kernel_file *file, uint32_t address) {
  const Elf32_Shdr *text = kernel_file_section(file, ".text");
  cr_assert(address >= text->sh_addr && address + 4 <= text->sh_addr + text->sh_size);
  return *(const uint32_t *)(file->bytes + text->sh_offset + (address - text->sh_addr));
}

uint32_t kernel_file_text_end(const struct kernel_file *file) {
  const Elf32_Shdr *text = kernel_file_section(file, ".text");
  return text->sh_addr + text->sh_size;
}

int kernel_file_count(const struct kernel_file *file, uint32_t mask, uint32_t value) {
  int count = 0;
  for (uint32_t at = kernel_file_section(file, ".text")->sh_addr; at < kernel_file_text_end(file); at += 4)
    count += (kernel_file_instruction(file, at) & mask) == value;
  return count;
}
