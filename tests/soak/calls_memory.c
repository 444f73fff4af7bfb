// SPDX-License-Identifier: Apache-2.0
// The soak's calls that make memory objects: buffers, parts of them, pipes.
#include <stdlib.h>
#include <string.h>

#include "tests/soak/soak.h"

static void CL_CALLBACK on_destruction(cl_mem memory, void *user) {
  (void)memory;
  atomic_fetch_add((atomic_uint *)user, 1);
}

static void CL_CALLBACK free_host(cl_mem memory, void *user) {
  (void)memory;
  free(user);
}

static const cl_mem_flags kernel_access[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
static const cl_mem_flags host_access[] = {
    0, 0, 0, 0, CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY};

static bool is_wrong(cl_mem_flags flags) {
  const cl_mem_flags kernel = flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
  const cl_mem_flags host = flags & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
  const bool uses = (flags & CL_MEM_USE_HOST_PTR) != 0;
  const cl_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS |
                             CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_USE_HOST_PTR |
                             CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  return __builtin_popcountll(kernel) > 1 || __builtin_popcountll(host) > 1 || (flags & ~known) != 0 ||
         (uses && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0);
}

static cl_mem_flags draw_flags(struct actor *actor) {
  static const cl_mem_flags pointers[] = {0,
                                          0,
                                          0,
                                          CL_MEM_ALLOC_HOST_PTR,
                                          CL_MEM_COPY_HOST_PTR,
                                          CL_MEM_USE_HOST_PTR,
                                          CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR};
  cl_mem_flags flags = kernel_access[below(actor, 4)] | host_access[below(actor, 7)] | pointers[below(actor, 7)];
  if (one_in(actor, 16))
    flags |= (cl_mem_flags)1 << below(actor, 14);
  return flags;
}

static void make_buffer(struct actor *actor) {
  struct soak *soak = actor->soak;
  const struct picked context = pick_context(actor);
  const cl_mem_flags flags = draw_flags(actor);
  const uint32_t odd = below(actor, 24);
  const size_t size = odd == 0   ? 0
                      : odd == 1 ? soak->most_bytes + 1 + draw(actor)
                                 : 4 + below(actor, BUFFER_BYTES_MOST);
  const bool takes_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  const bool gives_pointer = takes_pointer != (odd == 2);
  const cl_mem_properties none[] = {0}, unknown[] = {0x7001, 1, 0};
  struct rules rules = {0};
  cl_mem memory;
  cl_int error;
  if (!has_room(actor, MEMORY))
    return;
  unsigned char *host = calloc(1, odd == 1 ? 16 : size + 16);
  if (!host)
    abort();
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  wrong_if(&rules, is_wrong(flags), CL_INVALID_VALUE);
  wrong_if(&rules, odd < 2, CL_INVALID_BUFFER_SIZE);
  wrong_if(&rules, odd == 2, CL_INVALID_HOST_PTR);
  wrong_if(&rules, odd == 3, CL_INVALID_PROPERTY);
  const bool made = odd < 8
                        ? TRY_MAKE(actor, &rules, memory,
                                   clCreateBufferWithProperties(context.handle,
                                                                odd == 3   ? unknown
                                                                : odd == 4 ? none
                                                                           : NULL,
                                                                flags, size, gives_pointer ? host : NULL, &error))
                        : TRY_MAKE(actor, &rules, memory,
                                   clCreateBuffer(context.handle, flags, size, gives_pointer ? host : NULL, &error));
  if (!made) {
    free(host);
    return;
  }
  struct thing *thing = keep(actor, MEMORY, memory, context.handle);
  thing->flags = flags;
  thing->is_read_only = (flags & CL_MEM_READ_ONLY) != 0;
  thing->size = size;
  const struct rules fine = {0};
  if ((flags & CL_MEM_USE_HOST_PTR) != 0)
    TRY(actor, &fine, clSetMemObjectDestructorCallback(memory, free_host, host));
  else
    free(host);
  TRY(actor, &fine, clSetMemObjectDestructorCallback(memory, on_destruction, &soak->destructors));
  atomic_fetch_add(&soak->buffers, 1);
}

static void make_sub_buffer(struct actor *actor) {
  const struct picked parent = pick(actor, MEMORY);
  const uint32_t odd = below(actor, 24);
  const size_t whole = parent.thing ? parent.thing->size : 256;
  const cl_mem_flags kernel = kernel_access[below(actor, 4)], host = host_access[below(actor, 7)];
  cl_mem_flags flags = one_in(actor, 2) ? 0 : kernel | host;
  cl_buffer_region region = {.origin = below(actor, (uint32_t)whole) / 128 * 128};
  struct rules rules = {0};
  cl_mem memory;
  cl_int error;
  if (!has_room(actor, MEMORY))
    return;
  region.size = 1 + below(actor, (uint32_t)(whole - region.origin));
  if (odd == 0)
    region.size = 0;
  else if (odd == 1)
    region.size = whole + 1;
  else if (odd == 2)
    region.origin += 4;
  else if (odd == 3)
    flags |= CL_MEM_COPY_HOST_PTR;
  else if (odd == 4)
    region.origin = SIZE_MAX - 127;
  const bool is_outside = region.origin > whole || region.size > whole - region.origin;
  wrong_if(&rules, !parent.thing || parent.thing->is_pipe || parent.thing->parent, CL_INVALID_MEM_OBJECT);
  wrong_if(&rules, is_wrong(flags) || odd == 3 || odd == 5 || odd == 6 || is_outside, CL_INVALID_VALUE);
  wrong_if(&rules, region.size == 0, CL_INVALID_BUFFER_SIZE);
  wrong_if(&rules, region.origin % 128 != 0, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  if (parent.thing) {
    const cl_mem_flags has = parent.thing->flags;
    const bool widens = ((has & CL_MEM_WRITE_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0) ||
                        ((has & CL_MEM_READ_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0);
    const bool opens =
        ((has & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0) ||
        ((has & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0) ||
        ((has & CL_MEM_HOST_NO_ACCESS) != 0 && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0);
    wrong_if(&rules, widens || opens, CL_INVALID_VALUE);
  }
  if (!TRY_MAKE(actor, &rules, memory,
                clCreateSubBuffer(parent.handle, flags, odd == 5 ? 0x7001 : CL_BUFFER_CREATE_TYPE_REGION,
                                  odd == 6 ? NULL : &region, &error)) ||
      !parent.thing)
    return;
  const cl_mem_flags from = parent.thing->flags,
                     pointers = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  const cl_mem_flags all_kernel = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
  const cl_mem_flags all_host = CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY;
  struct thing *thing = keep(actor, MEMORY, memory, parent.thing->context);
  thing->flags = flags | (from & pointers) | ((flags & all_kernel) != 0 ? 0 : from & all_kernel) |
                 ((flags & all_host) != 0 ? 0 : from & all_host);
  thing->is_read_only = parent.thing->is_read_only;
  thing->size = region.size;
  thing->origin = region.origin;
  thing->parent = parent.handle;
}

static void make_pipe(struct actor *actor) {
  const struct picked context = pick_context(actor);
  const uint32_t odd = below(actor, 12);
  const cl_pipe_properties properties[] = {0x7001, 1, 0};
  struct rules rules = {0};
  cl_mem memory;
  cl_int error;
  if (!has_room(actor, MEMORY))
    return;
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  wrong_if(&rules, odd == 0 || odd == 1, CL_INVALID_VALUE);
  wrong_if(&rules, odd == 2 || odd == 3 || odd == 4, CL_INVALID_PIPE_SIZE);
  if (!TRY_MAKE(actor, &rules, memory,
                clCreatePipe(context.handle, odd == 0 ? CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY : 0,
                             odd == 2   ? 0
                             : odd == 3 ? 1u << 30
                                        : 4,
                             odd == 4 ? 0 : 1 + below(actor, 64), odd == 1 ? properties : NULL, &error)))
    return;
  struct thing *thing = keep(actor, MEMORY, memory, context.handle);
  thing->flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  thing->size = 4;
  thing->is_pipe = true;
}

static void query_pipe(struct actor *actor) {
  const struct picked memory = pick(actor, MEMORY);
  const bool is_unknown = one_in(actor, 8), is_short = one_in(actor, 8);
  cl_uint value;
  struct rules rules = {0};
  wrong_if(&rules, !memory.thing || !memory.thing->is_pipe, CL_INVALID_MEM_OBJECT);
  wrong_if(&rules, is_unknown || is_short, CL_INVALID_VALUE);
  TRY(actor, &rules,
      clGetPipeInfo(memory.handle, is_unknown ? 0x7001 : CL_PIPE_MAX_PACKETS, is_short ? 1 : sizeof value, &value,
                    NULL));
}

// Half of what the device has, which is there or not, and goes at once. Nobody else takes so much at the same time, so
// that small buffers always fit.
static void try_large(struct actor *actor) {
  struct soak *soak = actor->soak;
  struct rules rules = {0};
  cl_mem memory;
  cl_int error;
  or_else(&rules, true, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  pthread_mutex_lock(&soak->large);
  if (TRY_MAKE(actor, &rules, memory, clCreateBuffer(soak->shared[0].handle, 0, soak->most_bytes, NULL, &error))) {
    const struct rules fine = {0};
    TRY(actor, &fine, clReleaseMemObject(memory));
  }
  pthread_mutex_unlock(&soak->large);
}

static void set_callback(struct actor *actor) {
  const struct picked memory = pick(actor, MEMORY);
  const bool has_none = one_in(actor, 6);
  struct rules rules = {0};
  wrong_if(&rules, !memory.thing, CL_INVALID_MEM_OBJECT);
  wrong_if(&rules, has_none, CL_INVALID_VALUE);
  if (TRY(actor, &rules,
          clSetMemObjectDestructorCallback(memory.handle, has_none ? NULL : on_destruction, &actor->soak->destructors)))
    atomic_fetch_add(&actor->soak->buffers, 1);
}

void step_memory(struct actor *actor) {
  const uint32_t which = below(actor, 20);
  if (which < 11)
    make_buffer(actor);
  else if (which < 16)
    make_sub_buffer(actor);
  else if (which == 16)
    make_pipe(actor);
  else if (which == 17)
    query_pipe(actor);
  else if (which == 18)
    set_callback(actor);
  else
    try_large(actor);
}
