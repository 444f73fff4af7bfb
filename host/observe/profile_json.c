// SPDX-License-Identifier: Apache-2.0
// Profiles as JSON (profile.h).
#include <inttypes.h>

#include "host/observe/json.h"
#include "host/observe/profile.h"

static void write_row(FILE *out, const struct heddle_profile_view *view, const struct heddle_sim_row *row) {
  fprintf(out,
          "\"issues\":%" PRIu64 ",\"active_lanes\":%" PRIu64 ",\"present_lanes\":%" PRIu64 ",\"accesses\":%" PRIu64
          ",\"further_passes\":%" PRIu64 ",\"cache_misses\":%" PRIu64 ",\"lost\":{",
          row->issues, row->lanes, row->present, row->accesses, row->passes, row->misses);
  for (int i = 0; i < HEDDLE_SIM_REASONS; i++)
    fprintf(out, "%s\"%s\":%" PRIu64, i != 0 ? "," : "", heddle_profile_reason_key(view->kernel, i), row->lost[i]);
  fputc('}', out);
}

static void write_place(FILE *out, const char *file, uint32_t line) {
  fprintf(out, "\"file\":");
  heddle_json_string(out, file, SIZE_MAX);
  if (file)
    fprintf(out, ",\"line\":%" PRIu32, line);
  else
    fprintf(out, ",\"line\":null");
}

static void write_lines(FILE *out, const struct heddle_profile_view *view) {
  fprintf(out, ",\n\"lines\":[");
  for (size_t i = 0; i < view->num_lines; i++) {
    const struct heddle_profile_line *line = &view->lines[i];
    fprintf(out, "%s\n{", i != 0 ? "," : "");
    write_place(out, line->file, line->line);
    fprintf(out, ",\"text\":");
    heddle_json_string(out, line->text, (size_t)line->text_bytes);
    fprintf(out, ",\"functions\":");
    heddle_json_string(out, line->functions, SIZE_MAX);
    fprintf(out, ",\"cycles\":%" PRIu64 ",", line->cycles);
    write_row(out, view, &line->sum);
    fputc('}', out);
  }
  fprintf(out, "]");
}

static void write_instructions(FILE *out, const struct heddle_profile_view *view) {
  const char *between = "";
  fprintf(out, ",\n\"instructions\":[");
  for (size_t i = 0; i < view->num_rows; i++) {
    const struct heddle_sim_row *row = &view->rows[i];
    const struct heddle_line *line = &view->places->lines[i];
    if (heddle_profile_cycles(row) == 0 && row->misses == 0)
      continue;
    fprintf(out, "%s\n{\"offset\":%" PRIu32 ",", between, row->pc);
    write_place(out, line->file, line->line);
    fprintf(out, ",\"function\":");
    heddle_json_string(out, line->function, SIZE_MAX);
    fputc(',', out);
    write_row(out, view, row);
    fputc('}', out);
    between = ",";
  }
  fprintf(out, "]");
}

struct advice {
  FILE *out;
  const char *between;
};

static void write_advice(void *user, const char *text) {
  struct advice *advice = user;
  fputs(advice->between, advice->out);
  heddle_json_string(advice->out, text, SIZE_MAX);
  advice->between = ",";
}

static void write_view(FILE *out, const struct heddle_profile_view *view) {
  const struct heddle_profile_kernel *kernel = view->kernel;
  fprintf(out, "{\"kernel\":");
  heddle_json_string(out, kernel->name, SIZE_MAX);
  fprintf(out, ",\"device\":");
  heddle_json_string(out, view->program->shape->device, SIZE_MAX);
  fprintf(out,
          ",\"lanes\":%" PRIu32 ",\"units\":%" PRIu32 ",\"kind\":%" PRIu32 ",\"dispatches\":%" PRIu64
          ",\"cycles\":%" PRIu64 ",\"unit_cycles\":%" PRIu64 ",\"starting\":%" PRIu64 ",\"empty\":%" PRIu64
          ",\"external_requests\":%" PRIu64 ",\"cache_requests\":%" PRIu64 ",\"cache_misses\":%" PRIu64
          ",\"has_lines\":%s,\"slots\":%" PRIu32 ",\"resident\":%.3f,\"external_bytes\":%" PRIu64
          ",\"fetch_misses\":%" PRIu64 ",\"other_misses\":%" PRIu64 ",\"external_limit\":%.0f,\"clock_khz\":%" PRIu32
          ",\n\"all\":{",
          kernel->lanes, kernel->units, kernel->kind, kernel->dispatches, kernel->cycles, kernel->unit_cycles,
          kernel->starting, kernel->empty, kernel->external_lines, kernel->cache_requests, kernel->cache_misses,
          view->has_lines ? "true" : "false", view->program->shape->slots, heddle_profile_residents(kernel),
          kernel->external_bytes, kernel->fetch_misses, kernel->other_misses, heddle_profile_external_limit(view),
          view->program->shape->clock_khz);
  write_row(out, view, &view->sum);
  fputc('}', out);
  struct advice advice = {.out = out, .between = ""};
  fprintf(out, ",\n\"advice\":[");
  heddle_profile_advise(view, write_advice, &advice);
  fprintf(out, "]");
  write_lines(out, view);
  write_instructions(out, view);
  fprintf(out, "}");
}

void heddle_profile_write_json(const struct heddle_profile_view *views, size_t count, FILE *out) {
  fprintf(out, "{\"version\":1,\"kernels\":[");
  for (size_t i = 0; i < count; i++) {
    fprintf(out, "%s\n", i != 0 ? "," : "");
    write_view(out, &views[i]);
  }
  fprintf(out, "]}\n");
}
