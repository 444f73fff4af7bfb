// SPDX-License-Identifier: Apache-2.0
// Entry functions and argument blocks (rtl/DEVICE.md, "How a work-item starts and ends", "Kernel files").
#include "hls/kernel_entry.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "host/device/device_map.h"

enum { SUB_GROUP_SIZE_MAX = 32, VECTOR_ALIGNMENT_MAX = 128 };

// csrrs sp, 0xCCE, x0: the initial stack pointer of the work-item.
static const uint32_t set_stack_pointer = 0xCCE02173;

static void *allocated(void *memory) {
  if (memory == NULL) {
    abort();  // the pass runs in a child process; its end is reported by the parent
  }
  return memory;
}

static uint32_t round_up(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static uint32_t next_power_of_two(uint32_t value) {
  uint32_t power = 1;
  while (power < value) {
    power *= 2;
  }
  return power;
}

static char *metadata_copy(const struct ir_metadata *metadata, unsigned index) {
  unsigned length;
  const char *text = ir_metadata_string(metadata, index, &length);
  return allocated(strndup(text, length));
}

static uint32_t type_qualifiers(const char *text) {
  return (strstr(text, "const") != NULL ? 1u : 0) | (strstr(text, "restrict") != NULL ? 2u : 0) |
         (strstr(text, "volatile") != NULL ? 4u : 0) | (strstr(text, "pipe") != NULL ? 8u : 0);
}

static LLVMAttributeRef parameter_attribute(LLVMValueRef function, unsigned index, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, index + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

// Size and alignment of a parameter in the argument block: as OpenCL C lays out private variables of its type, which
// for vectors is a power of two (a 3-vector has the size of a 4-vector).
static void measure(LLVMValueRef body, unsigned index, LLVMTargetDataRef layout, struct kernel_argument *argument) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(body, index));
  LLVMAttributeRef by_value = parameter_attribute(body, index, "byval");
  if (by_value != NULL) {
    LLVMAttributeRef alignment = parameter_attribute(body, index, "align");
    argument->size = (uint32_t)LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(by_value));
    argument->alignment = alignment != NULL ? (uint32_t)LLVMGetEnumAttributeValue(alignment) : 1;
  } else {
    argument->size = next_power_of_two((uint32_t)LLVMABISizeOfType(layout, type));
    argument->alignment = argument->size < VECTOR_ALIGNMENT_MAX ? argument->size : VECTOR_ALIGNMENT_MAX;
    argument->is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  }
}

// Images, samplers, pipes and queues come from the front end as opaque types.
static enum status check_argument(const struct kernel *kernel, unsigned index) {
  const struct kernel_argument *argument = &kernel->arguments[index];
  if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(kernel->body, index))) != LLVMTargetExtTypeKind) {
    return STATUS_OK;
  }
  fprintf(stderr, "error: kernel '%s', argument '%s': %s%s is not supported by this device\n", kernel->name,
          argument->name, (argument->type_qualifiers & 8) != 0 ? "pipe " : "", argument->type_name);
  return STATUS_REJECTED;
}

static enum status find_arguments(struct kernel *kernel, LLVMTargetDataRef layout) {
  LLVMValueRef body = kernel->body;
  kernel->argument_count = LLVMCountParams(body);
  kernel->arguments = allocated(calloc(kernel->argument_count + 1, sizeof *kernel->arguments));
  struct ir_metadata spaces = ir_metadata_of(body, "kernel_arg_addr_space");
  struct ir_metadata accesses = ir_metadata_of(body, "kernel_arg_access_qual");
  struct ir_metadata types = ir_metadata_of(body, "kernel_arg_type");
  struct ir_metadata qualifiers = ir_metadata_of(body, "kernel_arg_type_qual");
  struct ir_metadata names = ir_metadata_of(body, "kernel_arg_name");

  enum status status = STATUS_OK;
  for (unsigned i = 0; i < kernel->argument_count && status == STATUS_OK; i++) {
    struct kernel_argument *argument = &kernel->arguments[i];
    argument->name = metadata_copy(&names, i);
    argument->type_name = metadata_copy(&types, i);
    argument->address_space = ir_metadata_number(&spaces, i);
    char *text = metadata_copy(&qualifiers, i);
    argument->type_qualifiers = type_qualifiers(text);
    free(text);
    text = metadata_copy(&accesses, i);
    argument->access = strcmp(text, "read_only") == 0    ? 1
                       : strcmp(text, "write_only") == 0 ? 2
                       : strcmp(text, "read_write") == 0 ? 3
                                                         : 0;
    free(text);
    status = check_argument(kernel, i);
    if (status == STATUS_OK) {
      measure(body, i, layout, argument);
      argument->offset = round_up(kernel->argument_bytes, argument->alignment);
      kernel->argument_bytes = argument->offset + argument->size;
    }
  }
  ir_metadata_free(&spaces);
  ir_metadata_free(&accesses);
  ir_metadata_free(&types);
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
    case LLVMHalfTypeKind: name = "half"; break;
    case LLVMFloatTypeKind: name = "float"; break;
    case LLVMDoubleTypeKind: name = "double"; break;
    case LLVMIntegerTypeKind: {
      unsigned width = LLVMGetIntTypeWidth(type);
      name = width == 8 ? "char" : width == 16 ? "short" : width == 64 ? "long" : "int";
      break;
    }
    default: break;
  }
  snprintf(text, size, "%s%s%s", is_signed || strcmp(name, "float") == 0 ? "" : "u", name, length);
}

// CL_KERNEL_ATTRIBUTES: attributes with their values, separated by one space.
static void append_attribute(struct kernel *kernel, const char *attribute) {
  char *longer = NULL;
  if (asprintf(&longer, "%s%s%s", kernel->attributes, kernel->attributes[0] != 0 ? " " : "", attribute) < 0) {
    abort();
  }
  free(kernel->attributes);
  kernel->attributes = longer;
}

static void find_sizes(struct kernel *kernel, const char *kind, uint32_t sizes[3]) {
  struct ir_metadata metadata = ir_metadata_of(kernel->body, kind);
  if (metadata.count == 3) {
    for (unsigned i = 0; i < 3; i++) {
      sizes[i] = ir_metadata_number(&metadata, i);
    }
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
  if (hint.count == 2 && hint.operands[0] != NULL) {
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
    if (value == 0 || value > SUB_GROUP_SIZE_MAX || (value & (value - 1)) != 0) {
      fprintf(stderr, "error: kernel '%s': intel_reqd_sub_group_size(%u): sub-group sizes are powers of two up to %d\n",
              kernel->name, value, SUB_GROUP_SIZE_MAX);
      return STATUS_REJECTED;
    }
    snprintf(text, sizeof text, "intel_reqd_sub_group_size(%u)", value);
    append_attribute(kernel, text);
  }
  return STATUS_OK;
}

enum status kernels_find(LLVMModuleRef module, LLVMTargetDataRef layout, struct kernels *kernels) {
  enum status status = STATUS_OK;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function && status == STATUS_OK;
       function = LLVMGetNextFunction(function)) {
    if (LLVMGetFunctionCallConv(function) != LLVMSPIRKERNELCallConv || LLVMIsDeclaration(function)) {
      continue;
    }
    kernels->items = allocated(realloc(kernels->items, (kernels->count + 1) * sizeof *kernels->items));
    struct kernel *kernel = &kernels->items[kernels->count++];
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    *kernel = (struct kernel){.name = allocated(strndup(name, length)), .body = function};
    status = find_arguments(kernel, layout);
    if (status == STATUS_OK) {
      status = find_attributes(kernel);
    }
  }
  return status;
}

void kernels_free(struct kernels *kernels) {
  for (size_t k = 0; k < kernels->count; k++) {
    struct kernel *kernel = &kernels->items[k];
    for (uint32_t i = 0; kernel->arguments != NULL && i < kernel->argument_count; i++) {
      free(kernel->arguments[i].name);
      free(kernel->arguments[i].type_name);
    }
    free(kernel->arguments);
    free(kernel->attributes);
    free(kernel->name);
  }
  free(kernels->items);
  *kernels = (struct kernels){0};
}

static LLVMValueRef assembly(LLVMBuilderRef builder, LLVMTypeRef result, const char *text, const char *constraints,
                             bool has_effects) {
  LLVMTypeRef type = LLVMFunctionType(result, NULL, 0, 0);
  LLVMValueRef value = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), has_effects, 0,
                                        LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(builder, type, value, NULL, 0, "");
}

// One argument: its value, or for a struct a pointer to it.
static LLVMValueRef build_argument(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef packet,
                                   const struct kernel *kernel, unsigned index) {
  const struct kernel_argument *argument = &kernel->arguments[index];
  LLVMValueRef offset = LLVMConstInt(LLVMInt32TypeInContext(context), HEDDLE_PACKET_WORDS * 4 + argument->offset, 0);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), packet, &offset, 1, "");
  if (parameter_attribute(kernel->body, index, "byval") != NULL) {
    return place;
  }
  LLVMValueRef value = LLVMBuildLoad2(builder, LLVMTypeOf(LLVMGetParam(kernel->body, index)), place, "");
  LLVMSetAlignment(value, argument->alignment);
  // Nobody writes the packet while the kernel runs.
  LLVMSetMetadata(value, LLVMGetMDKindIDInContext(context, "invariant.load", strlen("invariant.load")),
                  LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
  return value;
}

static void copy_parameter_attributes(LLVMValueRef from, LLVMValueRef call) {
  for (unsigned i = 1; i <= LLVMCountParams(from); i++) {
    unsigned count = LLVMGetAttributeCountAtIndex(from, i);
    LLVMAttributeRef *attributes = allocated(calloc(count + 1, sizeof *attributes));
    LLVMGetAttributesAtIndex(from, i, attributes);
    for (unsigned j = 0; j < count; j++) {
      LLVMAddCallSiteAttribute(call, i, attributes[j]);
    }
    free(attributes);
  }
}

static void make_entry(LLVMModuleRef module, struct kernel *kernel) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef nothing = LLVMVoidTypeInContext(context);
  LLVMValueRef body = kernel->body;
  char *name = NULL;
  if (asprintf(&name, KERNEL_ENTRY_PREFIX "%s", kernel->name) < 0) {
    abort();
  }
  kernel->entry = LLVMAddFunction(module, name, LLVMFunctionType(nothing, NULL, 0, 0));
  free(name);
  static const char *const attributes[] = {"noreturn", "nounwind", "convergent", "norecurse"};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    ir_add_attribute(kernel->entry, attributes[i]);
  }
  ir_set_string_attribute(kernel->entry, "no-builtins", "");

  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, kernel->entry, ""));
  LLVMValueRef packet = assembly(builder, LLVMPointerTypeInContext(context, 0), "csrr $0, 0xccd", "=r", false);
  LLVMValueRef *arguments = allocated(calloc(kernel->argument_count + 1, sizeof *arguments));
  for (unsigned i = 0; i < kernel->argument_count; i++) {
    arguments[i] = build_argument(context, builder, packet, kernel, i);
  }
  LLVMValueRef call =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(body), body, arguments, kernel->argument_count, "");
  copy_parameter_attributes(body, call);
  free(arguments);
  assembly(builder, nothing, ".insn r CUSTOM_0, 3, 0, x0, x0, x0", "~{memory}", true);
  LLVMBuildUnreachable(builder);
  LLVMDisposeBuilder(builder);

  // The entry takes the body's place in the debug information: the body's instructions end up in it.
  LLVMMetadataRef subprogram = LLVMGetSubprogram(body);
  if (subprogram != NULL) {
    LLVMSetSubprogram(body, NULL);
    LLVMSetSubprogram(kernel->entry, subprogram);
  }
  ir_remove_attribute(body, "noinline");
  ir_remove_attribute(body, "optnone");
  ir_add_attribute(body, "alwaysinline");
}

void kernels_make_entries(LLVMModuleRef module, struct kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++) {
    make_entry(module, &kernels->items[i]);
  }
}

// LLVM has no switch for a function that may spoil the registers a callee has to save. But with interprocedural
// register allocation (which emission turns on) it does so for a function that is internal, does not recurse, and is
// only ever called directly. So each entry becomes that, and gets a caller, which is never linked.
void kernels_finish_entries(LLVMModuleRef module, const struct kernels *kernels) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
  LLVMValueRef caller = LLVMAddFunction(module, "__heddle_kernel_caller", type);
  LLVMSetSection(caller, KERNEL_CALLER_SECTION);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, caller, ""));
  for (size_t i = 0; i < kernels->count; i++) {
    LLVMValueRef entry = kernels->items[i].entry;
    LLVMBuildCall2(builder, type, entry, NULL, 0, "");
    LLVMSetLinkage(entry, LLVMInternalLinkage);
    ir_add_attribute(entry, "norecurse");
    LLVMSetPrologueData(entry, LLVMConstInt(LLVMInt32TypeInContext(context), set_stack_pointer, 0));
  }
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}
