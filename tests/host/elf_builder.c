// SPDX-License-Identifier: Apache-2.0
// Kernel files made by hand (elf_builder.h), after contract/DEVICE.md "Kernel files".
#include "tests/host/elf_builder.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_AT = 0x800, FILE_BYTES = 0x4000, NUM_ARGUMENTS = 4, HEADER_WORDS = 16, ARGUMENT_WORDS = 10 };

struct writer {
  uint8_t *bytes;
  size_t at;
};

static void put(struct writer *writer, uint32_t word) {
  for (int i = 0; i < 4; i++)
    writer->bytes[writer->at++] = (uint8_t)(word >> (8 * i));
}

// Zero-terminated, padded to 4. Returns the padded length.
static uint32_t put_text(struct writer *writer, const char *text) {
  const size_t padded = (strlen(text) + 4) & ~(size_t)3;
  memcpy(writer->bytes + writer->at, text, strlen(text));
  writer->at += padded;
  return (uint32_t)padded;
}

static void put_kernel_note(struct writer *writer, const struct built_kernel *kernel, uint32_t entry) {
  // Argument: offset, size, alignment, address space, access, qualifiers, kind, name, type name, 0.
  static const uint32_t arguments[NUM_ARGUMENTS][7] = {
      {0, 4, 4, 0, 0, 0, 0}, {4, 4, 4, 1, 0, 0, 1}, {8, 4, 4, 1, 0, 1, 1}, {12, 4, 4, 3, 0, 0, 1}};
  static const char *const names[NUM_ARGUMENTS] = {"n", "out", "in", "scratch"};
  uint8_t strings[256] = {0};
  struct writer text = {strings, 4};
  const uint32_t name = (uint32_t)text.at;
  put_text(&text, kernel->name);
  const uint32_t type = (uint32_t)text.at;
  put_text(&text, "int*");
  uint32_t argument_names[NUM_ARGUMENTS];
  for (int i = 0; i < NUM_ARGUMENTS; i++) {
    argument_names[i] = (uint32_t)text.at;
    put_text(&text, names[i]);
  }
  put(writer, sizeof "Heddle");
  put(writer, (uint32_t)(4 * (HEADER_WORDS + ARGUMENT_WORDS * NUM_ARGUMENTS) + text.at));
  put(writer, 1);
  put_text(writer, "Heddle");
  const uint32_t header[HEADER_WORDS] = {1,
                                         entry,
                                         4 * NUM_ARGUMENTS,
                                         kernel->local_bytes,
                                         kernel->reqd_work_group_size[0],
                                         kernel->reqd_work_group_size[1],
                                         kernel->reqd_work_group_size[2],
                                         0,
                                         0,
                                         0,
                                         kernel->sub_group_size,
                                         kernel->stack_bytes,
                                         NUM_ARGUMENTS,
                                         (uint32_t)text.at,
                                         name,
                                         0};
  for (int i = 0; i < HEADER_WORDS; i++)
    put(writer, header[i]);
  for (int i = 0; i < NUM_ARGUMENTS; i++) {
    const bool is_pipe = kernel->takes_pipe && i == 2;
    for (int word = 0; word < 7; word++)
      put(writer, is_pipe && word == 4 ? 1 : is_pipe && word == 5 ? 8 : arguments[i][word]);
    put(writer, argument_names[i]);
    put(writer, type);
    put(writer, 0);
  }
  memcpy(writer->bytes + writer->at, strings, text.at);
  writer->at += text.at;
}

// Records without values, with an int and a float4, and with a string and a long.
static void put_printf_note(struct writer *writer, const struct built_kernel *kernels, uint32_t num_kernels) {
  static const uint32_t layouts[] = {0, 2, 0x10401, 0x40402, 2, 0x10403, 0x10801};
  uint32_t printing[8], count = 0;
  for (uint32_t i = 0; i < num_kernels; i++)
    if (kernels[i].prints)
      printing[count++] = i;
  if (count == 0)
    return;
  put(writer, sizeof "Heddle");
  put(writer, (uint32_t)(4 * (3 + count) + sizeof layouts));
  put(writer, 3);
  put_text(writer, "Heddle");
  put(writer, 1);
  put(writer, count);
  put(writer, BUILT_LAYOUTS);
  for (uint32_t i = 0; i < count; i++)
    put(writer, printing[i]);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    put(writer, layouts[i]);
}

// Of the kernels that print: a pipeline with a site, layouts of a long and of nothing, two constants, and a
// variable.
static void put_pipelines_note(struct writer *writer, const struct built_kernel *kernels, uint32_t num_kernels) {
  static const uint32_t rest[] = {1,
                                  2,
                                  3,
                                  4,
                                  64,
                                  1,
                                  8,
                                  2,
                                  12,
                                  24,
                                  1,
                                  8,  // the record's words behind the kernel
                                  7,
                                  0,
                                  0x6C632E61,
                                  0,  // line 7 of a.cl
                                  1,
                                  0x10801,
                                  0,  // layouts
                                  5,
                                  0x6C6C6568,
                                  0x78780000 + 'o',  // "hello" without an end
                                  8,
                                  0x25206425,
                                  0x0000736C,  // "%d %ls"
                                  BUILT_VARIABLE,
                                  0x6C6C6177,
                                  0x00007465};  // "wallet"
  uint32_t count = 0;
  for (uint32_t i = 0; i < num_kernels; i++)
    count += kernels[i].prints != 0;
  if (count == 0)
    return;
  put(writer, sizeof "Heddle");
  put(writer, (uint32_t)(4 + count * (4 + sizeof rest)));
  put(writer, 7);
  put_text(writer, "Heddle");
  put(writer, 4);
  for (uint32_t i = 0; i < num_kernels; i++) {
    if (!kernels[i].prints)
      continue;
    put(writer, i);
    for (size_t word = 0; word < sizeof rest / sizeof *rest; word++)
      put(writer, rest[word]);
  }
}

static void put_isa_note(struct writer *writer, const char *isa) {
  put(writer, sizeof "Heddle");
  put(writer, (uint32_t)(4 + ((strlen(isa) + 4) & ~(size_t)3)));
  put(writer, 2);
  put_text(writer, "Heddle");
  put(writer, 1);
  put_text(writer, isa);
}

uint8_t *build_elf(const struct built_kernel *kernels, uint32_t num_kernels, const char *isa, size_t *size) {
  uint8_t *bytes = calloc(1, FILE_BYTES);
  struct writer image = {bytes, BUILT_IMAGE_AT};
  struct writer notes = {bytes, NOTES_AT};
  for (uint32_t i = 0; i < num_kernels; i++) {
    const uint32_t entry = 0x100 + 0x40 * i;
    image.at = BUILT_IMAGE_AT + entry;
    put(&image, kernels[i].instruction);
    put_kernel_note(&notes, &kernels[i], entry);
  }
  put_printf_note(&notes, kernels, num_kernels);
  put_pipelines_note(&notes, kernels, num_kernels);
  put_isa_note(&notes, isa);
  const uint32_t notes_end = (uint32_t)notes.at;
  struct writer relocations = {bytes, notes.at};
  put(&relocations, BUILT_RELOCATED_WORD);
  put(&relocations, 3);
  put(&relocations, BUILT_ADDEND);
  const uint32_t sections_at = (uint32_t)relocations.at;
  const Elf32_Shdr sections[3] = {
      {.sh_type = SHT_NULL},
      {.sh_type = SHT_RELA, .sh_flags = SHF_ALLOC, .sh_offset = notes_end, .sh_size = sizeof(Elf32_Rela)},
      {.sh_type = SHT_NOTE, .sh_offset = NOTES_AT, .sh_size = notes_end - NOTES_AT},
  };
  memcpy(bytes + sections_at, sections, sizeof sections);
  const Elf32_Phdr segment = {.p_type = PT_LOAD,
                              .p_offset = BUILT_IMAGE_AT,
                              .p_filesz = BUILT_IMAGE_BYTES,
                              .p_memsz = BUILT_IMAGE_BYTES + 0x10,
                              .p_flags = PF_R | PF_X};
  memcpy(bytes + sizeof(Elf32_Ehdr), &segment, sizeof segment);
  const Elf32_Ehdr header = {.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, 1},
                             .e_type = ET_DYN,
                             .e_machine = EM_RISCV,
                             .e_version = 1,
                             .e_phoff = sizeof(Elf32_Ehdr),
                             .e_phentsize = sizeof(Elf32_Phdr),
                             .e_phnum = 1,
                             .e_shoff = sections_at,
                             .e_shentsize = sizeof(Elf32_Shdr),
                             .e_shnum = 3,
                             .e_ehsize = sizeof(Elf32_Ehdr)};
  memcpy(bytes, &header, sizeof header);
  *size = sections_at + sizeof sections;
  return bytes;
}
