// SPDX-License-Identifier: Apache-2.0
// Reader of kernel files (kernel_file.h): ELF header, segments, relocations, the image; kernel_notes.c reads the notes.
// The input is hostile: every number is checked against the bytes that are there before it is used, and nothing is
// allocated in proportion to a number that the bytes do not back. Each byte is read a fixed number of times: sections
// do not overlap, nor do segments, of which there are few; strings are known to end; names are sorted.
#include "host/device/kernel_file.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "host/device/kernel_notes.h"
#include "host/device/kernel_range.h"

#ifndef R_RISCV_RELATIVE
#define R_RISCV_RELATIVE 3
#endif

// Program headers of a kernel file: heddlec writes five.
enum { MOST_SEGMENTS = HEDDLE_KERNEL_FILE_SEGMENTS };

// What the sections and segments look like, once checked to lie inside the file.
struct table {
  struct kernel_range range;
  uint32_t count, entry_bytes;
};

static struct kernel_range file_range(const struct heddle_kernel_file *file) {
  return (struct kernel_range){file->bytes, file->size};
}

static int check_header(struct kernel_range file, struct heddle_error *error) {
  if (file.size < sizeof(Elf32_Ehdr) || memcmp(file.bytes, ELFMAG, SELFMAG) != 0)
    return kernel_file_wrong(error, "no ELF header");
  if (file.bytes[EI_CLASS] != ELFCLASS32 || file.bytes[EI_DATA] != ELFDATA2LSB)
    return kernel_file_wrong(error, "not 32-bit little-endian");
  if (kernel_range_half(file, offsetof(Elf32_Ehdr, e_machine)) != EM_RISCV)
    return kernel_file_wrong(error, "not for RISC-V");
  if (kernel_range_half(file, offsetof(Elf32_Ehdr, e_type)) != ET_DYN)
    return kernel_file_wrong(error, "not ET_DYN");
  return 0;
}

// The program header table or the section header table.
static bool find_table(struct kernel_range file, size_t offset_field, size_t size_field, size_t count_field,
                       size_t least, struct table *table) {
  table->entry_bytes = kernel_range_half(file, size_field);
  table->count = kernel_range_half(file, count_field);
  if (table->count != 0 && table->entry_bytes < least)
    return false;
  return kernel_range_part(file, kernel_range_word(file, offset_field), (uint64_t)table->count * table->entry_bytes,
                           &table->range);
}

static bool find_segments(struct kernel_range file, struct table *table) {
  return find_table(file, offsetof(Elf32_Ehdr, e_phoff), offsetof(Elf32_Ehdr, e_phentsize),
                    offsetof(Elf32_Ehdr, e_phnum), sizeof(Elf32_Phdr), table);
}

static bool find_sections(struct kernel_range file, struct table *table) {
  return find_table(file, offsetof(Elf32_Ehdr, e_shoff), offsetof(Elf32_Ehdr, e_shentsize),
                    offsetof(Elf32_Ehdr, e_shnum), sizeof(Elf32_Shdr), table);
}

static uint32_t entry_word(const struct table *table, uint32_t index, size_t field) {
  return kernel_range_word(table->range, (size_t)index * table->entry_bytes + field);
}

// One PT_LOAD: they come in the order of their addresses, as ELF has it. `left` is what of the file's size others have
// not taken.
static int add_segment(struct heddle_kernel_file *file, const struct table *table, uint32_t index, size_t *left,
                       struct heddle_error *error) {
  const uint32_t offset = entry_word(table, index, offsetof(Elf32_Phdr, p_offset));
  const uint32_t file_bytes = entry_word(table, index, offsetof(Elf32_Phdr, p_filesz));
  const uint32_t address = entry_word(table, index, offsetof(Elf32_Phdr, p_vaddr));
  const uint32_t memory_bytes = entry_word(table, index, offsetof(Elf32_Phdr, p_memsz));
  const uint64_t end = (uint64_t)address + memory_bytes;
  struct kernel_range contents;
  if (!kernel_range_part(file_range(file), offset, file_bytes, &contents))
    return kernel_file_wrong(error, "segment outside the file");
  if (file_bytes > memory_bytes)
    return kernel_file_wrong(error, "segment larger in the file than in memory");
  if (end > HEDDLE_LOCAL_BASE)
    return kernel_file_wrong(error, "segment outside global memory");
  if (address < file->image_bytes || file_bytes > *left)
    return kernel_file_wrong(error, "segments that overlap");
  *left -= file_bytes;
  file->image_bytes = (uint32_t)end;
  const bool is_writable = (entry_word(table, index, offsetof(Elf32_Phdr, p_flags)) & PF_W) != 0;
  file->data_bytes += is_writable ? memory_bytes : 0;
  file->segments[file->num_segments++] =
      (struct heddle_segment){.address = address,
                              .bytes = memory_bytes,
                              .file_bytes = file_bytes,
                              .string_bytes = is_writable ? 0 : (uint32_t)kernel_range_strings(contents).size,
                              .contents = contents.bytes,
                              .is_writable = is_writable};
  return 0;
}

// Sets image_bytes: the end of the last PT_LOAD.
static int read_segments(struct heddle_kernel_file *file, struct heddle_error *error) {
  struct table segments;
  size_t left = file->size;
  int result = 0;
  if (!find_segments(file_range(file), &segments))
    return kernel_file_wrong(error, "program headers outside the file");
  if (segments.count > MOST_SEGMENTS)
    return kernel_file_wrong(error, "more program headers than any has");
  for (uint32_t i = 0; i < segments.count && result == 0; i++)
    if (entry_word(&segments, i, offsetof(Elf32_Phdr, p_type)) == PT_LOAD)
      result = add_segment(file, &segments, i, &left, error);
  return result == 0 && file->image_bytes == 0 ? kernel_file_wrong(error, "nothing to load") : result;
}

// Calls `each` for every section of a type (and with at least these flags); stops at the first that fails.
typedef int section_action(struct heddle_kernel_file *file, struct kernel_range contents, struct heddle_error *error);

static int for_each_section(struct heddle_kernel_file *file, uint32_t type, uint32_t flags, section_action *each,
                            struct heddle_error *error) {
  struct table sections;
  struct kernel_range contents;
  size_t left = file->size;  // sections of a type do not overlap
  if (!find_sections(file_range(file), &sections))
    return kernel_file_wrong(error, "section headers outside the file");
  for (uint32_t i = 0; i < sections.count; i++) {
    if (entry_word(&sections, i, offsetof(Elf32_Shdr, sh_type)) != type ||
        (entry_word(&sections, i, offsetof(Elf32_Shdr, sh_flags)) & flags) != flags)
      continue;
    if (!kernel_range_part(file_range(file), entry_word(&sections, i, offsetof(Elf32_Shdr, sh_offset)),
                           entry_word(&sections, i, offsetof(Elf32_Shdr, sh_size)), &contents))
      return kernel_file_wrong(error, "section outside the file");
    if (contents.size > left)
      return kernel_file_wrong(error, "sections that overlap");
    left -= contents.size;
    const int result = each(file, contents, error);
    if (result != 0)
      return result;
  }
  return 0;
}

// The segment with all four bytes of a word that the file has; NULL: none.
static const struct heddle_segment *segment_with(const struct heddle_kernel_file *file, uint32_t address) {
  for (uint32_t i = 0; i < file->num_segments; i++) {
    const struct heddle_segment *segment = &file->segments[i];
    if (address >= segment->address && address - segment->address < segment->file_bytes)
      return segment->file_bytes - (address - segment->address) >= 4 ? segment : NULL;
  }
  return NULL;
}

static int check_relocations(struct heddle_kernel_file *file, struct kernel_range relocations,
                             struct heddle_error *error) {
  if (relocations.size % sizeof(Elf32_Rela) != 0)
    return kernel_file_wrong(error, "half a relocation");
  for (size_t at = 0; at < relocations.size; at += sizeof(Elf32_Rela)) {
    const uint32_t address = kernel_range_word(relocations, at + offsetof(Elf32_Rela, r_offset));
    const uint32_t type = ELF32_R_TYPE(kernel_range_word(relocations, at + offsetof(Elf32_Rela, r_info)));
    if (type == R_RISCV_NONE)
      continue;
    if (type != R_RISCV_RELATIVE)
      return kernel_file_wrong(error, "relocation other than R_RISCV_RELATIVE");
    if (!segment_with(file, address))
      return kernel_file_wrong(error, "relocation outside the image");
  }
  return 0;
}

static int compare_names(const void *one, const void *other) {
  const struct heddle_kernel *const *a = one, *const *b = other;
  return strcmp((*a)->name, (*b)->name);
}

// What heddle_kernel_file_find looks names up in.
static int sort_names(struct heddle_kernel_file *file, struct heddle_error *error) {
  file->by_name = calloc(file->num_kernels ? file->num_kernels : 1, sizeof *file->by_name);
  if (!file->by_name)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  for (uint32_t i = 0; i < file->num_kernels; i++)
    file->by_name[i] = &file->kernels[i];
  qsort(file->by_name, file->num_kernels, sizeof *file->by_name, compare_names);
  for (uint32_t i = 1; i < file->num_kernels; i++)
    if (compare_names(&file->by_name[i - 1], &file->by_name[i]) == 0)
      return kernel_file_wrong(error, "two kernels of one name");
  return 0;
}

int heddle_kernel_file_open(const void *bytes, size_t size, struct heddle_kernel_file **opened,
                            struct heddle_error *error) {
  struct heddle_kernel_file *file = calloc(1, sizeof *file);
  uint8_t *copy = malloc(size ? size : 1);
  if (!file || !copy) {
    free(file);
    free(copy);
    return heddle_fail(error, -ENOMEM, "out of host memory");
  }
  if (size != 0)
    memcpy(copy, bytes, size);
  file->bytes = copy;
  file->size = size;
  int result = check_header(file_range(file), error);
  if (result == 0)
    result = read_segments(file, error);
  if (result == 0)
    result = for_each_section(file, SHT_RELA, SHF_ALLOC, check_relocations, error);
  if (result == 0)
    result = for_each_section(file, SHT_NOTE, 0, heddle_kernel_notes_read, error);
  if (result == 0)
    result = sort_names(file, error);
  if (result == 0 && !file->isa)
    result = kernel_file_wrong(error, "no ISA note");
  if (result != 0) {
    heddle_kernel_file_close(file);
    return result;
  }
  *opened = file;
  return 0;
}

void heddle_kernel_file_close(struct heddle_kernel_file *file) {
  if (!file)
    return;
  for (uint32_t i = 0; i < file->num_kernels + file->num_blocks; i++) {
    free(file->kernels[i].arguments);
    heddle_printf_layouts_free(&file->kernels[i].pipeline_layouts);
  }
  free(file->kernels);
  free(file->by_name);
  heddle_printf_layouts_free(&file->printf_layouts);
  free((void *)file->bytes);
  free(file);
}

const struct heddle_kernel *heddle_kernel_file_find(const struct heddle_kernel_file *file, const char *name) {
  const struct heddle_kernel wanted = {.name = name}, *key = &wanted;
  const struct heddle_kernel *const *found =
      bsearch(&key, file->by_name, file->num_kernels, sizeof *file->by_name, compare_names);
  return found ? *found : NULL;
}

const struct heddle_kernel *heddle_kernel_file_block(const struct heddle_kernel_file *file, uint32_t number) {
  return number >= 1 && number <= file->num_blocks ? &file->kernels[file->num_kernels + number - 1] : NULL;
}

const char *heddle_kernel_file_string(const struct heddle_kernel_file *file, uint32_t offset) {
  for (uint32_t i = 0; i < file->num_segments; i++) {
    const struct heddle_segment *segment = &file->segments[i];
    if (offset >= segment->address && offset - segment->address < segment->string_bytes)
      return (const char *)segment->contents + (offset - segment->address);
  }
  return NULL;
}

const char *heddle_kernel_pipeline_string(const struct heddle_kernel *kernel, uint32_t address) {
  const struct kernel_range constants = {kernel->constants, kernel->constant_bytes};
  uint32_t base = HEDDLE_PIPELINE_TABLES;
  for (size_t at = 0; at < constants.size; base += 1u << HEDDLE_PIPELINE_TABLE_LOG2) {
    const uint32_t bytes = kernel_range_word(constants, at);
    const uint8_t *constant = constants.bytes + at + 4;
    if (address - base < bytes)
      return memchr(constant + (address - base), 0, bytes - (address - base))
                 ? (const char *)constant + (address - base)
                 : NULL;
    at += 4 + (size_t)(bytes + 3) / 4 * 4;
  }
  return NULL;
}

static void relocate(struct kernel_range relocations, uint32_t base, uint8_t *image) {
  for (size_t at = 0; at < relocations.size; at += sizeof(Elf32_Rela)) {
    if (ELF32_R_TYPE(kernel_range_word(relocations, at + offsetof(Elf32_Rela, r_info))) != R_RISCV_RELATIVE)
      continue;
    const uint32_t value = base + kernel_range_word(relocations, at + offsetof(Elf32_Rela, r_addend));
    uint8_t *word = image + kernel_range_word(relocations, at + offsetof(Elf32_Rela, r_offset));
    for (int i = 0; i < 4; i++)
      word[i] = (uint8_t)(value >> (8 * i));
  }
}

uint8_t *heddle_kernel_file_image(const struct heddle_kernel_file *file, uint32_t base) {
  struct table sections;
  struct kernel_range contents;
  uint8_t *image = calloc(1, file->image_bytes);  // what is not written costs no memory
  if (!image || !find_sections(file_range(file), &sections))
    return image;
  for (uint32_t i = 0; i < file->num_segments; i++) {
    const struct heddle_segment *segment = &file->segments[i];
    if (segment->file_bytes != 0)
      memcpy(image + segment->address, segment->contents, segment->file_bytes);
  }
  for (uint32_t i = 0; i < sections.count; i++)
    if (entry_word(&sections, i, offsetof(Elf32_Shdr, sh_type)) == SHT_RELA &&
        (entry_word(&sections, i, offsetof(Elf32_Shdr, sh_flags)) & SHF_ALLOC) != 0 &&
        kernel_range_part(file_range(file), entry_word(&sections, i, offsetof(Elf32_Shdr, sh_offset)),
                          entry_word(&sections, i, offsetof(Elf32_Shdr, sh_size)), &contents))
      relocate(contents, base, image);
  return image;
}
