// SPDX-License-Identifier: Apache-2.0
// What a device that checks kernels has to be told: which pieces of memory are buffers, and where arguments point. And
// released buffers, which it keeps back for a while, so that who still uses one does not hit a new one (driver.h).
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/device.h"

// Of the device's memory, what released buffers may take before the oldest goes.
enum { KEPT_PART = 8 };

struct buffer {
  uint32_t address, bytes, serial;
  enum heddle_check_kind kind;  // HEDDLE_CHECK_RELEASED: it is kept back
};

struct heddle_checked {
  pthread_mutex_t lock;
  struct buffer *buffers;  // in the order of their addresses
  size_t count, room;
  uint32_t serial;     // of the last one
  uint64_t kept_back;  // bytes
};

int heddle_checked_open(struct heddle_device *device) {
  if (!device->link.check)
    return 0;
  device->checked = calloc(1, sizeof *device->checked);
  if (!device->checked)
    return -ENOMEM;
  pthread_mutex_init(&device->checked->lock, NULL);
  return 0;
}

void heddle_checked_close(struct heddle_device *device) {
  if (!device->checked)
    return;
  pthread_mutex_destroy(&device->checked->lock);
  free(device->checked->buffers);
  free(device->checked);
}

bool heddle_device_checks(const struct heddle_device *device) {
  return device->checked;
}

// Place of the first buffer at the address or behind it.
static size_t place_of(const struct heddle_checked *c, uint32_t address) {
  size_t low = 0, high = c->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (c->buffers[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct buffer *buffer_at(struct heddle_checked *c, uint32_t address) {
  const size_t place = place_of(c, address);
  return place < c->count && c->buffers[place].address == address ? &c->buffers[place] : NULL;
}

static void remove_buffer(struct heddle_checked *c, const struct buffer *buffer) {
  const size_t place = (size_t)(buffer - c->buffers);
  memmove(&c->buffers[place], &c->buffers[place + 1], (c->count - place - 1) * sizeof *buffer);
  c->count--;
}

static bool add_buffer(struct heddle_checked *c, const struct buffer *buffer) {
  if (c->count == c->room) {
    const size_t room = c->room != 0 ? 2 * c->room : 32;
    struct buffer *longer = realloc(c->buffers, room * sizeof *longer);
    if (!longer)
      return false;
    c->buffers = longer;
    c->room = room;
  }
  const size_t place = place_of(c, buffer->address);
  memmove(&c->buffers[place + 1], &c->buffers[place], (c->count - place) * sizeof *buffer);
  c->buffers[place] = *buffer;
  c->count++;
  return true;
}

void heddle_device_is_buffer(struct heddle_device *device, uint32_t address, uint32_t bytes, bool is_pipe) {
  struct heddle_checked *c = device->checked;
  if (!c)
    return;
  pthread_mutex_lock(&c->lock);
  struct buffer *known = buffer_at(c, address);
  const struct buffer buffer = {.address = address,
                                .bytes = bytes,
                                .serial = ++c->serial,
                                .kind = is_pipe ? HEDDLE_CHECK_PIPE : HEDDLE_CHECK_BUFFER};
  if (known)
    *known = buffer;
  else
    add_buffer(c, &buffer);  // without room for it, it is memory that anybody may use
  pthread_mutex_unlock(&c->lock);
  device->link.check->fresh(device->link.checker, address, bytes);
}

static struct buffer *oldest_kept_back(struct heddle_checked *c) {
  struct buffer *oldest = NULL;
  for (size_t i = 0; i < c->count; i++)
    if (c->buffers[i].kind == HEDDLE_CHECK_RELEASED && (!oldest || c->buffers[i].serial < oldest->serial))
      oldest = &c->buffers[i];
  return oldest;
}

// Gives released buffers back until at most so many bytes are kept.
static void give_back(struct heddle_device *device, uint64_t most) {
  struct heddle_checked *c = device->checked;
  for (struct buffer *oldest; c->kept_back > most && (oldest = oldest_kept_back(c));) {
    c->kept_back -= oldest->bytes;
    heddle_allocator_give(device->allocator, oldest->address);
    remove_buffer(c, oldest);
  }
}

bool heddle_checked_release(struct heddle_device *device, uint32_t address) {
  struct heddle_checked *c = device->checked;
  if (!c)
    return false;
  pthread_mutex_lock(&c->lock);
  struct buffer *buffer = buffer_at(c, address);
  const bool is_kept = buffer && buffer->kind != HEDDLE_CHECK_RELEASED;
  if (is_kept) {
    buffer->kind = HEDDLE_CHECK_RELEASED;
    c->kept_back += buffer->bytes;
    give_back(device, device->capability.global_bytes / KEPT_PART);
  }
  pthread_mutex_unlock(&c->lock);
  return is_kept;
}

bool heddle_checked_make_room(struct heddle_device *device) {
  struct heddle_checked *c = device->checked;
  if (!c)
    return false;
  pthread_mutex_lock(&c->lock);
  const bool has_some = c->kept_back != 0;
  give_back(device, 0);
  pthread_mutex_unlock(&c->lock);
  return has_some;
}

static void name_piece(struct heddle_check_object *object, const struct buffer *buffer) {
  if (!buffer) {
    object->kind = HEDDLE_CHECK_OTHER;
    return;
  }
  object->kind = buffer->kind;
  object->bytes = buffer->bytes;
  object->serial = buffer->serial;
}

// Whether an address lies before a piece of memory, in it or behind it.
static int compare_place(const void *address, const void *piece) {
  const uint32_t at = *(const uint32_t *)address;
  const struct heddle_check_object *p = piece;
  return at < p->address ? -1 : at - p->address >= p->bytes;
}

// Built-in functions get at an image by its descriptor, so that it is its memory that has the argument's name.
static void name_image(struct heddle_check_object *pieces, size_t count, const struct heddle_check_object *image) {
  struct heddle_check_object *piece = bsearch(&image->address, pieces, count, sizeof *pieces, compare_place);
  if (!piece || piece->kind != HEDDLE_CHECK_BUFFER)
    return;
  piece->kind = HEDDLE_CHECK_IMAGE;
  memcpy(piece->name, image->name, sizeof image->name);
}

// False: it is no pointer to a buffer that is there.
static bool complete_pointer(struct heddle_checked *c, struct heddle_check_pointer *pointer) {
  struct heddle_check_object *object = &pointer->object;
  const bool is_known = object->kind != HEDDLE_CHECK_NONE;
  if (object->kind == HEDDLE_CHECK_LOCAL || c->count == 0)
    return is_known;
  // The buffer that it is in, or a part of.
  size_t place = place_of(c, object->address);
  if (place == c->count || c->buffers[place].address != object->address)
    place = place != 0 ? place - 1 : 0;
  const struct buffer *buffer = &c->buffers[place];
  const bool is_inside = object->address - buffer->address < buffer->bytes;
  if (is_inside)
    object->serial = buffer->serial;
  if (is_known || !is_inside || buffer->kind != HEDDLE_CHECK_BUFFER)
    return is_known;
  // It may point into the middle of what it was made for.
  object->kind = buffer->kind;
  object->address = buffer->address;
  object->bytes = buffer->bytes;
  return true;
}

int heddle_checked_scene(struct heddle_device *device, const struct heddle_dispatch *dispatch, uint32_t address) {
  struct heddle_checked *c = device->checked;
  if (!c || !dispatch->check)
    return 0;
  const struct heddle_dispatch_check *check = dispatch->check;
  size_t num_pieces = 0;
  struct heddle_piece *taken = heddle_allocator_pieces(device->allocator, &num_pieces);
  struct heddle_check_object *pieces = calloc(num_pieces + 1, sizeof *pieces);
  struct heddle_check_pointer *pointers = calloc(check->num_pointers + 1, sizeof *pointers);
  int result = taken && pieces && pointers ? 0 : -ENOMEM;
  pthread_mutex_lock(&c->lock);
  for (size_t i = 0; i < num_pieces && result == 0; i++) {
    pieces[i].address = taken[i].address;
    pieces[i].bytes = taken[i].bytes;
    name_piece(&pieces[i], buffer_at(c, taken[i].address));
  }
  size_t num_pointers = 0;
  for (size_t i = 0; i < check->num_pointers && result == 0; i++) {
    if (check->pointers[i].object.kind == HEDDLE_CHECK_IMAGE) {
      name_image(pieces, num_pieces, &check->pointers[i].object);
      continue;
    }
    pointers[num_pointers] = check->pointers[i];
    pointers[num_pointers].at += address + 4 * (HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_WORDS);
    num_pointers += complete_pointer(c, &pointers[num_pointers]);
  }
  pthread_mutex_unlock(&c->lock);
  const struct heddle_check_scene scene = {.pieces = pieces,
                                           .num_pieces = num_pieces,
                                           .pointers = pointers,
                                           .num_pointers = num_pointers,
                                           .has_orders = check->has_orders};
  if (result == 0)
    result = device->link.check->scene(device->link.checker, &scene);
  free(taken);
  free(pieces);
  free(pointers);
  return result;
}

int heddle_device_findings(struct heddle_device *device, bool has_ended, struct heddle_finding **findings,
                           size_t *count, bool *incomplete) {
  int result = 0;
  *findings = NULL;
  *count = 0;
  *incomplete = false;
  if (!device->checked)
    return 0;
  pthread_mutex_lock(&device->access);
  const struct heddle_finding *found = device->link.check->findings(device->link.checker, has_ended, count, incomplete);
  if (*count != 0) {
    *findings = malloc(*count * sizeof **findings);
    if (*findings)
      memcpy(*findings, found, *count * sizeof **findings);
    else
      result = -ENOMEM;
  }
  pthread_mutex_unlock(&device->access);
  return result;
}
