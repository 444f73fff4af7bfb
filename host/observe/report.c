// SPDX-License-Identifier: Apache-2.0
// Writes the page report.html with its data in it (report.h).
#include "host/observe/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/observe/json.h"
#include "host/observe/source_text.h"

// The page as it is in the source, with a zero behind.
extern const char heddle_report_page[];
__asm__(
    ".section .rodata\n"
    ".globl heddle_report_page\n"
    ".hidden heddle_report_page\n"
    "heddle_report_page: .incbin \"host/observe/report.html\"\n"
    ".byte 0\n"
    ".section .note.GNU-stack,\"\"\n"
    ".text\n");

static const char data_is_here[] = "/*DATA*/";

// ---- Sources.

static bool is_earlier(const struct heddle_profile_view *view, size_t number) {
  for (size_t i = 0; i < number; i++)
    if (view->lines[i].file && strcmp(view->lines[i].file, view->lines[number].file) == 0)
      return true;
  return false;
}

static void write_sources(const struct heddle_profile_view *view, FILE *out) {
  const char *between = "";
  fprintf(out, "{");
  for (size_t i = 0; i < view->num_lines; i++) {
    const char *file = view->lines[i].file;
    if (!file || is_earlier(view, i))
      continue;
    // The program keeps what is read: that changes nothing of it for others.
    const char *text = heddle_source_text_of((struct heddle_profile_program *)view->program, file);
    if (!text)
      continue;
    fputs(between, out);
    heddle_json_string(out, file, SIZE_MAX);
    fputc(':', out);
    heddle_json_string(out, text, SIZE_MAX);
    between = ",\n";
  }
  fprintf(out, "}");
}

// ---- The timeline, column by column: moments by track, then by start.

struct entry {
  struct heddle_moment moment;
  uint32_t line;  // number of a name; 0: none
};

static int by_track(const void *one, const void *other) {
  const struct entry *a = one, *b = other;
  if (a->moment.track != b->moment.track)
    return (a->moment.track > b->moment.track) - (a->moment.track < b->moment.track);
  if (a->moment.start != b->moment.start)
    return (a->moment.start > b->moment.start) - (a->moment.start < b->moment.start);
  // What is around another comes first.
  return (a->moment.nanoseconds < b->moment.nanoseconds) - (a->moment.nanoseconds > b->moment.nanoseconds);
}

static uint64_t start_of(const struct entry *entries, size_t i, uint64_t zero) {
  const bool follows = i != 0 && entries[i - 1].moment.track == entries[i].moment.track;
  return entries[i].moment.start - (follows ? entries[i - 1].moment.start : zero);
}

static void write_runs(const struct entry *entries, size_t count, FILE *out) {
  const char *between = "";
  fprintf(out, "\"runs\":[");
  for (size_t i = 0, first = 0; i < count; i++) {
    if (i + 1 < count && entries[i + 1].moment.track == entries[first].moment.track)
      continue;
    fprintf(out, "%s[%" PRIu32 ",%zu]", between, entries[first].moment.track, i + 1 - first);
    between = ",";
    first = i + 1;
  }
  fprintf(out, "]");
}

enum column { START, LENGTH, NAME, LINE, VALUE, KIND, COLUMNS };

static uint64_t cell(const struct entry *entries, size_t i, enum column column, uint64_t zero) {
  const struct heddle_moment *moment = &entries[i].moment;
  switch (column) {
    case START:
      return start_of(entries, i, zero);
    case LENGTH:
      return moment->nanoseconds;
    case NAME:
      return moment->name;
    case LINE:
      return entries[i].line;
    case VALUE:
      return entries[i].line != 0 ? 0 : moment->value;
    default:
      return moment->kind;
  }
}

static void write_columns(const struct entry *entries, size_t count, uint64_t zero, FILE *out) {
  static const char *const names[COLUMNS] = {"start", "length", "name", "line", "value", "kind"};
  for (enum column column = 0; column < COLUMNS; column++) {
    fprintf(out, ",\n\"%s\":[", names[column]);
    for (size_t i = 0; i < count; i++)
      fprintf(out, "%s%" PRIu64, i != 0 ? "," : "", cell(entries, i, column, zero));
    fprintf(out, "]");
  }
}

static void write_texts(const struct heddle_timeline *timeline, FILE *out) {
  fprintf(out, "\"tracks\":[");
  for (uint32_t i = 0; i < heddle_timeline_tracks(timeline); i++) {
    const struct heddle_track *track = heddle_timeline_track_at(timeline, i);
    fprintf(out, "%s[", i != 0 ? "," : "");
    heddle_json_string(out, track->process, SIZE_MAX);
    fputc(',', out);
    heddle_json_string(out, track->name, SIZE_MAX);
    fprintf(out, "]");
  }
  fprintf(out, "],\n\"names\":[");
  for (uint32_t i = 0; i < heddle_timeline_names(timeline); i++) {
    fprintf(out, "%s", i != 0 ? "," : "");
    heddle_json_string(out, heddle_timeline_name_at(timeline, i), SIZE_MAX);
  }
  fprintf(out, "],\n");
}

static void write_timeline(struct heddle_timeline *timeline, heddle_line_of *line_of, void *user, FILE *out) {
  const size_t count = heddle_timeline_count(timeline);
  struct entry none = {0}, *kept = calloc(count + 1, sizeof *kept), *entries = kept ? kept : &none;
  const size_t known = kept ? count : 0;
  uint64_t since, left_out = heddle_timeline_left_out(timeline, &since) + (count - known);
  for (size_t i = 0; i < known; i++) {
    entries[i].moment = heddle_timeline_at(timeline, i);
    const char *line = line_of(user, &entries[i].moment);
    entries[i].line = *line ? heddle_timeline_name(timeline, line) : 0;
  }
  qsort(entries, known, sizeof *entries, by_track);
  fprintf(out, "{\"left_out\":%" PRIu64 ",\n", left_out);
  write_texts(timeline, out);
  write_runs(entries, known, out);
  write_columns(entries, known, heddle_timeline_start(timeline), out);
  fprintf(out, "}");
  free(kept);
}

void heddle_report_write(const struct heddle_profile_view *views, size_t count, struct heddle_timeline *timeline,
                         heddle_line_of *line_of, void *user, FILE *out) {
  const char *at = strstr(heddle_report_page, data_is_here);
  if (!at)
    return;
  fwrite(heddle_report_page, 1, (size_t)(at - heddle_report_page), out);
  fprintf(out, "{\"profile\":");
  heddle_profile_write_json(views, count, out);
  fprintf(out, ",\"sources\":[");
  for (size_t i = 0; i < count; i++) {
    fprintf(out, "%s", i != 0 ? "," : "");
    write_sources(&views[i], out);
  }
  fprintf(out, "],\n\"timeline\":");
  write_timeline(timeline, line_of, user, out);
  fprintf(out, "}");
  fputs(at + strlen(data_is_here), out);
}
