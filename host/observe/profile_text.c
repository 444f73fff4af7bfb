// SPDX-License-Identifier: Apache-2.0
// The annotated source in a terminal (profile.h).
#include <inttypes.h>
#include <string.h>

#include "host/observe/profile.h"

// Lines below one in a thousand of the cycles are summed up.
enum { SHOWN_PER_MILLE = 1 };

static double percent(uint64_t part, uint64_t all) {
  return all != 0 ? 100.0 * (double)part / (double)all : 0;
}

static void write_share(FILE *out, const char *words, uint64_t cycles, uint64_t all) {
  if (cycles != 0)
    fprintf(out, "  %6.1f %% %14" PRIu64 "  %s\n", percent(cycles, all), cycles, words);
}

static void write_shares(const struct heddle_profile_view *view, FILE *out) {
  const struct heddle_profile_kernel *kernel = view->kernel;
  const uint64_t all = kernel->unit_cycles;
  const bool is_pipeline = kernel->kind != 0;
  char words[96] = "on the way through stages and accesses";
  if (!is_pipeline)
    snprintf(words, sizeof words, "issued; %.0f %% of the lanes active",
             percent(view->sum.lanes, view->sum.issues * kernel->lanes));
  write_share(out, words, view->sum.issues, all);
  for (int i = 0; i < HEDDLE_SIM_REASONS; i++)
    write_share(out, heddle_profile_reason(kernel, i), view->sum.lost[i], all);
  write_share(out, is_pipeline ? "before the first sub-group" : "starting sub-groups", kernel->starting, all);
  write_share(out, is_pipeline ? "no sub-group there" : "no sub-group resident", kernel->empty, all);
  if (kernel->cache_requests != 0)
    fprintf(out,
            "\n  device cache: %" PRIu64 " requests, %" PRIu64 " misses: %" PRIu64 " of loads and atomics, %" PRIu64
            " of instructions, %" PRIu64 " of others\n",
            kernel->cache_requests, kernel->cache_misses, view->sum.misses, kernel->fetch_misses, kernel->other_misses);
}

// What a line lost most cycles to.
static void write_loss(const struct heddle_profile_kernel *kernel, const struct heddle_sim_row *sum, uint64_t cycles,
                       FILE *out) {
  int most = 0;
  for (int i = 1; i < HEDDLE_SIM_REASONS; i++)
    most = sum->lost[i] > sum->lost[most] ? i : most;
  if (sum->lost[most] == 0)
    fprintf(out, "%-34s", "");
  else
    fprintf(out, "%3.0f %% %-28s", percent(sum->lost[most], cycles), heddle_profile_reason(kernel, most));
}

static void write_line(const struct heddle_profile_view *view, const struct heddle_profile_line *line, FILE *out) {
  fprintf(out, "  %6.1f %% %14" PRIu64 " %10" PRIu64, percent(line->cycles, view->kernel->unit_cycles), line->cycles,
          line->sum.issues);
  if (view->kernel->kind == 0)
    fprintf(out, "  %3.0f %%", percent(line->sum.lanes, line->sum.issues * view->kernel->lanes));
  fprintf(out, " %9" PRIu64 "  ", line->sum.misses);
  write_loss(view->kernel, &line->sum, line->cycles, out);
  if (!line->file)
    fprintf(out, "  code without a line");
  else if (line->text)
    fprintf(out, "  %s:%" PRIu32 "  %.*s", line->file, line->line, line->text_bytes, line->text);
  else
    fprintf(out, "  %s:%" PRIu32, line->file, line->line);
  if (line->functions)
    fprintf(out, "   [%s]", line->functions);
  fputc('\n', out);
}

static void write_lines(const struct heddle_profile_view *view, FILE *out) {
  size_t shown = 0;
  uint64_t rest = 0, misses = 0;
  const bool is_pipeline = view->kernel->kind != 0;
  fputs(is_pipeline
            ? "\n  cycles, all pipelines     on way    misses  most of it waits for                line\n"
            : "\n  cycles of all units       issues  lanes    misses  most of it lost to                  line\n",
        out);
  while (shown < view->num_lines && view->lines[shown].cycles * 1000 >= view->kernel->unit_cycles * SHOWN_PER_MILLE)
    write_line(view, &view->lines[shown++], out);
  for (size_t i = shown; i < view->num_lines; i++)
    rest += view->lines[i].cycles;
  for (size_t i = shown; i < view->num_lines; i++)
    misses += view->lines[i].sum.misses;
  if (rest != 0 || misses != 0)
    fprintf(out, "  %6.1f %% %14" PRIu64 " %*" PRIu64 "  in %zu more line%s\n",
            percent(rest, view->kernel->unit_cycles), rest, is_pipeline ? 20 : 27, misses, view->num_lines - shown,
            view->num_lines - shown != 1 ? "s" : "");
}

static void write_advice(void *user, const char *advice) {
  fprintf(user, "  * %s\n", advice);
}

// As the model does, one after the other whatever the unit.
static bool counts_issues(const struct heddle_profile_shape *shape) {
  return shape->memory_latency == 0;
}

static void write_view(const struct heddle_profile_view *view, FILE *out) {
  const struct heddle_profile_kernel *kernel = view->kernel;
  const struct heddle_profile_shape *shape = view->program->shape;
  fprintf(out, "kernel %s on %s: %" PRIu64 " dispatch%s, %" PRIu64 " cycles", kernel->name, shape->device,
          kernel->dispatches, kernel->dispatches != 1 ? "es" : "", kernel->cycles);
  if (kernel->kind == 0 && shape->units > 1 && counts_issues(shape))
    fprintf(out, " as one unit of %" PRIu32 " lanes would issue them (the device has %" PRIu32 ")", kernel->lanes,
            shape->units);
  else if (kernel->kind == 0)
    fprintf(out, ", %" PRIu32 " unit%s of %" PRIu32 " lanes", kernel->units, kernel->units != 1 ? "s" : "",
            kernel->lanes);
  else
    fprintf(out, ", %" PRIu32 " pipeline%s of %" PRIu32 " lane%s", kernel->units, kernel->units != 1 ? "s" : "",
            kernel->lanes, kernel->lanes != 1 ? "s" : "");
  fprintf(out, "\n\n");
  if (kernel->kind != 0 && view->num_lines == 0) {
    fprintf(out,
            "  Its pipeline was made by a heddlec that does not say which lines its places are of; make it again.\n");
    return;
  }
  write_shares(view, out);
  write_lines(view, out);
  fputc('\n', out);
  heddle_profile_advise(view, write_advice, out);
  if (!view->has_lines && view->num_lines != 0)
    fprintf(
        out,
        "\n  There is no line information. Kernels that are built from source by this library have it, and kernel\n"
        "  files that heddlec made of source unless they were stripped; of SPIR-V as far as the SPIR-V has it. It is\n"
        "  read by llvm-symbolizer (package llvm-22).\n");
}

void heddle_profile_write_text(const struct heddle_profile_view *views, size_t count, FILE *out) {
  if (count == 0)
    fprintf(out, "No kernel ran on a simulated device.\n");
  for (size_t i = 0; i < count; i++) {
    if (i != 0)
      fputc('\n', out);
    write_view(&views[i], out);
  }
}
