// SPDX-License-Identifier: Apache-2.0
// cl_khr_extended_async_copies: boxes of elements. The work-items of the group share them like those of async_copy.cl.
#include "hls/lib/device.h"
#include "hls/lib/shared_copy.h"

// What is copied; a plane and a line begin so many units behind the one before them.
struct box {
  size_t units, lines, planes;  // of a line, of a plane, in all
  size_t from_line, from_plane, to_line, to_plane;
};

// A place in a box; `step` places further on.
struct place {
  size_t unit, line, plane;
};

static inline struct place place_of(size_t index, const struct box *box) {
  return (struct place){index % box->units, index / box->units % box->lines, index / box->units / box->lines};
}

static inline struct place advance(struct place at, struct place step, const struct box *box) {
  at.unit += step.unit;
  at.line += step.line;
  at.plane += step.plane;
  if (at.unit >= box->units) {
    at.unit -= box->units;
    at.line++;
  }
  if (at.line >= box->lines) {
    at.line -= box->lines;
    at.plane++;
  }
  return at;
}

// A word of memory of whatever type.
typedef uint any_word __attribute__((may_alias));

// Unit by unit.
#define COPY(T)                                                                                                 \
  static inline void copy_##T(T *to, const T *from, struct box box) {                                           \
    const struct place step = place_of(group_size(), &box);                                                     \
    for (struct place at = place_of(first_element(), &box); at.plane < box.planes;                              \
         at = advance(at, step, &box)) {                                                                        \
      to[at.unit + at.line * box.to_line + at.plane * box.to_plane] =                                           \
          from[at.unit + at.line * box.from_line + at.plane * box.from_plane];                                  \
    }                                                                                                           \
  }
COPY(uchar)
COPY(any_word)

// The box is of elements of so many bytes. Words are copied where elements are whole ones and begin as such.
static void copy(uchar *to, const uchar *from, size_t bytes, struct box box) {
  if (bytes == 0 || box.units == 0 || box.lines == 0 || box.planes == 0) {
    return;
  }
  const bool has_words = (((size_t)to | (size_t)from | bytes) & 3) == 0;
  const size_t units = has_words ? bytes / 4 : bytes;
  box.units *= units;
  box.from_line *= units;
  box.from_plane *= units;
  box.to_line *= units;
  box.to_plane *= units;
  if (has_words) {
    copy_any_word((any_word *)to, (const any_word *)from, box);
  } else {
    copy_uchar(to, from, box);
  }
}

#define BOTH_WAYS(to_space, from_space)                                                                             \
  event_t BUILTIN async_work_group_copy_2D2D(to_space void *to, size_t to_offset, const from_space void *from,      \
                                             size_t from_offset, size_t bytes, size_t elements, size_t lines,       \
                                             size_t from_line, size_t to_line, event_t event) {                     \
    copy((to_space uchar *)to + to_offset * bytes, (const from_space uchar *)from + from_offset * bytes, bytes,     \
         (struct box){elements, lines, 1, from_line, 0, to_line, 0});                                               \
    return event;                                                                                                   \
  }                                                                                                                 \
  event_t BUILTIN async_work_group_copy_3D3D(to_space void *to, size_t to_offset, const from_space void *from,      \
                                             size_t from_offset, size_t bytes, size_t elements, size_t lines,       \
                                             size_t planes, size_t from_line, size_t from_plane, size_t to_line,    \
                                             size_t to_plane, event_t event) {                                      \
    copy((to_space uchar *)to + to_offset * bytes, (const from_space uchar *)from + from_offset * bytes, bytes,     \
         (struct box){elements, lines, planes, from_line, from_plane, to_line, to_plane});                          \
    return event;                                                                                                   \
  }
BOTH_WAYS(local, global)
BOTH_WAYS(global, local)
