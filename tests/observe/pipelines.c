// SPDX-License-Identifier: Apache-2.0
// Profiles of kernel pipelines. References: the performance counters of the same run, and what is known of each kernel.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/observe/tool.h"
#include "tests/temporary.h"

#define KERNELS "tests/observe/pipelines.cl"

static const struct {
  const char *kernel, *words;
} runs[] = {
    {"looped", "-g 512 -l 64 'uint:zeros(512)'"},
    {"chased", "-g 32 -l 32 'zeros(32)' 'random(1024,0,1024)'"},
    {"scattered", "-g 64 -l 64 'zeros(16384)'"},
    {"waits", "-g 128 -l 64 'zeros(128)'"},
    {"missing", "-g 64 -l 32 'zeros(64)' 'zeros(1024)'"},
    {"window", "-g 512 -l 64 'zeros(512)' 'random(512)' 512"},
    {"banks", "-g 256 -l 64 'zeros(256)'"},
    {"shares", "-g 512 -l 64 'zeros(1536)' 'random(512)'"},
};
enum { RUNS = sizeof runs / sizeof *runs };

static void set_up(void) {
  setenv("HEDDLE_HARDWARE", BUILD "/tests/observe/pipelines.so", 1);
}

TestSuite(pipelines, .init = set_up);

static struct profiled run_one(const char *kernel) {
  const char *words = NULL;
  for (int i = 0; i < RUNS; i++)
    if (strcmp(runs[i].kernel, kernel) == 0)
      words = runs[i].words;
  cr_assert(words, "no kernel %s", kernel);
  return run_profiled("sim", KERNELS, kernel, words);
}

static void expect_same(const char *what, uint64_t expected, uint64_t got) {
  cr_assert(expected == got, "%s: expected %" PRIu64 ", got %" PRIu64, what, expected, got);
}

static uint64_t lost_in_all(const json_t *row) {
  const char *reason;
  json_t *cycles;
  uint64_t sum = 0;
  json_object_foreach(json_object_get(row, "lost"), reason, cycles) sum += (uint64_t)json_integer_value(cycles);
  return sum;
}

// Each cycle of each pipeline, and each miss of the cache, is in the profile once.
static void expect_whole(const char *what, const json_t *kernel) {
  uint64_t sum = number_of(kernel, "starting") + number_of(kernel, "empty");
  uint64_t misses = number_of(kernel, "fetch_misses") + number_of(kernel, "other_misses");
  size_t i;
  json_t *line;
  json_array_foreach(json_object_get(kernel, "lines"), i, line) {
    sum += number_of(line, "issues") + lost_in_all(line);
    misses += number_of(line, "cache_misses");
  }
  expect_same(what, number_of(kernel, "cycles") * number_of(kernel, "units"), sum);
  expect_same(what, number_of(kernel, "cache_misses"), misses);
}

Test(pipelines, lines_and_reasons_sum_up_to_the_cycles_of_all_pipelines) {
  for (int r = 0; r < RUNS; r++) {
    const char *kernel = runs[r].kernel;
    const struct profiled run = run_one(kernel);
    // Two copies of `looped` share out its work-groups.
    expect_same(kernel, strcmp(kernel, "looped") == 0 ? 2 : 1, number_of(run.kernel, "units"));
    expect_same(kernel, number_of(run.figures, "cycles"), number_of(run.kernel, "cycles"));
    expect_same(kernel, number_of(run.figures, "cache_misses"), number_of(run.kernel, "cache_misses"));
    expect_whole(kernel, run.kernel);
    cr_assert(number_of(run.kernel, "kind") != 0 && json_is_true(json_object_get(run.kernel, "has_lines")));
  }
}

// Of the cycles in which the kernel waits, most are at this line for this reason.
static void expect_reason(const char *kernel, const char *comment, const char *reason) {
  const struct profiled run = run_one(kernel);
  const json_t *line = line_with(run.kernel, comment), *all = json_object_get(run.kernel, "all");
  cr_assert(line, "%s: no line with \"%s\"", kernel, comment);
  const uint64_t own = lost_to(line, reason), lost = lost_in_all(all);
  cr_assert(2 * own > lost, "%s, line with \"%s\": expected most of %" PRIu64 " cycles lost to %s, got %" PRIu64,
            kernel, comment, lost, reason, own);
}

// Counters of a pipeline have no reasons: to call its cycles idle would be wrong.
Test(pipelines, stats_tell_what_they_know_and_where_the_rest_is) {
  char *text =
      output_of(BUILD "/bin/heddle run " KERNELS " -k chased -g 32 -l 32 -q -s 'zeros(32)' 'random(1024,0,1024)'");
  cr_assert(strstr(text, "(a pipeline has no issues; --profile says where its cycles went)"), "%s", text);
  cr_assert(strstr(text, "\nsub-groups        8\n") && !strstr(text, "idle") && !strstr(text, "memory wait"), "%s",
            text);
  free(text);
  const struct profiled run = run_one("chased");
  cr_assert(json_is_null(json_object_get(run.figures, "idle_cycles")) &&
            json_is_null(json_object_get(run.figures, "issues")));
}

Test(pipelines, there_are_no_instructions_to_log_which_is_said) {
  char folder[TEMPORARY_BYTES], command[1024];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(
      command, sizeof command,
      "(" BUILD "/bin/heddle run " KERNELS
      " -k chased -g 32 -l 32 -q --konata %s/log 'zeros(32)' 'random(1024,0,1024)'; echo status $?) 2>&1; rm -r %s",
      folder, folder);
  char *text = output_of(command);
  cr_assert(strstr(text, "no instructions were logged: kernels ran on pipelines of their own, which have none") &&
                strstr(text, "status 1"),
            "%s", text);
  free(text);
}

Test(pipelines, a_full_loop_is_charged_to_its_line) {
  expect_reason("looped", "the loop", "ring");
}

Test(pipelines, a_load_that_is_awaited_is_charged_to_its_line) {
  expect_reason("chased", "needs the load", "memory");
}

Test(pipelines, sub_groups_at_a_barrier_are_charged_to_its_line) {
  expect_reason("waits", "here", "collective");
}

Test(pipelines, stores_far_apart_wait_for_the_memory_port) {
  const struct profiled run = run_one("scattered");
  const json_t *line = line_with(run.kernel, "far apart");
  cr_assert(line);
  const uint64_t own = lost_to(line, "port") + lost_to(line, "queue"),
                 lost = lost_in_all(json_object_get(run.kernel, "all"));
  cr_assert(2 * own > lost, "expected most of %" PRIu64 " lost cycles, got %" PRIu64, lost, own);
  expect_same("a store of each sub-group and round", 16 * 16, number_of(line, "accesses"));
}

Test(pipelines, a_cache_miss_is_charged_to_the_line_that_loads) {
  const struct profiled run = run_one("missing");
  const json_t *misses = line_with(run.kernel, "misses"), *hits = line_with(run.kernel, "hits");
  cr_assert(misses && hits);
  expect_same("each line of `in` misses once", 64, number_of(misses, "cache_misses"));
  expect_same("what was loaded before is there", 0, number_of(hits, "cache_misses"));
}

Test(pipelines, words_that_are_read_again_on_the_chip_are_no_accesses) {
  const struct profiled run = run_one("window");
  const json_t *line = line_with(run.kernel, "neighbours");
  cr_assert(line);
  const uint64_t accesses = number_of(line, "accesses");
  cr_assert(accesses > 0 && accesses <= 512 / 4, "expected at most one a sub-group, not 5; got %" PRIu64, accesses);
  expect_same("lines of the cache", 512 * sizeof(int) / 64, number_of(line, "cache_misses"));
}

Test(pipelines, a_local_array_that_is_busy_is_charged_to_the_store) {
  const struct profiled run = run_one("banks");
  const json_t *line = line_with(run.kernel, "one bank");
  cr_assert(line);
  const uint64_t busy = lost_to(line, "banks"), lost = lost_in_all(json_object_get(run.kernel, "all"));
  // Those in front of the store wait for the banks, and all others for them.
  cr_assert(busy > 0 && 2 * (busy + lost_to(line, "queue")) > lost, "%" PRIu64 " of %" PRIu64 " cycles lost", busy,
            lost);
  expect_same("no other line waits for banks", lost_to(json_object_get(run.kernel, "all"), "banks"), busy);
}

Test(pipelines, operators_that_lanes_share_are_charged_to_the_first_line_behind) {
  const struct profiled run = run_one("shares");
  const json_t *line = line_with(run.kernel, "behind the load");
  cr_assert(line);
  cr_assert(lost_to(line, "shared") > 0);
  expect_same("no other line waits for them", lost_to(json_object_get(run.kernel, "all"), "shared"),
              lost_to(line, "shared"));
}

// What bin/sift prints of its kernels with a pipe between them: cycles of both, at once.
static uint64_t cycles_of_chain(const char *text) {
  uint64_t cycles = 0;
  const char *at = strstr(text, "\npipe ");
  cr_assert(at, "%s", text);
  for (at += strspn(at, "\npipe "); strchr("0123456789,", *at); at++)
    cycles = *at == ',' ? cycles : 10 * cycles + (uint64_t)(*at - '0');
  return cycles;
}

Test(pipelines, kernels_of_a_chain_are_in_the_profile_of_their_dispatch) {
  char folder[TEMPORARY_BYTES], command[512];
  json_error_t error;
  size_t i;
  json_t *kernel, *chain = NULL, *line;
  uint64_t writer = 0, reader = 0;
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command, "HEDDLE_PROFILE=%s/p.json " BUILD "/bin/sift", folder);
  char *text = output_of(command);
  snprintf(command, sizeof command, "%s/p.json", folder);
  json_t *profile = json_load_file(command, 0, &error);
  cr_assert(profile, "%s", error.text);
  json_array_foreach(json_object_get(profile, "kernels"), i, kernel) {
    expect_whole(json_string_value(json_object_get(kernel, "kernel")), kernel);
    if (strcmp(json_string_value(json_object_get(kernel, "kernel")), "test") == 0)
      chain = kernel;
  }
  cr_assert(chain, "no kernel test, the last of the chain");
  expect_same("pipelines", 2, number_of(chain, "units"));
  expect_same("cycles", cycles_of_chain(text), number_of(chain, "cycles"));
  json_array_foreach(json_object_get(chain, "lines"), i, line) {
    const char *source = json_string_value(json_object_get(line, "text"));
    writer += source && strstr(source, "write_pipe(") ? lost_to(line, "pipe") : 0;
    reader += source && strstr(source, "atomic_inc(") ? lost_to(line, "memory") : 0;
    cr_assert(source && !strstr(source, "global uint *numbers)"), "a line of a kernel that is not in the chain");
  }
  // The slow kernel keeps the quick one waiting.
  cr_assert(2 * writer > lost_in_all(json_object_get(chain, "all")), "%" PRIu64 " cycles at write_pipe", writer);
  cr_assert(reader > 0, "no line of the other kernel");
  free(text);
  snprintf(command, sizeof command, "rm -r %s", folder);
  free(output_of(command));
}

Test(pipelines, looking_on_changes_no_cycle) {
  for (int i = 0; i < RUNS; i++) {
    char command[512];
    const struct profiled run = run_one(runs[i].kernel);
    snprintf(command, sizeof command, BUILD "/bin/heddle run " KERNELS " -k %s -d sim --json %s", runs[i].kernel,
             runs[i].words);
    char *text = output_of(command);
    json_t *alone = json_loads(text, 0, NULL);
    cr_assert(alone, "%s", text);
    expect_same(runs[i].kernel, number_of(alone, "cycles"), number_of(run.figures, "cycles"));
    free(text);
  }
}

Test(pipelines, the_terminal_says_what_is_waited_for) {
  char *text =
      output_of(BUILD "/bin/heddle run " KERNELS " -k looped -g 512 -l 64 -d sim -q --profile 'uint:zeros(512)'");
  cr_assert(strstr(text, "2 pipelines of 4 lanes") && strstr(text, "loop is full") && strstr(text, "// the loop"), "%s",
            text);
}

// Slots have states, with lines of source, in rows with the kernel's name.
Test(pipelines, a_timeline_has_the_states_of_slots) {
  char folder[TEMPORARY_BYTES], command[512];
  json_error_t error;
  size_t i, rounds = 0, rows = 0;
  json_t *event;
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command,
           BUILD "/bin/heddle run " KERNELS " -k looped -g 512 -l 64 -d sim -q --trace %s/t.json 'uint:zeros(512)'",
           folder);
  free(output_of(command));
  snprintf(command, sizeof command, "%s/t.json", folder);
  json_t *trace = json_load_file(command, 0, &error);
  cr_assert(trace, "%s", error.text);
  json_array_foreach(json_object_get(trace, "traceEvents"), i, event) {
    const char *name = json_string_value(json_object_get(event, "name"));
    const char *line = json_string_value(json_object_get(json_object_get(event, "args"), "line"));
    rounds += name && strcmp(name, "entry of a loop") == 0 && line && strstr(line, "pipelines.cl:9");
    const char *row = json_string_value(json_object_get(json_object_get(event, "args"), "name"));
    rows += row && strncmp(row, "unit ", 5) == 0;
    cr_assert(!row || strncmp(row, "unit ", 5) != 0 || strstr(row, " looped slot "), "a row %s", row);
  }
  expect_same("sub-groups that come to the loop", 512 / 4, rounds);
  cr_assert(rows > 2, "%zu rows", rows);
  snprintf(command, sizeof command, "rm -r %s", folder);
  free(output_of(command));
}

// ---- Chains, in a timeline.

// The events of bin/sift, whose kernels are a chain.
static json_t *trace_of_chain(void) {
  char folder[TEMPORARY_BYTES], command[512];
  json_error_t error;
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command, "HEDDLE_TRACE=%s/t.json " BUILD "/bin/sift", folder);
  free(output_of(command));
  snprintf(command, sizeof command, "%s/t.json", folder);
  json_t *trace = json_load_file(command, 0, &error);
  cr_assert(trace, "%s", error.text);
  snprintf(command, sizeof command, "rm -r %s", folder);
  free(output_of(command));
  return json_object_get(trace, "traceEvents");
}

// Of the rows whose name has these words, how many states are at a line of the source.
static size_t states_at(const json_t *events, const char *words, const char *line) {
  size_t i, k, count = 0;
  json_t *row, *event;
  json_array_foreach(events, i, row) {
    const char *name = json_string_value(json_object_get(json_object_get(row, "args"), "name"));
    if (!name || !strstr(name, words) || strcmp(json_string_value(json_object_get(row, "name")), "thread_name") != 0)
      continue;
    json_array_foreach(events, k, event) {
      const char *at = json_string_value(json_object_get(json_object_get(event, "args"), "line"));
      count += at && strstr(at, line) && number_of(event, "tid") == number_of(row, "tid");
    }
  }
  return count;
}

Test(pipelines, kernels_of_a_chain_have_rows_with_their_names_in_a_timeline) {
  const json_t *events = trace_of_chain();
  cr_assert(states_at(events, " sift slot ", "sift.cl:20") > 0, "no write_pipe in the rows of sift");
  cr_assert(states_at(events, " test slot ", "sift.cl:26") > 0, "no read_pipe in the rows of test, the last");
  expect_same("read_pipe in the rows of sift", 0, states_at(events, " sift slot ", "sift.cl:26"));
  expect_same("write_pipe in the rows of test", 0, states_at(events, " test slot ", "sift.cl:20"));
  expect_same("states in rows that have a number", 0, states_at(events, " kernel ", ""));
}

// ---- Advice.

static const struct {
  const char *kernel, *advice;
} advised[] = {
    {"looped", "Line 9 of pipelines.cl: the loop is full"},
    {"chased", "Line 19 of pipelines.cl waits for what it loads"},
    {"scattered", "Line 27 of pipelines.cl: sub-groups wait for the memory port"},
    {"waits", "Line 38 of pipelines.cl: sub-groups wait there for others"},
    {"banks", "Line 64 of pipelines.cl: lanes need different words of one bank"},
};
enum { ADVISED = sizeof advised / sizeof *advised };

Test(pipelines, advice_is_given_where_a_rule_fires) {
  for (int i = 0; i < ADVISED; i++) {
    const struct profiled run = run_one(advised[i].kernel);
    cr_assert(has_advice(run.kernel, advised[i].advice), "%s: no advice \"%s\" in %s", advised[i].kernel,
              advised[i].advice, json_dumps(json_object_get(run.kernel, "advice"), 0));
  }
}

Test(pipelines, advice_is_not_given_where_no_rule_fires) {
  const struct profiled run = run_one("looped");
  for (int i = 1; i < ADVISED; i++)
    cr_assert(!has_advice(run.kernel, strchr(advised[i].advice, ' ') + 3), "%s", advised[i].advice);
}
