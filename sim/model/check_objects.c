// SPDX-License-Identifier: Apache-2.0
// The objects that pointers are made for (check_state.h): numbers for them, and which one an address is in.
#include <stdlib.h>
#include <string.h>

#include "sim/model/check_state.h"

static uint32_t hash_of(const struct heddle_check_object *o) {
  uint32_t hash = o->address * 2654435761u ^ o->bytes * 40503u ^ o->serial * 97u ^ (uint32_t)o->kind;
  return (hash ^ hash >> 15) % CHECK_HASH;
}

static bool is_same(const struct heddle_check_object *a, const struct heddle_check_object *b) {
  return a->kind == b->kind && a->address == b->address && a->bytes == b->bytes && a->serial == b->serial &&
         a->is_read_only == b->is_read_only && a->is_write_only == b->is_write_only &&
         a->is_constant == b->is_constant && strncmp(a->name, b->name, sizeof a->name) == 0;
}

uint32_t check_object_number(struct model_check *c, const struct heddle_check_object *object) {
  const uint32_t hash = hash_of(object);
  for (uint32_t i = c->chains[hash]; i != 0; i = c->objects[i].next)
    if (is_same(&c->objects[i].is, object))
      return i;
  if (c->num_objects == c->room_for_objects) {
    const uint32_t room = c->room_for_objects != 0 ? 2 * c->room_for_objects : 64;
    struct check_object *objects = realloc(c->objects, room * sizeof *objects);
    if (!objects)
      return 0;
    c->objects = objects;
    c->room_for_objects = room;
  }
  if (c->num_objects == 0) {
    memset(c->objects, 0, CHECK_FIRST_OBJECT * sizeof *c->objects);
    c->num_objects = CHECK_FIRST_OBJECT;
  }
  // Variables of the kernel are found while it runs, and are there as long as that.
  c->objects[c->num_objects] =
      (struct check_object){.is = *object, .is_there = object->serial == 0, .next = c->chains[hash]};
  c->chains[hash] = c->num_objects;
  return c->num_objects++;
}

// Place of the first piece that begins behind the address.
static size_t behind(const struct model_check *c, uint32_t address) {
  size_t low = 0, high = c->num_pieces;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (c->objects[c->pieces[middle]].is.address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t check_object_at(const struct model_check *c, uint32_t address) {
  const size_t index = behind(c, address);
  if (index == 0)
    return 0;
  const struct heddle_check_object *piece = &c->objects[c->pieces[index - 1]].is;
  return address - piece->address < piece->bytes ? c->pieces[index - 1] : 0;
}

static bool is_there(const struct model_check *c, const struct heddle_check_object *object) {
  if (object->serial == 0)
    return true;
  const uint32_t piece = check_object_at(c, object->address);
  return piece != 0 && c->objects[piece].is.serial == object->serial &&
         c->objects[piece].is.kind != HEDDLE_CHECK_RELEASED;
}

void check_objects_refresh(struct model_check *c) {
  for (uint32_t i = CHECK_FIRST_OBJECT; i < c->num_objects; i++)
    c->objects[i].is_there = is_there(c, &c->objects[i].is);
}
