// SPDX-License-Identifier: Apache-2.0
// The soak's calls that move bytes: reads, writes, copies, fills, boxes, mappings, migration.
#include <stdlib.h>
#include <string.h>

#include "tests/soak/soak.h"

// Where reads go to and writes come from. What is in it is nobody's matter, but races of several actors are.
enum { HOST_BYTES = 4 * BUFFER_BYTES_MOST };
static _Thread_local unsigned char host_bytes[64][HOST_BYTES / 16];

// What a command that is not waited for uses has to last: one of several pieces in turn, and none of them before all is
// over. They are made once and never given up while threads run.
static unsigned char *host_piece(struct actor *actor) {
  return host_bytes[below(actor, 64)];
}

static bool is_host_queue(const struct picked *queue) {
  return queue->thing && !queue->thing->is_on_device;
}

static void wrong_buffer(struct rules *rules, const struct picked *queue, const struct picked *memory) {
  wrong_if(rules, !memory->thing || memory->thing->is_pipe, CL_INVALID_MEM_OBJECT);
  wrong_if(rules, is_host_queue(queue) && memory->thing && memory->thing->context != queue->thing->context,
           CL_INVALID_CONTEXT);
}

// A part of a memory object, now and then one that leaves it.
struct range {
  size_t offset, size;
  bool is_outside;
};

static struct range draw_range(struct actor *actor, const struct picked *memory, uint32_t multiple) {
  const size_t whole = memory->thing ? memory->thing->size : 64;
  const size_t most = HOST_BYTES / 16;
  struct range range = {.offset = below(actor, (uint32_t)whole + 1) / multiple * multiple};
  const size_t left = whole - range.offset;
  range.size = below(actor, (uint32_t)(left < most ? left : most) + 1) / multiple * multiple;
  switch (below(actor, 24)) {
    case 0:
      range.size = left + multiple;
      range.size -= range.size % multiple;
      if (range.size <= left)
        range.size += multiple;
      break;
    case 1:
      range.offset = SIZE_MAX / multiple * multiple;
      break;
    case 2:
      range.size = SIZE_MAX / multiple * multiple;
      break;
    default:;
  }
  range.is_outside = range.offset > whole || range.size > whole - range.offset;
  return range;
}

// What a command ends with, and what a blocking call returns then.
static cl_int fate_of(const struct waits *waits) {
  return waits->fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE;
}

// Looks after the event of a command that was enqueued or not.
static void finish(struct actor *actor, bool enqueued, const cl_event *event, const struct picked *queue,
                   const struct waits *waits, bool has_ended) {
  if (enqueued)
    keep_event(actor, event, queue->thing, waits->fails, fate_of(waits), has_ended);
  else
    expect_no_event(actor, event);
}

// ---- reads and writes

static void read_or_write(struct actor *actor) {
  const bool writes = one_in(actor, 2), blocks = one_in(actor, 3), has_none = one_in(actor, 24);
  const struct picked queue = pick(actor, QUEUE), memory = pick(actor, MEMORY);
  const struct range range = draw_range(actor, &memory, 1);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  unsigned char *host = has_none ? NULL : host_piece(actor);
  const cl_mem_flags forbidden = CL_MEM_HOST_NO_ACCESS | (writes ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
  struct rules rules = {0};
  cl_event place, *event = want_event(actor, &place);
  wrong_if(&rules, !is_host_queue(&queue), CL_INVALID_COMMAND_QUEUE);
  wrong_buffer(&rules, &queue, &memory);
  wrong_waits(&rules, &waits);
  wrong_if(&rules, range.is_outside || has_none, CL_INVALID_VALUE);
  wrong_if(&rules, memory.thing && (memory.thing->flags & forbidden) != 0, CL_INVALID_OPERATION);
  if (blocks) {
    set_user_events(actor);
    rules.otherwise = fate_of(&waits);
  }
  const bool done = writes ? TRY(actor, &rules,
                                 clEnqueueWriteBuffer(queue.handle, memory.handle, blocks, range.offset, range.size,
                                                      host, waits.count, waits.pointer, event))
                           : TRY(actor, &rules,
                                 clEnqueueReadBuffer(queue.handle, memory.handle, blocks, range.offset, range.size,
                                                     host, waits.count, waits.pointer, event));
  finish(actor, done, event, &queue, &waits, blocks);
}

// A box in a buffer whose rows have `row` bytes and slices `slice`.
static bool box_leaves(const struct thing *memory, const size_t origin[3], const size_t region[3], size_t row,
                       size_t slice) {
  const size_t end = (origin[2] + region[2] - 1) * slice + (origin[1] + region[1] - 1) * row + origin[0] + region[0];
  return memory && end > memory->size;
}

static void move_box(struct actor *actor) {
  const uint32_t odd = below(actor, 24), which = below(actor, 3);
  const bool blocks = one_in(actor, 3);
  const struct picked queue = pick(actor, QUEUE), memory = pick(actor, MEMORY), other = pick(actor, MEMORY);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  const size_t origin[3] = {below(actor, 8), below(actor, 3), below(actor, 3)}, zero[3] = {0, 0, 0};
  const size_t region[3] = {odd == 0 ? 0 : 1 + below(actor, 8), odd == 1 ? 0 : 1 + below(actor, 3),
                            odd == 2 ? 0 : 1 + below(actor, 3)};
  const size_t full_row = 8 + below(actor, 8), full_slice = full_row * (3 + below(actor, 3));
  // Too small a row, and a slice that is neither so large as its rows nor rows of them.
  const size_t row = odd == 3 && region[0] > 1 ? region[0] - 1 : full_row;
  const bool is_bad_slice = odd == 4 && region[1] > 1;
  const size_t slice = is_bad_slice ? row + 1 : full_slice;
  const bool is_bad = odd < 3 || row < region[0] || is_bad_slice;
  const bool has_none = odd == 5 || odd == 6;
  unsigned char *host = odd == 5 ? NULL : host_piece(actor);
  struct rules rules = {0};
  cl_event place, *event = want_event(actor, &place);
  bool done;
  wrong_if(&rules, !is_host_queue(&queue), CL_INVALID_COMMAND_QUEUE);
  wrong_buffer(&rules, &queue, &memory);
  wrong_waits(&rules, &waits);
  wrong_if(&rules, is_bad, CL_INVALID_VALUE);
  wrong_if(&rules, !is_bad && box_leaves(memory.thing, origin, region, row, slice), CL_INVALID_VALUE);
  if (which == 0) {
    const bool overlaps = memory.handle == other.handle && memory.thing;
    const struct thing *a = memory.thing, *b = other.thing;
    wrong_buffer(&rules, &queue, &other);
    wrong_if(&rules, odd == 6, CL_INVALID_VALUE);
    wrong_if(&rules, !is_bad && box_leaves(other.thing, origin, region, row, slice), CL_INVALID_VALUE);
    wrong_if(&rules, overlaps, CL_MEM_COPY_OVERLAP);  // it goes where it comes from
    // Parts of one buffer that share bytes, or a part and the whole.
    const void *a_root = a && a->parent ? a->parent : memory.handle,
               *b_root = b && b->parent ? b->parent : other.handle;
    or_else(&rules, a && b && a != b && a_root == b_root, CL_MEM_COPY_OVERLAP);
    done = TRY(actor, &rules,
               clEnqueueCopyBufferRect(queue.handle, memory.handle, other.handle, odd == 6 ? NULL : origin, origin,
                                       region, row, slice, row, slice, waits.count, waits.pointer, event));
    finish(actor, done, event, &queue, &waits, false);
    return;
  }
  const cl_mem_flags forbidden = CL_MEM_HOST_NO_ACCESS | (which == 1 ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
  wrong_if(&rules, has_none, CL_INVALID_VALUE);
  wrong_if(&rules, memory.thing && (memory.thing->flags & forbidden) != 0, CL_INVALID_OPERATION);
  if (blocks) {
    set_user_events(actor);
    rules.otherwise = fate_of(&waits);
  }
  done = which == 1
             ? TRY(actor, &rules,
                   clEnqueueWriteBufferRect(queue.handle, memory.handle, blocks, origin, zero, odd == 6 ? NULL : region,
                                            row, slice, 0, 0, host, waits.count, waits.pointer, event))
             : TRY(actor, &rules,
                   clEnqueueReadBufferRect(queue.handle, memory.handle, blocks, origin, odd == 6 ? NULL : zero, region,
                                           row, slice, 0, 0, host, waits.count, waits.pointer, event));
  finish(actor, done, event, &queue, &waits, blocks);
}

// ---- copies, fills, migration

static void copy(struct actor *actor) {
  const struct picked queue = pick(actor, QUEUE), from = pick(actor, MEMORY), to = pick(actor, MEMORY);
  const struct range source = draw_range(actor, &from, 1);
  const size_t target = to.thing ? below(actor, (uint32_t)to.thing->size) : 0;
  const bool is_outside = to.thing && (target > to.thing->size || source.size > to.thing->size - target);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  struct rules rules = {0};
  cl_event place, *event = want_event(actor, &place);
  wrong_if(&rules, !is_host_queue(&queue), CL_INVALID_COMMAND_QUEUE);
  wrong_buffer(&rules, &queue, &from);
  wrong_buffer(&rules, &queue, &to);
  wrong_waits(&rules, &waits);
  wrong_if(&rules, source.is_outside || is_outside, CL_INVALID_VALUE);
  if (from.thing && to.thing && !source.is_outside && !is_outside) {
    const void *from_root = from.thing->parent ? from.thing->parent : from.handle;
    const void *to_root = to.thing->parent ? to.thing->parent : to.handle;
    const size_t a = from.thing->origin + source.offset, b = to.thing->origin + target;
    const bool meet = from_root == to_root && a < b + source.size && b < a + source.size;
    const bool parts = from.thing->parent && to.thing->parent;
    wrong_if(&rules, meet && (from.handle == to.handle || parts), CL_MEM_COPY_OVERLAP);
    // The text leaves open whether parts that share bytes may be copied between where they do not, and says nothing of
    // a part and the whole.
    or_else(&rules, from_root == to_root && from.handle != to.handle, CL_MEM_COPY_OVERLAP);
  }
  const bool done = TRY(actor, &rules,
                        clEnqueueCopyBuffer(queue.handle, from.handle, to.handle, source.offset, target, source.size,
                                            waits.count, waits.pointer, event));
  finish(actor, done, event, &queue, &waits, false);
}

static void fill(struct actor *actor) {
  static const unsigned char pattern[256] = {1, 2, 3};
  const uint32_t odd = below(actor, 24), pattern_size = 1u << below(actor, 8);
  const struct picked queue = pick(actor, QUEUE), memory = pick(actor, MEMORY);
  struct range range = draw_range(actor, &memory, pattern_size);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  const size_t given = odd == 0 ? 0 : odd == 1 ? 3 : odd == 2 ? 256 : pattern_size;
  struct rules rules = {0};
  cl_event place, *event = want_event(actor, &place);
  if (odd == 3 && pattern_size > 1 && range.size > 1 && !range.is_outside)
    range.size -= 1;
  wrong_if(&rules, !is_host_queue(&queue), CL_INVALID_COMMAND_QUEUE);
  wrong_buffer(&rules, &queue, &memory);
  wrong_waits(&rules, &waits);
  wrong_if(&rules, range.is_outside || odd < 3 || odd == 4, CL_INVALID_VALUE);
  wrong_if(&rules, range.size % pattern_size != 0, CL_INVALID_VALUE);
  const bool done = TRY(actor, &rules,
                        clEnqueueFillBuffer(queue.handle, memory.handle, odd == 4 ? NULL : pattern, given, range.offset,
                                            range.size, waits.count, waits.pointer, event));
  finish(actor, done, event, &queue, &waits, false);
}

static void migrate(struct actor *actor) {
  const uint32_t odd = below(actor, 12);
  const struct picked queue = pick(actor, QUEUE), first = pick(actor, MEMORY), second = pick(actor, MEMORY);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  const cl_mem list[] = {first.handle, second.handle};
  const cl_mem_migration_flags flags = odd == 0 ? 1 << 9 : below(actor, 4);
  struct rules rules = {0};
  cl_event place, *event = want_event(actor, &place);
  wrong_if(&rules, !is_host_queue(&queue), CL_INVALID_COMMAND_QUEUE);
  wrong_if(&rules, odd < 3, CL_INVALID_VALUE);
  wrong_if(&rules, !first.thing || !second.thing, CL_INVALID_MEM_OBJECT);
  wrong_if(&rules,
           is_host_queue(&queue) && first.thing && second.thing &&
               (first.thing->context != queue.thing->context || second.thing->context != queue.thing->context),
           CL_INVALID_CONTEXT);
  if (is_host_queue(&queue) && (!first.thing || !second.thing))
    wrong_if(&rules, true, CL_INVALID_CONTEXT);  // of the other one, perhaps
  wrong_waits(&rules, &waits);
  const bool done = TRY(actor, &rules,
                        clEnqueueMigrateMemObjects(queue.handle, odd == 1 ? 0 : 2, odd == 2 ? NULL : list, flags,
                                                   waits.count, waits.pointer, event));
  finish(actor, done, event, &queue, &waits, false);
}

// ---- mappings

static bool is_mapped_for_writing(const struct actor *actor, const struct thing *memory, size_t start, size_t end) {
  const void *root = memory->parent ? memory->parent : memory->handle;
  for (unsigned i = 0; i < MAPPINGS_MOST; i++) {
    const struct mapping *at = &actor->mappings[i];
    if (at->pointer && at->is_for_writing && at->root == root && start < at->end && at->start < end)
      return true;
  }
  return false;
}

static void map(struct actor *actor) {
  static const cl_map_flags some[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
                                      CL_MAP_WRITE_INVALIDATE_REGION};
  const uint32_t odd = below(actor, 24);
  const bool blocks = one_in(actor, 3);
  const struct picked queue = pick(actor, QUEUE), memory = pick(actor, MEMORY);
  const struct range range = draw_range(actor, &memory, 1);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  const cl_map_flags drawn = some[below(actor, 4)];
  const cl_map_flags flags = odd == 0 ? 1 << 9 : odd == 1 ? CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION : drawn;
  const bool reads = (flags & CL_MAP_READ) != 0,
             writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  struct mapping *place_of_mapping = actor->mappings;
  struct rules rules = {0};
  cl_event place, *event = want_event(actor, &place);
  void *pointer;
  cl_int error;
  while (place_of_mapping < actor->mappings + MAPPINGS_MOST && place_of_mapping->pointer)
    place_of_mapping++;
  // What others map at the same time is not known.
  if (place_of_mapping == actor->mappings + MAPPINGS_MOST || (memory.thing && memory.thing->is_shared))
    return;
  wrong_if(&rules, !is_host_queue(&queue), CL_INVALID_COMMAND_QUEUE);
  wrong_buffer(&rules, &queue, &memory);
  wrong_waits(&rules, &waits);
  wrong_if(&rules, range.is_outside || range.size == 0 || odd < 2, CL_INVALID_VALUE);
  const size_t start = memory.thing ? memory.thing->origin + range.offset : 0, end = start + range.size;
  if (memory.thing) {
    const cl_mem_flags host = memory.thing->flags;
    wrong_if(&rules, reads && (host & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0, CL_INVALID_OPERATION);
    wrong_if(&rules, writes && (host & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0, CL_INVALID_OPERATION);
    wrong_if(&rules, writes && !range.is_outside && is_mapped_for_writing(actor, memory.thing, start, end),
             CL_INVALID_OPERATION);
    const struct thing *parent = thing_of(actor, memory.thing->parent);
    or_else(&rules, writes && parent && parent->is_shared, CL_INVALID_OPERATION);
  }
  if (blocks) {
    set_user_events(actor);
    rules.otherwise = fate_of(&waits);
  }
  const bool done = TRY_MAKE(actor, &rules, pointer,
                             clEnqueueMapBuffer(queue.handle, memory.handle, blocks, flags, range.offset, range.size,
                                                waits.count, waits.pointer, event, &error));
  if (done)
    *place_of_mapping = (struct mapping){
        pointer, memory.handle, memory.thing->parent ? memory.thing->parent : memory.handle, start, end, writes};
  if (done != !!pointer)
    fail_soak(actor, "thread %u, call %u: clEnqueueMapBuffer: %s pointer", actor->number, actor->calls,
              pointer ? "failed, but with a" : "no");
  finish(actor, done, event, &queue, &waits, blocks);
}

void unmap(struct actor *actor, struct mapping *mapping, const struct thing *queue) {
  const struct rules rules = {0};
  if (TRY(actor, &rules, clEnqueueUnmapMemObject(queue->handle, mapping->memory, mapping->pointer, 0, NULL, NULL)))
    mapping->pointer = NULL;
}

static void unmap_some(struct actor *actor) {
  const struct picked queue = pick(actor, QUEUE), other = pick(actor, MEMORY);
  struct waits waits;
  pick_waits(actor, queue.thing, &waits);
  struct mapping *mapping = &actor->mappings[below(actor, MAPPINGS_MOST)];
  const uint32_t odd = below(actor, 12);
  const struct thing *mapped = mapping->pointer ? thing_of(actor, mapping->memory) : NULL;
  struct rules rules = {0};
  cl_event place, *event = want_event(actor, &place);
  // Of another object than what was mapped, or at another place.
  const struct picked memory =
      odd == 0 || !mapped ? other : (struct picked){mapping->memory, thing_of(actor, mapping->memory)};
  unsigned char *pointer = mapping->pointer ? mapping->pointer : host_piece(actor);
  if (odd == 1)
    pointer = NULL;
  else if (odd == 2)
    pointer = host_piece(actor);
  bool is_mapped = false;
  for (unsigned i = 0; i < MAPPINGS_MOST; i++) {
    struct mapping *at = &actor->mappings[i];
    if (at->pointer && at->memory == memory.handle && at->pointer == pointer) {
      is_mapped = true;
      mapping = at;
    }
  }
  if (memory.thing && memory.thing->is_shared)
    return;
  // Of several at one address any may be meant.
  for (unsigned i = 0; i < MAPPINGS_MOST && is_mapped; i++) {
    const struct mapping *at = &actor->mappings[i];
    if (at != mapping && at->pointer == pointer && at->memory == memory.handle)
      return;
  }
  wrong_if(&rules, !is_host_queue(&queue), CL_INVALID_COMMAND_QUEUE);
  wrong_buffer(&rules, &queue, &memory);
  wrong_waits(&rules, &waits);
  wrong_if(&rules, !is_mapped, CL_INVALID_VALUE);
  const bool done = TRY(
      actor, &rules, clEnqueueUnmapMemObject(queue.handle, memory.handle, pointer, waits.count, waits.pointer, event));
  if (done)
    mapping->pointer = NULL;
  finish(actor, done, event, &queue, &waits, false);
}

void step_transfer(struct actor *actor) {
  const uint32_t which = below(actor, 16);
  if (which < 6)
    read_or_write(actor);
  else if (which < 8)
    move_box(actor);
  else if (which < 10)
    copy(actor);
  else if (which < 12)
    fill(actor);
  else if (which == 12)
    migrate(actor);
  else if (which == 13)
    map(actor);
  else
    unmap_some(actor);
}
