// SPDX-License-Identifier: Apache-2.0
// Builds notes as bytes and puts them into the module as one constant.
#include "hls/note.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/argument.h"
#include "contract/device_map.h"

// Bytes that grow; always whole words when a word is added.
struct bytes {
  char *data;
  size_t count;
};

static void add_bytes(struct bytes *bytes, const void *data, size_t count) {
  bytes->data = realloc(bytes->data, bytes->count + count + 4);
  if (!bytes->data)
    abort();
  memcpy(bytes->data + bytes->count, data, count);
  bytes->count += count;
}

static void pad(struct bytes *bytes) {
  while (bytes->count % 4 != 0)
    add_bytes(bytes, "", 1);
}

static void add_word(struct bytes *bytes, uint32_t value) {
  unsigned char little_endian[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                    (unsigned char)(value >> 24)};
  add_bytes(bytes, little_endian, sizeof little_endian);
}

// Adds a string and returns its offset.
static uint32_t add_string(struct bytes *strings, const char *text) {
  uint32_t offset = (uint32_t)strings->count;
  add_bytes(strings, text, strlen(text) + 1);
  return offset;
}

static void add_note(struct bytes *notes, uint32_t type, const struct bytes *description) {
  add_word(notes, sizeof HEDDLE_NOTE_NAME);
  add_word(notes, (uint32_t)description->count);
  add_word(notes, type);
  add_bytes(notes, HEDDLE_NOTE_NAME, sizeof HEDDLE_NOTE_NAME);
  pad(notes);
  add_bytes(notes, description->data, description->count);
}

static void add_argument(struct bytes *description, struct bytes *strings, const struct kernel_argument *argument) {
  uint32_t words[HEDDLE_NOTE_WORDS_PER_ARGUMENT] = {
      [HEDDLE_ARGUMENT_OFFSET] = argument->offset,
      [HEDDLE_ARGUMENT_SIZE] = argument->size,
      [HEDDLE_ARGUMENT_ALIGNMENT] = argument->alignment,
      [HEDDLE_ARGUMENT_ADDRESS_SPACE] = argument->address_space,
      [HEDDLE_ARGUMENT_ACCESS] = argument->access,
      [HEDDLE_ARGUMENT_TYPE_QUALIFIERS] = argument->type_qualifiers,
      [HEDDLE_ARGUMENT_KIND] = argument->kind,
      [HEDDLE_ARGUMENT_NAME_OFFSET] = add_string(strings, argument->name),
      [HEDDLE_ARGUMENT_TYPE_NAME_OFFSET] = add_string(strings, argument->type_name),
      [HEDDLE_ARGUMENT_CHANNEL] = argument->kind == HEDDLE_IMAGE ? argument->image : argument->channel,
  };
  for (int i = 0; i < HEDDLE_NOTE_WORDS_PER_ARGUMENT; i++)
    add_word(description, words[i]);
}

static void add_kernel(struct bytes *notes, const struct kernel *kernel) {
  struct bytes strings = {0}, arguments = {0}, description = {0};
  uint32_t header[HEDDLE_NOTE_HEADER_WORDS] = {
      [HEDDLE_NOTE_VERSION] = 1,
      [HEDDLE_NOTE_ARGUMENT_BYTES] = kernel->argument_bytes,
      [HEDDLE_NOTE_LOCAL_BYTES] = kernel->local_bytes,
      [HEDDLE_NOTE_SUB_GROUP_SIZE] = kernel->sub_group_size | kernel->num_sub_groups
                                                                  << HEDDLE_NOTE_NUM_SUB_GROUPS_SHIFT,
      [HEDDLE_NOTE_NUM_ARGUMENTS] = kernel->argument_count,
      [HEDDLE_NOTE_NAME_OFFSET] = add_string(&strings, kernel->name),
      [HEDDLE_NOTE_ATTRIBUTES_OFFSET] = add_string(&strings, kernel->attributes),
  };
  for (int i = 0; i < 3; i++) {
    header[HEDDLE_NOTE_REQD_WORK_GROUP_SIZE + i] = kernel->reqd_work_group_size[i];
    header[HEDDLE_NOTE_WORK_GROUP_SIZE_HINT + i] = kernel->work_group_size_hint[i];
  }
  for (uint32_t i = 0; i < kernel->argument_count; i++)
    add_argument(&arguments, &strings, &kernel->arguments[i]);
  pad(&strings);
  header[HEDDLE_NOTE_STRING_BYTES] = (uint32_t)strings.count;

  for (int i = 0; i < HEDDLE_NOTE_HEADER_WORDS; i++)
    add_word(&description, header[i]);
  if (arguments.count > 0)
    add_bytes(&description, arguments.data, arguments.count);
  add_bytes(&description, strings.data, strings.count);
  add_note(notes, kernel->is_block ? HEDDLE_NOTE_BLOCK : HEDDLE_NOTE_KERNEL, &description);
  free(description.data);
  free(arguments.data);
  free(strings.data);
}

static void add_isa(struct bytes *notes, const char *isa) {
  struct bytes description = {0};
  add_word(&description, 1);
  add_string(&description, isa);
  pad(&description);
  add_note(notes, HEDDLE_NOTE_ISA, &description);
  free(description.data);
}

static void add_options(struct bytes *notes, const struct options *options) {
  struct bytes description = {0};
  add_word(&description, 1);
  add_word(&description,
           (options->is_uniform ? HEDDLE_OPTION_UNIFORM : 0u) | (options->has_checks ? HEDDLE_OPTION_CHECKS : 0u));
  add_note(notes, HEDDLE_NOTE_OPTIONS, &description);
  free(description.data);
}

static void add_printf(struct bytes *notes, const struct kernels *kernels, const struct printf_layouts *layouts) {
  struct bytes description = {0}, users = {0};
  for (uint32_t i = 0; i < kernels->count; i++)
    if (kernels->items[i].prints)
      add_word(&users, i);
  if (users.count > 0) {
    add_word(&description, 1);
    add_word(&description, (uint32_t)users.count / 4);
    add_word(&description, (uint32_t)layouts->count);
    add_bytes(&description, users.data, users.count);
    for (size_t i = 0; i < layouts->count; i++) {
      add_word(&description, layouts->items[i].count);
      for (uint32_t j = 0; j < layouts->items[i].count; j++)
        add_word(&description, layouts->items[i].values[j]);
    }
    add_note(notes, HEDDLE_NOTE_PRINTF, &description);
  }
  free(users.data);
  free(description.data);
}

static void add_enqueuers(struct bytes *notes, const struct kernels *kernels) {
  struct bytes description = {0}, users = {0};
  for (uint32_t i = 0; i < kernels->count; i++)
    if (kernels->items[i].enqueues)
      add_word(&users, i);
  if (users.count > 0) {
    add_word(&description, 1);
    add_word(&description, (uint32_t)users.count / 4);
    add_bytes(&description, users.data, users.count);
    add_note(notes, HEDDLE_NOTE_ENQUEUERS, &description);
  }
  free(users.data);
  free(description.data);
}

static void add_pipelines(struct bytes *notes, const char *path) {
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file)
    return;
  struct bytes description = {0};
  char block[4096];
  size_t length;
  add_word(&description, HEDDLE_PIPELINES_NOTE_LATEST);
  while ((length = fread(block, 1, sizeof block, file)) > 0)
    add_bytes(&description, block, length);
  fclose(file);
  add_note(notes, HEDDLE_NOTE_PIPELINES, &description);
  free(description.data);
}

void notes_add(LLVMModuleRef module, const struct kernels *kernels, const struct printf_layouts *layouts,
               const struct options *options, const char *pipelines) {
  struct bytes notes = {0};
  add_isa(&notes, options->isa);
  add_options(&notes, options);
  for (size_t i = 0; i < kernels->count; i++)
    add_kernel(&notes, &kernels->items[i]);
  add_printf(&notes, kernels, layouts);
  add_enqueuers(&notes, kernels);
  add_pipelines(&notes, pipelines);
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef value = LLVMConstStringInContext2(context, notes.data, notes.count, 1);
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), "__heddle_notes");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetSection(global, NOTE_SECTION);
  LLVMSetAlignment(global, 4);
  free(notes.data);
}
