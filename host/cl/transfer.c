// SPDX-License-Identifier: Apache-2.0
// The command that moves bytes (transfer.h).
#include "host/cl/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_A_PIECE = 1 << 20 };

struct transfer {
  struct heddle_command command;
  struct heddle_end from, to;
  struct heddle_box box;
};

// Buffer to buffer on one device, through the host: the device has no engine of its own for it.
static int copy_on_device(struct heddle_device *driver, uint32_t from, uint32_t to, size_t bytes) {
  const size_t most = bytes < BYTES_A_PIECE ? bytes : BYTES_A_PIECE;
  char *piece = malloc(most);
  int result = piece ? 0 : -ENOMEM;
  for (size_t done = 0; done < bytes && result == 0; done += most) {
    const size_t now = bytes - done < most ? bytes - done : most;
    result = heddle_device_read(driver, from + (uint32_t)done, piece, now);
    if (result == 0)
      result = heddle_device_write(driver, to + (uint32_t)done, piece, now);
  }
  free(piece);
  return result;
}

static int move_row(const struct transfer *transfer, cl_device_id device, size_t from_offset, size_t to_offset) {
  const struct heddle_end *from = &transfer->from, *to = &transfer->to;
  const size_t bytes = transfer->box.bytes;
  const uint32_t from_address = from->memory ? heddle_memory_address(from->memory, device) + (uint32_t)from_offset : 0;
  const uint32_t to_address = to->memory ? heddle_memory_address(to->memory, device) + (uint32_t)to_offset : 0;
  if (!from->memory)
    return heddle_device_write(device->driver, to_address, from->host + from_offset, bytes);
  if (!to->memory)
    return heddle_device_read(device->driver, from_address, to->host + to_offset, bytes);
  return copy_on_device(device->driver, from_address, to_address, bytes);
}

// Rows that follow each other without a gap on both sides are one row, and slices likewise.
static void join_rows(struct transfer *transfer) {
  struct heddle_box *box = &transfer->box;
  if (transfer->from.row_pitch == box->bytes && transfer->to.row_pitch == box->bytes) {
    box->bytes *= box->rows;
    box->rows = 1;
    if (transfer->from.slice_pitch == box->bytes && transfer->to.slice_pitch == box->bytes) {
      box->bytes *= box->slices;
      box->slices = 1;
    }
  }
}

static bool covers_buffer(const struct transfer *transfer) {
  const struct heddle_box *box = &transfer->box;
  return box->rows == 1 && box->slices == 1 && box->bytes == transfer->to.memory->size;
}

static cl_int run(struct heddle_command *command) {
  struct transfer *transfer = (struct transfer *)command;
  cl_device_id device = command->event->queue->device;
  int result = 0;
  join_rows(transfer);
  if (transfer->from.memory)
    result = heddle_memory_prepare(transfer->from.memory, device, HEDDLE_READS);
  if (transfer->to.memory && result == 0)
    result =
        heddle_memory_prepare(transfer->to.memory, device, covers_buffer(transfer) ? HEDDLE_OVERWRITES : HEDDLE_WRITES);
  for (size_t slice = 0; slice < transfer->box.slices && result == 0; slice++) {
    for (size_t row = 0; row < transfer->box.rows && result == 0; row++) {
      const struct heddle_end *from = &transfer->from, *to = &transfer->to;
      result = move_row(transfer, device, from->offset + row * from->row_pitch + slice * from->slice_pitch,
                        to->offset + row * to->row_pitch + slice * to->slice_pitch);
    }
  }
  if (result == 0)
    return CL_COMPLETE;
  struct heddle_error why;
  if (heddle_device_lost(device->driver, &why))
    heddle_context_report(command->event->context, why.text);
  return result == -ENOMEM ? CL_OUT_OF_HOST_MEMORY : heddle_code_of(result, CL_OUT_OF_RESOURCES);
}

static void drop(struct heddle_command *command) {
  struct transfer *transfer = (struct transfer *)command;
  if (transfer->from.memory)
    heddle_memory_release(transfer->from.memory);
  if (transfer->to.memory)
    heddle_memory_release(transfer->to.memory);
}

cl_int heddle_transfer(cl_command_queue queue, cl_command_type type, const struct heddle_end *from,
                       const struct heddle_end *to, struct heddle_box box, bool blocking, cl_uint num_waits,
                       const cl_event *waits, cl_event *event) {
  struct transfer *transfer = heddle_command_create(sizeof *transfer, queue, type, num_waits, waits);
  if (!transfer)
    return CL_OUT_OF_HOST_MEMORY;
  transfer->from = *from;
  transfer->to = *to;
  transfer->box = box;
  if (from->memory)
    heddle_object_retain(from->memory);
  if (to->memory)
    heddle_object_retain(to->memory);
  transfer->command.run = box.bytes != 0 ? run : NULL;
  transfer->command.drop = drop;
  return heddle_enqueue(&transfer->command, blocking, event);
}

// sum + count * pitch. False: it is no size_t.
static bool add_product(size_t *sum, size_t count, size_t pitch) {
  size_t product;
  return !__builtin_mul_overflow(count, pitch, &product) && !__builtin_add_overflow(*sum, product, sum);
}

bool heddle_rect_complete(struct heddle_end *end, const size_t origin[3], const size_t region[3]) {
  size_t slice = 0, last = 0, bytes = region[0], offset = origin[0];
  if (region[0] == 0 || region[1] == 0 || region[2] == 0)
    return false;
  if (end->row_pitch == 0)
    end->row_pitch = region[0];
  if (end->row_pitch < region[0] || !add_product(&slice, region[1], end->row_pitch))
    return false;
  if (end->slice_pitch == 0)
    end->slice_pitch = slice;
  // A slice has whole rows; with one slice its pitch only places the origin.
  if (end->slice_pitch < slice || end->slice_pitch % end->row_pitch != 0)
    return false;
  if (!add_product(&bytes, region[1] - 1, end->row_pitch) || !add_product(&bytes, region[2] - 1, end->slice_pitch) ||
      !add_product(&offset, origin[1], end->row_pitch) || !add_product(&offset, origin[2], end->slice_pitch))
    return false;
  end->offset = offset;
  if (end->memory)
    return heddle_range_inside(end->memory, offset, bytes);
  return !__builtin_add_overflow((size_t)(uintptr_t)end->host, offset, &last) &&
         !__builtin_add_overflow(last, bytes - 1, &last);
}

// A row of a box, by its place in the whole buffer.
struct row {
  const struct heddle_end *end;
  size_t number, slice, start;
};

static struct row first_row(const struct heddle_end *end) {
  return (struct row){.end = end, .start = end->memory->origin + end->offset};
}

// False: it was the last one.
static bool next_row(struct row *row, const size_t region[3]) {
  row->start += row->end->row_pitch;
  if (++row->number < region[1])
    return true;
  row->start += row->end->slice_pitch - region[1] * row->end->row_pitch;
  row->number = 0;
  return ++row->slice < region[2];
}

// Rows of a box do not overlap and follow each other upwards: of two boxes the row that ends first is left behind.
static bool rows_meet(const struct heddle_end *one, const struct heddle_end *other, const size_t region[3]) {
  struct row a = first_row(one), b = first_row(other);
  for (bool more = true; more;) {
    if (a.start < b.start + region[0] && b.start < a.start + region[0])
      return true;
    more = next_row(a.start < b.start ? &a : &b, region);
  }
  return false;
}

bool heddle_boxes_overlap(const struct heddle_end *one, const struct heddle_end *other, const size_t region[3]) {
  const size_t row_pitch = one->row_pitch, slice_pitch = one->slice_pitch;
  if (row_pitch != other->row_pitch || slice_pitch != other->slice_pitch)
    return rows_meet(one, other, region);
  const size_t a = first_row(one).start, b = first_row(other).start, apart = a < b ? b - a : a - b;
  const size_t slice = (region[1] - 1) * row_pitch + region[0], box = (region[2] - 1) * slice_pitch + slice;
  const size_t in_row = apart % row_pitch, in_slice = apart % slice_pitch;
  // Apart as a whole; or the rows of one lie in the gaps between the other's rows; or slices between slices.
  if (apart >= box)
    return false;
  if (in_row >= region[0] && in_row + region[0] <= row_pitch)
    return false;
  return in_slice < slice || in_slice + slice > slice_pitch;
}
