// SPDX-License-Identifier: Apache-2.0
// Reads the ELF that lld wrote, which is trusted to be an ELF but not to be the one that is wanted.
#include "hls/image.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/little_endian.h"
#include "hls/kernel.h"
#include "hls/note.h"
#include "hls/pipeline_note.h"
#include "hls/scratch.h"
#include "hls/stack.h"

struct image {
  unsigned char *bytes;
  size_t size;
  Elf32_Ehdr *header;
  Elf32_Shdr *sections;
  const char *section_names;
};

static enum status wrong(const char *what) {
  fprintf(stderr, "heddlec: linked kernel file: %s\n", what);
  return STATUS_FAILED;
}

static enum status read_image(struct image *image, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return wrong(strerror(errno));
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
  if (size > 0 && fseek(file, 0, SEEK_SET) == 0) {
    image->bytes = malloc((size_t)size);
    image->size = image->bytes ? fread(image->bytes, 1, (size_t)size, file) : 0;
  }
  fclose(file);
  return size > 0 && image->size == (size_t)size ? STATUS_OK : wrong("cannot be read");
}

static enum status write_image(const struct image *image, const char *path) {
  FILE *file = fopen(path, "wb");
  bool is_written = file && fwrite(image->bytes, 1, image->size, file) == image->size;
  if (file && fclose(file) != 0)
    is_written = false;
  return is_written ? STATUS_OK : wrong(strerror(errno));
}

static bool is_inside(const struct image *image, size_t offset, size_t size) {
  return offset <= image->size && size <= image->size - offset;
}

// Sections that occupy the file lie inside it; checked once here, relied on below.
static enum status check_header(struct image *image) {
  image->header = (Elf32_Ehdr *)image->bytes;
  if (image->size < sizeof *image->header || memcmp(image->header->e_ident, ELFMAG, SELFMAG) != 0 ||
      image->header->e_ident[EI_CLASS] != ELFCLASS32 || image->header->e_machine != EM_RISCV) {
    return wrong("not a 32-bit RISC-V ELF");
  }
  if (image->header->e_type != ET_DYN)
    return wrong("not position independent (ET_DYN)");
  size_t count = image->header->e_shnum;
  if (!is_inside(image, image->header->e_shoff, count * sizeof(Elf32_Shdr)) || image->header->e_shstrndx >= count)
    return wrong("broken section table");
  image->sections = (Elf32_Shdr *)(image->bytes + image->header->e_shoff);
  for (size_t i = 0; i < count; i++) {
    if (image->sections[i].sh_type != SHT_NOBITS &&
        !is_inside(image, image->sections[i].sh_offset, image->sections[i].sh_size)) {
      return wrong("section outside the file");
    }
  }
  image->section_names = (const char *)image->bytes + image->sections[image->header->e_shstrndx].sh_offset;
  return STATUS_OK;
}

static Elf32_Shdr *find_section(const struct image *image, const char *name) {
  for (size_t i = 0; i < image->header->e_shnum; i++)
    if (strcmp(image->section_names + image->sections[i].sh_name, name) == 0)
      return &image->sections[i];
  return NULL;
}

static enum status check_relocations(const struct image *image) {
  for (size_t i = 0; i < image->header->e_shnum; i++) {
    const Elf32_Shdr *section = &image->sections[i];
    if (section->sh_type == SHT_REL)
      return wrong("relocations without addend");
    if (section->sh_type != SHT_RELA || (section->sh_flags & SHF_ALLOC) == 0)
      continue;
    if (strcmp(image->section_names + section->sh_name, ".rela.dyn") != 0)
      return wrong("relocations outside .rela.dyn");
    const Elf32_Rela *entries = (const Elf32_Rela *)(image->bytes + section->sh_offset);
    for (size_t j = 0; j < section->sh_size / sizeof *entries; j++)
      if (ELF32_R_TYPE(entries[j].r_info) != R_RISCV_RELATIVE)
        return wrong("a relocation other than R_RISCV_RELATIVE");
  }
  return STATUS_OK;
}

// Entry symbols lose the prefix that kept them apart from library functions: their name starts behind it.
static Elf32_Sym *find_entry(const struct image *image, const char *kernel) {
  const Elf32_Shdr *table = find_section(image, ".symtab");
  if (!table || table->sh_link >= image->header->e_shnum)
    return NULL;
  Elf32_Sym *symbols = (Elf32_Sym *)(image->bytes + table->sh_offset);
  const char *names = (const char *)image->bytes + image->sections[table->sh_link].sh_offset;
  size_t prefix = strlen(KERNEL_ENTRY_PREFIX);
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
    const char *name = names + symbols[i].st_name;
    if (strncmp(name, KERNEL_ENTRY_PREFIX, prefix) == 0 && strcmp(name + prefix, kernel) == 0) {
      symbols[i].st_name += (Elf32_Word)prefix;
      return &symbols[i];
    }
  }
  return NULL;
}

static enum status finish_note(const struct image *image, uint32_t *words, struct code *code) {
  uint32_t count = words[HEDDLE_NOTE_NUM_ARGUMENTS];
  const char *strings = (const char *)(words + HEDDLE_NOTE_HEADER_WORDS + HEDDLE_NOTE_WORDS_PER_ARGUMENT * count);
  const char *name = strings + words[HEDDLE_NOTE_NAME_OFFSET];
  const Elf32_Sym *entry = find_entry(image, name);
  if (!entry) {
    fprintf(stderr, "heddlec: linked kernel file: no code for kernel '%s'\n", name);
    return STATUS_FAILED;
  }
  words[HEDDLE_NOTE_ENTRY] = entry->st_value;
  struct stack_unknown unknown;
  enum status status = stack_bytes(code, entry->st_value, &words[HEDDLE_NOTE_STACK_BYTES], &unknown);
  if (status == STATUS_REJECTED) {
    fprintf(stderr, "error: kernel '%s': how much stack it needs cannot be told: %s, at 0x%x of its code\n", name,
            unknown.reason, unknown.pc);
  }
  return status;
}

static enum status place_variable(void *context, const char *name, uint8_t place[4]) {
  const struct image *image = context;
  const Elf32_Shdr *table = find_section(image, ".symtab");
  const Elf32_Sym *symbols = table ? (const Elf32_Sym *)(image->bytes + table->sh_offset) : NULL;
  const char *names = table ? (const char *)image->bytes + image->sections[table->sh_link].sh_offset : NULL;
  for (size_t i = 0; table && i < table->sh_size / sizeof *symbols; i++) {
    if (ELF32_ST_TYPE(symbols[i].st_info) == STT_OBJECT && strcmp(names + symbols[i].st_name, name) == 0) {
      heddle_put32(place, symbols[i].st_value);
      return STATUS_OK;
    }
  }
  fprintf(stderr, "heddlec: linked kernel file: no variable '%s', which a pipeline has in memory\n", name);
  return STATUS_FAILED;
}

// Tells how long each function is.
static void add_functions(const struct image *image, struct code *code) {
  const Elf32_Shdr *table = find_section(image, ".symtab");
  const Elf32_Sym *symbols = table ? (const Elf32_Sym *)(image->bytes + table->sh_offset) : NULL;
  for (size_t i = 0; table && i < table->sh_size / sizeof *symbols; i++)
    if (ELF32_ST_TYPE(symbols[i].st_info) == STT_FUNC)
      code_add_function(code, symbols[i].st_value, symbols[i].st_size);
}

static enum status finish_notes(struct image *image) {
  const Elf32_Shdr *notes = find_section(image, NOTE_SECTION);
  const Elf32_Shdr *text = find_section(image, ".text");
  if (!notes)
    return wrong("no " NOTE_SECTION);
  if (!text)
    return wrong("no .text");
  struct code code;
  enum status status = code_open(&code, image->bytes + text->sh_offset, text->sh_addr, text->sh_size);
  if (status == STATUS_OK)
    add_functions(image, &code);
  unsigned char *at = image->bytes + notes->sh_offset, *end = at + notes->sh_size;
  while (end - at >= (ptrdiff_t)sizeof(Elf32_Nhdr) && status == STATUS_OK) {
    Elf32_Nhdr *note = (Elf32_Nhdr *)at;
    unsigned char *description = at + sizeof *note + (note->n_namesz + 3) / 4 * 4;
    if (note->n_type == HEDDLE_NOTE_KERNEL || note->n_type == HEDDLE_NOTE_BLOCK)
      status = finish_note(image, (uint32_t *)description, &code);
    if (note->n_type == HEDDLE_NOTE_PIPELINES && status == STATUS_OK)
      status = pipeline_note_each_variable(description + 4, note->n_descsz - 4, place_variable, image);
    at = description + note->n_descsz;
  }
  code_close(&code);
  return status;
}

enum status image_finish(void) {
  struct image image = {0};
  const char *path = scratch_path(SCRATCH_IMAGE);
  enum status status = read_image(&image, path);
  if (status == STATUS_OK)
    status = check_header(&image);
  if (status == STATUS_OK)
    status = check_relocations(&image);
  if (status == STATUS_OK)
    status = finish_notes(&image);
  if (status == STATUS_OK)
    status = write_image(&image, path);
  free(image.bytes);
  return status;
}
