// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline_note.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/little_endian.h"
#include "hls/object.h"

static uint32_t word_of(const uint8_t *record, unsigned word) {
  return heddle_get32(record + 4 * (size_t)word);
}

static enum status malformed(void) {
  fputs("heddlec: what is known of pipelines is malformed\n", stderr);
  return STATUS_FAILED;
}

static bool ends_in_zero(const uint8_t *names, uint64_t bytes) {
  return bytes == 0 || names[bytes - 1] == 0;
}

enum status pipeline_note_each_variable(uint8_t *records, size_t size, pipeline_note_use use, void *context) {
  for (size_t at = 0; at < size;) {
    if (size - at < 4 * HEDDLE_PIPELINES_NOTE_WORDS)
      return malformed();
    const uint8_t *record = records + at;
    const uint64_t count = word_of(record, HEDDLE_PIPELINES_NOTE_NUM_VARIABLES);
    const uint64_t name_bytes = word_of(record, HEDDLE_PIPELINES_NOTE_VARIABLE_NAME_BYTES);
    const uint64_t before = 4 * ((uint64_t)HEDDLE_PIPELINES_NOTE_WORDS +
                                 HEDDLE_SITE_WORDS * (uint64_t)word_of(record, HEDDLE_PIPELINES_NOTE_NUM_SITES)) +
                            word_of(record, HEDDLE_PIPELINES_NOTE_NAME_BYTES) +
                            word_of(record, HEDDLE_PIPELINES_NOTE_LAYOUT_BYTES) +
                            word_of(record, HEDDLE_PIPELINES_NOTE_CONSTANT_BYTES);
    if (before + 4 * count + name_bytes > size - at)
      return malformed();
    uint8_t *places = records + at + before;
    const char *name = (const char *)places + 4 * count, *end = name + name_bytes;
    if (!ends_in_zero((const uint8_t *)name, name_bytes))
      return malformed();
    for (uint64_t i = 0; i < count; i++, name += strlen(name) + 1) {
      if (name >= end)
        return malformed();
      const enum status status = use(context, name, places + 4 * i);
      if (status != STATUS_OK)
        return status;
    }
    at += before + 4 * count + name_bytes;
  }
  return STATUS_OK;
}

// Variables that llvm.used is to have.
struct used {
  LLVMModuleRef module;
  LLVMValueRef *items;
  size_t count;
};

static void add_used(struct used *used, LLVMValueRef variable) {
  used->items = realloc(used->items, (used->count + 1) * sizeof *used->items);
  if (!used->items)
    abort();
  used->items[used->count++] = variable;
}

static enum status keep(void *context, const char *name, uint8_t place[4]) {
  (void)place;
  struct used *used = context;
  LLVMValueRef variable = LLVMGetNamedGlobal(used->module, name);
  if (!variable) {
    fprintf(stderr, "heddlec: variable '%s' of a pipeline is not in the program\n", name);
    return STATUS_FAILED;
  }
  if (LLVMGetLinkage(variable) == LLVMPrivateLinkage)
    LLVMSetLinkage(variable, LLVMInternalLinkage);  // the image has to know it by name
  add_used(used, variable);
  return STATUS_OK;
}

// Replaces llvm.used by one with these besides.
static void write_used(struct used *used) {
  static const char name[] = "llvm.used";
  LLVMValueRef old = LLVMGetNamedGlobal(used->module, name);
  LLVMValueRef items = old ? LLVMGetInitializer(old) : NULL;
  for (int i = 0; items && i < LLVMGetNumOperands(items); i++)
    add_used(used, LLVMGetOperand(items, (unsigned)i));
  if (old)
    LLVMDeleteGlobal(old);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(used->module), 0);
  for (size_t i = 0; i < used->count; i++)
    used->items[i] = LLVMConstPointerCast(used->items[i], pointer);
  LLVMValueRef array = LLVMConstArray2(pointer, used->items, used->count);
  LLVMValueRef global = LLVMAddGlobal(used->module, LLVMTypeOf(array), name);
  LLVMSetInitializer(global, array);
  LLVMSetLinkage(global, LLVMAppendingLinkage);
  LLVMSetSection(global, "llvm.metadata");
}

enum status pipeline_note_keep_variables(LLVMModuleRef module, const char *path) {
  unsigned char *records;
  size_t size;
  struct used used = {.module = module};
  enum status status = object_read_file(path, &records, &size);
  if (status != STATUS_OK)
    return status;
  status = pipeline_note_each_variable(records, size, keep, &used);
  if (status == STATUS_OK && used.count > 0)
    write_used(&used);
  free(used.items);
  free(records);
  return status;
}
