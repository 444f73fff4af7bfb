// SPDX-License-Identifier: Apache-2.0
// Profiles by source line. References: the performance counters of the same run, the other device (which shares no code
// with this one but the table of rows), and what is known of each kernel.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/observe/tool.h"
#include "tests/temporary.h"

#define KERNELS "tests/observe/kernels.cl"

static const struct {
  const char *kernel, *words;
} runs[] = {
    {"plain", "-g 300 'zeros(300)'"},       {"divergent", "-g 96 -l 32 'zeros(96)'"},
    {"banks", "-g 64 -l 32 'zeros(64)'"},   {"scattered", "-g 64 -l 32 'zeros(64)' 'zeros(16384)'"},
    {"waits", "-g 64 -l 32 'zeros(64)'"},   {"chased", "-g 32 -l 32 'zeros(32)' 'random(1024,0,1024)'"},
    {"divided", "-g 64 -l 32 'zeros(64)'"}, {"calls", "-g 64 -l 32 'random(64)'"},
    {"added", "-g 70 -l 32 'random(70)'"},  {"missing", "-g 64 -l 32 'zeros(64)' 'zeros(1024)' 'zeros(1024)'"},
};
enum { RUNS = sizeof runs / sizeof *runs };

static struct profiled run_one(const char *device, const char *kernel) {
  const char *words = NULL;
  for (int i = 0; i < RUNS; i++)
    if (strcmp(runs[i].kernel, kernel) == 0)
      words = runs[i].words;
  cr_assert(words, "no kernel %s", kernel);
  return run_profiled(device, KERNELS, kernel, words);
}

struct sums {
  uint64_t issues, lanes, lost, memory, conflicts, misses;
};

static struct sums sum_of(const json_t *rows) {
  struct sums sums = {0};
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    const char *reason;
    json_t *cycles;
    sums.issues += number_of(row, "issues");
    sums.lanes += number_of(row, "active_lanes");
    sums.misses += number_of(row, "cache_misses");
    json_object_foreach(json_object_get(row, "lost"), reason, cycles) sums.lost += (uint64_t)json_integer_value(cycles);
    sums.memory += lost_to(row, "memory");
    sums.conflicts += lost_to(row, "banks") + lost_to(row, "beats");
  }
  return sums;
}

static void expect_same(const char *what, uint64_t expected, uint64_t got) {
  cr_assert(expected == got, "%s: expected %" PRIu64 ", got %" PRIu64, what, expected, got);
}

static void expect_counters_of(struct profiled run, const char *kernel, const char *device, const char *rows) {
  char what[128];
  const struct sums sums = sum_of(json_object_get(run.kernel, rows));
  snprintf(what, sizeof what, "%s on %s, sum over %s", kernel, device, rows);
  const uint64_t units = strcmp(device, "sim") == 0 ? number_of(run.figures, "units") : 1;
  const uint64_t cycles = number_of(run.figures, "cycles");
  expect_same(what, cycles * units,
              sums.issues + sums.lost + number_of(run.kernel, "starting") + number_of(run.kernel, "empty"));
  expect_same(what, cycles, number_of(run.kernel, "cycles"));
  expect_same(what, number_of(run.figures, "issues"), sums.issues);
  expect_same(what, number_of(run.figures, "active_lanes"), sums.lanes);
  if (strcmp(device, "sim") == 0)
    expect_same(what, number_of(run.figures, "cache_misses"),
                sums.misses + number_of(run.kernel, "fetch_misses") + number_of(run.kernel, "other_misses"));
  if (strcmp(device, "sim") != 0)
    return;
  expect_same(what, number_of(run.figures, "memory_wait_cycles"), sums.memory);
  expect_same(what, number_of(run.figures, "conflict_cycles"), sums.conflicts);
  expect_same(what, number_of(run.figures, "cache_requests"), number_of(run.kernel, "cache_requests"));
  expect_same(what, number_of(run.figures, "cache_misses"), number_of(run.kernel, "cache_misses"));
  expect_same(what, number_of(run.figures, "memory_requests"), number_of(run.kernel, "external_requests"));
}

static void expect_counters(const char *kernel, const char *device, const char *rows) {
  expect_counters_of(run_one(device, kernel), kernel, device, rows);
}

Test(profile, sum_over_lines_is_the_cycles_of_the_dispatch) {
  for (int i = 0; i < RUNS; i++) {
    expect_counters(runs[i].kernel, "sim", "lines");
    expect_counters(runs[i].kernel, "model", "lines");
  }
}

Test(profile, sum_over_instructions_is_the_cycles_of_the_dispatch) {
  for (int i = 0; i < RUNS; i++)
    expect_counters(runs[i].kernel, "sim", "instructions");
}

// What faults takes no effect and is no issue; what went before it is there.
Test(profile, sum_over_lines_is_the_cycles_of_a_dispatch_that_faults) {
  static const char *const faults[][2] = {
      {"far", "-g 64 -l 32 'zeros(64)' || test $? = 1"},
      {"apart", "-g 64 -l 32 'zeros(64)' || test $? = 1"},
      {"chased", "-g 32 -l 32 'zeros(32)' 'random(1024,0,1024)' --budget 500 || test $? = 1"},
      {"waits", "-g 64 -l 32 'zeros(64)' --budget 700 || test $? = 1"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    const char *device = "sim";
    for (int k = 0; k < 2; k++, device = "model") {
      struct profiled run = run_profiled(device, KERNELS, faults[i][0], faults[i][1]);
      expect_counters_of(run, faults[i][0], device, "lines");
    }
  }
}

// No kernel here does what depends on time, so both devices issue the same instructions for the same lanes.
Test(profile, both_devices_issue_each_instruction_as_often) {
  for (int i = 0; i < RUNS; i++) {
    const struct profiled sim = run_one("sim", runs[i].kernel), model = run_one("model", runs[i].kernel);
    const json_t *of_sim = json_object_get(sim.kernel, "instructions");
    const json_t *of_model = json_object_get(model.kernel, "instructions");
    size_t k = 0, index;
    json_t *row;
    json_array_foreach(of_sim, index, row) {
      if (number_of(row, "issues") == 0)
        continue;
      const json_t *other = json_array_get(of_model, k++);
      cr_assert(other, "%s: the model has only %zu instructions", runs[i].kernel, k - 1);
      expect_same(runs[i].kernel, number_of(other, "offset"), number_of(row, "offset"));
      expect_same(runs[i].kernel, number_of(other, "issues"), number_of(row, "issues"));
      expect_same(runs[i].kernel, number_of(other, "active_lanes"), number_of(row, "active_lanes"));
    }
    expect_same(runs[i].kernel, json_array_size(of_model), k);
  }
}

// The line that a comment names loses more to a reason than all others together.
static void expect_reason(const char *kernel, const char *comment, const char *reason) {
  const struct profiled run = run_one("sim", kernel);
  const json_t *line = line_with(run.kernel, comment);
  cr_assert(line, "%s has no line \"%s\"", kernel, comment);
  const uint64_t all = lost_to(json_object_get(run.kernel, "all"), reason), own = lost_to(line, reason);
  cr_assert(own > 0 && 2 * own > all, "%s, line \"%s\": expected most of %" PRIu64 " cycles lost to %s, got %" PRIu64,
            kernel, comment, all, reason, own);
}

static uint32_t lanes(void) {
  const struct profiled run = run_one("sim", "plain");
  return (uint32_t)number_of(run.kernel, "lanes");
}

Test(profile, lost_cycles_are_charged_to_the_line_that_loses_them) {
  expect_reason("chased", "needs the load", "memory");
  expect_reason("divided", "divides", "divider");
  if (lanes() == 1)
    return;
  expect_reason("banks", "one bank", "banks");
  expect_reason("scattered", "far apart", "beats");
  if (lanes() < 32)
    expect_reason("waits", "here", "collective");
}

Test(profile, lanes_that_wait_for_others_are_not_active) {
  const struct profiled run = run_one("sim", "divergent");
  const json_t *line = line_with(run.kernel, "half");
  cr_assert(line);
  const uint64_t active = number_of(line, "active_lanes"), present = number_of(line, "present_lanes");
  if (lanes() > 1)
    cr_assert(active * 10 > present * 4 && active * 10 < present * 7, "%" PRIu64 " of %" PRIu64 " lanes active", active,
              present);
  else
    expect_same("one lane", present, active);
}

Test(profile, a_called_function_is_charged_to_the_line_that_calls_it) {
  static const char *const devices[] = {"sim", "model"};
  for (int i = 0; i < 2; i++) {
    const struct profiled run = run_one(devices[i], "calls");
    const json_t *line = line_with(run.kernel, "calls pow");
    cr_assert(line);
    const char *functions = json_string_value(json_object_get(line, "functions"));
    cr_assert(functions && strstr(functions, "pow"), "functions of the line: %s", functions ? functions : "none");
    cr_assert(number_of(line, "issues") * 10 > number_of(json_object_get(run.kernel, "all"), "issues") * 8,
              "pow takes most of the kernel");
  }
}

Test(profile, an_access_counts_its_further_passes) {
  const struct profiled run = run_one("sim", "scattered");
  const json_t *line = line_with(run.kernel, "far apart");
  cr_assert(line);
  expect_same("every lane is in a beat of its own", 64 * 16 / lanes() * (lanes() - 1),
              number_of(line, "further_passes"));
}

Test(profile, a_cache_miss_is_charged_to_the_line_that_loads) {
  const struct profiled run = run_one("sim", "missing");
  const json_t *misses = line_with(run.kernel, "misses"), *hits = line_with(run.kernel, "hits");
  const json_t *atomic = line_with(run.kernel, "an atomic misses");
  cr_assert(misses && hits && atomic);
  // A line has 64 bytes, or a beat where that is more.
  const uint64_t lines = lanes() == 32 ? 32 : 64;
  expect_same("each line of `in` misses once", lines, number_of(misses, "cache_misses"));
  expect_same("what was loaded before is there", 0, number_of(hits, "cache_misses"));
  expect_same("each line of `counts` misses once", lines, number_of(atomic, "cache_misses"));
}

Test(profile, an_inlined_function_is_named) {
  const struct profiled run = run_one("model", "plain");
  size_t i, found = 0;
  json_t *line;
  json_array_foreach(json_object_get(run.kernel, "lines"), i, line) {
    const char *functions = json_string_value(json_object_get(line, "functions"));
    found += number_of(line, "line") == 4 && functions && strcmp(functions, "get_global_id") == 0;
  }
  expect_same("line 4 calls get_global_id", 1, found);
}

Test(profile, looking_on_changes_no_cycle) {
  for (int i = 0; i < RUNS; i++) {
    char command[512];
    const struct profiled run = run_one("sim", runs[i].kernel);
    snprintf(command, sizeof command, BUILD "/bin/heddle run " KERNELS " -k %s -d sim --json %s", runs[i].kernel,
             runs[i].words);
    char *text = output_of(command);
    json_t *alone = json_loads(text, 0, NULL);
    cr_assert(alone, "%s", text);
    expect_same(runs[i].kernel, number_of(alone, "cycles"), number_of(run.figures, "cycles"));
    free(text);
  }
}

// ---- What goes wrong.

static char *build_kernel_file(const char *folder, const char *source_name) {
  char command[512];
  snprintf(command, sizeof command,
           "cp " KERNELS " %s/%s && " BUILD "/bin/heddlec -cl-std=CL3.0 %s/%s -o %s/kernels.elf && rm %s/%s", folder,
           source_name, folder, source_name, folder, folder, source_name);
  free(output_of(command));
  char *path = NULL;
  cr_assert(asprintf(&path, "%s/kernels.elf", folder) > 0);
  return path;
}

static void remove_folder(const char *folder) {
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  free(output_of(command));
}

Test(profile, a_source_that_is_gone_leaves_line_numbers) {
  char folder[TEMPORARY_BYTES];
  cr_assert(mkdtemp(temporary_name(folder)));
  char *file = build_kernel_file(folder, "gone.cl");
  const struct profiled run = run_profiled("model", file, "plain", "-g 300 'int:zeros(300)'");
  size_t i, found = 0;
  json_t *line;
  json_array_foreach(json_object_get(run.kernel, "lines"), i, line) {
    const char *name = json_string_value(json_object_get(line, "file"));
    cr_assert(name && strstr(name, "gone.cl"), "file %s", name ? name : "none");
    cr_assert(json_is_null(json_object_get(line, "text")));
    found += number_of(line, "line") == 5;
  }
  expect_same("line 5", 1, found);
  remove_folder(folder);
}

Test(profile, a_kernel_without_line_information_says_how_to_get_it) {
  char folder[TEMPORARY_BYTES], command[512];
  cr_assert(mkdtemp(temporary_name(folder)));
  char *file = build_kernel_file(folder, "kernels.cl");
  snprintf(command, sizeof command, "llvm-objcopy-22 --strip-debug %s", file);
  free(output_of(command));
  const struct profiled run = run_profiled("sim", file, "calls", "-g 64 -l 32 'float:zeros(64)'");
  cr_assert(json_is_false(json_object_get(run.kernel, "has_lines")));
  const struct sums sums = sum_of(json_object_get(run.kernel, "lines"));
  expect_same("all cycles", number_of(run.kernel, "unit_cycles"),
              sums.issues + sums.lost + number_of(run.kernel, "starting") + number_of(run.kernel, "empty"));
  snprintf(command, sizeof command, BUILD "/bin/heddle run %s -k plain -g 8 -d model -q --profile 'int:zeros(8)'",
           file);
  char *text = output_of(command);
  cr_assert(strstr(text, "There is no line information") && strstr(text, "llvm-22"), "%s", text);
  remove_folder(folder);
}

// Not as the library's parts are called.
Test(profile, functions_are_named_as_they_are_written) {
  char folder[TEMPORARY_BYTES], command[512];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command,
           "printf 'kernel void k(global float *o) {\\n  printf(\"%%%%d\\\\n\", (int)o[0]);\\n  o[0] = "
           "sinpi(o[0]);\\n}\\n' > "
           "%s/k.cl && " BUILD "/bin/heddle run %s/k.cl -k k -g 1 -d model -q --profile 'float:zeros(1)' 2>&1",
           folder, folder);
  char *text = output_of(command);
  cr_assert(strstr(text, "[printf]") && strstr(text, "sinpi") && !strstr(text, "[__") && !strstr(text, ", __"), "%s",
            text);
  remove_folder(folder);
}

// Also where functions of the library are called that have none.
Test(profile, every_line_of_a_profile_has_a_file_and_a_number) {
  char folder[TEMPORARY_BYTES], command[512], path[TEMPORARY_BYTES + 16];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/k.cl", folder);
  snprintf(command, sizeof command,
           "printf 'kernel void k(global float *o) {\\n  printf(\"%%%%f\\\\n\", o[0]);\\n  o[0] = "
           "lgamma(o[0]);\\n}\\n' > %s",
           path);
  output_of(command);
  const struct profiled run = run_profiled("model", path, "k", "-g 1 'float:zeros(1)'");
  size_t i;
  json_t *line;
  json_array_foreach(json_object_get(run.kernel, "lines"), i, line) cr_assert(
      json_is_string(json_object_get(line, "file")) && number_of(line, "line") >= 1, "%s", json_dumps(line, 0));
  remove_folder(folder);
}

// The option --profile is looked at before the kernel runs (trace.c); with the variable any program goes on.
Test(profile, a_file_that_cannot_be_written_is_named) {
  char *text = output_of("HEDDLE_PROFILE=/no/such/folder/p.json " BUILD "/bin/heddle run " KERNELS
                         " -k plain -g 8 -d model 'zeros(8)' 2>&1");
  cr_assert(strstr(text, "o = 1 8 15") && strstr(text, "/no/such/folder/p.json") && strstr(text, "No such file"), "%s",
            text);
}

Test(profile, the_terminal_shows_the_hottest_line_first) {
  char *text = output_of(BUILD "/bin/heddle run " KERNELS " -k divergent -g 96 -l 32 -d sim -q --profile 'zeros(96)'");
  const char *table = strstr(text, "most of it lost to"), *first = table ? strchr(table, '\n') : NULL;
  cr_assert(first, "%s", text);
  const char *end = strchr(first + 1, '\n');
  cr_assert(end && memmem(first, (size_t)(end - first), "// half", 7), "%s", text);
}

// It issues one instruction after the other, whatever the unit.
Test(profile, the_model_says_how_many_units_it_has) {
  char *text = output_of("HEDDLE_SIM_UNITS=3 " BUILD "/bin/heddle run " KERNELS
                         " -k plain -g 8 -d model -q --profile 'zeros(8)' 2>&1");
  cr_assert(strstr(text, "would issue them (the device has 3)"), "%s", text);
}

Test(profile, headers_of_sycl_are_charged_to_the_program) {
  const char *lanes = getenv("HEDDLE_SIM_LANES");
  if (lanes && strcmp(lanes, "1") == 0)
    cr_skip_test("the example has work-groups of 64 work-items, one lane has slots for 32");
  char folder[TEMPORARY_BYTES], text[512];
  json_error_t error;
  size_t i;
  json_t *line;
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(text, sizeof text, "HEDDLE_PROFILE=%s/profile.json " BUILD "/bin/sycl-reduce", folder);
  free(output_of(text));
  snprintf(text, sizeof text, "%s/profile.json", folder);
  json_t *profile = json_load_file(text, 0, &error);
  cr_assert(profile, "%s", error.text);
  const json_t *kernel = json_array_get(json_object_get(profile, "kernels"), 0);
  cr_assert(kernel && json_is_true(json_object_get(kernel, "has_lines")));
  json_array_foreach(json_object_get(kernel, "lines"), i, line) {
    const char *file = json_string_value(json_object_get(line, "file"));
    cr_assert(!file || strstr(file, "reduce.cpp"), "a line of %s", file);
  }
  remove_folder(folder);
}

// Any OpenCL program is profiled, here one of the examples.
Test(profile, the_environment_asks_for_it) {
  char folder[TEMPORARY_BYTES], command[512];
  json_error_t error;
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command, "HEDDLE_PROFILE=%s/profile.json " BUILD "/bin/scan --device sim", folder);
  free(output_of(command));
  snprintf(command, sizeof command, "%s/profile.json", folder);
  json_t *profile = json_load_file(command, 0, &error);
  cr_assert(profile, "%s", error.text);
  cr_assert(json_array_size(json_object_get(profile, "kernels")) >= 1);
  remove_folder(folder);
}
