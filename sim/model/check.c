// SPDX-License-Identifier: Apache-2.0
// The checker's beginning and end, and what it hears from the host and the walker (check_state.h, contract/check.h).
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/check_state.h"

void model_check_destroy(struct model_device *d) {
  struct model_check *c = d->check;
  if (!c)
    return;
  check_destroy_pages(c);
  free(c->registers);
  free(c->groups);
  free(c->objects);
  free(c->pieces);
  free(c->pointers);
  free(c->reservations);
  free(c->fresh);
  pthread_mutex_destroy(&c->lock);
  free(c);
  d->check = NULL;
}

static int start(void *device) {
  struct model_device *d = device;
  struct model_check *c = calloc(1, sizeof *c);
  const size_t slots = (size_t)d->units * d->slots;
  if (!c)
    return -ENOMEM;
  pthread_mutex_init(&c->lock, NULL);
  d->check = c;
  c->time = c->start = 1;
  c->num_pages = d->memory_bytes >> MODEL_PAGE_LOG2;
  c->pages = calloc(c->num_pages, sizeof(struct check_page *));
  c->registers = calloc(slots, sizeof *c->registers);
  c->groups = calloc(slots, sizeof *c->groups);
  if (!c->pages || !c->registers || !c->groups) {
    model_check_destroy(d);
    return -ENOMEM;
  }
  return 0;
}

static void fresh(void *device, uint32_t address, uint32_t bytes) {
  struct model_check *c = ((struct model_device *)device)->check;
  pthread_mutex_lock(&c->lock);
  if (c->num_fresh == c->room_for_fresh) {
    const size_t room = c->room_for_fresh != 0 ? 2 * c->room_for_fresh : 16;
    struct check_fresh *longer = realloc(c->fresh, room * sizeof *longer);
    if (longer) {
      c->fresh = longer;
      c->room_for_fresh = room;
    }
  }
  // If there is no room it stays as it was: unwritten values may be missed.
  if (c->num_fresh < c->room_for_fresh)
    c->fresh[c->num_fresh++] = (struct check_fresh){address, bytes};
  pthread_mutex_unlock(&c->lock);
  atomic_store(&c->has_fresh, true);
}

static void take_fresh(struct model_check *c) {
  if (!atomic_exchange(&c->has_fresh, false))
    return;
  pthread_mutex_lock(&c->lock);
  for (size_t i = 0; i < c->num_fresh; i++)
    check_forget(c, c->fresh[i].address, c->fresh[i].bytes);
  c->num_fresh = 0;
  pthread_mutex_unlock(&c->lock);
}

static int copy_scene(struct model_check *c, const struct heddle_check_scene *scene) {
  uint32_t *pieces = calloc(scene->num_pieces + 1, sizeof *pieces);
  struct heddle_check_pointer *pointers = calloc(scene->num_pointers + 1, sizeof *pointers);
  bool is_complete = pieces && pointers;
  for (size_t i = 0; is_complete && i < scene->num_pieces; i++)
    is_complete = (pieces[i] = check_object_number(c, &scene->pieces[i])) != 0;
  if (!is_complete) {
    free(pieces);
    free(pointers);
    return -ENOMEM;
  }
  if (scene->num_pointers != 0)
    memcpy(pointers, scene->pointers, scene->num_pointers * sizeof *pointers);
  free(c->pieces);
  free(c->pointers);
  c->pieces = pieces;
  c->num_pieces = scene->num_pieces;
  c->pointers = pointers;
  c->num_pointers = scene->num_pointers;
  c->has_orders = scene->has_orders;
  return 0;
}

static int scene(void *device, const struct heddle_check_scene *scene) {
  struct model_check *c = ((struct model_device *)device)->check;
  take_fresh(c);
  for (uint32_t i = 0; i < c->num_findings; i++)
    c->findings[i].count = 0;
  check_forget_reservations(c);
  c->incomplete = false;
  c->dispatches = 0;
  const int result = copy_scene(c, scene);
  // Where an argument points is known from its word on.
  for (size_t i = 0; result == 0 && i < c->num_pointers; i++) {
    struct check_page *page = check_page(c, c->pointers[i].at);
    const uint32_t number = check_object_number(c, &c->pointers[i].object);
    if (page)
      page->provenance[c->pointers[i].at / 4 % CHECK_PAGE_WORDS] = number;
  }
  if (result == 0)
    check_objects_refresh(c);
  return result;
}

static const struct heddle_finding *findings(void *device, bool has_ended, size_t *count, bool *incomplete) {
  struct model_check *c = ((struct model_device *)device)->check;
  if (has_ended)
    check_uncommitted(device);
  *count = 0;
  *incomplete = c->incomplete;
  for (uint32_t i = 0; i < c->num_findings; i++)
    if (c->findings[i].count != 0)
      c->given[(*count)++] = c->findings[i];
  return c->given;
}

const struct heddle_check_api model_check_api = {.start = start, .fresh = fresh, .scene = scene, .findings = findings};

void model_check_written(struct model_device *d, uint32_t physical, size_t bytes) {
  take_fresh(d->check);
  check_all_written(d->check, physical, bytes);
  check_forget_findings(d->check, physical, bytes);
}

void model_check_dispatch_starts(struct model_device *d) {
  struct model_check *c = d->check;
  uint32_t work_items = 1;
  for (int i = 0; i < 3; i++)
    work_items *= d->dispatch.local_size[i];
  c->is_enqueued = c->dispatches++ > 0;
  c->start = ++c->time;
  c->items = (work_items + d->sub_group_size - 1) / d->sub_group_size * d->sub_group_size;
  c->started = 0;
  c->stack_end = 1u << d->dispatch.private_log2;
  // What private memory was used for before is not known.
  check_forget(c, d->dispatch.private_base, ((uint64_t)d->units * d->slots * d->lanes) << d->dispatch.private_log2);
  for (uint32_t s = 0; s < d->units * d->slots; s++)
    c->registers[s].lowest = c->stack_end;
}

// The stack of the slot's last work-group is nobody's now.
static void forget_stack(struct model_device *d, const struct model_sub_group *g, struct check_registers *r) {
  const struct model_check *c = d->check;
  if (r->lowest < c->stack_end)
    check_forget(d->check, g->private_memory + r->lowest * d->lanes, (uint64_t)(c->stack_end - r->lowest) * d->lanes);
  r->lowest = c->stack_end;
}

void model_check_group_starts(struct model_device *d, const struct model_work_group *w) {
  struct model_check *c = d->check;
  struct check_group *group = &c->groups[w - d->work_groups];
  *group = (struct check_group){.number = c->started, .first_item = c->started * c->items, .start = ++c->time};
  c->started++;
  check_forget(c, w->local_memory, d->dispatch.local_bytes);
  for (uint32_t s = 0; s < w->sub_groups; s++) {
    struct model_sub_group *g = &d->sub_groups[w->first_slot + s];
    struct check_registers *r = check_registers_of(d, g);
    forget_stack(d, g, r);
    r->marked = 0;
    memset(r->unwritten, 0, sizeof r->unwritten);
    memset(r->provenance, 0, sizeof r->provenance);
    memset(r->origin, 0, sizeof r->origin);
    memset(r->acquired, 0, sizeof r->acquired);
    memset(r->pending, 0, sizeof r->pending);
    memset(r->together, 0, sizeof r->together);
    memset(r->passed, 0, sizeof r->passed);
    r->fenced = r->flags = r->calls = r->caller = r->passed_pc = r->returning = 0;
    r->first_item = group->first_item + s * d->sub_group_size;
  }
}
