// SPDX-License-Identifier: Apache-2.0
// Timelines. References: the figures of the same run, and what is known of the kernels.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/observe/tool.h"
#include "tests/temporary.h"

#define KERNELS "tests/observe/kernels.cl"

struct traced {
  json_t *figures;  // of the dispatch
  json_t *events;
  json_t *trace;
};

static struct traced run_traced(const char *device, const char *kernel, const char *words, const char *environment) {
  char name[TEMPORARY_BYTES], command[1024];
  json_error_t error;
  const int made = mkstemp(temporary_name(name));
  cr_assert(made >= 0);
  close(made);
  snprintf(command, sizeof command, "%s " BUILD "/bin/heddle run " KERNELS " -k %s -d %s --json --trace %s %s",
           environment, kernel, device, name, words);
  char *text = output_of(command);
  struct traced result = {.figures = json_loads(text, 0, &error), .trace = json_load_file(name, 0, &error)};
  cr_assert(result.figures && result.trace, "%s: no JSON: line %d: %s", command, error.line, error.text);
  result.events = json_object_get(result.trace, "traceEvents");
  unlink(name);
  free(text);
  return result;
}

static const char *text_of(const json_t *event, const char *key) {
  const char *text = json_string_value(json_object_get(event, key));
  cr_assert(text, "an event without %s", key);
  return text;
}

// In picoseconds, to compare exactly.
static uint64_t time_of(const json_t *event, const char *key) {
  const json_t *value = json_object_get(event, key);
  cr_assert(json_is_number(value), "an event without %s", key);
  return (uint64_t)(json_number_value(value) * 1000 + 0.5);
}

// The name of the track of an event.
static const char *track_of(const json_t *events, const json_t *event) {
  size_t i;
  json_t *other;
  json_array_foreach(events, i, other) {
    if (strcmp(text_of(other, "name"), "thread_name") == 0 && number_of(other, "tid") == number_of(event, "tid"))
      return text_of(json_object_get(other, "args"), "name");
  }
  cr_assert(false, "an event of no track");
  return "";
}

static bool is_meta(const json_t *event) {
  return strcmp(text_of(event, "ph"), "M") == 0;
}

// Spans of tracks whose name begins so, with a name that begins so.
static size_t count_spans(const json_t *events, const char *track, const char *name, const json_t **last) {
  size_t i, count = 0;
  json_t *event;
  json_array_foreach(events, i, event) {
    if (is_meta(event) || strncmp(text_of(event, "name"), name, strlen(name)) != 0 ||
        strncmp(track_of(events, event), track, strlen(track)) != 0)
      continue;
    count++;
    *last = event;
  }
  return count;
}

static void expect_same(const char *what, uint64_t expected, uint64_t got) {
  cr_assert(expected == got, "%s: expected %" PRIu64 ", got %" PRIu64, what, expected, got);
}

Test(trace, a_dispatch_is_where_its_command_is_and_as_long_as_its_cycles) {
  static const char *const devices[] = {"sim", "model"};
  for (int i = 0; i < 2; i++) {
    const struct traced run = run_traced(devices[i], "waits", "-g 64 -l 32 'zeros(64)'", "");
    const json_t *dispatch = NULL, *command = NULL;
    expect_same("dispatches", 1, count_spans(run.events, "dispatches", "waits", &dispatch));
    expect_same("commands", 1, count_spans(run.events, "queue", "waits", &command));
    expect_same("start", time_of(command, "ts"), time_of(dispatch, "ts"));
    const uint64_t nanoseconds = number_of(run.figures, "cycles") * 1000000 / number_of(run.figures, "clock_khz");
    expect_same("duration", nanoseconds, time_of(dispatch, "dur"));
  }
}

// The names of a trace's rows as they are shown, each between two of '|'.
static const char *rows_of(const json_t *events) {
  static char text[8192];
  const size_t most = 256;
  size_t i, used = 1;
  json_t *event;
  strcpy(text, "|");
  for (size_t place = 0; place < most; place++)
    json_array_foreach(events, i, event) {
      if (strcmp(text_of(event, "name"), "thread_sort_index") == 0 &&
          number_of(json_object_get(event, "args"), "sort_index") == place)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s|", track_of(events, event));
    }
  return text;
}

Test(trace, rows_have_names_and_are_in_order) {
  const struct traced run = run_traced("sim", "waits", "-g 320 -l 32 'zeros(320)'", "");
  const char *rows = rows_of(run.events);
  cr_assert(!strchr(rows, '?'), "a row without a name: %s", rows);
  cr_assert(strstr(rows, "|queue 1|"), "no row of the queue: %s", rows);
  cr_assert(strstr(rows, "|unit 0 work-groups 00|unit 0 work-groups 01|unit 0 work-groups 02|"), "work-groups: %s",
            rows);
  cr_assert(strstr(rows, "|unit 0 slot 00|unit 0 slot 01|unit 0 slot 02|unit 0 slot 03|"), "slots: %s", rows);
}

Test(trace, work_groups_and_slots_are_inside_their_dispatch) {
  const struct traced run = run_traced("sim", "waits", "-g 320 -l 32 'zeros(320)'", "");
  const json_t *dispatch = NULL, *other = NULL;
  size_t i;
  json_t *event;
  count_spans(run.events, "dispatches", "waits", &dispatch);
  expect_same("work-groups", 10, count_spans(run.events, "unit", "work-group ", &other));
  json_array_foreach(run.events, i, event) {
    if (is_meta(event) || strcmp(text_of(event, "ph"), "X") != 0 ||
        strncmp(track_of(run.events, event), "unit", 4) != 0)
      continue;
    const uint64_t start = time_of(event, "ts"), end = start + time_of(event, "dur");
    cr_assert(start >= time_of(dispatch, "ts") && end <= time_of(dispatch, "ts") + time_of(dispatch, "dur"),
              "%s is outside", text_of(event, "name"));
  }
}

Test(trace, each_sub_group_takes_part_in_the_barrier) {
  const struct traced run = run_traced("sim", "waits", "-g 64 -l 32 'zeros(64)'", "");
  const json_t *collective = NULL;
  const uint64_t lanes = number_of(run.figures, "lanes"), of_a_group = 32 / lanes;
  expect_same("collectives", 2 * of_a_group, count_spans(run.events, "unit", "collective", &collective));
  const char *line = text_of(json_object_get(collective, "args"), "line");
  cr_assert(strstr(line, "kernels.cl:45"), "%s", line);
}

// The sum over the windows of a counter. Its value stays until the next event; the last window may be shorter.
static uint64_t sum_of_counter(const struct traced *run, const char *name, uint64_t begins) {
  const uint64_t window = 256 * UINT64_C(1000000) / number_of(run->figures, "clock_khz");
  uint64_t sum = 0, value = 0, at = begins;
  size_t i;
  json_t *event;
  json_array_foreach(run->events, i, event) {
    if (is_meta(event) || strncmp(text_of(event, "name"), name, strlen(name)) != 0)
      continue;
    const uint64_t time = time_of(event, "ts");
    cr_assert(time >= at, "%s: an event before the dispatch, or the one before", name);
    sum += (time - at + window - 1) / window * value;
    value = number_of(json_object_get(event, "args"), "value");
    at = time;
  }
  expect_same("the counter at its end", 0, value);
  return sum;
}

Test(trace, counters_have_all_requests_each_in_its_window) {
  static const char *const runs[][2] = {{"plain", "-g 8 'zeros(8)'"},
                                        {"plain", "-g 200 'zeros(200)'"},
                                        {"scattered", "-g 512 -l 32 'zeros(512)' 'zeros(131072)'"}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    const struct traced run = run_traced("sim", runs[i][0], runs[i][1], "");
    const json_t *dispatch = NULL;
    expect_same("dispatches", 1, count_spans(run.events, "dispatches", runs[i][0], &dispatch));
    const uint64_t begins = time_of(dispatch, "ts");
    expect_same("requests to external memory", number_of(run.figures, "memory_requests"),
                sum_of_counter(&run, "requests to external memory", begins));
    // Those of others are in the profile, not in these figures.
    const uint64_t misses = sum_of_counter(&run, "cache misses", begins);
    cr_assert(misses >= number_of(run.figures, "cache_misses") && misses <= number_of(run.figures, "memory_requests"));
  }
}

Test(trace, calls_of_the_program_come_before_what_they_ask_for) {
  const struct traced run = run_traced("model", "plain", "-g 64 'zeros(64)'", "HEDDLE_CACHE_BYTES=0");
  const json_t *build = NULL, *compile = NULL, *enqueue = NULL, *command = NULL, *write = NULL;
  expect_same("builds", 1, count_spans(run.events, "thread", "clBuildProgram", &build));
  expect_same("compilations", 1, count_spans(run.events, "heddlec", "compile", &compile));
  expect_same("kernels", 1, count_spans(run.events, "thread", "clEnqueueNDRangeKernel", &enqueue));
  expect_same("commands", 1, count_spans(run.events, "queue", "plain", &command));
  cr_assert(count_spans(run.events, "link", "write", &write) >= 1);
  cr_assert(time_of(build, "ts") <= time_of(compile, "ts"));
  cr_assert(time_of(build, "ts") + time_of(build, "dur") >= time_of(compile, "ts") + time_of(compile, "dur"));
  cr_assert(time_of(enqueue, "ts") <= time_of(command, "ts"));
}

Test(trace, stops_at_its_limit_and_says_so) {
  char name[TEMPORARY_BYTES], command[1024];
  struct stat status;
  json_error_t error;
  const int made = mkstemp(temporary_name(name));
  cr_assert(made >= 0);
  close(made);
  snprintf(command, sizeof command,
           "HEDDLE_TRACE_BYTES=131072 " BUILD "/bin/heddle run " KERNELS
           " -k scattered -g 512 -l 32 -q --trace %s 'zeros(512)' 'zeros(131072)' 2>&1",
           name);
  char *text = output_of(command);
  cr_assert(strstr(text, "limit of 131072 bytes") && strstr(text, "left out"), "%s", text);
  json_t *trace = json_load_file(name, 0, &error);
  cr_assert(trace, "%s", error.text);
  cr_assert(stat(name, &status) == 0 && status.st_size <= 131072, "%jd bytes", (intmax_t)status.st_size);
  cr_assert(number_of(json_object_get(trace, "otherData"), "left_out") > 0);
  const json_t *command_event = NULL;
  expect_same("commands are not left out first", 1,
              count_spans(json_object_get(trace, "traceEvents"), "queue", "scattered", &command_event));
  unlink(name);
}

Test(trace, a_full_disk_is_reported_and_the_program_goes_on) {
  static const char run[] = BUILD "/bin/heddle run " KERNELS " -k plain -g 8 -d model 'zeros(8)'";
  char command[512];
  // A program that asked for nothing ends as it would; the tool that was asked for the file does not.
  for (int by_option = 0; by_option < 2; by_option++) {
    snprintf(command, sizeof command, "(%s%s%s; echo status $?) 2>&1", by_option ? "" : "HEDDLE_TRACE=/dev/full ", run,
             by_option ? " --trace /dev/full" : "");
    char *text = output_of(command);
    cr_assert(strstr(text, "o = 1 8 15") && strstr(text, "No space left"), "%s: %s", command, text);
    cr_assert(strstr(text, by_option ? "status 1\n" : "status 0\n"), "%s: %s", command, text);
    free(text);
  }
}

// Timelines, profiles and pages alike.
Test(trace, a_file_that_cannot_be_written_whole_is_removed_and_the_exit_status_says_so) {
  static const char *const options[] = {"--trace", "--profile", "--report"};
  char folder[TEMPORARY_BYTES], command[1024];
  cr_assert(mkdtemp(temporary_name(folder)));
  for (int i = 0; i < 3; i++) {
    // A kernel file, as the compiler writes files, too. 512 bytes are too few for any of the three.
    snprintf(command, sizeof command,
             BUILD "/bin/heddlec " KERNELS " -o %s/k.elf && (trap '' XFSZ; ulimit -f 1; " BUILD
                   "/bin/heddle run %s/k.elf -k plain -g 8 -d model %s=%s/file 'zeros(8)'; echo status $?) 2>&1; ls %s",
             folder, folder, options[i], folder, folder);
    char *text = output_of(command);
    cr_assert(strstr(text, "o = 1 8 15") && strstr(text, "File too large") && strstr(text, "status 1\nk.elf\n") &&
                  !strstr(text, "its limit"),
              "%s: %s", options[i], text);
    free(text);
    snprintf(command, sizeof command,
             BUILD "/bin/heddle run %s/k.elf -k plain -g 8 -d model %s=%s/none/file 'zeros(8)' 2>&1; echo status $?",
             folder, options[i], folder);
    text = output_of(command);
    cr_assert(!strstr(text, "o =") && strstr(text, "cannot be written: No such file") && strstr(text, "status 2"),
              "%s: %s", options[i], text);
    free(text);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  free(output_of(command));
}

Test(trace, a_limit_that_is_none_is_explained) {
  char *text = output_of("HEDDLE_TRACE_BYTES=all " BUILD "/bin/heddle run " KERNELS
                         " -k plain -g 8 -d model -q --trace /dev/null 'zeros(8)' 2>&1");
  cr_assert(strstr(text, "HEDDLE_TRACE_BYTES must be a number of bytes"), "%s", text);
}
