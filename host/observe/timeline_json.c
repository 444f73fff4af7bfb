// SPDX-License-Identifier: Apache-2.0
// Timelines in Chrome's trace-event format (timeline.h).
#include <inttypes.h>

#include "host/observe/json.h"
#include "host/observe/timeline.h"

// Times are microseconds there.
static void write_time(FILE *out, const char *key, uint64_t nanoseconds) {
  fprintf(out, ",\"%s\":%" PRIu64 ".%03u", key, nanoseconds / 1000, (unsigned)(nanoseconds % 1000));
}

static void write_names(const struct heddle_timeline *timeline, FILE *out) {
  for (uint32_t i = 0; i < heddle_timeline_tracks(timeline); i++) {
    const struct heddle_track *track = heddle_timeline_track_at(timeline, i);
    fprintf(out,
            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%" PRIu32 ",\"args\":{\"name\":", track->process_number);
    heddle_json_string(out, track->process, SIZE_MAX);
    fprintf(out,
            "}},\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"args\":{\"name\":",
            track->process_number, i);
    heddle_json_string(out, track->name, SIZE_MAX);
    fprintf(out,
            "}},\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
            ",\"args\":{\"sort_index\":%" PRIu32 "}},\n",
            track->process_number, i, i);
  }
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
  fprintf(out, "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":1,\"args\":{\"labels\":\"");
  if (left_out != 0)
    fprintf(out, "%" PRIu64 " moments were left out, the first at %" PRIu64 " us", left_out,
            (since - heddle_timeline_start(timeline)) / 1000);
  fprintf(out, "\"}}],\n\"otherData\":{\"left_out\":%" PRIu64 "}}\n", left_out);
  return besides;
}
