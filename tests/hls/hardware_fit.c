// SPDX-License-Identifier: Apache-2.0
// heddlec --hardware --fit: what is tried and what is chosen. Each candidate of the report is made again by its
// options, with --board: room, cycles and whether it fits have to be the same.
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/temporary.h"

enum { SAID_BYTES = 1 << 14, ROWS_MOST = 128, NAME_BYTES = 64 };

struct row {
  char kernel[NAME_BYTES], shared[4], end[160];
  unsigned lanes, slots, copies, rounds, words, items, lut4, ff, ebr, dsp;
  double cycles;
  bool is_chosen;
};

struct outcome {
  int status;
  char said[SAID_BYTES];
  char *text, *page;  // NULL: there is no report
  bool is_listed;     // kernels.json is there
};

static char *read_file(const char *folder, const char *name) {
  char path[TEMPORARY_BYTES + 64], *text = NULL;
  size_t room = 0;
  snprintf(path, sizeof path, "%s/k.hw/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (file && getdelim(&text, &room, 0, file) < 0)
    cr_assert_fail("%s is empty", path);
  if (file)
    fclose(file);
  return text;
}

// heddlec --hardware of a file of kernels.
static struct outcome outcome_of(const char *path, const char *options) {
  char folder[TEMPORARY_BYTES], command[1024];
  struct outcome outcome = {0};
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command, BUILD "/bin/heddlec --hardware -cl-std=CL3.0 %s -o %s/k.hw %s 2>&1", options,
           folder, path);
  FILE *output = popen(command, "r");  // NOLINT(cert-env33-c): of constants
  cr_assert_not_null(output);
  outcome.said[fread(outcome.said, 1, sizeof outcome.said - 1, output)] = 0;
  outcome.status = WEXITSTATUS(pclose(output));
  outcome.text = read_file(folder, "report.txt");
  outcome.page = read_file(folder, "report.html");
  char *list = read_file(folder, "kernels.json");
  outcome.is_listed = list;
  free(list);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
  return outcome;
}

static void free_outcome(struct outcome *outcome) {
  free(outcome->text);
  free(outcome->page);
}

static struct outcome outcome_of_source(const char *source, const char *options) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 8], command[TEMPORARY_BYTES + 16];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/k.cl", folder);
  cr_assert(temporary_write(path, source));
  const struct outcome outcome = outcome_of(path, options);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
  return outcome;
}

#define expect_has(text, words) cr_expect((text) && strstr(text, words), "no '%s' in:\n%s", words, text)

// The candidates of a report, in their order.
static size_t read_rows(const struct outcome *outcome, struct row *rows) {
  char kernel[NAME_BYTES] = "";
  size_t count = 0;
  cr_assert(outcome->text, "no report: %s", outcome->said);
  for (const char *line = outcome->text; *line; line += strcspn(line, "\n") + 1) {
    struct row *row = &rows[count];
    char mark;
    sscanf(line, "  kernel %63[^,], %*u work-items; * is the choice", kernel);
    if (sscanf(line, " %c %u %u %u %u %u %3s %u %u %u %u %u %lf  %159[^\n]", &mark, &row->lanes, &row->slots,
               &row->copies, &row->rounds, &row->words, row->shared, &row->items, &row->lut4, &row->ff, &row->ebr,
               &row->dsp, &row->cycles, row->end) == 14 &&
        mark == '*') {
      row->is_chosen = true;
    } else if (sscanf(line, " %u %u %u %u %u %3s %u %u %u %u %u %lf  %159[^\n]", &row->lanes, &row->slots, &row->copies,
                      &row->rounds, &row->words, row->shared, &row->items, &row->lut4, &row->ff, &row->ebr, &row->dsp,
                      &row->cycles, row->end) != 13) {
      continue;
    }
    snprintf(row->kernel, sizeof row->kernel, "%s", kernel);
    cr_assert_lt(++count, ROWS_MOST);
  }
  cr_assert_gt(count, 0, "%s", outcome->text);
  return count;
}

static bool fits(const struct row *row) {
  return strncmp(row->end, "does not fit", strlen("does not fit")) != 0;
}

static const struct row *chosen_of(const struct row *rows, size_t count) {
  const struct row *chosen = NULL;
  for (size_t i = 0; i < count; i++) {
    if (rows[i].is_chosen) {
      cr_assert(!chosen, "two choices");
      chosen = &rows[i];
    }
  }
  cr_assert(chosen, "no choice");
  return chosen;
}

// Made again by its options.
static void expect_the_same(const char *path, const char *board, const struct row *row) {
  char options[256];
  const bool shares = strcmp(row->shared, "0") != 0;
  snprintf(options, sizeof options,
           "--board %s --lanes %u --slots %u --copies %u --unroll %u --port-words %u --kernel %s %s%s", board,
           row->lanes, row->slots, row->copies, row->rounds, row->words < 4 ? row->words : 4, row->kernel,
           shares ? "--share=" : "", shares ? row->shared : "");
  struct outcome outcome = outcome_of(path, options);
  cr_expect_eq(outcome.status, fits(row) ? 0 : 1, "%s: %s", options, outcome.said);
  unsigned lut4 = 0, ff = 0, ebr = 0, dsp = 0;
  double cycles = 0;
  const char *room = strstr(outcome.text, row->copies > 1 ? "  room of all " : "  room on an ECP5, estimated: ");
  room = room ? strchr(room, ':') : NULL;
  cr_assert(
      room && sscanf(room, ": %u LUT4, %u flip-flops, %u block RAMs, %u multipliers", &lut4, &ff, &ebr, &dsp) == 4,
      "%s", outcome.text);
  // Of one copy the report rounds, and the table cuts.
  const int cut = row->copies == 1;
  cr_expect(abs((int)lut4 - (int)row->lut4) <= cut && abs((int)ff - (int)row->ff) <= cut && ebr == row->ebr &&
                dsp == row->dsp,
            "%s: %u, %u, %u, %u, and %u, %u, %u, %u in the table", options, lut4, ff, ebr, dsp, row->lut4, row->ff,
            row->ebr, row->dsp);
  // Loops of unknown rounds count 16, which is the second line.
  const char *line = strstr(outcome.text, " if R is 16");
  while (line && line[-1] != '\n')
    line--;
  line = line ? line : strstr(outcome.text, "  4096 work-items take about ");
  cr_assert(line && sscanf(line, "  4096 work-items take about %lf cycles", &cycles) == 1, "%s", outcome.text);
  cr_expect_lt(fabs(cycles - row->cycles), 1, "%s: %.0f cycles, and %.0f in the table", options, cycles, row->cycles);
  free_outcome(&outcome);
}

static void expect_best(const char *path, const char *board) {
  struct row rows[ROWS_MOST] = {0};
  char options[64];
  snprintf(options, sizeof options, "--fit %s", board);
  struct outcome outcome = outcome_of(path, options);
  cr_assert_eq(outcome.status, 0, "%s", outcome.said);
  const size_t count = read_rows(&outcome, rows);
  const struct row *chosen = chosen_of(rows, count);
  for (size_t i = 0; i < count; i++) {
    cr_expect(!fits(&rows[i]) || chosen->cycles <= rows[i].cycles / 0.98, "%.0f cycles are chosen, %.0f would fit",
              chosen->cycles, rows[i].cycles);
    expect_the_same(path, board, &rows[i]);
  }
  cr_expect(fits(chosen));
  free_outcome(&outcome);
}

// A loop of rounds that the source says, which may be several in one; one of rounds that it does not say, and floats,
// which can be shared.
Test(hardware_fit, candidates_are_what_their_options_make_and_the_choice_is_the_fastest_that_fits) {
  expect_best("tests/bench/pipelines/sha256.cl", "ulx3s-85f");
  expect_best("tests/bench/pipelines/mandelbrot.cl", "ulx3s-25f");
  expect_best("tests/bench/kernels/nbody.cl", "ulx3s-85f");
}

static void expect_shared_to_fit(const char *statement, const char *board) {
  char source[512], options[64];
  snprintf(source, sizeof source,
           "kernel void f(global float *x) {\n"
           "  size_t i = get_global_id(0);\n"
           "  %s;\n"
           "}\n",
           statement);
  snprintf(options, sizeof options, "--fit %s", board);
  struct outcome outcome = outcome_of_source(source, options);
  cr_assert_eq(outcome.status, 0, "%s on %s: %s", statement, board, outcome.said);
  struct row rows[ROWS_MOST] = {0};
  const size_t count = read_rows(&outcome, rows);
  const struct row *chosen = chosen_of(rows, count);
  cr_expect(fits(chosen) && strcmp(chosen->shared, "0") != 0, "%s", outcome.text);
  free_outcome(&outcome);
}

// A sine as it stands has 219 multipliers, and no board has so many, a quarter of them of integers. In front of the
// second one there is nothing that a sub-group waits for.
Test(hardware_fit, operations_share_operators_where_else_nothing_fits) {
  expect_shared_to_fit("x[i] = sin(x[i])", "ulx3s-85f");
  expect_shared_to_fit("x[i] = sin(x[i])", "ulx3s-25f");
  expect_shared_to_fit("x[i] = sin((float)i) * cos((float)i)", "ulx3s-85f");
}

static void room_of(const char *source, const char *options, unsigned *lut4, unsigned *multipliers) {
  struct outcome outcome = outcome_of_source(source, options);
  cr_assert_eq(outcome.status, 0, "%s: %s", options, outcome.said);
  const char *room = strstr(outcome.text, "  room on an ECP5, estimated: ");
  cr_assert(room && sscanf(strchr(room, ':'), ": %u LUT4, %*u flip-flops, %*u block RAMs, %u multipliers", lut4,
                           multipliers) == 2,
            "%s", outcome.text);
  free_outcome(&outcome);
}

// Four multiply-adds of four multipliers each, or of eight, and two of the launch. The smaller board has 25 left.
Test(hardware_fit, shifts_of_floats_take_multipliers_that_a_board_has_left) {
  static const char source[] =
      "kernel void f(global float *x) {\n"
      "  size_t i = get_global_id(0);\n"
      "  x[i] = fma(x[i], x[i], x[i]);\n"
      "}\n";
  unsigned large, small, any, lut4_large, lut4_small, lut4;
  room_of(source, "--lanes 4 --board ulx3s-85f", &lut4_large, &large);
  room_of(source, "--lanes 4 --board ulx3s-25f", &lut4_small, &small);
  cr_expect_eq(large, 34, "%u multipliers", large);
  cr_expect_eq(small, 18, "%u multipliers", small);
  cr_expect_lt(lut4_large + 400, lut4_small);
  room_of(source, "--lanes 4", &lut4, &any);
  cr_expect_eq(any, small, "%u multipliers, and no board is named", any);
  cr_expect_eq(lut4, lut4_small);
}

static const char plain[] =
    "kernel void f(global uint *x) {\n"
    "  uint sum = x[get_global_id(0)];\n"
    "#pragma unroll 1\n"
    "  for (uint i = 0; i < 40; i++) sum = (sum << 3 ^ sum) + (sum >> 5);\n"
    "  x[get_global_id(0)] = sum;\n"
    "}\n";

Test(hardware_fit, what_options_give_stays_as_it_is) {
  static const struct {
    const char *options;
    unsigned lanes, slots, copies;
  } cases[] = {{"--lanes 2", 2, 0, 0},
               {"--slots 32", 0, 32, 0},
               {"--copies 3", 0, 0, 3},
               {"--lanes 1 --slots 128 --copies f=2", 1, 128, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct row rows[ROWS_MOST] = {0};
    char options[128];
    snprintf(options, sizeof options, "--fit ulx3s-85f %s", cases[i].options);
    struct outcome outcome = outcome_of_source(plain, options);
    const size_t count = read_rows(&outcome, rows);
    for (size_t k = 0; k < count; k++)
      cr_expect((cases[i].lanes == 0 || rows[k].lanes == cases[i].lanes) &&
                    (cases[i].slots == 0 || rows[k].slots == cases[i].slots) &&
                    (cases[i].copies == 0 || rows[k].copies == cases[i].copies),
                "%s: a candidate has %u lanes, %u slots, %u copies", cases[i].options, rows[k].lanes, rows[k].slots,
                rows[k].copies);
    chosen_of(rows, count);
    free_outcome(&outcome);
  }
}

Test(hardware_fit, a_size_that_a_kernel_requires_is_kept) {
  struct row rows[ROWS_MOST] = {0};
  struct outcome outcome = outcome_of_source(
      "__attribute__((intel_reqd_sub_group_size(8))) __attribute__((reqd_work_group_size(64, 2, 1)))\n"
      "kernel void f(global uint *x) { x[get_global_id(0)] = sub_group_scan_inclusive_add(x[get_global_id(0)]); }\n",
      "--fit ulx3s-85f");
  size_t count = read_rows(&outcome, rows);
  for (size_t i = 0; i < count; i++)
    cr_expect(rows[i].lanes == 8 && rows[i].items >= 128, "%u lanes, %u work-items", rows[i].lanes, rows[i].items);
  free_outcome(&outcome);
  outcome = outcome_of_source(
      "__attribute__((reqd_work_group_size(128, 1, 1)))\n"
      "kernel void f(global uint *x) { x[get_global_id(0)] = work_group_scan_inclusive_add(x[get_global_id(0)]); }\n",
      "--fit ulx3s-25f");
  count = read_rows(&outcome, rows);
  for (size_t i = 0; i < count; i++)
    cr_expect_geq(rows[i].items, 128, "%u lanes, %u slots", rows[i].lanes, rows[i].slots);
  free_outcome(&outcome);
}

// Of one work-item: other lanes would be idle, and rounds overlap in one copy.
Test(hardware_fit, a_kernel_of_one_work_item_has_one_lane_and_one_copy) {
  static const char *const attributes[] = {"", "__attribute__((reqd_work_group_size(1, 1, 1)))"};
  for (size_t i = 0; i < 2; i++) {
    char source[256];
    snprintf(source, sizeof source,
             "%s kernel void f(global const float *restrict x, global float *restrict y, int n) {\n"
             "  for (int i = 0; i < n; i++) y[i] = x[i] * 3.0f + 1.0f;\n}\n",
             attributes[i]);
    struct row rows[ROWS_MOST] = {0};
    struct outcome outcome = outcome_of_source(source, "--fit ulx3s-85f");
    const size_t count = read_rows(&outcome, rows);
    cr_assert_gt(count, 0);
    for (size_t k = 0; k < count; k++)
      cr_expect(rows[k].lanes == 1 && rows[k].copies == 1, "%u lanes, %u copies", rows[k].lanes, rows[k].copies);
    free_outcome(&outcome);
  }
}

// Both a memory port of as many words as are of use and one of a word, which is smaller and may be what fits.
Test(hardware_fit, a_narrow_memory_port_is_tried_beside_a_wide_one) {
  static const char source[] =
      "kernel void f(global const float4 *restrict x, global float4 *restrict y, int n) {\n"
      "  for (int i = 0; i < n; i++) y[i] = x[i] * 3.0f;\n"
      "}\n";
  struct row rows[ROWS_MOST] = {0};
  struct outcome outcome = outcome_of_source(source, "--fit ulx3s-85f");
  const size_t count = read_rows(&outcome, rows);
  unsigned wide = 0, narrow = 0;
  for (size_t k = 0; k < count; k++) {
    wide += rows[k].words == 4;
    narrow += rows[k].words == 1;
  }
  cr_expect(wide > 0 && narrow > 0, "%s", outcome.text);
  cr_expect_eq(chosen_of(rows, count)->words, 4);
  free_outcome(&outcome);
}

// Two lanes of 64 slots are 128 work-items.
Test(hardware_fit, work_groups_of_the_program_fit_in_what_is_chosen) {
  static const struct {
    const char *options;
    unsigned items;
  } cases[] = {{"--fit ulx3s-85f", 64}, {"--fit ulx3s-85f --work-group 200", 200}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct row rows[ROWS_MOST] = {0};
    struct outcome outcome = outcome_of("tests/bench/pipelines/all.cl", cases[i].options);
    // sha256 requires sub-groups of 1, and 64 of them fit.
    const bool is_possible = cases[i].items <= 64;
    cr_expect_eq(outcome.status, is_possible ? 0 : 1, "%s", outcome.said);
    if (is_possible) {
      const size_t count = read_rows(&outcome, rows);
      for (size_t k = 0; k < count; k++)
        cr_expect(!rows[k].is_chosen || rows[k].items >= cases[i].items, "%s has %u", rows[k].kernel, rows[k].items);
    } else {
      expect_has(outcome.said, "sha256 has none for work-groups of 200 work-items");
    }
    free_outcome(&outcome);
  }
}

Test(hardware_fit, kernels_of_a_source_share_the_board) {
  static const char *const boards[] = {"ulx3s-85f", "ulx3s-85f --beside-unit", "ulx3s-25f"};
  for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
    struct row rows[ROWS_MOST] = {0};
    unsigned left[4], sum[4] = {0}, told[4], made, chosen = 0;
    char options[128];
    snprintf(options, sizeof options, "--fit %s %s", boards[i],
             i == 2 ? "--kernel sha256 --kernel sub_group_scan" : "");
    struct outcome outcome = outcome_of("tests/bench/pipelines/all.cl", options);
    const size_t count = read_rows(&outcome, rows);
    const char *all = strstr(outcome.text, "  all choices: "), *head = strchr(outcome.text, ':');
    cr_assert(all && sscanf(all, "  all choices: %u LUT4, %u flip-flops, %u block RAMs, %u multipliers", &told[0],
                            &told[1], &told[2], &told[3]) == 4);
    cr_assert_eq(sscanf(head, ": %u LUT4, %u flip-flops, %u block RAMs and %u multipliers are left for pipelines; %u ",
                        &left[0], &left[1], &left[2], &left[3], &made),
                 5, "%s", outcome.text);
    cr_expect_leq(made, 30, "%u pipelines were estimated", made);
    unsigned kernels = 0;
    for (const char *at = strstr(outcome.text, "  kernel "); at && at < all; at = strstr(at + 1, "  kernel "))
      kernels++;
    for (size_t k = 0; k < count; k++) {
      if (!rows[k].is_chosen)
        continue;
      sum[0] += rows[k].lut4, sum[1] += rows[k].ff, sum[2] += rows[k].ebr, sum[3] += rows[k].dsp;
      chosen++;
    }
    cr_expect_eq(chosen, kernels, "%u choices of %u kernels", chosen, kernels);
    cr_expect(i == 2 ? kernels == 2 : kernels >= 4, "%u kernels", kernels);
    for (int r = 0; r < 4; r++)
      cr_expect(sum[r] == told[r] && sum[r] <= left[r], "%s: %u of %u, and %u are told", boards[i], sum[r], left[r],
                told[r]);
    cr_expect(outcome.is_listed);
    free_outcome(&outcome);
  }
}

Test(hardware_fit, where_nothing_fits_the_smallest_is_named_with_what_it_lacks) {
  struct outcome outcome = outcome_of("tests/bench/pipelines/sha256.cl", "--fit ulx3s-25f --beside-unit");
  cr_expect_eq(outcome.status, 1);
  cr_expect(!outcome.is_listed);
  expect_has(outcome.said, "no pipelines of tests/bench/pipelines/sha256.cl fit on ulx3s-25f beside its programmable");
  expect_has(outcome.said, "The smallest: sha256 (1 lane, 16 slots): ");
  expect_has(outcome.said, " LUT4 of 2852 that are left, ");
  expect_has(outcome.said, "pipelines instead of the programmable unit, for which there is room");
  free_outcome(&outcome);
  outcome = outcome_of("tests/bench/pipelines/all.cl", "--fit ulx3s-25f");
  cr_expect_eq(outcome.status, 1);
  expect_has(outcome.said, "; together: ");
  expect_has(outcome.said, "--kernel NAME, not all kernels;");
  free_outcome(&outcome);
  outcome = outcome_of_source(plain, "--fit icebreaker");
  cr_expect_eq(outcome.status, 1);
  expect_has(outcome.said, "icebreaker holds no pipelines");
  free_outcome(&outcome);
}

Test(hardware_fit, a_kernel_that_cannot_be_hardware_is_named_once_and_the_others_are_fitted) {
  struct row rows[ROWS_MOST] = {0};
  struct outcome outcome = outcome_of_source(
      "kernel void f(global uint *x) { x[get_global_id(0)] = 3; }\n"
      "kernel void g(global uint *x) { __asm__ volatile(\"nop\"); x[0] = 1; }\n",
      "--fit ulx3s-85f");
  cr_expect_eq(outcome.status, 0, "%s", outcome.said);
  const char *refused = strstr(outcome.said, "error: kernel 'g' cannot be hardware");
  cr_expect(refused && !strstr(refused + 1, "error: kernel 'g'"), "%s", outcome.said);
  const size_t count = read_rows(&outcome, rows);
  for (size_t i = 0; i < count; i++)
    cr_expect_str_eq(rows[i].kernel, "f");
  free_outcome(&outcome);
}

// LUT4, flip-flops, block RAMs and multipliers behind these words.
static void read_room(const char *text, const char *words, const char *format, unsigned room[4]) {
  const char *at = strstr(text, words);
  cr_assert(at && sscanf(at + strlen(words), format, &room[0], &room[1], &room[2], &room[3]) == 4, "%s in %s", words,
            text);
}

// Of kernels of tests/pipeline/channels.cl: all of them are chosen, with the same slots, and what is around them is of
// the board, and as large as without --fit.
static void expect_chains(const char *kernels, size_t count, unsigned slots) {
  struct row rows[ROWS_MOST] = {0};
  char options[256];
  unsigned left[4], around[4], sum[4], board[4], told[4] = {0};
  snprintf(options, sizeof options, "--fit ulx3s-25f %s", kernels);
  struct outcome outcome = outcome_of("tests/pipeline/channels.cl", options);
  cr_assert_eq(outcome.status, 0, "%s", outcome.said);
  const size_t row_count = read_rows(&outcome, rows);
  size_t chosen = 0;
  for (size_t i = 0; i < row_count; i++) {
    chosen += rows[i].is_chosen;
    cr_expect(!rows[i].is_chosen || (rows[i].slots == slots && rows[i].copies == 1 && fits(&rows[i])), "%s: %s",
              rows[i].kernel, outcome.text);
  }
  cr_expect_eq(chosen, count, "%s", outcome.text);
  read_room(outcome.text,
            "fit on ulx3s-25f without a programmable unit: ", "%u LUT4, %u flip-flops, %u block RAMs and %u", left);
  read_room(outcome.text, "pipelines were estimated; ", "%u LUT4, %u flip-flops, %u block RAMs and %u", around);
  read_room(outcome.text, "all choices: ", "%u LUT4, %u flip-flops, %u block RAMs, %u", sum);
  // What is left without chains.
  struct outcome alone = outcome_of_source(plain, "--fit ulx3s-25f");
  read_room(alone.text,
            "fit on ulx3s-25f without a programmable unit: ", "%u LUT4, %u flip-flops, %u block RAMs and %u", board);
  for (int r = 0; r < 4; r++) {
    cr_expect_eq(left[r] + around[r], board[r], "%u and %u of %u", left[r], around[r], board[r]);
    cr_expect_leq(sum[r], left[r]);
  }
  for (const char *at = outcome.text; (at = strstr(at, "around these kernels, ")); at++) {
    unsigned one[4];
    read_room(at, "estimated ", "%u LUT4, %u flip-flops, %u block RAMs, %u", one);
    for (int r = 0; r < 4; r++)
      told[r] += one[r];
  }
  cr_expect_arr_eq(told, around, sizeof told);
  cr_expect(outcome.is_listed);
  free_outcome(&alone);
  free_outcome(&outcome);
}

Test(hardware_fit, kernels_of_a_chain_are_chosen_with_what_is_around_them) {
  expect_chains("--kernel part --kernel weigh --kernel meet", 3, 64);
}

Test(hardware_fit, kernels_of_chains_have_few_slots_together_where_they_do_not_fit_with_many) {
  expect_chains("--kernel part --kernel weigh --kernel meet --kernel load --kernel add_up --kernel store", 6, 16);
}

Test(hardware_fit, pipes_that_are_named_are_on_the_chip) {
  struct outcome outcome = outcome_of("tests/pipeline/chains.cl",
                                      "--fit ulx3s-85f --pipe sift.numbers=test.numbers --kernel sift --kernel test");
  cr_expect_eq(outcome.status, 0, "%s", outcome.said);
  expect_has(outcome.text, "chain of test, sift: around these kernels, with 1 queue");
  free_outcome(&outcome);
}

Test(hardware_fit, chains_that_fit_nowhere_are_refused_with_what_is_around_their_kernels) {
  struct outcome outcome = outcome_of("tests/pipeline/autorun.cl", "--fit ulx3s-25f");
  unsigned wanted = 0, left = 0;
  cr_expect_eq(outcome.status, 1);
  cr_expect(!outcome.is_listed);
  const char *at = strstr(outcome.said, "; together: ");
  cr_assert(at && sscanf(at, "; together: %u LUT4 of %u", &wanted, &left) == 2, "%s", outcome.said);
  // Fifteen kernels, and five chains of 1,200 LUT4 at least around them.
  cr_expect(wanted > left && wanted > 15 * 300 + 5 * 1200 + 12000, "%s", outcome.said);
  free_outcome(&outcome);
  outcome = outcome_of("tests/pipeline/channels.cl", "--fit ulx3s-25f --kernel part --kernel meet");
  cr_expect_eq(outcome.status, 1);
  expect_has(outcome.said, "error: kernel 'part' cannot be hardware: kernel 'weigh', which reads its pipe, is none");
  free_outcome(&outcome);
}

Test(hardware_fit, the_page_has_the_candidates_and_the_choice) {
  struct row rows[ROWS_MOST] = {0};
  struct outcome outcome = outcome_of_source(plain, "--fit ulx3s-85f");
  const size_t count = read_rows(&outcome, rows);
  const struct row *chosen = chosen_of(rows, count);
  char cells[256];
  size_t lines = 0;
  snprintf(cells, sizeof cells,
           "<tr class=\"chosen\"><td>%u</td><td>%u</td><td>%u</td><td>%u</td><td>%u</td><td>0</td><td>%u</td><td>%u (",
           chosen->lanes, chosen->slots, chosen->copies, chosen->rounds, chosen->words, chosen->items, chosen->lut4);
  expect_has(outcome.page, "<h2>Fit on ulx3s-85f, without a programmable unit</h2>");
  expect_has(outcome.page, cells);
  const char *end = strstr(outcome.page, "<h2>Kernel f</h2>");
  for (const char *at = strstr(outcome.page, "<td class=\"left\">"); at && at < end;
       at = strstr(at + 1, "<td class=\"left\">"))
    lines++;
  cr_expect_eq(lines, count, "%zu rows in the page, %zu in the text", lines, count);
  free_outcome(&outcome);
}

Test(hardware_fit, options_that_contradict_each_other_are_refused) {
  struct outcome outcome = outcome_of_source(plain, "--fit ulx3s-85f --board ulx3s-25f");
  cr_expect_eq(outcome.status, 2);
  expect_has(outcome.said, "--board and --fit name two boards");
  outcome = outcome_of_source(plain, "--fit nothing");
  cr_expect_eq(outcome.status, 2);
  expect_has(outcome.said, "no board is called 'nothing'; there are: ulx3s-85f,");
}
