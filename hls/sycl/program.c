// SPDX-License-Identifier: Apache-2.0
#include "hls/sycl/program.h"

#include <errno.h>
#include <inttypes.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/object_file.h"
#include "hls/address_spaces.h"
#include "hls/channels.h"
#include "hls/checks.h"
#include "hls/counters.h"
#include "hls/ir.h"
#include "hls/kernel.h"
#include "hls/kernel_hints.h"
#include "hls/object.h"
#include "hls/sycl/addresses.h"
#include "hls/sycl/c_functions.h"
#include "hls/sycl/check.h"
#include "hls/sycl/group_scope.h"
#include "hls/sycl/pipes.h"
#include "hls/sycl/places.h"

enum { PATH_BYTES = 4096 };

static LLVMMetadataRef number(LLVMContextRef context, unsigned value) {
  return LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), value, 0));
}

static LLVMMetadataRef text(LLVMContextRef context, const char *value) {
  return LLVMMDStringInContext2(context, value, strlen(value));
}

// In OpenCL's order of dimensions.
static unsigned work_group_size(const struct sycl_kernel *kernel, unsigned dimension) {
  const unsigned count = kernel->work_group.dimensions;
  return dimension < count ? kernel->work_group.size[count - 1 - dimension] : 1;
}

// The kind of image that a parameter is, as include/sycl/detail/leaves.hpp makes it; 0: none.
struct image_kind {
  unsigned access : 2, axes : 2, is_array : 1;
};
static struct image_kind image_kind_of(LLVMValueRef call) {
  const unsigned number = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
  return (struct image_kind){.access = number & 3, .axes = number >> 2 & 3, .is_array = number >> 4 & 1};
}

// The headers tell of each image by a call, which goes. Where they are is known when the headers' functions are part of
// the entry.
static void take_image_kinds(LLVMValueRef entry, struct image_kind *kinds) {
  static const char mark[] = "_image_argument";
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(entry); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
      next = LLVMGetNextInstruction(at);
      LLVMValueRef callee = ir_callee(at);
      size_t length;
      if (!callee || strcmp(LLVMGetValueName2(callee, &length), mark) != 0)
        continue;
      for (unsigned i = 0; i < LLVMCountParams(entry); i++)
        if (LLVMGetParam(entry, i) == LLVMGetOperand(at, 0))
          kinds[i] = image_kind_of(at);
      LLVMInstructionEraseFromParent(at);
    }
  }
}

// Of a pipe without packets one that passes them on is a queue, too.
static const char *qualifier_of(const struct sycl_pipe *pipe, char text[PIPE_NAME_BYTES]) {
  snprintf(text, PIPE_NAME_BYTES, PIPES_QUALIFIER, pipe->capacity != 0 ? pipe->capacity : 1);
  return text;
}

// What clang says of the arguments of OpenCL C kernels (hls/kernel.c reads it): first words of what is captured, then
// pointers, images and pipes.
static void describe_arguments(const struct sycl_kernel *kernel) {
  static const char *const image_types[2][4] = {{NULL, "image1d_t", "image2d_t", "image3d_t"},
                                                {NULL, "image1d_array_t", "image2d_array_t", NULL}};
  static const char *const image_accesses[] = {"read_only", "write_only", "read_write"};
  LLVMValueRef entry = kernel->entry;
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(entry));
  const unsigned count = LLVMCountParams(entry), first_pipe = count - (unsigned)kernel->pipe_count;
  LLVMMetadataRef *spaces = calloc(count * 5 + 1, sizeof(LLVMMetadataRef));
  struct image_kind *images = calloc(count + 1, sizeof *images);
  if (!spaces || !images)
    abort();
  LLVMMetadataRef *accesses = spaces + count, *types = accesses + count, *qualifiers = types + count,
                  *names = qualifiers + count;
  take_image_kinds(entry, images);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(entry, i));
    const char *image = image_types[images[i].is_array][images[i].axes];
    const bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    const unsigned space = image ? GLOBAL_ADDRESS_SPACE : is_pointer ? LLVMGetPointerAddressSpace(type) : 0;
    const struct sycl_pipe *pipe = i < first_pipe ? NULL : &kernel->pipes[i - first_pipe];
    char qualifier[PIPE_NAME_BYTES];
    spaces[i] = number(context, space);
    accesses[i] = text(context, image   ? image_accesses[images[i].access]
                                : !pipe ? "none"
                                        : image_accesses[pipe->is_read ? 0 : 1]);
    types[i] = text(context, image ? image : pipe ? "packet" : is_pointer ? "char*" : "ulong");
    qualifiers[i] = text(context, pipe ? qualifier_of(pipe, qualifier) : "");
    names[i] = text(context, image                           ? "image"
                             : pipe                          ? pipe->name
                             : !is_pointer                   ? "captures"
                             : space == GLOBAL_ADDRESS_SPACE ? "accessor"
                                                             : "local_accessor");
  }
  ir_set_metadata(entry, "kernel_arg_addr_space", spaces, count);
  ir_set_metadata(entry, "kernel_arg_access_qual", accesses, count);
  ir_set_metadata(entry, "kernel_arg_type", types, count);
  ir_set_metadata(entry, "kernel_arg_type_qual", qualifiers, count);
  ir_set_metadata(entry, "kernel_arg_name", names, count);
  free(spaces);
  free(images);
}

static void describe_sizes(const struct sycl_kernel *kernel) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel->entry));
  if (kernel->size[0] >= '0' && kernel->size[0] <= '9') {
    LLVMMetadataRef size = number(context, (unsigned)strtoul(kernel->size, NULL, 10));
    ir_set_metadata(kernel->entry, "intel_reqd_sub_group_size", &size, 1);
  }
  if (kernel->work_group.dimensions != 0) {  // OpenCL counts dimensions from the fastest
    LLVMMetadataRef sizes[3];
    for (unsigned i = 0; i < 3; i++)
      sizes[i] = number(context, work_group_size(kernel, i));
    ir_set_metadata(kernel->entry, "reqd_work_group_size", sizes, 3);
  }
}

// [[intel::kernel_args_restrict]]: of accessors it is what `restrict` is, of captured pointers a hint.
static void describe_restrict(LLVMValueRef entry) {
  static const char name[] = "noalias";
  if (!kernel_hints_args_restrict(entry))
    return;
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(entry)),
                                                       LLVMGetEnumAttributeKindForName(name, sizeof name - 1), 0);
  for (unsigned i = 0; i < LLVMCountParams(entry); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(entry, i))) == LLVMPointerTypeKind)
      LLVMAddAttributeAtIndex(entry, i + 1, attribute);
}

// Functions that are declared get the names that the built-in library has.
static void name_builtins(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f))
      continue;
    if (strncmp(name, BUILTIN_PREFIX, strlen(BUILTIN_PREFIX)) == 0)
      name += strlen(BUILTIN_PREFIX);
    else
      name = library_function(name);
    if (!name)
      continue;
    LLVMValueRef known = library_declare(module, name, LLVMGlobalGetValueType(f), LLVMGetFunctionCallConv(f));
    if (!ir_is_intrinsic(f) && ir_has_attribute(f, "convergent"))
      ir_add_attribute(known, "convergent");
    LLVMReplaceAllUsesWith(f, known);
    LLVMDeleteFunction(f);
  }
}

// clang makes an instruction of fmod, which the device has as a function only.
static LLVMValueRef remainder_call(void *context, LLVMValueRef at) {
  if (LLVMGetInstructionOpcode(at) != LLVMFRem)
    return NULL;
  LLVMTypeRef type = LLVMTypeOf(at), types[] = {type, type}, function = LLVMFunctionType(type, types, 2, 0);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  const char *name = kind == LLVMFloatTypeKind    ? "_Z4fmodff"
                     : kind == LLVMDoubleTypeKind ? "_Z4fmoddd"
                     : kind == LLVMHalfTypeKind   ? "_Z4fmodDhDh"
                                                  : NULL;
  if (!name)
    return NULL;
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(at)));
  LLVMValueRef known = library_declare(module, name, function, LLVMSPIRFUNCCallConv);
  LLVMValueRef operands[] = {LLVMGetOperand(at, 0), LLVMGetOperand(at, 1)};
  LLVMValueRef call = LLVMBuildCall2(context, function, known, operands, 2, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  return call;
}

static void call_remainders(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_replace_each(module, builder, remainder_call, builder);
  LLVMDisposeBuilder(builder);
}

// OpenCL C's printf takes a pointer to constant memory, which clang's device pass has no type for.
static void call_printf(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef ours = LLVMGetNamedFunction(module, BUILTIN_PREFIX "printf");
  if (!ours)
    return;
  LLVMTypeRef word = LLVMInt32TypeInContext(context),
              format = LLVMPointerTypeInContext(context, CONSTANT_ADDRESS_SPACE);
  LLVMTypeRef type = LLVMFunctionType(word, &format, 1, 1);
  LLVMValueRef known = library_declare(module, "printf", type, LLVMGetFunctionCallConv(ours));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMUseRef use = LLVMGetFirstUse(ours), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    const unsigned count = LLVMIsACallInst(call) ? LLVMGetNumArgOperands(call) : 0;
    LLVMValueRef *arguments = calloc(count + 1, sizeof *arguments);
    if (!arguments)
      abort();
    for (unsigned i = 0; i < count; i++)
      arguments[i] = LLVMGetOperand(call, i);
    if (count != 0) {
      LLVMPositionBuilderBefore(builder, call);
      arguments[0] = LLVMBuildIntToPtr(builder, LLVMBuildPtrToInt(builder, arguments[0], word, ""), format, "");
      LLVMValueRef made = LLVMBuildCall2(builder, type, known, arguments, count, "");
      LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(call));
      LLVMReplaceAllUsesWith(call, made);
      LLVMInstructionEraseFromParent(call);
    }
    free(arguments);
  }
  LLVMDisposeBuilder(builder);
  LLVMDeleteFunction(ours);
}

// Each place where group_local_memory is called gets a variable in local memory of its own. The header's functions are
// inlined first, so that a call is the user's.
static enum status make_local_memory(LLVMModuleRef module) {
  LLVMValueRef ours = LLVMGetNamedFunction(module, BUILTIN_PREFIX "_local_memory");
  if (!ours)
    return STATUS_OK;
  const enum status status = ir_run_passes(module, NULL, "local memory", "always-inline");
  if (status != STATUS_OK)
    return status;
  LLVMContextRef context = LLVMGetModuleContext(module);
  for (LLVMUseRef use = LLVMGetFirstUse(ours), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    LLVMValueRef bytes = LLVMGetOperand(call, 0), alignment = LLVMGetOperand(call, 1);
    if (!LLVMIsACallInst(call) || !LLVMIsAConstantInt(bytes) || !LLVMIsAConstantInt(alignment)) {
      fprintf(stderr, "error: group_local_memory is called through a pointer, or of a size that is not known\n");
      return STATUS_REJECTED;
    }
    LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(context), LLVMConstIntGetZExtValue(bytes));
    LLVMValueRef variable = LLVMAddGlobalInAddressSpace(module, type, "group_local_memory", LOCAL_ADDRESS_SPACE);
    LLVMSetInitializer(variable, LLVMGetUndef(type));
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMSetAlignment(variable, (unsigned)LLVMConstIntGetZExtValue(alignment));
    LLVMReplaceAllUsesWith(call, variable);
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDeleteFunction(ours);
  return STATUS_OK;
}

static bool is_kernel(const struct sycl_kernels *kernels, LLVMValueRef function) {
  for (size_t i = 0; i < kernels->count; i++)
    if (kernels->items[i].entry == function)
      return true;
  return false;
}

static bool is_of_headers(LLVMValueRef function) {
  static const char *const starts[] = {"_ZN4sycl", "_ZNK4sycl", "_ZZN4sycl", "_ZZNK4sycl"};
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(name, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

// LLVM's passes leave the users' functions alone, until they are shown again.
static void hide_from_passes(LLVMModuleRef module, bool is_hidden) {
  static const char mark[] = "heddle-hidden";
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || is_of_headers(f))
      continue;
    LLVMAttributeRef was =
        LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark, strlen(mark));
    if (is_hidden && !ir_has_attribute(f, "noinline")) {
      ir_set_string_attribute(f, mark, ir_has_attribute(f, "alwaysinline") ? "alwaysinline" : "");
      ir_remove_attribute(f, "alwaysinline");
      ir_add_attribute(f, "noinline");
      ir_add_attribute(f, "optnone");
    } else if (!is_hidden && was) {
      unsigned length = 0;
      LLVMGetStringAttributeValue(was, &length);
      ir_remove_attribute(f, "optnone");
      ir_remove_attribute(f, "noinline");
      if (length != 0)
        ir_add_attribute(f, "alwaysinline");
      LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark, strlen(mark));
    }
  }
}

// The variables of kernels become values, and what the headers' small functions do becomes part of those that call
// them. Loops of headers, over dimensions and members, are unrolled first; those of users stay as they are.
static enum status make_values(LLVMModuleRef module) {
  enum { INSTRUCTIONS_MAX = 60 };  // not optimised
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t count = 0;
    if (!is_of_headers(f) || ir_has_attribute(f, "noinline"))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        count++;
    if (count <= INSTRUCTIONS_MAX)
      ir_add_attribute(f, "alwaysinline");
  }
#define VALUES "sroa,instcombine<no-verify-fixpoint>,sroa"
  hide_from_passes(module, true);
  enum status status = ir_run_passes(module, NULL, "headers",
                                     "cgscc(inline<only-mandatory>,function(sroa,loop(loop-unroll-full)," VALUES "))");
  hide_from_passes(module, false);
  if (status == STATUS_OK)
    status = ir_run_passes(module, NULL, "values", "always-inline,function(" VALUES ")");
#undef VALUES
  counters_are_wide(module);
  return status;
}

// Variables of the user's functions, which headers' passes would make something of. Those of headers have no places.
// The same passes copy structures piece by piece.
static void show_unwritten(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(module));
  checks_show_returns(module);
  checks_show_indices(module);
  checks_show_unwritten(module, layout);
  checks_keep_stack(module, layout);
  LLVMDisposeTargetData(layout);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      ir_set_string_attribute(f, CHECKS_COPIES_PIECES, "");
}

// Only kernels are for others to see; what no kernel reaches goes.
static void hide_others(LLVMModuleRef module, const struct sycl_kernels *kernels) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!LLVMIsDeclaration(f)) {
      LLVMSetLinkage(f, is_kernel(kernels, f) ? LLVMExternalLinkage : LLVMInternalLinkage);
      LLVMSetVisibility(f, LLVMDefaultVisibility);
    }
    LLVMSetComdat(f, NULL);
  }
  static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, lists[i]);
    if (list)
      LLVMDeleteGlobal(list);  // variables with constructors are not constant: no kernel reaches one
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    LLVMSetComdat(g, NULL);
    if (!LLVMIsDeclaration(g)) {
      LLVMSetLinkage(g, LLVMInternalLinkage);
      LLVMSetVisibility(g, LLVMDefaultVisibility);
    }
  }
}

// Functions of double are a library of their own.
static bool needs_double(LLVMModuleRef module) {
  LLVMTypeRef type = LLVMDoubleTypeInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) && !ir_is_intrinsic(f)) {
      bool has = LLVMGetReturnType(LLVMGlobalGetValueType(f)) == type;
      for (unsigned i = 0; i < LLVMCountParams(f); i++)
        has |= LLVMTypeOf(LLVMGetParam(f, i)) == type;
      if (has)
        return true;
    }
  }
  return false;
}

static enum status write_object(LLVMModuleRef module, const char *path, const char *isa) {
  struct heddle_object_file object = {.kind = HEDDLE_COMPILED_OBJECT,
                                      .flags = needs_double(module) ? HEDDLE_OBJECT_DOUBLE : 0};
  if (strlen(isa) >= sizeof object.isa) {
    fprintf(stderr, "heddle-sycl-link: --isa %s: too long for an object file\n", isa);
    return STATUS_INVALID_OPTIONS;
  }
  unsigned char header[HEDDLE_OBJECT_HEADER_BYTES];
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
  object_compiler(object.compiler);
  snprintf(object.isa, sizeof object.isa, "%s", isa);
  object.bitcode = (const uint8_t *)LLVMGetBufferStart(bitcode);
  object.bitcode_bytes = LLVMGetBufferSize(bitcode);
  heddle_object_file_header(&object, header);
  FILE *file = fopen(path, "wb");
  bool is_written = file && fwrite(header, 1, sizeof header, file) == sizeof header &&
                    fwrite(object.bitcode, 1, object.bitcode_bytes, file) == object.bitcode_bytes;
  if (file && fclose(file) != 0)
    is_written = false;
  LLVMDisposeMemoryBuffer(bitcode);
  if (!is_written)
    fprintf(stderr, "heddle-sycl-link: cannot write %s: %s\n", path, strerror(errno));
  return is_written ? STATUS_OK : STATUS_FAILED;
}

// Kernels that demand no size, or no other than these do, are in one object file.
static const char *group_of(const struct sycl_kernel *kernel) {
  return kernel->size[0] >= '0' && kernel->size[0] <= '9' ? kernel->size : "";
}

// No device has sub-groups of such a size: the kernels of it have a line in the list, and are refused when they are
// submitted.
static bool is_for_no_device(const char *group) {
  return group[0] != 0 && (strtoul(group, NULL, 10) > SUB_GROUP_SIZE_MAX || !size_is_valid(group));
}

// A copy of the module with this group's kernels only.
static enum status write_group(LLVMModuleRef whole, const struct sycl_kernels *kernels, const char *group,
                               const char *path, const char *isa) {
  LLVMModuleRef module = LLVMCloneModule(whole);
  for (size_t i = 0; i < kernels->count; i++) {
    LLVMValueRef entry = LLVMGetNamedFunction(module, kernels->items[i].name);
    if (strcmp(group_of(&kernels->items[i]), group) != 0)
      LLVMDeleteFunction(entry);
  }
  char *message = NULL;
  enum status status = ir_run_passes(module, NULL, "device link", "globaldce");
  if (status == STATUS_OK && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    fprintf(stderr, "heddle-sycl-link: device link: %s\n", message);
    status = STATUS_FAILED;
  }
  LLVMDisposeMessage(message);
  if (status == STATUS_OK)
    status = write_object(module, path, isa);
  LLVMDisposeModule(module);
  return status;
}

static void write_line(FILE *list, const struct sycl_kernel *kernel, const char *file) {
  fprintf(list, "%s %s %s %s %" PRIx64 " %u,%u,%u,%u ", file, kernel->name, kernel->size,
          kernel->size_is_standard ? "sycl" : "intel", kernel->aspects, kernel->work_group.dimensions,
          work_group_size(kernel, 0), work_group_size(kernel, 1), work_group_size(kernel, 2));
  for (size_t i = 0; i < kernel->pipe_count; i++)
    fprintf(list, "%c:%u:%u:%s,", kernel->pipes[i].is_read ? 'r' : 'w', kernel->pipes[i].bytes,
            kernel->pipes[i].capacity, pipe_identity(&kernel->pipes[i]));
  fprintf(list, " %s\n", kernel->place);
}

static enum status write_all(LLVMModuleRef module, const struct sycl_kernels *kernels, const char *prefix,
                             const char *isa) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s.list", prefix);
  FILE *list = fopen(path, "w");
  enum status status = list ? STATUS_OK : STATUS_FAILED;
  unsigned groups = 0;
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++) {
    bool is_first = true;
    for (size_t j = 0; j < i; j++)
      is_first = is_first && strcmp(group_of(&kernels->items[i]), group_of(&kernels->items[j])) != 0;
    if (!is_first)
      continue;
    const char *group = group_of(&kernels->items[i]);
    char file[16] = "-";
    if (!is_for_no_device(group)) {
      snprintf(file, sizeof file, "%u", groups);
      snprintf(path, sizeof path, "%s-%u.o", prefix, groups++);
      status = write_group(module, kernels, group, path, isa);
    }
    for (size_t j = i; j < kernels->count; j++)
      if (strcmp(group_of(&kernels->items[j]), group) == 0)
        write_line(list, &kernels->items[j], file);
  }
  if (!list || fclose(list) != 0) {
    fprintf(stderr, "heddle-sycl-link: cannot write %s: %s\n", path, strerror(errno));
    status = STATUS_FAILED;
  }
  return status;
}

enum status program_write(struct unit *units, size_t count, struct sycl_kernels *kernels, const char *prefix,
                          const char *isa, bool has_checks) {
  for (size_t i = 0; i < kernels->count; i++) {
    struct sycl_kernel *kernel = &kernels->items[i];
    LLVMSetValueName2(kernel->entry, kernel->name, strlen(kernel->name));
    describe_sizes(kernel);
    if (kernel->user && kernel_hints_args_restrict(kernel->user))
      ir_set_string_attribute(kernel->entry, KERNEL_HINTS_ARGS_RESTRICT, "1");
    if (kernel->is_single_task)
      ir_set_string_attribute(kernel->entry, KERNEL_HINTS_SINGLE_TASK, "1");
    if (kernel->user) {  // the one call of it is in the entry
      ir_remove_attribute(kernel->user, "noinline");
      ir_remove_attribute(kernel->user, "optnone");
      ir_add_attribute(kernel->user, "alwaysinline");
    }
  }
  LLVMModuleRef whole = units[0].module;
  for (size_t i = 1; i < count; i++) {
    if (LLVMLinkModules2(whole, units[i].module)) {
      fprintf(stderr, "error: the device code of %s cannot be linked with that of the files before it\n",
              units[i].path);
      return STATUS_REJECTED;
    }
  }
  for (size_t i = 0; i < kernels->count; i++)
    kernels->items[i].entry = LLVMGetNamedFunction(whole, kernels->items[i].name);
  addresses_make_narrow(whole);
  hide_others(whole, kernels);
  places_leave_users(whole, kernels);
  if (group_scope_make_parallel(whole, kernels) != STATUS_OK || make_local_memory(whole) != STATUS_OK)
    return STATUS_REJECTED;
  call_remainders(whole);
  call_printf(whole);
  c_functions_define(whole);
  name_builtins(whole);
  pipes_show(whole);
  if (has_checks)
    show_unwritten(whole);
  enum status status = make_values(whole);
  if (status == STATUS_OK)
    status = pipes_make_arguments(whole, kernels);
  if (status != STATUS_OK)
    return status;
  for (size_t i = 0; i < kernels->count; i++) {
    describe_arguments(&kernels->items[i]);
    describe_restrict(kernels->items[i].entry);
  }
  return write_all(whole, kernels, prefix, isa);
}
