// SPDX-License-Identifier: Apache-2.0
// What a kernel asks for, read from the front end's metadata: its arguments and where they lie in the argument block
// (contract/DEVICE.md, "Kernel files"), and its attributes.
#include "hls/kernel.h"

#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/argument.h"
#include "contract/device_map.h"
#include "contract/isa.h"
#include "hls/channels.h"
#include "hls/ir.h"
#include "hls/kernel_hints.h"

enum { VECTOR_ALIGNMENT_MAX = 128 };

static void *allocated(void *memory) {
  if (!memory)
    abort();  // the pass runs in a child process; its end is reported by the parent
  return memory;
}

static uint32_t round_up(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static uint32_t next_power_of_two(uint32_t value) {
  uint32_t power = 1;
  while (power < value)
    power *= 2;
  return power;
}

static char *metadata_copy(const struct ir_metadata *metadata, unsigned index) {
  unsigned length;
  const char *text = ir_metadata_string(metadata, index, &length);
  return allocated(strndup(text, length));
}

// The name of a type, without what the translator of SPIR-V puts in front of those that it has no name of the language
// for.
static char *type_name_copy(const struct ir_metadata *metadata, unsigned index) {
  static const char prefix[] = "opencl.";
  char *name = metadata_copy(metadata, index);
  const size_t length = strlen(prefix);
  if (strncmp(name, prefix, length) == 0)
    memmove(name, name + length, strlen(name) - length + 1);
  return name;
}

static uint32_t type_qualifiers(const char *text) {
  static const struct {
    const char *word;
    enum heddle_qualifier bit;
  } all[] = {
      {"const", HEDDLE_CONST}, {"restrict", HEDDLE_RESTRICT}, {"volatile", HEDDLE_VOLATILE}, {"pipe", HEDDLE_PIPE}};
  uint32_t bits = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    bits |= strstr(text, all[i].word) ? (uint32_t)all[i].bit : 0;
  return bits;
}

// What an argument is to the host. `base` is its type without the names that the program gave it. Images, samplers and
// queues are of no opaque type any more by now; of a queue the pointer is to memory of no kind that an argument can
// point to, and of an image to its descriptor. Pipes have an access qualifier too.
static enum heddle_argument_kind kind_of(const struct kernel_argument *argument, LLVMTypeRef type, const char *base) {
  if (strcmp(base, "sampler_t") == 0)  // a word; SPIR-V's a pointer, of which the address is the word
    return HEDDLE_SAMPLER;
  if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    return HEDDLE_BY_VALUE;
  if (argument->access != HEDDLE_ACCESS_NONE && (argument->type_qualifiers & HEDDLE_PIPE) == 0)
    return HEDDLE_IMAGE;
  return argument->address_space == HEDDLE_PRIVATE && strcmp(base, "queue_t") == 0 ? HEDDLE_QUEUE : HEDDLE_POINTER;
}

// Of an image, by the same name. 0: it is none.
static uint32_t image_type(const char *base) {
  static const struct {
    const char *name;
    uint32_t type;
  } types[] = {
      {"image1d_t", CL_MEM_OBJECT_IMAGE1D},
      {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
      {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
      {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
      {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
      {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D | HEDDLE_DEPTH_IMAGE},
      {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY | HEDDLE_DEPTH_IMAGE},
      {"image3d_t", CL_MEM_OBJECT_IMAGE3D},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(base, types[i].name) == 0)
      return types[i].type;
  return 0;
}

// Size and alignment of a parameter in the argument block: as OpenCL C lays out private variables of its type, which
// for vectors is a power of two (a 3-vector has the size of a 4-vector).
static void measure(LLVMValueRef body, unsigned index, LLVMTargetDataRef layout, const char *base,
                    struct kernel_argument *argument) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(body, index));
  LLVMAttributeRef by_value = ir_parameter_attribute(body, index, "byval");
  if (by_value) {
    LLVMAttributeRef alignment = ir_parameter_attribute(body, index, "align");
    argument->size = (uint32_t)LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(by_value));
    argument->alignment = alignment ? (uint32_t)LLVMGetEnumAttributeValue(alignment) : 1;
  } else {
    argument->size = next_power_of_two((uint32_t)LLVMABISizeOfType(layout, type));
    argument->alignment = argument->size < VECTOR_ALIGNMENT_MAX ? argument->size : VECTOR_ALIGNMENT_MAX;
    argument->kind = kind_of(argument, type, base);
    argument->image = argument->kind == HEDDLE_IMAGE ? image_type(base) : 0;
  }
}

// Images, samplers, pipes and queues come from the front end as opaque types. Of them pipes are of use only with atomic
// instructions: in OpenCL C 2.0 the front end knows them all the same.
static enum status check_argument(const struct kernel *kernel, unsigned index, const char *isa) {
  const struct kernel_argument *argument = &kernel->arguments[index];
  const bool is_pipe = (argument->type_qualifiers & HEDDLE_PIPE) != 0;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->body, index));
  if (LLVMGetTypeKind(type) != LLVMTargetExtTypeKind || (is_pipe && heddle_isa_has(isa, "a")))
    return STATUS_OK;
  static const char *const known[] = {"spirv.Queue", "spirv.Image", "spirv.Sampler"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(LLVMGetTargetExtTypeName(type), known[i]) == 0)
      return STATUS_OK;
  fprintf(stderr, "error: kernel '%s', argument '%s': %s%s is not supported by this device\n", kernel->name,
          argument->name, is_pipe ? "pipe " : "", argument->type_name);
  if (is_pipe)
    fprintf(stderr, "note: this device (%s) has no atomic instructions (A), and so no pipes\n", isa);
  return STATUS_REJECTED;
}

static enum status find_arguments(struct kernel *kernel, LLVMTargetDataRef layout, const char *isa) {
  LLVMValueRef body = kernel->body;
  kernel->argument_count = LLVMCountParams(body);
  kernel->arguments = allocated(calloc(kernel->argument_count + 1, sizeof *kernel->arguments));
  struct ir_metadata spaces = ir_metadata_of(body, "kernel_arg_addr_space");
  struct ir_metadata accesses = ir_metadata_of(body, "kernel_arg_access_qual");
  struct ir_metadata types = ir_metadata_of(body, "kernel_arg_type");
  struct ir_metadata bases = ir_metadata_of(body, "kernel_arg_base_type");
  struct ir_metadata qualifiers = ir_metadata_of(body, "kernel_arg_type_qual");
  struct ir_metadata names = ir_metadata_of(body, "kernel_arg_name");

  enum status status = STATUS_OK;
  for (unsigned i = 0; i < kernel->argument_count && status == STATUS_OK; i++) {
    struct kernel_argument *argument = &kernel->arguments[i];
    argument->name = metadata_copy(&names, i);
    argument->type_name = type_name_copy(&types, i);
    argument->address_space = kernel->is_block ? LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetParam(body, i)))
                                               : ir_metadata_number(&spaces, i);
    char *text = metadata_copy(&qualifiers, i);
    argument->type_qualifiers = type_qualifiers(text);
    unsigned bytes, packets;
    if (sscanf(text, CHANNELS_QUALIFIER, &bytes, &packets) == 2) {
      argument->channel = bytes | packets << 16;
      argument->depth = packets;
    } else if (sscanf(text, PIPES_QUALIFIER, &packets) == 1)
      argument->depth = packets;
    free(text);
    text = metadata_copy(&accesses, i);
    argument->access = strcmp(text, "read_only") == 0    ? HEDDLE_READ_ONLY
                       : strcmp(text, "write_only") == 0 ? HEDDLE_WRITE_ONLY
                       : strcmp(text, "read_write") == 0 ? HEDDLE_READ_WRITE
                                                         : HEDDLE_ACCESS_NONE;
    free(text);
    status = check_argument(kernel, i, isa);
    if (status == STATUS_OK) {
      text = type_name_copy(&bases, i);
      measure(body, i, layout, text, argument);
      free(text);
      argument->offset = round_up(kernel->argument_bytes, argument->alignment);
      kernel->argument_bytes = argument->offset + argument->size;
    }
  }
  ir_metadata_free(&spaces);
  ir_metadata_free(&accesses);
  ir_metadata_free(&types);
  ir_metadata_free(&bases);
  ir_metadata_free(&qualifiers);
  ir_metadata_free(&names);
  return status;
}

// The spelling that vec_type_hint had in the source, from the type that is left of it.
static void vector_type_name(LLVMTypeRef type, bool is_signed, char *text, size_t size) {
  char length[12] = "";
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    snprintf(length, sizeof length, "%u", LLVMGetVectorSize(type));
    type = LLVMGetElementType(type);
  }
  const char *name = "int";
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
      name = "half";
      break;
    case LLVMFloatTypeKind:
      name = "float";
      break;
    case LLVMDoubleTypeKind:
      name = "double";
      break;
    case LLVMIntegerTypeKind: {
      unsigned width = LLVMGetIntTypeWidth(type);
      name = width == 8 ? "char" : width == 16 ? "short" : width == 64 ? "long" : "int";
      break;
    }
    default:
      break;
  }
  snprintf(text, size, "%s%s%s", is_signed || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ? "" : "u", name, length);
}

// CL_KERNEL_ATTRIBUTES: attributes with their values, separated by one space.
static void append_attribute(struct kernel *kernel, const char *attribute) {
  char *longer = NULL;
  if (asprintf(&longer, "%s%s%s", kernel->attributes, kernel->attributes[0] != 0 ? " " : "", attribute) < 0)
    abort();
  free(kernel->attributes);
  kernel->attributes = longer;
}

static void find_sizes(struct kernel *kernel, const char *kind, uint32_t sizes[3]) {
  struct ir_metadata metadata = ir_metadata_of(kernel->body, kind);
  if (metadata.count == 3) {
    for (unsigned i = 0; i < 3; i++)
      sizes[i] = ir_metadata_number(&metadata, i);
    char text[96];
    snprintf(text, sizeof text, "%s(%u,%u,%u)", kind, sizes[0], sizes[1], sizes[2]);
    append_attribute(kernel, text);
  }
  ir_metadata_free(&metadata);
}

static enum status find_attributes(struct kernel *kernel) {
  kernel->attributes = allocated(strdup(""));
  find_sizes(kernel, "reqd_work_group_size", kernel->reqd_work_group_size);
  find_sizes(kernel, "work_group_size_hint", kernel->work_group_size_hint);

  char text[96], type[48];
  struct ir_metadata hint = ir_metadata_of(kernel->body, "vec_type_hint");
  if (hint.count == 2 && hint.operands[0]) {
    vector_type_name(LLVMTypeOf(hint.operands[0]), ir_metadata_number(&hint, 1) != 0, type, sizeof type);
    snprintf(text, sizeof text, "vec_type_hint(%s)", type);
    append_attribute(kernel, text);
  }
  ir_metadata_free(&hint);

  struct ir_metadata size = ir_metadata_of(kernel->body, "intel_reqd_sub_group_size");
  kernel->sub_group_size = ir_metadata_number(&size, 0);
  bool is_given = size.count > 0;
  ir_metadata_free(&size);
  if (is_given) {
    uint32_t value = kernel->sub_group_size;
    if (value == 0 || (value & (value - 1)) != 0) {
      fprintf(stderr, "error: kernel '%s': intel_reqd_sub_group_size(%u): sub-group sizes are powers of two\n",
              kernel->name, value);
      return STATUS_REJECTED;
    }
    // Which devices have it is the host's to say. None has one that is larger than a note can hold.
    if (value > 1u << (HEDDLE_NOTE_NUM_SUB_GROUPS_SHIFT - 1))
      kernel->sub_group_size = 1u << (HEDDLE_NOTE_NUM_SUB_GROUPS_SHIFT - 1);
    snprintf(text, sizeof text, "intel_reqd_sub_group_size(%u)", value);
    append_attribute(kernel, text);
  }

  kernel->is_autorun = kernel_hints_autorun(kernel->body);
  if (kernel->is_autorun)
    append_attribute(kernel, "autorun");
  kernel->simd_work_items = kernel_hints_simd_work_items(kernel->body);
  kernel->compute_units = kernel_hints_compute_units(kernel->body);
  struct ir_metadata number = ir_metadata_of(kernel->body, "reqd_num_sub_groups");
  kernel->num_sub_groups = ir_metadata_number(&number, 0);
  ir_metadata_free(&number);
  if (kernel->num_sub_groups > HEDDLE_NOTE_NUM_SUB_GROUPS_MAX) {
    fprintf(stderr, "error: kernel '%s': reqd_num_sub_groups(%u): a work-group has at most %d sub-groups\n",
            kernel->name, kernel->num_sub_groups, HEDDLE_NOTE_NUM_SUB_GROUPS_MAX);
    return STATUS_REJECTED;
  }
  return STATUS_OK;
}

// clang describes the arguments of kernels, but not those of the entries that it makes of blocks: the block literal and
// pointers to local memory.
static bool is_block(LLVMValueRef function) {
  struct ir_metadata spaces = ir_metadata_of(function, "kernel_arg_addr_space");
  const bool is_described = spaces.operands;
  ir_metadata_free(&spaces);
  return !is_described;
}

static enum status find(LLVMModuleRef module, LLVMTargetDataRef layout, const char *isa, struct kernels *kernels,
                        bool blocks) {
  enum status status = STATUS_OK;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function && status == STATUS_OK;
       function = LLVMGetNextFunction(function)) {
    if (!ir_is_kernel(function) || is_block(function) != blocks)
      continue;
    kernels->items = allocated(realloc(kernels->items, (kernels->count + 1) * sizeof *kernels->items));
    struct kernel *kernel = &kernels->items[kernels->count++];
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    *kernel = (struct kernel){.name = allocated(strndup(name, length)), .body = function, .is_block = blocks};
    status = find_arguments(kernel, layout, isa);
    if (status == STATUS_OK)
      status = find_attributes(kernel);
  }
  return status;
}

enum status kernels_find(LLVMModuleRef module, LLVMTargetDataRef layout, const char *isa, struct kernels *kernels) {
  kernel_hints_take(module);
  enum status status = find(module, layout, isa, kernels, false);
  return status == STATUS_OK ? find(module, layout, isa, kernels, true) : status;
}

bool kernel_is_of_one(const struct kernel *kernel) {
  const uint32_t *size = kernel->reqd_work_group_size;
  return kernel->is_task || (size[0] == 1 && size[1] == 1 && size[2] == 1);
}

bool kernel_has_one_lane(const struct kernel *kernel) {
  return kernel_is_of_one(kernel) && kernel->sub_group_size == 0;
}

void kernels_free(struct kernels *kernels) {
  for (size_t k = 0; k < kernels->count; k++) {
    struct kernel *kernel = &kernels->items[k];
    for (uint32_t i = 0; kernel->arguments && i < kernel->argument_count; i++) {
      free(kernel->arguments[i].name);
      free(kernel->arguments[i].type_name);
    }
    free(kernel->arguments);
    free(kernel->attributes);
    strings_free(&kernel->variables);
    free(kernel->name);
  }
  free(kernels->items);
  *kernels = (struct kernels){0};
}
