// SPDX-License-Identifier: Apache-2.0
// What could be changed in a kernel, where its profile says so (profile.h). Each rule is a figure, a limit, and a
// sentence for people who write kernels.
#include <inttypes.h>
#include <stdarg.h>

#include "host/observe/profile.h"

struct advising {
  const struct heddle_profile_view *view;
  void (*say)(void *user, const char *advice);
  void *user;
};

static double part(double of, double all) {
  return all > 0 ? of / all : 0;
}

static double share(const struct advising *a, uint64_t cycles) {
  return part((double)cycles, (double)a->view->kernel->unit_cycles);
}

static void say(const struct advising *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const struct advising *a, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  // A sentence begins with a capital letter, a name of a line in front of it too.
  if (text[0] >= 'a' && text[0] <= 'z')
    text[0] = (char)(text[0] - 'a' + 'A');
  a->say(a->user, text);
}

// The line that has most of a figure; NULL: none has a line.
static const struct heddle_profile_line *most(const struct advising *a,
                                              uint64_t (*figure)(const struct heddle_profile_line *line)) {
  const struct heddle_profile_line *found = NULL;
  for (size_t i = 0; i < a->view->num_lines; i++) {
    const struct heddle_profile_line *line = &a->view->lines[i];
    if (line->file && figure(line) != 0 && (!found || figure(line) > figure(found)))
      found = line;
  }
  return found;
}

// "line 12" of the source, or "the kernel".
static const char *name_of(const struct heddle_profile_line *line, char text[32]) {
  if (!line)
    return "the kernel";
  snprintf(text, 32, "line %" PRIu32, line->line);
  return text;
}

static uint64_t idle_lanes(const struct heddle_profile_line *line) {
  return line->sum.present - line->sum.lanes;
}
static uint64_t beats(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_BEATS];
}
static uint64_t banks(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_BANKS];
}
static uint64_t memory(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_MEMORY];
}
static uint64_t collective(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_COLLECTIVE];
}
static uint64_t divider(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_DIVIDER];
}

static void advise_lanes(const struct advising *a) {
  const struct heddle_sim_row *sum = &a->view->sum;
  const uint32_t lanes = a->view->kernel->lanes;
  const double present = part((double)sum->present, (double)sum->issues);
  const double active = part((double)sum->lanes, (double)sum->present);
  char line[32];
  if (present < 0.8 * lanes)
    say(a,
        "Sub-groups have %.1f work-items for %" PRIu32
        " lanes: %.0f %% of the lanes are empty. Make work-groups of a "
        "multiple of %" PRIu32 " work-items.",
        present, lanes, 100 * (1 - present / lanes), lanes);
  if (active < 0.8)
    say(a,
        "%.0f %% of the lanes wait while others of their sub-group run, most in %s: work-items of a sub-group take "
        "different ways. Let neighbours do the same.",
        100 * (1 - active), name_of(most(a, idle_lanes), line));
}

static void advise_conflicts(const struct advising *a) {
  const struct heddle_sim_row *sum = &a->view->sum;
  const struct heddle_profile_line *line;
  char name[32];
  if (share(a, sum->lost[HEDDLE_SIM_BEATS]) > 0.1) {
    line = most(a, beats);
    const double passes = line ? 1 + part((double)line->sum.passes, (double)line->sum.accesses) : 0;
    if (line && passes > 0.8 * a->view->kernel->lanes)
      say(a,
          "%s: each lane reads or writes another beat of memory (%.1f passes an access). Let neighbouring work-items "
          "use neighbouring addresses.",
          name_of(line, name), passes);
    else
      say(a,
          "%s: an access takes %.1f passes, since its lanes are in several beats of memory. Let neighbouring "
          "work-items use neighbouring addresses.",
          name_of(line, name), passes);
  }
  if (share(a, sum->lost[HEDDLE_SIM_BANKS]) > 0.1) {
    line = most(a, banks);
    say(a,
        "%s: lanes need different words of one bank of local memory (%.1f passes an access). A row that is a word "
        "longer puts them in different banks.",
        name_of(line, name), line ? 1 + part((double)line->sum.passes, (double)line->sum.accesses) : 0);
  }
}

static void advise_memory(const struct advising *a) {
  const struct heddle_sim_row *sum = &a->view->sum;
  const double used = part((double)a->view->kernel->external_bytes, heddle_profile_external_limit(a->view));
  const double residents = heddle_profile_residents(a->view->kernel);
  const uint32_t slots = a->view->program->shape->slots;
  char name[32];
  if (used > 0.7)
    say(a,
        "External memory is the limit: it is asked for %.0f %% of what it can give. Use what was loaded again, in "
        "local memory or registers.",
        100 * used);
  else if (share(a, sum->lost[HEDDLE_SIM_MEMORY]) > 0.25 && residents < 0.6 * slots)
    say(a,
        "%s waits for memory, and only %.1f of %" PRIu32
        " slots have a sub-group meanwhile. More work-items in flight "
        "(more or larger work-groups, less local memory) would hide that.",
        name_of(most(a, memory), name), residents, slots);
  else if (share(a, sum->lost[HEDDLE_SIM_MEMORY]) > 0.25)
    say(a, "%s waits for memory. Load earlier, or several values before the first is used.",
        name_of(most(a, memory), name));
}

static void advise_rest(const struct advising *a) {
  const struct heddle_profile_kernel *kernel = a->view->kernel;
  const struct heddle_sim_row *sum = &a->view->sum;
  char name[32];
  if (share(a, sum->lost[HEDDLE_SIM_COLLECTIVE]) > 0.2)
    say(a, "%s: sub-groups wait there for others of their work-group. Share the work before it out evenly.",
        name_of(most(a, collective), name));
  if (share(a, sum->lost[HEDDLE_SIM_DIVIDER]) > 0.1)
    say(a, "%s divides, and a unit has one divider. Multiply by the reciprocal, or shift.",
        name_of(most(a, divider), name));
  if (share(a, sum->lost[HEDDLE_SIM_PIPELINE]) > 0.3)
    say(a,
        "A slot issues every 14 cycles or so, and %.1f slots have a sub-group: there are too few to issue in every "
        "cycle. Use more work-items.",
        heddle_profile_residents(kernel));
  if (share(a, sum->lost[HEDDLE_SIM_INSTRUCTION]) > 0.2)
    say(a,
        "%.0f %% of the cycles wait for instructions. The kernel is short, so its first way to them counts, or its "
        "loops are longer than the instruction cache.",
        100 * share(a, sum->lost[HEDDLE_SIM_INSTRUCTION]));
  if (share(a, kernel->empty + kernel->starting) > 0.25)
    say(a, "No sub-group is there in %.0f %% of the units' cycles: dispatches are short, or end with few work-groups.",
        100 * share(a, kernel->empty + kernel->starting));
}

void heddle_profile_advise(const struct heddle_profile_view *view, void (*to)(void *user, const char *advice),
                           void *user) {
  const struct advising advising = {view, to, user};
  if (view->kernel->kind != 0 || view->sum.issues == 0)
    return;
  advise_lanes(&advising);
  advise_conflicts(&advising);
  advise_memory(&advising);
  advise_rest(&advising);
}
