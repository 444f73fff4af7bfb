// SPDX-License-Identifier: Apache-2.0
// What could be changed in a kernel, where its profile says so (profile.h). Each rule is a figure, a limit, and a
// sentence for people who write kernels. Here are those of programmable units.
#include <inttypes.h>

#include "host/observe/advising.h"

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
  const double present = heddle_advising_part((double)sum->present, (double)sum->issues);
  const double active = heddle_advising_part((double)sum->lanes, (double)sum->present);
  char line[LINE_NAME_BYTES];
  if (present < 0.8 * lanes)
    heddle_advising_say(a,
                        "Sub-groups have %.1f work-items for %" PRIu32
                        " lanes: %.0f %% of the lanes are empty. Make work-groups of a "
                        "multiple of %" PRIu32 " work-items.",
                        present, lanes, 100 * (1 - present / lanes), lanes);
  if (active < 0.8)
    heddle_advising_say(
        a,
        "%.0f %% of the lanes wait while others of their sub-group run, most in %s: work-items of a sub-group take "
        "different ways. Let neighbours do the same.",
        100 * (1 - active), heddle_advising_name(heddle_advising_most(a, idle_lanes), line));
}

static void advise_conflicts(const struct advising *a) {
  const struct heddle_sim_row *sum = &a->view->sum;
  const struct heddle_profile_line *line;
  char name[LINE_NAME_BYTES];
  if (heddle_advising_share(a, sum->lost[HEDDLE_SIM_BEATS]) > 0.1) {
    line = heddle_advising_most(a, beats);
    const double passes = line ? 1 + heddle_advising_part((double)line->sum.passes, (double)line->sum.accesses) : 0;
    if (line && passes > 0.8 * a->view->kernel->lanes)
      heddle_advising_say(
          a,
          "%s: each lane reads or writes another beat of memory (%.1f passes an access). Let neighbouring work-items "
          "use neighbouring addresses.",
          heddle_advising_name(line, name), passes);
    else
      heddle_advising_say(
          a,
          "%s: an access takes %.1f passes, since its lanes are in several beats of memory. Let neighbouring "
          "work-items use neighbouring addresses.",
          heddle_advising_name(line, name), passes);
  }
  if (heddle_advising_share(a, sum->lost[HEDDLE_SIM_BANKS]) > 0.1) {
    line = heddle_advising_most(a, banks);
    heddle_advising_say(
        a,
        "%s: lanes need different words of one bank of local memory (%.1f passes an access). A row that is a word "
        "longer puts them in different banks.",
        heddle_advising_name(line, name),
        line ? 1 + heddle_advising_part((double)line->sum.passes, (double)line->sum.accesses) : 0);
  }
}

static void advise_memory(const struct advising *a) {
  const struct heddle_sim_row *sum = &a->view->sum;
  const double used = heddle_advising_external(a);
  const double residents = heddle_profile_residents(a->view->kernel);
  const uint32_t slots = a->view->program->shape->slots;
  char name[LINE_NAME_BYTES];
  if (used > 0.7)
    heddle_advising_say(
        a,
        "External memory is the limit: it is asked for %.0f %% of what it can give. Use what was loaded again, in "
        "local memory or registers.",
        100 * used);
  else if (heddle_advising_share(a, sum->lost[HEDDLE_SIM_MEMORY]) > 0.25 && residents < 0.6 * slots)
    heddle_advising_say(a,
                        "%s waits for memory, and only %.1f of %" PRIu32
                        " slots have a sub-group meanwhile. More work-items in flight "
                        "(more or larger work-groups, less local memory) would hide that.",
                        heddle_advising_name(heddle_advising_most(a, memory), name), residents, slots);
  else if (heddle_advising_share(a, sum->lost[HEDDLE_SIM_MEMORY]) > 0.25)
    heddle_advising_say(a, "%s waits for memory. Load earlier, or several values before the first is used.",
                        heddle_advising_name(heddle_advising_most(a, memory), name));
}

static void advise_rest(const struct advising *a) {
  const struct heddle_profile_kernel *kernel = a->view->kernel;
  const struct heddle_sim_row *sum = &a->view->sum;
  char name[LINE_NAME_BYTES];
  if (heddle_advising_share(a, sum->lost[HEDDLE_SIM_COLLECTIVE]) > 0.2)
    heddle_advising_say(
        a, "%s: sub-groups wait there for others of their work-group. Share the work before it out evenly.",
        heddle_advising_name(heddle_advising_most(a, collective), name));
  if (heddle_advising_share(a, sum->lost[HEDDLE_SIM_DIVIDER]) > 0.1)
    heddle_advising_say(a, "%s divides, and a unit has one divider. Multiply by the reciprocal, or shift.",
                        heddle_advising_name(heddle_advising_most(a, divider), name));
  if (heddle_advising_share(a, sum->lost[HEDDLE_SIM_PIPELINE]) > 0.3)
    heddle_advising_say(
        a,
        "A slot issues every 14 cycles or so, and %.1f slots have a sub-group: there are too few to issue in every "
        "cycle. Use more work-items.",
        heddle_profile_residents(kernel));
  if (heddle_advising_share(a, sum->lost[HEDDLE_SIM_INSTRUCTION]) > 0.2)
    heddle_advising_say(
        a,
        "%.0f %% of the cycles wait for instructions. The kernel is short, so its first way to them counts, or its "
        "loops are longer than the instruction cache.",
        100 * heddle_advising_share(a, sum->lost[HEDDLE_SIM_INSTRUCTION]));
  if (heddle_advising_share(a, kernel->empty + kernel->starting) > 0.25)
    heddle_advising_say(a, "No sub-group is there in %.0f %% of the units' cycles: dispatches are short, %s.",
                        100 * heddle_advising_share(a, kernel->empty + kernel->starting),
                        kernel->units > 1
                            ? "end with few work-groups, or are for a sub-device, which has some of the units"
                            : "or end with few work-groups");
}

void heddle_profile_advise(const struct heddle_profile_view *view, void (*to)(void *user, const char *advice),
                           void *user) {
  const struct advising advising = {view, to, user};
  if (view->kernel->kind != 0) {
    heddle_advise_pipelines(&advising);
    return;
  }
  if (view->sum.issues == 0)
    return;
  advise_lanes(&advising);
  advise_conflicts(&advising);
  advise_memory(&advising);
  advise_rest(&advising);
}
