// SPDX-License-Identifier: Apache-2.0
// Timelines in Chrome's trace-event format (timeline.h).
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/observe/json.h"
#include "host/observe/timeline.h"

// Times are microseconds there.
static void write_time(FILE *out, const char *key, uint64_t nanoseconds) {
  fprintf(out, ",\"%s\":%" PRIu64 ".%03u", key, nanoseconds / 1000, (unsigned)(nanoseconds % 1000));
}

// A track, and its number in the timeline.
struct row {
  const struct heddle_track *track;
  uint32_t number;
};

// Rows of a device's units by unit, work-groups before slots; before these, and of all others, as they were made.
static int in_order(const void *one, const void *other) {
  const struct row *a = one, *b = other;
  const bool is_unit_a = strncmp(a->track->name, "unit ", 5) == 0, is_unit_b = strncmp(b->track->name, "unit ", 5) == 0;
  const bool is_slot_a = !!strstr(a->track->name, " slot "), is_slot_b = !!strstr(b->track->name, " slot ");
  if (a->track->process_number != b->track->process_number)
    return a->track->process_number < b->track->process_number ? -1 : 1;
  if (is_unit_a != is_unit_b)
    return is_unit_a - is_unit_b;
  if (is_unit_a && is_slot_a != is_slot_b)
    return is_slot_a - is_slot_b;
  const int by_name = is_unit_a ? strverscmp(a->track->name, b->track->name) : 0;
  return by_name != 0 ? by_name : (a->number > b->number) - (a->number < b->number);
}

// Track 0 is for what there was no host memory for: it is a row only if something is on it.
static uint32_t first_row(const struct heddle_timeline *timeline) {
  for (size_t i = 0; i < heddle_timeline_count(timeline); i++)
    if (heddle_timeline_at(timeline, i).track == 0)
      return 0;
  return 1;
}

static void write_names(const struct heddle_timeline *timeline, FILE *out) {
  const uint32_t first = first_row(timeline);
  const size_t all = heddle_timeline_tracks(timeline), count = all > first ? all - first : 0;
  struct row *rows = malloc((count + 1) * sizeof *rows);
  if (!rows)
    return;
  for (uint32_t i = 0; i < count; i++)
    rows[i] = (struct row){heddle_timeline_track_at(timeline, first + i), first + i};
  qsort(rows, count, sizeof *rows, in_order);
  for (uint32_t i = 0; i < count; i++) {
    const struct heddle_track *track = rows[i].track;
    fprintf(out,
            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%" PRIu32 ",\"args\":{\"name\":", track->process_number);
    heddle_json_string(out, track->process, SIZE_MAX);
    fprintf(out,
            "}},\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"args\":{\"name\":",
            track->process_number, rows[i].number);
    heddle_json_string(out, track->name, SIZE_MAX);
    fprintf(out,
            "}},\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
            ",\"args\":{\"sort_index\":%" PRIu32 "}},\n",
            track->process_number, rows[i].number, i);
  }
  free(rows);
}

static void write_moment(const struct heddle_timeline *timeline, const struct heddle_moment *moment, const char *line,
                         FILE *out) {
  const struct heddle_track *track = heddle_timeline_track_at(timeline, moment->track);
  fprintf(out, "{\"name\":");
  heddle_json_string(out, heddle_timeline_name_at(timeline, moment->name), SIZE_MAX);
  fprintf(out, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, track->process_number, moment->track);
  write_time(out, "ts", moment->start - heddle_timeline_start(timeline));
  if (moment->kind == HEDDLE_MOMENT_COUNTER) {
    fprintf(out, ",\"ph\":\"C\",\"args\":{\"value\":%" PRIu32 "}},\n", moment->value);
    return;
  }
  if (moment->kind == HEDDLE_MOMENT_INSTANT) {
    fprintf(out, ",\"ph\":\"i\",\"s\":\"t\"");
  } else {
    fprintf(out, ",\"ph\":\"X\"");
    write_time(out, "dur", moment->nanoseconds);
  }
  if (*line) {
    fprintf(out, ",\"args\":{\"line\":");
    heddle_json_string(out, line, SIZE_MAX);
    fprintf(out, "}");
  } else if (moment->value != 0 && moment->dispatch == 0) {
    fprintf(out, ",\"args\":{\"bytes\":%" PRIu32 "}", moment->value);
  }
  fprintf(out, "},\n");
}

uint64_t heddle_timeline_write_json(const struct heddle_timeline *timeline, uint64_t bytes, heddle_line_of *line_of,
                                    void *user, FILE *out) {
  enum { MOST_OF_A_MOMENT = 4096 };
  const size_t count = heddle_timeline_count(timeline);
  uint64_t since, left_out = heddle_timeline_left_out(timeline, &since), besides = 0;
  fprintf(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
  write_names(timeline, out);
  for (size_t i = 0; i < count; i++) {
    const struct heddle_moment moment = heddle_timeline_at(timeline, i);
    if (ferror(out) || (uint64_t)ftello(out) + MOST_OF_A_MOMENT > bytes) {
      besides = count - i;
      since = left_out != 0 && since < moment.start ? since : moment.start;
      break;
    }
    write_moment(timeline, &moment, line_of(user, &moment), out);
  }
  left_out += besides;
  const struct heddle_track *first =
      heddle_timeline_tracks(timeline) > 1 ? heddle_timeline_track_at(timeline, 1) : NULL;
  fprintf(out, "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":%" PRIu32 ",\"args\":{\"labels\":\"",
          first ? first->process_number : 1);
  if (left_out != 0)
    fprintf(out, "%" PRIu64 " moments were left out, the first at %" PRIu64 " us", left_out,
            (since - heddle_timeline_start(timeline)) / 1000);
  fprintf(out, "\"}}],\n\"otherData\":{\"left_out\":%" PRIu64 "}}\n", left_out);
  return besides;
}
