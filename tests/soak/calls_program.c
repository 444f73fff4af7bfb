// SPDX-License-Identifier: Apache-2.0
// The soak's calls on programs: made of source, SPIR-V and binaries; built, compiled, linked.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/soak/soak.h"
#include "tests/soak/sources.h"

static void CL_CALLBACK on_build(cl_program program, void *user) {
  (void)program;
  atomic_fetch_add((atomic_uint *)user, 1);
}

static void make_of_source(struct actor *actor) {
  static const char *const texts[] = {
      [GOOD] = good_source, [WRONG] = wrong_source, [CALLER] = caller_source, [CALLEE] = callee_source};
  static const enum content some[] = {GOOD, GOOD, GOOD, WRONG, CALLER, CALLER, CALLEE, CALLEE};
  const struct picked context = pick_context(actor);
  const enum content content = some[below(actor, 8)];
  const uint32_t odd = below(actor, 16);
  // Now and then one that no cache has.
  char first[64] = "";
  if (one_in(actor, 64))
    snprintf(first, sizeof first, "// %u %u\n", actor->number, draw(actor));
  const char *strings[] = {first, odd == 1 ? NULL : texts[content]};
  const size_t lengths[] = {strlen(first), odd == 2 ? strlen(texts[content]) : 0};
  struct rules rules = {0};
  cl_program program;
  cl_int error;
  if (!has_room(actor, PROGRAM))
    return;
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  wrong_if(&rules, odd == 0 || odd == 1 || odd == 3, CL_INVALID_VALUE);
  if (TRY_MAKE(actor, &rules, program,
               clCreateProgramWithSource(context.handle, odd == 0 ? 0 : 2, odd == 3 ? NULL : strings,
                                         odd == 2 ? lengths : NULL, &error)))
    keep(actor, PROGRAM, program, context.handle)->content = content;
}

static void make_of_binary(struct actor *actor) {
  struct soak *soak = actor->soak;
  const struct picked context = pick_context(actor);
  const bool is_object = one_in(actor, 3);
  const uint32_t odd = below(actor, 16);
  size_t length = odd == 0 ? 0 : is_object ? soak->object_bytes : soak->binary_bytes;
  const unsigned char *whole = is_object ? soak->object : soak->binary;
  unsigned char *copy = malloc(length + 1);
  void *device = odd == 1 ? wrong_handle(actor, CONTEXT) : soak->device;
  struct rules rules = {0};
  cl_int error, status;
  cl_program program;
  if (!copy)
    abort();
  memcpy(copy, whole, length);
  if (odd == 4)
    length = length / 8 + below(actor, (uint32_t)length / 2);
  else if (odd == 5)
    memset(copy, (int)draw(actor), length / 2);
  else if (odd == 6)
    copy[below(actor, (uint32_t)length)] ^= (unsigned char)(1 + below(actor, 255));
  const unsigned char *binaries[] = {odd == 7 ? NULL : copy};
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  wrong_if(&rules, odd == 0 || odd == 2 || odd == 3 || odd == 7, CL_INVALID_VALUE);
  wrong_if(&rules, device != soak->device, CL_INVALID_DEVICE);
  wrong_if(&rules, odd == 4 || odd == 5, CL_INVALID_BINARY);
  or_else(&rules, odd == 6, CL_INVALID_BINARY);
  if (!has_room(actor, PROGRAM)) {
    free(copy);
    return;
  }
  const cl_device_id devices[] = {device};
  if (TRY_MAKE(actor, &rules, program,
               clCreateProgramWithBinary(context.handle, odd == 2 ? 0 : 1, devices, odd == 3 ? NULL : &length, binaries,
                                         odd == 8 ? NULL : &status, &error))) {
    struct thing *thing = keep(actor, PROGRAM, program, context.handle);
    thing->content = is_object ? OBJECT : BINARY;
    thing->is_compiled = is_object;
    if (odd == 6)  // who knows what is in it: it goes at once
      release_thing(actor, thing);
  }
  free(copy);
}

static void make_of_il(struct actor *actor) {
  struct soak *soak = actor->soak;
  const struct picked context = pick_context(actor);
  const uint32_t odd = below(actor, 6);
  struct rules rules = {0};
  cl_int error;
  cl_program program;
  if (!has_room(actor, PROGRAM))
    return;
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  wrong_if(&rules, odd <= 2, CL_INVALID_VALUE);
  const void *il = odd == 0 ? NULL : odd == 1 ? (const void *)good_source : soak->spirv;
  if (TRY_MAKE(actor, &rules, program,
               clCreateProgramWithIL(context.handle, il, odd == 2 ? 0 : soak->spirv_bytes, &error))) {
    struct thing *thing = keep(actor, PROGRAM, program, context.handle);
    const struct rules no_constant = {.errors = {CL_INVALID_SPEC_ID}, .num_errors = 1};
    TRY(actor, &no_constant, clSetProgramSpecializationConstant(program, 9, 4, &odd));
    release_thing(actor, thing);
  }
}

// The devices of a call that builds: those of the program, by themselves or by name, or none that are right.
struct devices {
  cl_uint count;
  bool has_list;
  cl_device_id list[1];
};

static struct devices draw_devices(struct actor *actor, struct rules *rules) {
  struct devices devices = {.list = {actor->soak->device}};
  switch (below(actor, 20)) {
    case 0:
      devices = (struct devices){1, true, {wrong_handle(actor, CONTEXT)}};
      wrong_if(rules, devices.list[0] != actor->soak->device, CL_INVALID_DEVICE);
      break;
    case 1:
    case 2:
      devices.count = draw(actor) % 2;
      devices.has_list = devices.count == 0;
      wrong_if(rules, true, CL_INVALID_VALUE);
      break;
    case 3:
    case 4:
      devices.count = 1;
      devices.has_list = true;
      break;
    default:;
  }
  return devices;
}

// Kernels keep a program as it is; commands may hold kernels that are released: then it may be either.
static bool is_doubtful(const struct thing *program) {
  return program && program->kernels == 0 && program->had_commands;
}

static void build(struct actor *actor) {
  static const char *const options[] = {good_options,
                                        good_options,
                                        good_options,
                                        good_options,
                                        "-cl-std=CL3.0 -cl-kernel-arg-info -cl-fast-relaxed-math",
                                        "-cl-std=CL3.0 -cl-kernel-arg-info -D v=1",
                                        "-no-such-option"};
  const struct picked program = pick(actor, PROGRAM);
  const uint32_t odd = below(actor, 16), drawn = below(actor, 7);
  const uint32_t which = is_doubtful(program.thing) ? 0 : drawn;
  const bool calls_back = one_in(actor, 4);
  struct rules rules = {0};
  const struct devices devices = draw_devices(actor, &rules);
  wrong_if(&rules, !program.thing, CL_INVALID_PROGRAM);
  wrong_if(&rules, odd == 0, CL_INVALID_VALUE);
  const bool is_tried = rules.num_errors == 0;
  if (program.thing) {
    const struct thing *thing = program.thing;
    const bool has_source = thing->content <= CALLEE && !thing->is_linked;
    wrong_if(&rules, thing->kernels > 0, CL_INVALID_OPERATION);
    or_else(&rules, is_doubtful(thing), CL_INVALID_OPERATION);
    wrong_if(&rules, thing->is_linked, CL_INVALID_OPERATION);
    wrong_if(&rules, has_source && which == 6, CL_INVALID_BUILD_OPTIONS);
    wrong_if(&rules, has_source && (thing->content == WRONG || thing->content == CALLER), CL_BUILD_PROGRAM_FAILURE);
    wrong_if(&rules, thing->content == OBJECT, CL_INVALID_BINARY);
  }
  const bool done = TRY(
      actor, &rules,
      clBuildProgram(program.handle, devices.count, devices.has_list ? devices.list : NULL, options[which],
                     calls_back && odd != 0 ? on_build : NULL, calls_back || odd == 0 ? &actor->soak->builds : NULL));
  // A build that fails leaves no executable; one that did not begin leaves what there was.
  if (is_tried && program.thing->kernels == 0 && !is_doubtful(program.thing) && !program.thing->is_linked) {
    program.thing->is_built = done;
    if (done)
      program.thing->is_compiled = false;
  }
}

static void compile(struct actor *actor) {
  const struct picked program = pick(actor, PROGRAM), header = pick(actor, PROGRAM);
  const uint32_t odd = below(actor, 16);
  const char *names[] = {odd == 3 ? NULL : "header.h"};
  const cl_program headers[] = {header.handle};
  const bool has_header = odd < 6;
  struct rules rules = {0};
  if (is_doubtful(program.thing))
    return;
  wrong_if(&rules, odd == 0, CL_INVALID_VALUE);
  wrong_if(&rules, has_header && (odd == 1 || odd == 2 || odd == 3), CL_INVALID_VALUE);
  wrong_if(&rules, has_header && !header.thing, CL_INVALID_PROGRAM);
  wrong_if(&rules, has_header && header.thing && (header.thing->content > CALLEE || header.thing->is_linked),
           CL_INVALID_PROGRAM);
  wrong_if(&rules, !program.thing, CL_INVALID_PROGRAM);
  const bool is_tried = rules.num_errors == 0;
  if (program.thing) {
    const struct thing *thing = program.thing;
    wrong_if(&rules, thing->kernels > 0, CL_INVALID_OPERATION);
    wrong_if(&rules, thing->content > CALLEE || thing->is_linked, CL_INVALID_OPERATION);
    wrong_if(&rules, odd == 7, CL_INVALID_COMPILER_OPTIONS);
    wrong_if(&rules, thing->content == WRONG, CL_COMPILE_PROGRAM_FAILURE);
  }
  const bool is_source = program.thing && program.thing->content <= CALLEE && !program.thing->is_linked;
  const bool done = TRY(actor, &rules,
                        clCompileProgram(program.handle, 0, NULL, odd == 7 ? "-no-such-option" : good_options,
                                         has_header && odd != 1 ? 1 : 0, has_header ? headers : NULL,
                                         has_header && odd != 2 ? names : NULL, NULL, odd == 0 ? names : NULL));
  if (is_tried && is_source && program.thing->kernels == 0) {
    // What was compiled last stays where this did not succeed, but the executable goes.
    program.thing->is_built = false;
    program.thing->is_compiled = program.thing->is_compiled || done;
  }
}

static void link_programs(struct actor *actor) {
  const struct picked context = pick_context(actor);
  const uint32_t odd = below(actor, 16);
  const bool makes_library = one_in(actor, 4);
  const cl_uint count = odd == 0 ? 0 : 1 + below(actor, 2);
  cl_program programs[2];
  unsigned callers = 0, callees = 0, wholes = 0, without = 0, others = 0;
  struct rules rules = {0};
  cl_int error;
  cl_program linked;
  if (!has_room(actor, PROGRAM))
    return;
  for (cl_uint i = 0; i < count; i++) {
    struct picked program = pick(actor, PROGRAM);
    // Mostly what can be linked.
    for (int tries = 0; tries < 6 && program.thing && !program.thing->is_compiled; tries++)
      program = pick(actor, PROGRAM);
    programs[i] = program.handle;
    wrong_if(&rules, !program.thing, CL_INVALID_PROGRAM);
    if (!program.thing)
      continue;
    without += !program.thing->is_compiled && !program.thing->is_library;
    callers += program.thing->content == CALLER && !program.thing->is_library;
    callees += program.thing->content == CALLEE && !program.thing->is_library;
    wholes += program.thing->content == OBJECT;
    others += program.thing->is_library || program.thing->is_linked || program.thing->content == GOOD ||
              program.thing->content == WRONG || program.thing->content == BINARY;
  }
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  wrong_if(&rules, odd == 0 || odd == 1, CL_INVALID_VALUE);
  wrong_if(&rules, odd == 2, CL_INVALID_LINKER_OPTIONS);
  wrong_if(&rules, without > 0, CL_INVALID_OPERATION);
  // What they make together: functions that are there once each.
  const bool is_unknown = others > 0;
  const bool fails = callers > 1 || callees > 1 || wholes > 1 || (callers == 1 && callees == 0 && !makes_library);
  wrong_if(&rules, fails && !is_unknown && without == 0, CL_LINK_PROGRAM_FAILURE);
  or_else(&rules, is_unknown && without == 0, CL_LINK_PROGRAM_FAILURE);
  const char *options = odd == 2 ? "-no-such-option" : makes_library ? "-create-library" : NULL;
  const bool done =
      TRY_MAKE(actor, &rules, linked,
               clLinkProgram(context.handle, 0, NULL, options, count, odd == 1 ? NULL : programs, NULL, NULL, &error));
  if (!done && error != CL_LINK_PROGRAM_FAILURE) {
    if (linked)
      fail_soak(actor, "thread %u, call %u: clLinkProgram failed, but with a program", actor->number, actor->calls);
    return;
  }
  if (!linked) {
    fail_soak(actor, "thread %u, call %u: clLinkProgram: no program", actor->number, actor->calls);
    return;
  }
  struct thing *thing = keep(actor, PROGRAM, linked, context.handle);
  thing->is_linked = true;
  thing->is_built = done && !makes_library;
  thing->is_library = done && makes_library;
  thing->content = BINARY;
  thing->links_good = wholes == 1;
  if (!done || is_unknown)
    release_thing(actor, thing);
}

static void query_build(struct actor *actor) {
  static const cl_program_build_info names[] = {CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_OPTIONS,
                                                CL_PROGRAM_BINARY_TYPE, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE};
  const struct picked program = pick(actor, PROGRAM);
  const uint32_t odd = below(actor, 16);
  void *device = odd == 0 ? wrong_handle(actor, EVENT) : actor->soak->device;
  struct rules rules = {0};
  char value[16384];
  wrong_if(&rules, !program.thing, CL_INVALID_PROGRAM);
  wrong_if(&rules, device != actor->soak->device, CL_INVALID_DEVICE);
  wrong_if(&rules, odd == 1 || odd == 2, CL_INVALID_VALUE);
  TRY(actor, &rules,
      clGetProgramBuildInfo(program.handle, device, odd == 1 ? 0x7001 : names[below(actor, 5)],
                            odd == 2 ? 0 : sizeof value, value, NULL));
}

static void set_constant(struct actor *actor) {
  const struct picked program = pick(actor, PROGRAM);
  struct rules rules = {0};
  wrong_if(&rules, true, CL_INVALID_PROGRAM);  // none of them is SPIR-V
  TRY(actor, &rules, clSetProgramSpecializationConstant(program.handle, 0, 4, &rules));
}

static void set_release_callback(struct actor *actor) {
  const struct picked program = pick(actor, PROGRAM);
  const bool has_none = one_in(actor, 4);
  struct rules rules = {0};
  wrong_if(&rules, !program.thing, CL_INVALID_PROGRAM);
  wrong_if(&rules, has_none, CL_INVALID_VALUE);
  wrong_if(&rules, true, CL_INVALID_OPERATION);
  TRY(actor, &rules, clSetProgramReleaseCallback(program.handle, has_none ? NULL : on_build, NULL));
}

void step_program(struct actor *actor) {
  const uint32_t which = below(actor, 24);
  if (which < 5)
    make_of_source(actor);
  else if (which < 8)
    make_of_binary(actor);
  else if (which == 8)
    make_of_il(actor);
  else if (which < 14)
    build(actor);
  else if (which < 17)
    compile(actor);
  else if (which < 19)
    link_programs(actor);
  else if (which < 22)
    query_build(actor);
  else if (which == 22)
    set_constant(actor);
  else
    set_release_callback(actor);
}
