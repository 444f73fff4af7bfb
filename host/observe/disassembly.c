// SPDX-License-Identifier: Apache-2.0
// Runs llvm-objdump and reads what it says (disassembly.h). What it does not know of Heddle's own instructions is in
// instruction.c.
#include "host/observe/disassembly.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/status.h"
#include "contract/work_folder.h"
#include "host/cl/child.h"

enum {
  SECONDS = 60,
  LISTING_BYTES = 1 << 16,  // of a kernel file without instructions
  LISTING_BYTES_A_BYTE = 64,
};

// NULL: host memory is out.
static struct heddle_instruction *add(struct heddle_disassembly *d, size_t *room) {
  if (d->count == *room) {
    const size_t more = *room != 0 ? 2 * *room : 256;
    struct heddle_instruction *items = realloc(d->items, more * sizeof *items);
    if (!items)
      return NULL;
    d->items = items;
    *room = more;
  }
  struct heddle_instruction *added = &d->items[d->count++];
  *added = (struct heddle_instruction){0};
  return added;
}

// The word of "24c: 04452603 <tab> text", or of "240: 73 21 e0 cc <tab> .word ...", where bytes lie in memory's order.
static bool take_word(const char *bytes, uint32_t *word) {
  unsigned part[4];
  if (sscanf(bytes, "%2x %2x %2x %2x", &part[0], &part[1], &part[2], &part[3]) != 4)
    return false;
  const bool is_word = bytes[2] != ' ';
  *word = is_word ? (uint32_t)strtoul(bytes, NULL, 16) : part[3] << 24 | part[2] << 16 | part[1] << 8 | part[0];
  return true;
}

static void take_text(struct heddle_instruction *i, const char *text) {
  if (custom_0_text(i->word, i->text) || custom_1_text(i->word, i->text) || csr_read_text(i->word, i->text))
    return;
  size_t used = 0;
  for (const char *at = text; *at && *at != '\n' && used + 1 < sizeof i->text; at++)
    i->text[used++] = *at == '\t' ? ' ' : *at;
  i->text[used] = 0;
}

// False: host memory is out.
static bool read_instructions(char *text, struct heddle_disassembly *d) {
  char symbol[HEDDLE_SYMBOL_BYTES] = "", *rest = NULL;
  size_t room = 0;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    uint32_t offset, word;
    int used = 0;
    if (sscanf(line, "%8" SCNx32 " <%255[^>]>:", &offset, symbol) == 2)
      continue;
    if (sscanf(line, " %" SCNx32 ": %n", &offset, &used) != 1 || used == 0 || !take_word(line + used, &word))
      continue;
    struct heddle_instruction *added = add(d, &room);
    if (!added)
      return false;
    added->offset = offset;
    added->word = word;
    memcpy(added->symbol, symbol, sizeof symbol);
    symbol[0] = 0;
    const char *operation = strchr(line + used, '\t');
    take_text(added, operation ? operation + 1 : "");
  }
  return true;
}

static int by_offset(const void *one, const void *other) {
  const struct heddle_instruction *a = one, *b = other;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

// What llvm-objdump says, `most` bytes and a zero.
static int run(const void *elf, size_t elf_bytes, char *said, size_t most, struct heddle_error *error) {
  char folder[PATH_MAX], path[PATH_MAX + 16];
  const int lock = heddle_work_folder_make(folder, sizeof folder);
  if (lock < 0)
    return heddle_fail(error, -errno, "cannot make a folder in %.160s ($TMPDIR): %s", folder, strerror(errno));
  snprintf(path, sizeof path, "%s/kernels.elf", folder);
  char *arguments[] = {NULL, (char *)"-d", path, NULL};
  int status = STATUS_FAILED, result = 0;
  if (!heddle_child_write_file(path, elf, elf_bytes))
    result = heddle_fail(error, -errno, "cannot write %.160s: %s", path, strerror(errno));
  else
    status = heddle_child_run_llvm("llvm-objdump", arguments, folder, SECONDS, said, most);
  heddle_work_folder_remove(folder);
  close(lock);
  if (result == 0 && status == STATUS_TOOL_MISSING)
    result = heddle_fail(error, -ENOENT, "llvm-objdump-22 not found: apt-get install llvm-22");
  else if (result == 0 && status != STATUS_OK)
    result = heddle_fail(error, -EINVAL, "llvm-objdump failed: %.200s", said);
  return result;
}

int heddle_disassemble(const void *elf, size_t elf_bytes, struct heddle_disassembly *disassembly,
                       struct heddle_error *error) {
  const size_t most = LISTING_BYTES + LISTING_BYTES_A_BYTE * elf_bytes;
  char *said = calloc(1, most + 1);
  *disassembly = (struct heddle_disassembly){0};
  if (!said)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  int result = run(elf, elf_bytes, said, most, error);
  if (result == 0 && !read_instructions(said, disassembly))
    result = heddle_fail(error, -ENOMEM, "out of host memory");
  free(said);
  if (result != 0) {
    free(disassembly->items);
    *disassembly = (struct heddle_disassembly){0};
  } else if (disassembly->count != 0) {
    qsort(disassembly->items, disassembly->count, sizeof *disassembly->items, by_offset);
  }
  return result;
}
