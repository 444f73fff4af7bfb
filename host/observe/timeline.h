// SPDX-License-Identifier: Apache-2.0
// A timeline: what happened when, on tracks. All times are nanoseconds of device time (host/cl/device_time.h).
//
// Everything here is used by one thread at a time: observe.c holds its mutex.
#ifndef HEDDLE_OBSERVE_TIMELINE_H
#define HEDDLE_OBSERVE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// What a moment is.
enum heddle_moment_kind {
  HEDDLE_MOMENT_SPAN,     // from start for `nanoseconds`
  HEDDLE_MOMENT_INSTANT,  // at start
  HEDDLE_MOMENT_COUNTER,  // `value` from start on
};

struct heddle_moment {
  uint64_t start, nanoseconds;
  uint32_t track, name;  // numbers
  uint32_t value;        // a PC, bytes, or of a counter its value
  uint32_t dispatch;     // of a device's the number of the dispatch; 0: of the host
  uint8_t kind;
};

// Where moments are: a line of the timeline.
struct heddle_track {
  char *process, *name;
  uint32_t process_number;  // equal for equal processes, from 1
};

struct heddle_timeline;

// Keeps no more moments than about this number of bytes of JSON takes. NULL: host memory is out.
struct heddle_timeline *heddle_timeline_create(uint64_t bytes);
void heddle_timeline_free(struct heddle_timeline *timeline);

// The number of a track, and of a name; made if there is none of it. 0 when host memory is out, which is one, too.
uint32_t heddle_timeline_track(struct heddle_timeline *timeline, const char *process, const char *name);
uint32_t heddle_timeline_name(struct heddle_timeline *timeline, const char *name);

// Another name for a track, of which more is known now.
void heddle_timeline_rename(struct heddle_timeline *timeline, uint32_t track, const char *name);

// Adds a moment. What is fine, as the states of slots are, is left out first when there is too much.
void heddle_timeline_add(struct heddle_timeline *timeline, const struct heddle_moment *moment, bool fine);

// A new dispatch's number for its moments, from 1.
uint32_t heddle_timeline_dispatch(struct heddle_timeline *timeline);

// Moves the moments of a dispatch so much later.
void heddle_timeline_shift(struct heddle_timeline *timeline, uint32_t dispatch, int64_t nanoseconds);

// ---- What is there, for those who write it.

// The start of the earliest moment: zero for whoever reads what is written.
uint64_t heddle_timeline_start(const struct heddle_timeline *timeline);
size_t heddle_timeline_count(const struct heddle_timeline *timeline);
struct heddle_moment heddle_timeline_at(const struct heddle_timeline *timeline, size_t number);
size_t heddle_timeline_tracks(const struct heddle_timeline *timeline);
const struct heddle_track *heddle_timeline_track_at(const struct heddle_timeline *timeline, uint32_t number);
size_t heddle_timeline_names(const struct heddle_timeline *timeline);
const char *heddle_timeline_name_at(const struct heddle_timeline *timeline, uint32_t number);

// How many moments were left out, and of the first of them when it was.
uint64_t heddle_timeline_left_out(const struct heddle_timeline *timeline, uint64_t *since);

// The line of source of a moment of a device, as text; empty: not known.
typedef const char *heddle_line_of(void *user, const struct heddle_moment *moment);

// Chrome's trace-event format, which Perfetto reads. At most `bytes` of it: returns how many moments were left out
// besides.
uint64_t heddle_timeline_write_json(const struct heddle_timeline *timeline, uint64_t bytes, heddle_line_of *line_of,
                                    void *user, FILE *out);

#endif
