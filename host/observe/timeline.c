// SPDX-License-Identifier: Apache-2.0
// Keeps moments in blocks, and tracks and names once each (timeline.h).
#include "host/observe/timeline.h"

#include <stdlib.h>
#include <string.h>

// A moment takes about so many bytes of JSON. The last part of the room is for what is not fine.
enum { BYTES_A_MOMENT = 192, BLOCK = 4096, FINE_PARTS = 9, ALL_PARTS = 10 };

// Texts by number, found by hash.
struct texts {
  char **items;
  uint32_t *table;  // number and 1; 0: none
  size_t count, entries;
};

struct heddle_timeline {
  struct heddle_moment **blocks;
  size_t count, num_blocks, most;
  uint64_t start;              // of the earliest moment
  struct texts names, tracks;  // of a track "PROCESS\nNAME"
  struct heddle_track *track_list;
  uint32_t num_processes;
  uint32_t num_dispatches;
  int64_t *shifts;  // by dispatch
  size_t num_shifts;
  uint64_t left_out, left_out_since;
};

static uint32_t hash(const char *text) {
  uint32_t value = 2166136261u;
  for (; *text; text++)
    value = (value ^ (unsigned char)*text) * 16777619u;
  return value;
}

static void enter(struct texts *texts, size_t number) {
  size_t at = hash(texts->items[number]) & (texts->entries - 1);
  while (texts->table[at] != 0)
    at = (at + 1) & (texts->entries - 1);
  texts->table[at] = (uint32_t)number + 1;
}

static bool grow(struct texts *texts) {
  const size_t entries = texts->entries != 0 ? 2 * texts->entries : 64;
  uint32_t *table = calloc(entries, sizeof *table);
  char **items = table ? realloc(texts->items, entries * sizeof *items) : NULL;
  if (!items) {
    free(table);
    return false;
  }
  free(texts->table);
  texts->items = items;
  texts->table = table;
  texts->entries = entries;
  for (size_t i = 0; i < texts->count; i++)
    enter(texts, i);
  return true;
}

// The number of a text; *is_new says that it was made. SIZE_MAX: host memory is out.
static size_t number_of(struct texts *texts, const char *text, bool *is_new) {
  *is_new = false;
  if (texts->entries != 0)
    for (size_t at = hash(text) & (texts->entries - 1); texts->table[at] != 0; at = (at + 1) & (texts->entries - 1))
      if (strcmp(texts->items[texts->table[at] - 1], text) == 0)
        return texts->table[at] - 1;
  if (2 * texts->count >= texts->entries && !grow(texts))
    return SIZE_MAX;
  char *copy = strdup(text);
  if (!copy)
    return SIZE_MAX;
  texts->items[texts->count++] = copy;
  enter(texts, texts->count - 1);
  *is_new = true;
  return texts->count - 1;
}

static void free_texts(struct texts *texts) {
  for (size_t i = 0; i < texts->count; i++)
    free(texts->items[i]);
  free(texts->items);
  free(texts->table);
}

struct heddle_timeline *heddle_timeline_create(uint64_t bytes) {
  struct heddle_timeline *timeline = calloc(1, sizeof *timeline);
  if (!timeline)
    return NULL;
  timeline->most = bytes / BYTES_A_MOMENT;
  timeline->blocks = calloc(timeline->most / BLOCK + 1, sizeof *timeline->blocks);
  if (!timeline->blocks || heddle_timeline_name(timeline, "?") != 0 || heddle_timeline_track(timeline, "?", "?") != 0 ||
      timeline->names.count != 1 || timeline->tracks.count != 1) {
    heddle_timeline_free(timeline);
    return NULL;
  }
  return timeline;
}

void heddle_timeline_free(struct heddle_timeline *timeline) {
  if (!timeline)
    return;
  for (size_t i = 0; i < timeline->num_blocks; i++)
    free(timeline->blocks[i]);
  for (size_t i = 0; i < timeline->tracks.count && timeline->track_list; i++) {
    free(timeline->track_list[i].process);
    free(timeline->track_list[i].name);
  }
  free(timeline->track_list);
  free_texts(&timeline->names);
  free_texts(&timeline->tracks);
  free(timeline->blocks);
  free(timeline->shifts);
  free(timeline);
}

uint32_t heddle_timeline_name(struct heddle_timeline *timeline, const char *name) {
  bool is_new;
  const size_t number = number_of(&timeline->names, name, &is_new);
  return number != SIZE_MAX ? (uint32_t)number : 0;
}

static uint32_t process_number(struct heddle_timeline *timeline, const char *process, size_t before) {
  for (size_t i = 0; i < before; i++)
    if (timeline->track_list[i].process && strcmp(timeline->track_list[i].process, process) == 0)
      return timeline->track_list[i].process_number;
  return ++timeline->num_processes;
}

void heddle_timeline_rename(struct heddle_timeline *timeline, uint32_t track, const char *name) {
  char *copy = track != 0 ? strdup(name) : NULL;
  if (!copy)
    return;
  free(timeline->track_list[track].name);
  timeline->track_list[track].name = copy;
}

uint32_t heddle_timeline_track(struct heddle_timeline *timeline, const char *process, const char *name) {
  char text[256];
  bool is_new;
  snprintf(text, sizeof text, "%s\n%s", process, name);
  const size_t number = number_of(&timeline->tracks, text, &is_new);
  if (number == SIZE_MAX || !is_new)
    return number != SIZE_MAX ? (uint32_t)number : 0;
  struct heddle_track *list = realloc(timeline->track_list, (number + 1) * sizeof *list);
  if (!list) {
    free(timeline->tracks.items[--timeline->tracks.count]);
    memset(timeline->tracks.table, 0, timeline->tracks.entries * sizeof *timeline->tracks.table);
    for (size_t i = 0; i < timeline->tracks.count; i++)
      enter(&timeline->tracks, i);
    return 0;
  }
  timeline->track_list = list;
  const uint32_t number_of_process = process_number(timeline, process, number);
  list[number] = (struct heddle_track){strdup(process), strdup(name), number_of_process};
  return (uint32_t)number;
}

static void leave_out(struct heddle_timeline *timeline, uint64_t when) {
  if (timeline->left_out++ == 0)
    timeline->left_out_since = when;
}

void heddle_timeline_add(struct heddle_timeline *timeline, const struct heddle_moment *moment, bool fine) {
  const size_t most = fine ? timeline->most / ALL_PARTS * FINE_PARTS : timeline->most;
  if (timeline->count >= most) {
    leave_out(timeline, moment->start);
    return;
  }
  if (timeline->count == timeline->num_blocks * BLOCK) {
    timeline->blocks[timeline->num_blocks] = malloc(BLOCK * sizeof **timeline->blocks);
    if (!timeline->blocks[timeline->num_blocks]) {
      leave_out(timeline, moment->start);
      return;
    }
    timeline->num_blocks++;
  }
  timeline->blocks[timeline->count / BLOCK][timeline->count % BLOCK] = *moment;
  if (timeline->count == 0 || moment->start < timeline->start)
    timeline->start = moment->start;
  timeline->count++;
}

uint32_t heddle_timeline_dispatch(struct heddle_timeline *timeline) {
  return ++timeline->num_dispatches;
}

void heddle_timeline_shift(struct heddle_timeline *timeline, uint32_t dispatch, int64_t nanoseconds) {
  if (dispatch >= timeline->num_shifts) {
    const size_t count = 2 * (size_t)dispatch + 64;
    int64_t *shifts = realloc(timeline->shifts, count * sizeof *shifts);
    if (!shifts)
      return;
    memset(shifts + timeline->num_shifts, 0, (count - timeline->num_shifts) * sizeof *shifts);
    timeline->shifts = shifts;
    timeline->num_shifts = count;
  }
  timeline->shifts[dispatch] = nanoseconds;
}

uint64_t heddle_timeline_start(const struct heddle_timeline *timeline) {
  return timeline->count != 0 ? timeline->start : 0;
}

size_t heddle_timeline_count(const struct heddle_timeline *timeline) {
  return timeline->count;
}

struct heddle_moment heddle_timeline_at(const struct heddle_timeline *timeline, size_t number) {
  struct heddle_moment moment = timeline->blocks[number / BLOCK][number % BLOCK];
  if (moment.dispatch < timeline->num_shifts)
    moment.start += (uint64_t)timeline->shifts[moment.dispatch];
  return moment;
}

size_t heddle_timeline_tracks(const struct heddle_timeline *timeline) {
  return timeline->tracks.count;
}

const struct heddle_track *heddle_timeline_track_at(const struct heddle_timeline *timeline, uint32_t number) {
  return &timeline->track_list[number];
}

size_t heddle_timeline_names(const struct heddle_timeline *timeline) {
  return timeline->names.count;
}

const char *heddle_timeline_name_at(const struct heddle_timeline *timeline, uint32_t number) {
  return timeline->names.items[number];
}

uint64_t heddle_timeline_left_out(const struct heddle_timeline *timeline, uint64_t *since) {
  *since = timeline->left_out_since;
  return timeline->left_out;
}
