// SPDX-License-Identifier: Apache-2.0
// The library asks for the pipe of a channel by its address. When all between is part of a kernel it is known which
// channel that is, and the kernel's argument takes the place of the question.
#include "hls/channels.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "hls/address_spaces.h"
#include "hls/autorun.h"
#include "hls/call_graph.h"
#include "hls/compute_ids.h"
#include "hls/constant_text.h"
#include "hls/ir.h"
#include "hls/kernel_hints.h"
#include "hls/more_arguments.h"

enum { NAME_BYTES = 160, MOST_ENDS = 256, USUAL_PACKETS = 64, MOST_PACKETS = (1 << 15) - 1, MOST_BYTES = 1 << 15 };
#define OUTSIDE (INT64_C(1) << 40)  // more than any array of channels has

// One end of a channel, or of an element of an array of them.
struct end {
  LLVMValueRef variable;
  int64_t offset;  // of the element
  bool is_read;
};

struct channels {
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  struct end ends[MOST_ENDS];  // of a kernel
  unsigned count;
};

static const char *const marks[2] = {"__heddle_channel_to_write", "__heddle_channel_to_read"};

static bool is_mark(LLVMValueRef at, bool *is_read) {
  LLVMValueRef callee = ir_callee(at);
  size_t length;
  for (unsigned i = 0; i < 2 && callee; i++)
    if (strcmp(LLVMGetValueName2(callee, &length), marks[i]) == 0) {
      *is_read = i == 1;
      return true;
    }
  return false;
}

// ---- which channel

// Adds what the indices of an address are. False: one is known only when the kernel runs. One outside of its array
// makes an offset that no channel has.
static bool add_offset(const struct channels *c, LLVMValueRef address, int64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  for (int i = 1; i < LLVMGetNumOperands(address); i++) {
    LLVMValueRef index = LLVMGetOperand(address, (unsigned)i);
    if (!LLVMIsAConstantInt(index) || (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind))
      return false;
    const int64_t number = LLVMConstIntGetSExtValue(index);
    const bool is_outside = i > 1 && (number < 0 || (uint64_t)number >= LLVMGetArrayLength2(type));
    if (i > 1)
      type = LLVMGetElementType(type);
    *offset += is_outside ? OUTSIDE : (int64_t)LLVMABISizeOfType(c->layout, type) * number;
  }
  return true;
}

static bool find_end(const struct channels *c, LLVMValueRef mark, struct end *end) {
  LLVMValueRef address = LLVMGetOperand(mark, 0);
  *end = (struct end){.offset = 0};
  is_mark(mark, &end->is_read);
  while (!LLVMIsAGlobalVariable(address)) {
    if (!LLVMIsAConstantExpr(address) && !LLVMIsAInstruction(address))
      return false;
    const LLVMOpcode op =
        LLVMIsAConstantExpr(address) ? LLVMGetConstOpcode(address) : LLVMGetInstructionOpcode(address);
    if (op == LLVMGetElementPtr ? !add_offset(c, address, &end->offset) : op != LLVMBitCast && op != LLVMAddrSpaceCast)
      return false;
    address = LLVMGetOperand(address, 0);
  }
  end->variable = address;
  return true;
}

static unsigned number_of(const struct channels *c, const struct end *end) {
  unsigned i = 0;
  while (i < c->count && (c->ends[i].variable != end->variable || c->ends[i].offset != end->offset ||
                          c->ends[i].is_read != end->is_read))
    i++;
  return i;
}

static LLVMTypeRef packet_of(const struct end *end) {
  LLVMTypeRef type = LLVMGlobalGetValueType(end->variable);
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return type;
}

// The text of depth(N); NULL: the source has none.
static const char *depth_of(const struct end *end) {
  static const char section[] = "heddle.channel.";
  const char *name = LLVMGetSection(end->variable);
  return name && strncmp(name, section, sizeof section - 1) == 0 ? name + sizeof section - 1 : NULL;
}

// As depth(N) has them; else as many as are usual.
static unsigned packets_of(const struct end *end) {
  const char *depth = depth_of(end);
  int64_t packets;
  if (!depth || !constant_of_text(depth, &packets) || packets <= 0)
    return USUAL_PACKETS;
  return packets < MOST_PACKETS ? (unsigned)packets : MOST_PACKETS;
}

// "c", of an element "c[1][2]".
static void name_end(const struct channels *c, const struct end *end, char name[NAME_BYTES]) {
  size_t length;
  uint64_t offset = (uint64_t)end->offset;
  snprintf(name, NAME_BYTES, "%.100s", LLVMGetValueName2(end->variable, &length));
  for (LLVMTypeRef type = LLVMGlobalGetValueType(end->variable); LLVMGetTypeKind(type) == LLVMArrayTypeKind;) {
    type = LLVMGetElementType(type);
    const uint64_t bytes = LLVMABISizeOfType(c->layout, type);
    const size_t used = strlen(name);
    snprintf(name + used, NAME_BYTES - used, "[%llu]", (unsigned long long)(bytes != 0 ? offset / bytes : 0));
    offset = bytes != 0 ? offset % bytes : 0;
  }
}

// ---- the arguments of a kernel

static LLVMMetadataRef text(const struct channels *c, const char *value) {
  return LLVMMDStringInContext2(LLVMGetModuleContext(c->module), value, strlen(value));
}

static LLVMMetadataRef said_of(const struct channels *c, const struct end *end, const char *kind) {
  char words[NAME_BYTES];
  if (strcmp(kind, "kernel_arg_addr_space") == 0)
    return LLVMValueAsMetadata(
        LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(c->module)), GLOBAL_ADDRESS_SPACE, 0));
  if (strcmp(kind, "kernel_arg_access_qual") == 0)
    return text(c, end->is_read ? "read_only" : "write_only");
  if (strcmp(kind, "kernel_arg_type_qual") == 0)
    snprintf(words, sizeof words, CHANNELS_QUALIFIER, (unsigned)LLVMABISizeOfType(c->layout, packet_of(end)),
             packets_of(end));
  else if (strcmp(kind, "kernel_arg_name") == 0)
    name_end(c, end, words);
  else
    snprintf(words, sizeof words, "packet");
  return text(c, words);
}

// What the front end says of arguments, each in a list of its own, gets longer.
static void describe(const struct channels *c, LLVMValueRef kernel) {
  static const char *const kinds[] = {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                                      "kernel_arg_base_type",  "kernel_arg_type_qual",   "kernel_arg_name"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    struct ir_metadata before = ir_metadata_of(kernel, kinds[k]);
    LLVMMetadataRef *items = calloc(before.count + c->count + 1, sizeof *items);
    if (!items)
      abort();
    for (unsigned i = 0; i < before.count; i++)
      items[i] = LLVMValueAsMetadata(before.operands[i]);
    for (unsigned i = 0; i < c->count; i++)
      items[before.count + i] = said_of(c, &c->ends[i], kinds[k]);
    ir_set_metadata(kernel, kinds[k], items, before.count + c->count);
    free(items);
    ir_metadata_free(&before);
  }
}

static enum status refuse(LLVMValueRef mark, LLVMValueRef kernel, const char *why) {
  size_t length;
  ir_print_place(mark);
  fprintf(stderr, "error: kernel '%s' %s\n", LLVMGetValueName2(kernel, &length), why);
  return STATUS_REJECTED;
}

static enum status check_end(const struct channels *c, LLVMValueRef mark, LLVMValueRef kernel, const struct end *end) {
  const uint64_t bytes = LLVMABISizeOfType(c->layout, packet_of(end)),
                 all = LLVMABISizeOfType(c->layout, LLVMGlobalGetValueType(end->variable));
  const char *depth = depth_of(end);
  int64_t packets;
  if (end->offset < 0 || (uint64_t)end->offset >= all || (uint64_t)end->offset % bytes != 0)
    return refuse(mark, kernel, "uses a channel outside of the array");
  if (bytes > MOST_BYTES)
    return refuse(mark, kernel, "uses a channel whose packets have more than 32 KiB");
  if (depth && (!constant_of_text(depth, &packets) || packets < 0))
    return refuse(mark, kernel, "uses a channel whose depth is no number of packets that the compiler knows");
  // A part that was compiled by itself may have another channel of this name.
  LLVMValueRef size = LLVMGetOperand(mark, 1);
  if (!LLVMIsAConstantInt(size) || LLVMConstIntGetZExtValue(size) != bytes)
    return refuse(mark, kernel, "uses a channel that has packets of another size in another part of the program");
  return STATUS_OK;
}

static enum status find_ends(struct channels *c, LLVMValueRef kernel) {
  struct end end;
  bool is_read;
  c->count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      if (!is_mark(at, &is_read))
        continue;
      if (!find_end(c, at, &end))
        return refuse(at, kernel,
                      "uses a channel that is known only when it runs: indices of arrays of channels have to be "
                      "constant, as in loops with #pragma unroll");
      const enum status status = check_end(c, at, kernel, &end);
      if (status != STATUS_OK)
        return status;
      if (number_of(c, &end) < c->count)
        continue;
      if (c->count == MOST_ENDS)
        return refuse(at, kernel, "uses more than 256 channels");
      c->ends[c->count++] = end;
    }
  return STATUS_OK;
}

static void use_arguments(const struct channels *c, LLVMValueRef kernel, unsigned first) {
  struct end end;
  bool is_read;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
      next = LLVMGetNextInstruction(at);
      if (!is_mark(at, &is_read) || !find_end(c, at, &end))
        continue;
      LLVMReplaceAllUsesWith(at, LLVMGetParam(kernel, first + number_of(c, &end)));
      LLVMInstructionEraseFromParent(at);
    }
}

// The ends that all kernels have, to see that each channel has both.
struct kernel_end {
  char name[NAME_BYTES];
  LLVMValueRef kernel;
  bool is_read;
};

struct all_ends {
  struct kernel_end *ends;
  size_t count;
};

static void add_ends(struct all_ends *all, const struct channels *c, LLVMValueRef kernel) {
  all->ends = realloc(all->ends, (all->count + c->count) * sizeof *all->ends);
  if (!all->ends)
    abort();
  for (unsigned i = 0; i < c->count; i++) {
    struct kernel_end *end = &all->ends[all->count++];
    *end = (struct kernel_end){.kernel = kernel, .is_read = c->ends[i].is_read};
    name_end(c, &c->ends[i], end->name);
  }
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// A kernel would wait for ever at a channel that nobody has the other end of.
static enum status check_both_ends(const struct all_ends *all) {
  char **sorted[2] = {calloc(all->count + 1, sizeof(char *)), calloc(all->count + 1, sizeof(char *))};
  size_t counts[2] = {0}, length;
  if (!sorted[0] || !sorted[1])
    abort();
  for (size_t i = 0; i < all->count; i++)
    sorted[all->ends[i].is_read][counts[all->ends[i].is_read]++] = all->ends[i].name;
  for (int i = 0; i < 2; i++)
    qsort(sorted[i], counts[i], sizeof(char *), by_name);
  enum status status = STATUS_OK;
  for (size_t i = 0; i < all->count && status == STATUS_OK; i++) {
    const struct kernel_end *end = &all->ends[i];
    const char *name = end->name;
    const int other = !end->is_read;
    if (bsearch(&name, sorted[other], counts[other], sizeof(char *), by_name))
      continue;
    ir_print_place_of_function(end->kernel);
    fprintf(stderr, "error: kernel '%s' %s channel '%s', which no kernel of the program %s\n",
            LLVMGetValueName2(end->kernel, &length), end->is_read ? "reads" : "writes", name,
            end->is_read ? "writes" : "reads");
    status = STATUS_REJECTED;
  }
  free(sorted[0]);
  free(sorted[1]);
  return status;
}

// ---- where they wait

void channels_take_wait(LLVMValueRef call, const char *unless_done) {
  static const char constraints[] = "r,~{memory}";
  LLVMValueRef said = LLVMGetOperand(call, 0);
  LLVMTypeRef word = LLVMTypeOf(said);
  LLVMContextRef context = LLVMGetTypeContext(word);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &word, 1, 0);
  if (unless_done) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, unless_done, strlen(unless_done), constraints,
                                             sizeof constraints - 1, 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMPositionBuilderBefore(builder, call);
    LLVMBuildCall2(builder, type, assembly, &said, 1, "");
    LLVMDisposeBuilder(builder);
  }
  LLVMReplaceAllUsesWith(call, said);
  LLVMInstructionEraseFromParent(call);
}

// Whether a kernel has both ends of a channel: one work-item of it may wait for another one.
static bool waits_for_itself(const struct all_ends *all, LLVMValueRef kernel) {
  for (size_t i = 0; i < all->count; i++)
    for (size_t k = i + 1; k < all->count && all->ends[i].kernel == kernel; k++)
      if (all->ends[k].kernel == kernel && all->ends[k].is_read != all->ends[i].is_read &&
          strcmp(all->ends[k].name, all->ends[i].name) == 0)
        return true;
  return false;
}

// The annotation that stands for such a call while loops around it are unrolled, which calls make less likely.
#define AWAITED_MARK "heddle.awaited"

static void mark_waits(LLVMModuleRef module) {
  LLVMValueRef function = LLVMGetNamedFunction(module, CHANNELS_AWAITED), mark = NULL;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetFirstUse(function)) {
    LLVMValueRef call = LLVMGetUser(use);
    LLVMPositionBuilderBefore(builder, call);
    if (!mark) {
      mark = LLVMBuildGlobalString(builder, AWAITED_MARK, AWAITED_MARK);
      LLVMSetUnnamedAddress(mark, LLVMNoUnnamedAddr);
    }
    LLVMTypeRef pointer = LLVMTypeOf(mark);
    LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), mark, LLVMConstNull(pointer), LLVMGetOperand(call, 1)};
    LLVMTypeRef types[] = {LLVMTypeOf(arguments[0]), pointer};
    const unsigned id = LLVMLookupIntrinsicID("llvm.annotation", sizeof "llvm.annotation" - 1);
    LLVMValueRef said = LLVMBuildCall2(builder, LLVMIntrinsicGetType(LLVMGetModuleContext(module), id, types, 2),
                                       LLVMGetIntrinsicDeclaration(module, id, types, 2), arguments, 4, "");
    LLVMReplaceAllUsesWith(call, said);
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDisposeBuilder(builder);
  if (function)
    LLVMDeleteFunction(function);
}

// Programmable units run kernels one after the other: what is not there, or has no room, when a kernel comes to it
// never will be, unless another work-item of the kernel is at the other end. So the kernel faults instead of waiting
// for ever.
static void take_waits(LLVMModuleRef module, const struct all_ends *all, bool faults) {
  LLVMValueRef mark = LLVMGetNamedGlobal(module, AWAITED_MARK), kernel = NULL;
  bool may = false;
  for (LLVMUseRef use = mark ? LLVMGetFirstUse(mark) : NULL; use; use = LLVMGetFirstUse(mark)) {
    LLVMValueRef call = LLVMGetUser(use), is_read = LLVMGetOperand(call, 3);
    LLVMValueRef of = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    char text[64];
    if (of != kernel)
      may = waits_for_itself(all, of);
    kernel = of;
    const uint32_t at = !LLVMIsAConstantInt(is_read) || LLVMConstIntGetZExtValue(is_read) != 0
                            ? HEDDLE_FAULT_CHANNEL_EMPTY
                            : HEDDLE_FAULT_CHANNEL_FULL;
    snprintf(text, sizeof text, "beqz $0, 1f\nlw zero, %d(zero)\n1:", (int32_t)at);
    channels_take_wait(call, faults && !may ? text : NULL);
  }
  if (mark)
    LLVMDeleteGlobal(mark);
}

// ---- arguments of a kernel

static enum status make_for(struct channels *c, LLVMValueRef kernel, struct all_ends *all) {
  enum status status = find_ends(c, kernel);
  if (status == STATUS_OK && c->count == 0 && kernel_hints_autorun(kernel))
    status = autorun_refuse_without_channel(kernel);  // a copy, for which nothing was left
  if (status != STATUS_OK || c->count == 0)
    return status;
  const unsigned first = LLVMCountParams(kernel);
  LLVMValueRef made = more_arguments_add(kernel, c->count);
  describe(c, made);
  use_arguments(c, made, first);
  autorun_set_pipe(made, LLVMGetParam(made, first));
  add_ends(all, c, made);
  return STATUS_OK;
}

// ---- all of them

static bool are_known(const struct channels *c, LLVMValueRef kernel) {
  struct end end;
  bool is_read;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (is_mark(at, &is_read) && !find_end(c, at, &end))
        return false;
  return true;
}

static enum status repeat_autorun(LLVMModuleRef module) {
  enum status status = STATUS_OK;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && status == STATUS_OK; f = LLVMGetNextFunction(f)) {
    if (!ir_is_kernel(f) || !kernel_hints_autorun(f))
      continue;
    status = autorun_check(f);
    if (status == STATUS_OK)
      autorun_repeat(f);
  }
  return status;
}

// Indices become constants where loops around them are unrolled.
#define UNROLL                                                                                                 \
  "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate)," \
  "loop(indvars,loop-unroll-full),sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)"

// In kernels whose channels are not known yet, and in copies, where what is for other copies goes, too. Loops of other
// kernels stay.
static enum status find_indices(const struct channels *c) {
  LLVMValueRef first = LLVMGetFirstFunction(c->module);
  struct reach others = {0};
  bool any = false;
  for (LLVMValueRef f = first; f; f = LLVMGetNextFunction(f)) {
    if (!ir_is_kernel(f))
      continue;
    const bool is_one = kernel_hints_autorun(f) || !are_known(c, f);
    any |= is_one;
    if (!is_one && !ir_has_attribute(f, "optnone"))
      reach_add(&others, f);
  }
  for (size_t i = 0; i < others.count; i++)
    ir_leave_alone(others.values[i], true);
  const enum status status = any ? ir_run_passes(c->module, NULL, "channels", UNROLL) : STATUS_OK;
  for (size_t i = 0; i < others.count; i++)
    ir_leave_alone(others.values[i], false);
  reach_free(&others);
  return status;
}

static bool all_are_known(const struct channels *c) {
  bool known = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
    known = known && (!ir_is_kernel(f) || are_known(c, f));
  return known;
}

enum status channels_make_arguments(LLVMModuleRef module, bool ends) {
  struct channels c = {.module = module, .layout = LLVMGetModuleDataLayout(module)};
  LLVMValueRef functions[2];
  for (unsigned i = 0; i < 2; i++)
    functions[i] = LLVMGetNamedFunction(module, marks[i]);
  if (!functions[0] && !functions[1])
    return STATUS_OK;
  kernel_hints_take(module);  // of which autorun is one
  for (unsigned i = 0; i < 2; i++)
    if (functions[i])
      more_arguments_show(functions[i]);
  compute_ids_show(module);
  bool has_copies = false;
  enum status status = call_graph_check(module);  // what calls itself does not become part of kernels
  if (status == STATUS_OK)
    status = ir_run_passes(module, NULL, "channels", "always-inline");
  if (status == STATUS_OK)
    status = compute_ids_make(module, &has_copies);
  if (status == STATUS_OK)
    autorun_take_waits(module, ends);
  if (status == STATUS_OK)
    mark_waits(module);
  if (status == STATUS_OK)
    status = repeat_autorun(module);
  if (status == STATUS_OK && (has_copies || !all_are_known(&c)))
    status = find_indices(&c);
  struct all_ends all = {0};
  // Those that are made come behind the last.
  for (LLVMValueRef f = LLVMGetFirstFunction(module), last = LLVMGetLastFunction(module), next;
       f && status == STATUS_OK; f = next) {
    next = f == last ? NULL : LLVMGetNextFunction(f);
    if (ir_is_kernel(f))
      status = make_for(&c, f, &all);
  }
  if (status == STATUS_OK)
    status = check_both_ends(&all);
  if (status == STATUS_OK)
    take_waits(module, &all, ends);
  free(all.ends);
  return status;
}
