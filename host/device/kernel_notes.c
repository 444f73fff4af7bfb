// SPDX-License-Identifier: Apache-2.0
// Reader of the notes of a kernel file (contract/DEVICE.md, "Kernel files"): kernels and blocks with their arguments,
// the ISA, options, and what printf, enqueueing and pipelines add. The input is hostile, as in kernel_file.c: every
// number is checked against the bytes that are there before it is used, and nothing is allocated in proportion to a
// number that the bytes do not back.
#include "host/device/kernel_notes.h"

#include <elf.h>
#include <stdlib.h>

#include "contract/device_map.h"

// The string at an offset of strings that are known to end; NULL when it does not begin there.
static const char *string_at(struct kernel_range strings, uint32_t offset) {
  return offset < strings.size ? (const char *)strings.bytes + offset : NULL;
}

static bool is_power_of_two_or_zero(uint32_t value) {
  return (value & (value - 1)) == 0;
}

static int read_argument(struct kernel_range note, uint32_t index, struct kernel_range strings, uint32_t block_bytes,
                         struct heddle_argument *argument, struct heddle_error *error) {
  const size_t first = 4u * (HEDDLE_NOTE_HEADER_WORDS + (size_t)HEDDLE_NOTE_WORDS_PER_ARGUMENT * index);
  argument->offset = kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_OFFSET);
  argument->size = kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_SIZE);
  argument->alignment = kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_ALIGNMENT);
  argument->address_space = kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_ADDRESS_SPACE);
  argument->access = kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_ACCESS);
  argument->type_qualifiers = kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_TYPE_QUALIFIERS);
  argument->kind = kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_KIND);
  const bool is_image = argument->kind == HEDDLE_IMAGE;
  const uint32_t channel = is_image ? 0 : kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_CHANNEL);
  argument->image = is_image ? kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_IMAGE) : 0;
  argument->channel_bytes = channel & 0xFFFF;
  argument->channel_packets = channel >> 16;
  argument->name = string_at(strings, kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_NAME_OFFSET));
  argument->type_name = string_at(strings, kernel_range_word(note, first + 4 * HEDDLE_ARGUMENT_TYPE_NAME_OFFSET));
  if (argument->size > block_bytes || argument->offset > block_bytes - argument->size)
    return kernel_file_wrong(error, "argument outside its block");
  if (!is_power_of_two_or_zero(argument->alignment) ||
      (argument->alignment != 0 && argument->offset % argument->alignment != 0))
    return kernel_file_wrong(error, "argument misaligned");
  if (argument->address_space > HEDDLE_GENERIC || argument->access > HEDDLE_READ_WRITE || argument->kind > HEDDLE_QUEUE)
    return kernel_file_wrong(error, "argument of no known kind");
  if (argument->kind == HEDDLE_POINTER && (argument->size != 4 || argument->address_space == HEDDLE_PRIVATE))
    return kernel_file_wrong(error, "pointer argument that is none");
  const bool is_pipe = argument->kind == HEDDLE_POINTER && (argument->type_qualifiers & HEDDLE_PIPE) != 0;
  if (channel != 0 && (!is_pipe || argument->channel_bytes == 0 || argument->channel_packets == 0))
    return kernel_file_wrong(error, "channel that is none");
  if (!argument->name || !argument->type_name)
    return kernel_file_wrong(error, "argument name outside the strings");
  return 0;
}

static void read_three(struct kernel_range note, uint32_t word, uint32_t values[3]) {
  for (uint32_t i = 0; i < 3; i++)
    values[i] = kernel_range_word(note, 4 * (word + i));
}

static bool all_or_none(const uint32_t values[3]) {
  const int zeros = (values[0] == 0) + (values[1] == 0) + (values[2] == 0);
  return zeros == 0 || zeros == 3;
}

// Of a list of words with a space between each two.
static bool has_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  const char *at = list;
  while (strcspn(at, " ") != length || strncmp(at, word, length) != 0) {
    at = strchr(at, ' ');
    if (!at)
      return false;
    at++;
  }
  return true;
}

// Fills a kernel from its note, arguments apart.
static int read_kernel(const struct heddle_kernel_file *file, struct kernel_range note, struct heddle_kernel *kernel,
                       struct kernel_range *strings, struct heddle_error *error) {
  if (note.size < 4 * HEDDLE_NOTE_HEADER_WORDS)
    return kernel_file_wrong(error, "kernel note too short");
  if (kernel_range_word(note, 4 * HEDDLE_NOTE_VERSION) != 1)
    return kernel_file_wrong(error, "kernel note of another version");
  kernel->num_arguments = kernel_range_word(note, 4 * HEDDLE_NOTE_NUM_ARGUMENTS);
  const uint64_t strings_at =
      4 * (HEDDLE_NOTE_HEADER_WORDS + (uint64_t)HEDDLE_NOTE_WORDS_PER_ARGUMENT * kernel->num_arguments);
  if (!kernel_range_part(note, strings_at, kernel_range_word(note, 4 * HEDDLE_NOTE_STRING_BYTES), strings))
    return kernel_file_wrong(error, "kernel note shorter than it says");
  *strings = kernel_range_strings(*strings);
  kernel->entry = kernel_range_word(note, 4 * HEDDLE_NOTE_ENTRY);
  kernel->argument_bytes = kernel_range_word(note, 4 * HEDDLE_NOTE_ARGUMENT_BYTES);
  kernel->local_bytes = kernel_range_word(note, 4 * HEDDLE_NOTE_LOCAL_BYTES);
  const uint32_t sub_groups = kernel_range_word(note, 4 * HEDDLE_NOTE_SUB_GROUP_SIZE);
  kernel->required_sub_group_size = sub_groups & ((1u << HEDDLE_NOTE_NUM_SUB_GROUPS_SHIFT) - 1);
  kernel->required_num_sub_groups = sub_groups >> HEDDLE_NOTE_NUM_SUB_GROUPS_SHIFT;
  kernel->stack_bytes = kernel_range_word(note, 4 * HEDDLE_NOTE_STACK_BYTES);
  kernel->name = string_at(*strings, kernel_range_word(note, 4 * HEDDLE_NOTE_NAME_OFFSET));
  kernel->attributes = string_at(*strings, kernel_range_word(note, 4 * HEDDLE_NOTE_ATTRIBUTES_OFFSET));
  kernel->is_autorun = kernel->attributes && has_word(kernel->attributes, "autorun");
  read_three(note, HEDDLE_NOTE_REQD_WORK_GROUP_SIZE, kernel->reqd_work_group_size);
  read_three(note, HEDDLE_NOTE_WORK_GROUP_SIZE_HINT, kernel->work_group_size_hint);
  if (!kernel->name || !kernel->attributes || !kernel->name[0])
    return kernel_file_wrong(error, "kernel without a name");
  if (kernel->entry % 4 != 0 || kernel->entry >= file->image_bytes)
    return kernel_file_wrong(error, "kernel entry outside the image");
  if (kernel->argument_bytes > HEDDLE_ARGUMENT_BYTES_MAX)
    return kernel_file_wrong(error, "argument block too large");
  if (kernel->local_bytes > HEDDLE_LOCAL_LAST - HEDDLE_LOCAL_BASE)
    return kernel_file_wrong(error, "local variables larger than the window");
  if (!is_power_of_two_or_zero(kernel->required_sub_group_size))
    return kernel_file_wrong(error, "sub-group size not a power of two");
  if (!all_or_none(kernel->reqd_work_group_size))
    return kernel_file_wrong(error, "incomplete work-group size");
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

// They are the last arguments.
static bool count_channels(struct heddle_kernel *kernel) {
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    if (kernel->arguments[i].channel_bytes == 0 && kernel->num_channels != 0)
      return false;
    kernel->num_channels += kernel->arguments[i].channel_bytes != 0;
  }
  return true;
}

// Notes of blocks come behind those of kernels.
static int add_kernel(struct heddle_kernel_file *file, struct kernel_range note, bool is_block,
                      struct heddle_error *error) {
  struct heddle_kernel kernel = {0};
  struct kernel_range strings = {0};
  int result = read_kernel(file, note, &kernel, &strings, error);
  if (result != 0)
    return result;
  if (!is_block && file->num_blocks != 0)
    return kernel_file_wrong(error, "a kernel behind blocks");
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
  if (result == 0 && !count_channels(&file->kernels[count]))
    result = kernel_file_wrong(error, "a channel in front of other arguments");
  if (result == 0 && is_block && !takes_literal(&kernel))
    result = kernel_file_wrong(error, "block with other arguments than a literal and local memory");
  return result;
}

static int add_isa(struct heddle_kernel_file *file, struct kernel_range note, struct heddle_error *error) {
  file->isa = note.size < 8 || kernel_range_word(note, 0) != 1 ? NULL : string_at(kernel_range_strings(note), 4);
  return file->isa ? 0 : kernel_file_wrong(error, "ISA note malformed");
}

static int read_options(struct heddle_kernel_file *file, struct kernel_range note, struct heddle_error *error) {
  if (note.size < 4 * HEDDLE_OPTIONS_NOTE_WORDS || kernel_range_word(note, 4 * HEDDLE_OPTIONS_NOTE_VERSION) != 1)
    return kernel_file_wrong(error, "note of options malformed");
  const uint32_t flags = kernel_range_word(note, 4 * HEDDLE_OPTIONS_NOTE_FLAGS);
  file->is_uniform = (flags & HEDDLE_OPTION_UNIFORM) != 0;
  file->has_checks = (flags & HEDDLE_OPTION_CHECKS) != 0;
  return 0;
}

static int read_layouts(struct kernel_range layouts, uint32_t count, struct heddle_printf_layouts *read,
                        const char *wrong, struct heddle_error *error) {
  const int result = heddle_printf_layouts_read(layouts.bytes, layouts.size, count, read);
  return result == -EINVAL ? kernel_file_wrong(error, wrong)
         : result != 0     ? heddle_fail(error, result, "out of host memory")
                           : 0;
}

// Notes of kernels come before the one about printf, which counts them.
static int add_printf(struct heddle_kernel_file *file, struct kernel_range note, struct heddle_error *error) {
  if (note.size < 4 * HEDDLE_PRINTF_NOTE_HEADER_WORDS || kernel_range_word(note, 4 * HEDDLE_PRINTF_NOTE_VERSION) != 1)
    return kernel_file_wrong(error, "printf note malformed");
  const uint32_t num_kernels = kernel_range_word(note, 4 * HEDDLE_PRINTF_NOTE_NUM_KERNELS);
  const uint64_t layouts_at = 4 * (HEDDLE_PRINTF_NOTE_HEADER_WORDS + (uint64_t)num_kernels);
  struct kernel_range layouts;
  if (layouts_at > note.size || !kernel_range_part(note, layouts_at, note.size - layouts_at, &layouts))
    return kernel_file_wrong(error, "printf note shorter than it says");
  for (uint32_t i = 0; i < num_kernels; i++) {
    const uint32_t kernel = kernel_range_word(note, 4 * (HEDDLE_PRINTF_NOTE_HEADER_WORDS + (size_t)i));
    if (kernel >= file->num_kernels + file->num_blocks)
      return kernel_file_wrong(error, "printf in a kernel that is not there");
    file->kernels[kernel].prints = true;
  }
  heddle_printf_layouts_free(&file->printf_layouts);
  return read_layouts(layouts, kernel_range_word(note, 4 * HEDDLE_PRINTF_NOTE_NUM_LAYOUTS), &file->printf_layouts,
                      "printf layouts malformed", error);
}

static int add_enqueuers(struct heddle_kernel_file *file, struct kernel_range note, struct heddle_error *error) {
  if (note.size < 4 * HEDDLE_ENQUEUERS_NOTE_HEADER_WORDS ||
      kernel_range_word(note, 4 * HEDDLE_ENQUEUERS_NOTE_VERSION) != 1)
    return kernel_file_wrong(error, "note about enqueuing malformed");
  const uint32_t num_kernels = kernel_range_word(note, 4 * HEDDLE_ENQUEUERS_NOTE_NUM_KERNELS);
  if (note.size / 4 - HEDDLE_ENQUEUERS_NOTE_HEADER_WORDS < num_kernels)
    return kernel_file_wrong(error, "note about enqueuing shorter than it says");
  for (uint32_t i = 0; i < num_kernels; i++) {
    const uint32_t kernel = kernel_range_word(note, 4 * (HEDDLE_ENQUEUERS_NOTE_HEADER_WORDS + (size_t)i));
    if (kernel >= file->num_kernels + file->num_blocks)
      return kernel_file_wrong(error, "enqueuing in a kernel that is not there");
    file->kernels[kernel].enqueues = true;
  }
  return 0;
}

// The names are zero-terminated, and each site points into them.
static bool sites_are_right(struct kernel_range sites, struct kernel_range names) {
  if (names.size != 0 && names.bytes[names.size - 1] != 0)
    return false;
  for (size_t at = 0; at < sites.size; at += 4 * HEDDLE_SITE_WORDS)
    if (kernel_range_word(sites, at + 4 * HEDDLE_SITE_FILE) >= names.size)
      return false;
  return true;
}

// What a pipeline prints: `bytes` of layouts, then its constants.
static int read_pipeline_printf(struct heddle_kernel *kernel, struct kernel_range record, struct kernel_range layouts,
                                struct kernel_range constants, struct heddle_error *error) {
  for (size_t at = 0; at < constants.size;) {
    const uint32_t bytes = kernel_range_word(constants, at);
    struct kernel_range constant;
    if (bytes > 1u << HEDDLE_PIPELINE_TABLE_LOG2 ||
        !kernel_range_part(constants, at + 4, (bytes + 3) / 4 * 4, &constant))
      return kernel_file_wrong(error, "note about pipelines ends in constants");
    at += 4 + constant.size;
  }
  kernel->constants = constants.bytes;
  kernel->constant_bytes = (uint32_t)constants.size;
  const uint32_t count = kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_NUM_LAYOUTS);
  return read_layouts(layouts, count, &kernel->pipeline_layouts, "printf layouts of a pipeline malformed", error);
}

// What lies behind a record: the parts of its note, in their order.
enum part { SITES, SITE_FILES, LAYOUTS, CONSTANTS, VARIABLES, VARIABLE_NAMES, PARTS };

// False: they are not in the note, or no whole words.
static bool find_parts(struct kernel_range note, uint64_t at, struct kernel_range record,
                       struct kernel_range parts[PARTS]) {
  const uint64_t bytes[PARTS] = {
      [SITES] = 4 * HEDDLE_SITE_WORDS * (uint64_t)kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_NUM_SITES),
      [SITE_FILES] = kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_NAME_BYTES),
      [LAYOUTS] = kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_LAYOUT_BYTES),
      [CONSTANTS] = kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_CONSTANT_BYTES),
      [VARIABLES] = 4 * (uint64_t)kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_NUM_VARIABLES),
      [VARIABLE_NAMES] = kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_VARIABLE_NAME_BYTES),
  };
  for (int i = 0; i < PARTS; at += bytes[i++])
    if (bytes[i] % 4 != 0 || !kernel_range_part(note, at, bytes[i], &parts[i]))
      return false;
  return true;
}

// Each variable begins in the image, and they are no more than arguments may be.
static bool variables_are_right(const struct heddle_kernel_file *file, struct kernel_range variables) {
  for (size_t at = 0; at < variables.size; at += 4)
    if (kernel_range_word(variables, at) >= file->image_bytes)
      return false;
  return variables.size <= HEDDLE_ARGUMENT_BYTES_MAX;
}

// A record for each kernel that can be a pipeline. Each is for another kernel, so that a file is read once.
static int add_pipelines(struct heddle_kernel_file *file, struct kernel_range note, struct heddle_error *error) {
  if (note.size < 4 || kernel_range_word(note, 0) != HEDDLE_PIPELINES_NOTE_LATEST)
    return kernel_file_wrong(error, "note about pipelines malformed");
  for (size_t at = 4; at < note.size;) {
    struct kernel_range record, parts[PARTS];
    if (!kernel_range_part(note, at, 4 * (uint64_t)HEDDLE_PIPELINES_NOTE_WORDS, &record))
      return kernel_file_wrong(error, "note about pipelines ends in a record");
    const uint32_t index = kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_KERNEL);
    if (index >= file->num_kernels || file->kernels[index].has_hash)
      return kernel_file_wrong(error, "pipeline of a kernel that is not there, or of one twice");
    at += record.size;
    if (!find_parts(note, at, record, parts))
      return kernel_file_wrong(error, "note about pipelines ends in what is said of one");
    if (!sites_are_right(parts[SITES], parts[SITE_FILES]))
      return kernel_file_wrong(error, "note about pipelines: a source file's name that is not there");
    if (!variables_are_right(file, parts[VARIABLES]))
      return kernel_file_wrong(error, "note about pipelines: a variable outside the image");
    struct heddle_kernel *kernel = &file->kernels[index];
    for (uint32_t i = 0; i < 4; i++)
      kernel->hash[i] = kernel_range_word(record, 4 * (size_t)(HEDDLE_PIPELINES_NOTE_HASH + i));
    kernel->has_hash = true;
    kernel->pipeline_local_bytes = kernel_range_word(record, 4 * HEDDLE_PIPELINES_NOTE_LOCAL_BYTES);
    if (kernel->pipeline_local_bytes > HEDDLE_LOCAL_LAST - HEDDLE_LOCAL_BASE)
      return kernel_file_wrong(error, "local variables of a pipeline larger than the window");
    kernel->num_sites = (uint32_t)(parts[SITES].size / (4 * HEDDLE_SITE_WORDS));
    kernel->sites = parts[SITES].bytes;
    kernel->site_files = (const char *)parts[SITE_FILES].bytes;
    kernel->num_variables = (uint32_t)(parts[VARIABLES].size / 4);
    kernel->variables = parts[VARIABLES].bytes;
    const int result = read_pipeline_printf(kernel, record, parts[LAYOUTS], parts[CONSTANTS], error);
    if (result != 0)
      return result;
    for (int i = 0; i < PARTS; i++)
      at += parts[i].size;
  }
  return 0;
}

int heddle_kernel_notes_read(struct heddle_kernel_file *file, struct kernel_range notes, struct heddle_error *error) {
  while (notes.size >= sizeof(Elf32_Nhdr)) {
    const uint32_t name_bytes = kernel_range_word(notes, offsetof(Elf32_Nhdr, n_namesz));
    const uint32_t bytes = kernel_range_word(notes, offsetof(Elf32_Nhdr, n_descsz));
    const uint32_t type = kernel_range_word(notes, offsetof(Elf32_Nhdr, n_type));
    const uint64_t contents_at = sizeof(Elf32_Nhdr) + (((uint64_t)name_bytes + 3) & ~UINT64_C(3));
    struct kernel_range name, note;
    if (!kernel_range_part(notes, sizeof(Elf32_Nhdr), name_bytes, &name) ||
        !kernel_range_part(notes, contents_at, bytes, &note))
      return kernel_file_wrong(error, "note outside its section");
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
    if (!kernel_range_part(notes, end, notes.size - (end < notes.size ? end : notes.size), &notes))
      break;
  }
  return 0;
}
