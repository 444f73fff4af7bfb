// SPDX-License-Identifier: Apache-2.0
// What could be changed in a kernel that ran on pipelines, where its profile says so (advice.c). What each remedy costs
// is in docs/how-to/make-a-kernel-faster-or-smaller.md.
#include <inttypes.h>

#include "host/observe/advising.h"

static uint64_t memory(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_PIPELINE_MEMORY];
}
static uint64_t ring(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_PIPELINE_RING];
}
static uint64_t barrier(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_PIPELINE_BARRIER];
}
static uint64_t shared(const struct heddle_profile_line *line) {
  return line->sum.lost[HEDDLE_SIM_PIPELINE_SHARED];
}

// Cycles at a line in a queue, if what those wait for that are first in it is most of all this.
static uint64_t jam(const struct heddle_profile_line *line, enum heddle_sim_pipeline_reason first) {
  static const enum heddle_sim_pipeline_reason firsts[] = {HEDDLE_SIM_PIPELINE_PORT, HEDDLE_SIM_PIPELINE_BANKS,
                                                           HEDDLE_SIM_PIPELINE_PIPE};
  const uint64_t *lost = line->sum.lost;
  for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
    if (lost[firsts[i]] > lost[first])
      return 0;
  return lost[first] != 0 ? lost[first] + lost[HEDDLE_SIM_PIPELINE_QUEUE] : 0;
}
static uint64_t port(const struct heddle_profile_line *line) {
  return jam(line, HEDDLE_SIM_PIPELINE_PORT);
}
static uint64_t banks(const struct heddle_profile_line *line) {
  return jam(line, HEDDLE_SIM_PIPELINE_BANKS);
}
static uint64_t pipe(const struct heddle_profile_line *line) {
  return jam(line, HEDDLE_SIM_PIPELINE_PIPE);
}

// Of all cycles, those of a figure in all lines.
static double share_of(const struct advising *a, uint64_t (*figure)(const struct heddle_profile_line *line)) {
  uint64_t sum = 0;
  for (size_t i = 0; i < a->view->num_lines; i++)
    sum += figure(&a->view->lines[i]);
  return heddle_advising_share(a, sum);
}

static void advise_memory(const struct advising *a) {
  const double used = heddle_advising_external(a);
  char name[LINE_NAME_BYTES];
  if (share_of(a, port) > 0.25)
    heddle_advising_say(
        a,
        "%s: sub-groups wait for the memory port, which takes the accesses of one line of memory in a cycle. "
        "Let neighbouring work-items use neighbouring words, take several words together (float4), or keep "
        "in local memory what is used again.",
        heddle_advising_name(heddle_advising_most(a, port), name));
  if (used > 0.7)
    heddle_advising_say(
        a,
        "External memory is the limit: it is asked for %.0f %% of what it can give. Use what was loaded again, "
        "in local memory; more lanes or copies do not help.",
        100 * used);
  else if (share_of(a, memory) > 0.4)
    heddle_advising_say(
        a,
        "%s waits for what it loads, with %.1f sub-groups in the pipeline. More of them hide that: more "
        "work-items, or --slots with a larger number; or load earlier.",
        heddle_advising_name(heddle_advising_most(a, memory), name), heddle_profile_residents(a->view->kernel));
}

static void advise_loops(const struct advising *a) {
  char name[LINE_NAME_BYTES];
  if (share_of(a, ring) > 0.3)
    heddle_advising_say(
        a,
        "%s: the loop is full, since a round of one sub-group enters it in a cycle. "
        "__attribute__((opencl_unroll_hint(4))) on it makes four rounds one; more lanes (--lanes) or copies "
        "(--copies) take more work-items at once.",
        heddle_advising_name(heddle_advising_most(a, ring), name));
  if (share_of(a, barrier) > 0.2)
    heddle_advising_say(
        a, "%s: sub-groups wait there for others of their work-group. Share the work before it out evenly.",
        heddle_advising_name(heddle_advising_most(a, barrier), name));
}

static void advise_queues(const struct advising *a) {
  char name[LINE_NAME_BYTES];
  if (share_of(a, banks) > 0.2)
    heddle_advising_say(
        a,
        "%s: lanes need different words of one bank of a local array. A row that is a word longer puts them "
        "in different banks.",
        heddle_advising_name(heddle_advising_most(a, banks), name));
  if (share_of(a, pipe) > 0.2)
    heddle_advising_say(
        a,
        "%s waits for the kernel at the other end of its pipe. Make that one faster; its lines are in this "
        "profile, too.",
        heddle_advising_name(heddle_advising_most(a, pipe), name));
  if (share_of(a, shared) > 0.1 && a->view->kernel->lanes == 1)
    heddle_advising_say(a,
                        "In front of %s rounds of the loop wait for what the one before makes. Let it need less of "
                        "that: report.txt says how far rounds are apart.",
                        heddle_advising_name(heddle_advising_most(a, shared), name));
  else if (share_of(a, shared) > 0.1)
    heddle_advising_say(
        a,
        "In front of %s sub-groups wait for operators that lanes share. Leave --share out; where it was not given, "
        "--copies 2 has twice as many.",
        heddle_advising_name(heddle_advising_most(a, shared), name));
}

static void advise_dispatches(const struct advising *a) {
  const struct heddle_profile_kernel *kernel = a->view->kernel;
  if (heddle_advising_share(a, kernel->empty + kernel->starting) > 0.25)
    heddle_advising_say(a,
                        "No sub-group is in a pipeline in %.0f %% of the cycles: dispatches are short, or have fewer "
                        "work-groups than the kernel has pipelines. Use more work-items.",
                        100 * heddle_advising_share(a, kernel->empty + kernel->starting));
}

void heddle_advise_pipelines(const struct advising *a) {
  if (a->view->num_lines == 0)
    return;
  advise_memory(a);
  advise_loops(a);
  advise_queues(a);
  advise_dispatches(a);
}
