// SPDX-License-Identifier: Apache-2.0
// Reader of kernel files (kernel_file.h). The input is hostile: every number of it is checked against the bytes that
// are there before it is used, and nothing is allocated in proportion to a number that the bytes do not back. Each byte
// is read so many times and no more: sections do not overlap, nor do segments, of which there are few; strings are
// known to end; names are sorted.
#include "host/device/kernel_file.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"

#ifndef R_RISCV_RELATIVE
#define R_RISCV_RELATIVE 3
#endif

// A piece of the file: all reading goes through one of these.
struct range {
  const uint8_t *bytes;
  size_t size;
};

// Program headers of a kernel file: heddlec writes five.
enum { MOST_SEGMENTS = HEDDLE_KERNEL_FILE_SEGMENTS };

// What the sections and segments look like, once checked to lie inside the file.
struct table {
  struct range range;
  uint32_t count, entry_bytes;
};

static uint32_t word_at(struct range range, size_t offset) {
  const uint8_t *at = range.bytes + offset;
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t half_at(struct range range, size_t offset) {
  return (uint32_t)range.bytes[offset] | (uint32_t)range.bytes[offset + 1] << 8;
}

static bool sub_range(struct range whole, uint64_t offset, uint64_t size, struct range *part) {
  if (offset > whole.size || size > whole.size - offset)
    return false;
  *part = (struct range){whole.bytes + offset, (size_t)size};
  return true;
}

static struct range file_range(const struct heddle_kernel_file *file) {
  return (struct range){file->bytes, file->size};
}

static int fail(struct heddle_error *error, const char *what) {
  heddle_fail(error, -EINVAL, "not a Heddle kernel file: %s", what);
  return -EINVAL;
}

static int check_header(struct range file, struct heddle_error *error) {
  if (file.size < sizeof(Elf32_Ehdr) || memcmp(file.bytes, ELFMAG, SELFMAG) != 0)
    return fail(error, "no ELF header");
  if (file.bytes[EI_CLASS] != ELFCLASS32 || file.bytes[EI_DATA] != ELFDATA2LSB)
    return fail(error, "not 32-bit little-endian");
  if (half_at(file, offsetof(Elf32_Ehdr, e_machine)) != EM_RISCV)
    return fail(error, "not for RISC-V");
  if (half_at(file, offsetof(Elf32_Ehdr, e_type)) != ET_DYN)
    return fail(error, "not ET_DYN");
  return 0;
}

// The program header table or the section header table.
static bool find_table(struct range file, size_t offset_field, size_t size_field, size_t count_field, size_t least,
                       struct table *table) {
  table->entry_bytes = half_at(file, size_field);
  table->count = half_at(file, count_field);
  if (table->count != 0 && table->entry_bytes < least)
    return false;
  return sub_range(file, word_at(file, offset_field), (uint64_t)table->count * table->entry_bytes, &table->range);
}

static bool find_segments(struct range file, struct table *table) {
  return find_table(file, offsetof(Elf32_Ehdr, e_phoff), offsetof(Elf32_Ehdr, e_phentsize),
                    offsetof(Elf32_Ehdr, e_phnum), sizeof(Elf32_Phdr), table);
}

static bool find_sections(struct range file, struct table *table) {
  return find_table(file, offsetof(Elf32_Ehdr, e_shoff), offsetof(Elf32_Ehdr, e_shentsize),
                    offsetof(Elf32_Ehdr, e_shnum), sizeof(Elf32_Shdr), table);
}

static uint32_t entry_word(const struct table *table, uint32_t index, size_t field) {
  return word_at(table->range, (size_t)index * table->entry_bytes + field);
}

// The part of a range up to its last zero: every string that begins there ends there.
static struct range ended_strings(struct range range) {
  const uint8_t *last = range.size != 0 ? memrchr(range.bytes, 0, range.size) : NULL;
  return (struct range){range.bytes, last ? (size_t)(last - range.bytes) + 1 : 0};
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
  struct range contents;
  if (!sub_range(file_range(file), offset, file_bytes, &contents))
    return fail(error, "segment outside the file");
  if (file_bytes > memory_bytes)
    return fail(error, "segment larger in the file than in memory");
  if (end > HEDDLE_LOCAL_BASE)
    return fail(error, "segment outside global memory");
  if (address < file->image_bytes || file_bytes > *left)
    return fail(error, "segments that overlap");
  *left -= file_bytes;
  file->image_bytes = (uint32_t)end;
  const bool is_writable = (entry_word(table, index, offsetof(Elf32_Phdr, p_flags)) & PF_W) != 0;
  file->data_bytes += is_writable ? memory_bytes : 0;
  file->segments[file->num_segments++] =
      (struct heddle_segment){.address = address,
                              .bytes = memory_bytes,
                              .file_bytes = file_bytes,
                              .string_bytes = is_writable ? 0 : (uint32_t)ended_strings(contents).size,
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
    return fail(error, "program headers outside the file");
  if (segments.count > MOST_SEGMENTS)
    return fail(error, "more program headers than any has");
  for (uint32_t i = 0; i < segments.count && result == 0; i++)
    if (entry_word(&segments, i, offsetof(Elf32_Phdr, p_type)) == PT_LOAD)
      result = add_segment(file, &segments, i, &left, error);
  return result == 0 && file->image_bytes == 0 ? fail(error, "nothing to load") : result;
}

// Calls `each` for every section of a type (and with at least these flags); stops at the first that fails.
typedef int section_action(struct heddle_kernel_file *file, struct range contents, struct heddle_error *error);

static int for_each_section(struct heddle_kernel_file *file, uint32_t type, uint32_t flags, section_action *each,
                            struct heddle_error *error) {
  struct table sections;
  struct range contents;
  size_t left = file->size;  // sections of a type do not overlap
  if (!find_sections(file_range(file), &sections))
    return fail(error, "section headers outside the file");
  for (uint32_t i = 0; i < sections.count; i++) {
    if (entry_word(&sections, i, offsetof(Elf32_Shdr, sh_type)) != type ||
        (entry_word(&sections, i, offsetof(Elf32_Shdr, sh_flags)) & flags) != flags)
      continue;
    if (!sub_range(file_range(file), entry_word(&sections, i, offsetof(Elf32_Shdr, sh_offset)),
                   entry_word(&sections, i, offsetof(Elf32_Shdr, sh_size)), &contents))
      return fail(error, "section outside the file");
    if (contents.size > left)
      return fail(error, "sections that overlap");
    left -= contents.size;
    const int result = each(file, contents, error);
    if (result != 0)
      return result;
  }
  return 0;
}

// The segment with all four bytes of a word that the file has; NULL: none.
static const struct heddle_segment *segment_with(const struct heddle_kernel_file *file, uint32_t place) {
  for (uint32_t i = 0; i < file->num_segments; i++) {
    const struct heddle_segment *segment = &file->segments[i];
    if (place >= segment->address && place - segment->address < segment->file_bytes)
      return segment->file_bytes - (place - segment->address) >= 4 ? segment : NULL;
  }
  return NULL;
}

static int check_relocations(struct heddle_kernel_file *file, struct range relocations, struct heddle_error *error) {
  if (relocations.size % sizeof(Elf32_Rela) != 0)
    return fail(error, "half a relocation");
  for (size_t at = 0; at < relocations.size; at += sizeof(Elf32_Rela)) {
    const uint32_t place = word_at(relocations, at + offsetof(Elf32_Rela, r_offset));
    const uint32_t type = ELF32_R_TYPE(word_at(relocations, at + offsetof(Elf32_Rela, r_info)));
    if (type == R_RISCV_NONE)
      continue;
    if (type != R_RISCV_RELATIVE)
      return fail(error, "relocation other than R_RISCV_RELATIVE");
    if (!segment_with(file, place))
      return fail(error, "relocation outside the image");
  }
  return 0;
}

// The string at an offset of strings that are known to end; NULL when it does not begin there.
static const char *string_at(struct range strings, uint32_t offset) {
  return offset < strings.size ? (const char *)strings.bytes + offset : NULL;
}

static bool is_power_of_two_or_zero(uint32_t value) {
  return (value & (value - 1)) == 0;
}

static int read_argument(struct range note, uint32_t index, struct range strings, uint32_t block_bytes,
                         struct heddle_argument *argument, struct heddle_error *error) {
  const size_t first = 4u * (HEDDLE_NOTE_HEADER_WORDS + (size_t)HEDDLE_NOTE_WORDS_PER_ARGUMENT * index);
  argument->offset = word_at(note, first + 4 * HEDDLE_ARGUMENT_OFFSET);
  argument->size = word_at(note, first + 4 * HEDDLE_ARGUMENT_SIZE);
  argument->alignment = word_at(note, first + 4 * HEDDLE_ARGUMENT_ALIGNMENT);
  argument->address_space = word_at(note, first + 4 * HEDDLE_ARGUMENT_ADDRESS_SPACE);
  argument->access = word_at(note, first + 4 * HEDDLE_ARGUMENT_ACCESS);
  argument->type_qualifiers = word_at(note, first + 4 * HEDDLE_ARGUMENT_TYPE_QUALIFIERS);
  argument->kind = word_at(note, first + 4 * HEDDLE_ARGUMENT_KIND);
  argument->name = string_at(strings, word_at(note, first + 4 * HEDDLE_ARGUMENT_NAME_OFFSET));
  argument->type_name = string_at(strings, word_at(note, first + 4 * HEDDLE_ARGUMENT_TYPE_NAME_OFFSET));
  if (argument->size > block_bytes || argument->offset > block_bytes - argument->size)
    return fail(error, "argument outside its block");
  if (!is_power_of_two_or_zero(argument->alignment) ||
      (argument->alignment != 0 && argument->offset % argument->alignment != 0))
    return fail(error, "argument misaligned");
  if (argument->address_space > HEDDLE_GENERIC || argument->access > HEDDLE_READ_WRITE || argument->kind > HEDDLE_QUEUE)
    return fail(error, "argument of no known kind");
  if (argument->kind == HEDDLE_POINTER && (argument->size != 4 || argument->address_space == HEDDLE_PRIVATE))
    return fail(error, "pointer argument that is none");
  if (!argument->name || !argument->type_name)
    return fail(error, "argument name outside the strings");
  return 0;
}

static void read_three(struct range note, uint32_t word, uint32_t values[3]) {
  for (uint32_t i = 0; i < 3; i++)
    values[i] = word_at(note, 4 * (word + i));
}

static bool all_or_none(const uint32_t values[3]) {
  const int zeros = (values[0] == 0) + (values[1] == 0) + (values[2] == 0);
  return zeros == 0 || zeros == 3;
}

// Fills a kernel from its note, arguments apart.
static int read_kernel(const struct heddle_kernel_file *file, struct range note, struct heddle_kernel *kernel,
                       struct range *strings, struct heddle_error *error) {
  if (note.size < 4 * HEDDLE_NOTE_HEADER_WORDS)
    return fail(error, "kernel note too short");
  if (word_at(note, 4 * HEDDLE_NOTE_VERSION) != 1)
    return fail(error, "kernel note of another version");
  kernel->num_arguments = word_at(note, 4 * HEDDLE_NOTE_NUM_ARGUMENTS);
  const uint64_t strings_at =
      4 * (HEDDLE_NOTE_HEADER_WORDS + (uint64_t)HEDDLE_NOTE_WORDS_PER_ARGUMENT * kernel->num_arguments);
  if (!sub_range(note, strings_at, word_at(note, 4 * HEDDLE_NOTE_STRING_BYTES), strings))
    return fail(error, "kernel note shorter than it says");
  *strings = ended_strings(*strings);
  kernel->entry = word_at(note, 4 * HEDDLE_NOTE_ENTRY);
  kernel->argument_bytes = word_at(note, 4 * HEDDLE_NOTE_ARGUMENT_BYTES);
  kernel->local_bytes = word_at(note, 4 * HEDDLE_NOTE_LOCAL_BYTES);
  const uint32_t sub_groups = word_at(note, 4 * HEDDLE_NOTE_SUB_GROUP_SIZE);
  kernel->required_sub_group_size = sub_groups & ((1u << HEDDLE_NOTE_NUM_SUB_GROUPS_SHIFT) - 1);
  kernel->required_num_sub_groups = sub_groups >> HEDDLE_NOTE_NUM_SUB_GROUPS_SHIFT;
  kernel->stack_bytes = word_at(note, 4 * HEDDLE_NOTE_STACK_BYTES);
  kernel->name = string_at(*strings, word_at(note, 4 * HEDDLE_NOTE_NAME_OFFSET));
  kernel->attributes = string_at(*strings, word_at(note, 4 * HEDDLE_NOTE_ATTRIBUTES_OFFSET));
  read_three(note, HEDDLE_NOTE_REQD_WORK_GROUP_SIZE, kernel->reqd_work_group_size);
  read_three(note, HEDDLE_NOTE_WORK_GROUP_SIZE_HINT, kernel->work_group_size_hint);
  if (!kernel->name || !kernel->attributes || !kernel->name[0])
    return fail(error, "kernel without a name");
  if (kernel->entry % 4 != 0 || kernel->entry >= file->image_bytes)
    return fail(error, "kernel entry outside the image");
  if (kernel->argument_bytes > HEDDLE_ARGUMENT_BYTES_MAX)
    return fail(error, "argument block too large");
  if (kernel->local_bytes > HEDDLE_LOCAL_LAST - HEDDLE_LOCAL_BASE)
    return fail(error, "local variables larger than the window");
  if (!is_power_of_two_or_zero(kernel->required_sub_group_size))
    return fail(error, "sub-group size not a power of two");
  if (!all_or_none(kernel->reqd_work_group_size))
    return fail(error, "incomplete work-group size");
  return 0;
}

// What makes a kernel one of a block.
static bool takes_literal(const struct heddle_kernel *kernel) {
  bool takes = kernel->num_arguments >= 1 && kernel->reqd_work_group_size[0] == 0;
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    const struct heddle_argument *argument = &kernel->arguments[i];
    takes = takes && argument->kind == HEDDLE_POINTER && (argument->address_space == HEDDLE_LOCAL) == (i > 0);
  }
  return takes;
}

// Notes of blocks come behind those of kernels.
static int add_kernel(struct heddle_kernel_file *file, struct range note, bool is_block, struct heddle_error *error) {
  struct heddle_kernel kernel = {0};
  struct range strings = {0};
  int result = read_kernel(file, note, &kernel, &strings, error);
  if (result != 0)
    return result;
  if (!is_block && file->num_blocks != 0)
    return fail(error, "a kernel behind blocks");
  const uint32_t count = file->num_kernels + file->num_blocks;
  struct heddle_kernel *kernels = file->kernels;
  if (is_power_of_two_or_zero(count)) {  // it is full
    kernels = realloc(kernels, (count ? 2 * (size_t)count : 1) * sizeof *kernels);
    if (!kernels)
      return heddle_fail(error, -ENOMEM, "out of host memory");
    file->kernels = kernels;
  }
  kernel.arguments = calloc(kernel.num_arguments ? kernel.num_arguments : 1, sizeof *kernel.arguments);
  if (!kernel.arguments)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  kernels[count] = kernel;
  *(is_block ? &file->num_blocks : &file->num_kernels) += 1;
  for (uint32_t i = 0; i < kernel.num_arguments && result == 0; i++)
    result = read_argument(note, i, strings, kernel.argument_bytes, &kernel.arguments[i], error);
  if (result == 0 && is_block && !takes_literal(&kernel))
    result = fail(error, "block with other arguments than a literal and local memory");
  return result;
}

static int add_isa(struct heddle_kernel_file *file, struct range note, struct heddle_error *error) {
  file->isa = note.size < 8 || word_at(note, 0) != 1 ? NULL : string_at(ended_strings(note), 4);
  return file->isa ? 0 : fail(error, "ISA note malformed");
}

static int read_options(struct heddle_kernel_file *file, struct range note, struct heddle_error *error) {
  if (note.size < 4 * HEDDLE_OPTIONS_NOTE_WORDS || word_at(note, 4 * HEDDLE_OPTIONS_NOTE_VERSION) != 1)
    return fail(error, "note of options malformed");
  file->is_uniform = (word_at(note, 4 * HEDDLE_OPTIONS_NOTE_FLAGS) & HEDDLE_OPTION_UNIFORM) != 0;
  return 0;
}

// Notes of kernels come before the one about printf, which counts them.
static int add_printf(struct heddle_kernel_file *file, struct range note, struct heddle_error *error) {
  if (note.size < 4 * HEDDLE_PRINTF_NOTE_HEADER_WORDS || word_at(note, 4 * HEDDLE_PRINTF_NOTE_VERSION) != 1)
    return fail(error, "printf note malformed");
  const uint32_t num_kernels = word_at(note, 4 * HEDDLE_PRINTF_NOTE_NUM_KERNELS);
  const uint64_t layouts_at = 4 * (HEDDLE_PRINTF_NOTE_HEADER_WORDS + (uint64_t)num_kernels);
  struct range layouts;
  if (layouts_at > note.size || !sub_range(note, layouts_at, note.size - layouts_at, &layouts))
    return fail(error, "printf note shorter than it says");
  for (uint32_t i = 0; i < num_kernels; i++) {
    const uint32_t kernel = word_at(note, 4 * (HEDDLE_PRINTF_NOTE_HEADER_WORDS + (size_t)i));
    if (kernel >= file->num_kernels + file->num_blocks)
      return fail(error, "printf in a kernel that is not there");
    file->kernels[kernel].prints = true;
  }
  heddle_printf_layouts_free(&file->printf_layouts);
  const int result = heddle_printf_layouts_read(
      layouts.bytes, layouts.size, word_at(note, 4 * HEDDLE_PRINTF_NOTE_NUM_LAYOUTS), &file->printf_layouts);
  return result == -EINVAL ? fail(error, "printf layouts malformed")
         : result != 0     ? heddle_fail(error, result, "out of host memory")
                           : 0;
}

static int add_enqueuers(struct heddle_kernel_file *file, struct range note, struct heddle_error *error) {
  if (note.size < 4 * HEDDLE_ENQUEUERS_NOTE_HEADER_WORDS || word_at(note, 4 * HEDDLE_ENQUEUERS_NOTE_VERSION) != 1)
    return fail(error, "note about enqueuing malformed");
  const uint32_t num_kernels = word_at(note, 4 * HEDDLE_ENQUEUERS_NOTE_NUM_KERNELS);
  if (note.size / 4 - HEDDLE_ENQUEUERS_NOTE_HEADER_WORDS < num_kernels)
    return fail(error, "note about enqueuing shorter than it says");
  for (uint32_t i = 0; i < num_kernels; i++) {
    const uint32_t kernel = word_at(note, 4 * (HEDDLE_ENQUEUERS_NOTE_HEADER_WORDS + (size_t)i));
    if (kernel >= file->num_kernels + file->num_blocks)
      return fail(error, "enqueuing in a kernel that is not there");
    file->kernels[kernel].enqueues = true;
  }
  return 0;
}

// A record for each kernel that can be a pipeline. Each is for another kernel, so that a file is read once.
static int add_pipelines(struct heddle_kernel_file *file, struct range note, struct heddle_error *error) {
  if (note.size < 4 || word_at(note, 0) != 1)
    return fail(error, "note about pipelines malformed");
  for (size_t at = 4; at < note.size;) {
    struct range record, sites;
    if (!sub_range(note, at, 4 * (uint64_t)HEDDLE_PIPELINES_NOTE_WORDS, &record))
      return fail(error, "note about pipelines ends in a record");
    const uint32_t index = word_at(record, 4 * HEDDLE_PIPELINES_NOTE_KERNEL);
    const uint32_t num_sites = word_at(record, 4 * HEDDLE_PIPELINES_NOTE_NUM_SITES);
    if (index >= file->num_kernels || file->kernels[index].has_hash)
      return fail(error, "pipeline of a kernel that is not there, or of one twice");
    if (!sub_range(note, at + record.size, 4 * (uint64_t)num_sites, &sites))
      return fail(error, "note about pipelines ends in sites");
    struct heddle_kernel *kernel = &file->kernels[index];
    for (uint32_t i = 0; i < 4; i++)
      kernel->hash[i] = word_at(record, 4 * (size_t)(HEDDLE_PIPELINES_NOTE_HASH + i));
    kernel->has_hash = true;
    kernel->pipeline_local_bytes = word_at(record, 4 * HEDDLE_PIPELINES_NOTE_LOCAL_BYTES);
    if (kernel->pipeline_local_bytes > HEDDLE_LOCAL_LAST - HEDDLE_LOCAL_BASE)
      return fail(error, "local variables of a pipeline larger than the window");
    kernel->num_sites = num_sites;
    kernel->sites = sites.bytes;
    at += record.size + sites.size;
  }
  return 0;
}

static int read_notes(struct heddle_kernel_file *file, struct range notes, struct heddle_error *error) {
  while (notes.size >= sizeof(Elf32_Nhdr)) {
    const uint32_t name_bytes = word_at(notes, offsetof(Elf32_Nhdr, n_namesz));
    const uint32_t bytes = word_at(notes, offsetof(Elf32_Nhdr, n_descsz));
    const uint32_t type = word_at(notes, offsetof(Elf32_Nhdr, n_type));
    const uint64_t contents_at = sizeof(Elf32_Nhdr) + (((uint64_t)name_bytes + 3) & ~UINT64_C(3));
    struct range name, note;
    if (!sub_range(notes, sizeof(Elf32_Nhdr), name_bytes, &name) || !sub_range(notes, contents_at, bytes, &note))
      return fail(error, "note outside its section");
    if (name_bytes == sizeof HEDDLE_NOTE_NAME && memcmp(name.bytes, HEDDLE_NOTE_NAME, name_bytes) == 0) {
      int result = 0;
      if (type == HEDDLE_NOTE_KERNEL || type == HEDDLE_NOTE_BLOCK)
        result = add_kernel(file, note, type == HEDDLE_NOTE_BLOCK, error);
      else if (type == HEDDLE_NOTE_ISA)
        result = add_isa(file, note, error);
      else if (type == HEDDLE_NOTE_OPTIONS)
        result = read_options(file, note, error);
      else if (type == HEDDLE_NOTE_PRINTF)
        result = add_printf(file, note, error);
      else if (type == HEDDLE_NOTE_ENQUEUERS)
        result = add_enqueuers(file, note, error);
      else if (type == HEDDLE_NOTE_PIPELINES)
        result = add_pipelines(file, note, error);
      if (result != 0)
        return result;
    }
    // The padding of the last note may be missing.
    const uint64_t end = contents_at + (((uint64_t)bytes + 3) & ~UINT64_C(3));
    if (!sub_range(notes, end, notes.size - (end < notes.size ? end : notes.size), &notes))
      break;
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
      return fail(error, "two kernels of one name");
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
    result = for_each_section(file, SHT_NOTE, 0, read_notes, error);
  if (result == 0)
    result = sort_names(file, error);
  if (result == 0 && !file->isa)
    result = fail(error, "no ISA note");
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
  for (uint32_t i = 0; i < file->num_kernels + file->num_blocks; i++)
    free(file->kernels[i].arguments);
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

static void relocate(struct range relocations, uint32_t base, uint8_t *image) {
  for (size_t at = 0; at < relocations.size; at += sizeof(Elf32_Rela)) {
    if (ELF32_R_TYPE(word_at(relocations, at + offsetof(Elf32_Rela, r_info))) != R_RISCV_RELATIVE)
      continue;
    const uint32_t value = base + word_at(relocations, at + offsetof(Elf32_Rela, r_addend));
    uint8_t *place = image + word_at(relocations, at + offsetof(Elf32_Rela, r_offset));
    for (int i = 0; i < 4; i++)
      place[i] = (uint8_t)(value >> (8 * i));
  }
}

uint8_t *heddle_kernel_file_image(const struct heddle_kernel_file *file, uint32_t base) {
  struct table sections;
  struct range contents;
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
        sub_range(file_range(file), entry_word(&sections, i, offsetof(Elf32_Shdr, sh_offset)),
                  entry_word(&sections, i, offsetof(Elf32_Shdr, sh_size)), &contents))
      relocate(contents, base, image);
  return image;
}
