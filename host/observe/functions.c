// SPDX-License-Identifier: Apache-2.0
// Reads the symbol table of a kernel file, and asks which functions have lines (functions.h).
#include "host/observe/functions.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "host/observe/lines.h"

struct bytes {
  const uint8_t *at;
  size_t size;
};

// The part of a file that a section header names; empty if it is not all there.
static struct bytes contents_of(struct bytes file, const Elf32_Shdr *section) {
  if (section->sh_type == SHT_NOBITS || section->sh_offset > file.size ||
      section->sh_size > file.size - section->sh_offset)
    return (struct bytes){0};
  return (struct bytes){file.at + section->sh_offset, section->sh_size};
}

static bool read_section(struct bytes file, const Elf32_Ehdr *header, uint32_t number, Elf32_Shdr *section) {
  const uint64_t offset = header->e_shoff + (uint64_t)number * sizeof *section;
  if (number >= header->e_shnum || offset + sizeof *section > file.size)
    return false;
  memcpy(section, file.at + offset, sizeof *section);
  return true;
}

static int by_start(const void *one, const void *other) {
  const struct heddle_function *a = one, *b = other;
  return (a->start > b->start) - (a->start < b->start);
}

// All functions in a symbol table.
static struct heddle_function *functions_of(struct bytes symbols, size_t *count) {
  const size_t most = symbols.size / sizeof(Elf32_Sym);
  struct heddle_function *functions = calloc(most + 1, sizeof *functions);
  *count = 0;
  for (size_t i = 0; i < most && functions; i++) {
    Elf32_Sym symbol;
    memcpy(&symbol, symbols.at + i * sizeof symbol, sizeof symbol);
    if (ELF32_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_size != 0 &&
        symbol.st_size <= UINT32_MAX - symbol.st_value)
      functions[(*count)++] = (struct heddle_function){symbol.st_value, symbol.st_value + symbol.st_size};
  }
  if (functions)
    qsort(functions, *count, sizeof *functions, by_start);
  return functions;
}

static struct heddle_function *all_functions(struct bytes file, size_t *count) {
  Elf32_Ehdr header;
  Elf32_Shdr section;
  *count = 0;
  if (file.size < sizeof header)
    return NULL;
  memcpy(&header, file.at, sizeof header);
  if (header.e_shentsize != sizeof section)
    return NULL;
  for (uint32_t i = 0; read_section(file, &header, i, &section); i++)
    if (section.sh_type == SHT_SYMTAB)
      return functions_of(contents_of(file, &section), count);
  return NULL;
}

struct heddle_function *heddle_functions_find(const void *elf, size_t elf_bytes, size_t *count) {
  struct heddle_function *functions = all_functions((struct bytes){elf, elf_bytes}, count);
  uint32_t *starts = malloc((*count + 1) * sizeof *starts);
  for (size_t i = 0; i < *count && starts; i++)
    starts[i] = functions[i].start;
  struct heddle_lines *lines = starts ? heddle_lines_find(elf, elf_bytes, starts, *count) : NULL;
  size_t used = 0;
  bool some_have_lines = false;
  for (size_t i = 0; lines && i < *count; i++) {
    some_have_lines = some_have_lines || lines->lines[i].file;
    if (!lines->lines[i].file)
      functions[used++] = functions[i];
  }
  heddle_lines_free(lines);
  free(starts);
  if (!some_have_lines || used == 0) {
    free(functions);
    functions = NULL;
    used = 0;
  }
  *count = used;
  return functions;
}

bool heddle_functions_have(const struct heddle_function *functions, size_t count, uint32_t offset) {
  size_t first = 0, behind = count;
  while (first < behind) {
    const size_t middle = first + (behind - first) / 2;
    if (functions[middle].start <= offset)
      first = middle + 1;
    else
      behind = middle;
  }
  return first != 0 && offset < functions[first - 1].end;
}
