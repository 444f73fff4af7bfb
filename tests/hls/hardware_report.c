// SPDX-License-Identifier: Apache-2.0
// heddlec --hardware: what the report on a pipeline says, as text and as a page. Counts of rounds, rows and cycles are
// worked out by hand here, or measured (tests/baseline.json).
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/temporary.h"

struct report {
  char *text, *page;
};

static char *read_file(const char *path) {
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file, "no %s", path);
  char *text = NULL;
  size_t room = 0;
  if (getdelim(&text, &room, 0, file) < 0)
    cr_assert_fail("%s is empty", path);
  fclose(file);
  return text;
}

// Of a file of kernels.
static struct report report_of_file(const char *path, const char *options) {
  char folder[TEMPORARY_BYTES], command[1024], name[TEMPORARY_BYTES + 32];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command, BUILD "/bin/heddlec --hardware -cl-std=CL3.0 %s --report %s/r.html -o %s/k.hw %s",
           options, folder, folder, path);
  cr_assert_eq(system(command), 0, "%s", command);  // NOLINT(cert-env33-c): of constants
  struct report report;
  snprintf(name, sizeof name, "%s/k.hw/report.txt", folder);
  report.text = read_file(name);
  snprintf(name, sizeof name, "%s/r.html", folder);
  report.page = read_file(name);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
  return report;
}

static struct report report_of(const char *source, const char *options) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 8], command[TEMPORARY_BYTES + 16];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/k.cl", folder);
  cr_assert(temporary_write(path, source));
  const struct report report = report_of_file(path, options);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
  return report;
}

static void free_report(struct report *report) {
  free(report->text);
  free(report->page);
}

#define expect_has(text, words) cr_expect(strstr(text, words), "no '%s' in:\n%s", words, text)

// max_global_work_dim(0) is Intel's word for a kernel of one work-item. What tests/pipeline/rounds.py runs, this tells.
Test(hardware_report, rounds_that_overlap_and_why_others_do_not_are_told) {
  struct report report = report_of(
      "__attribute__((max_global_work_dim(0))) kernel void f(global const int *restrict a, global int *restrict o, int "
      "n) {\n"
      "  int s = 0;\n"
      "  for (int i = 0; i < n; i++) s += a[i];\n"
      "  *o = s;\n"
      "}\n"
      "__attribute__((reqd_work_group_size(1, 1, 1))) kernel void g(global int *a, int n) {\n"
      "  for (int i = 0; i < n; i++) a[a[i] & 7]++;\n"
      "}\n"
      "__attribute__((max_global_work_dim(2))) kernel void h(global int *a) { a[get_global_id(0)] = 1; }\n"
      "kernel void t(global const int *restrict a, global int *restrict o, int n) {\n"
      "  for (int i = 0; i < n; i++) o[i] = a[i];\n"
      "}\n",
      "");
  expect_has(report.text, "kernel f: 1 lane,");
  expect_has(report.text, "rounds of the loop of line 3 overlap: the next begins 1 cycle later");
  expect_has(report.page, "Rounds of the loop of line 3 overlap: the next begins 1 cycle later");
  expect_has(report.text, "kernel g: 1 lane,");
  expect_has(report.text, "rounds of the loop of line 7 do not overlap: a store may be to what a later round loads");
  expect_has(report.text, "kernel h: 4 lanes,");
  expect_has(report.text, "kernel t: 1 lane,");  // nobody asks which work-item it is
  expect_has(report.text, "rounds of the loop of line 11 overlap: the next begins 1 cycle later");
  free_report(&report);
}

// A hundred thousand rounds count as those of a loop of which nothing is known, as they do where it is alone.
Test(hardware_report, loops_that_are_one_and_why_others_are_not_are_told) {
  struct report report = report_of(
      "kernel void f(global const uint *restrict a, global uint *restrict o, uint n) {\n"
      "  for (uint i = 0; i < n; i++) {\n"
      "    for (uint k = 0; k < n; k++) o[k] = a[i + k];\n"
      "    for (uint k = 0; k < n; k++) o[i + k] = a[k] * 3;\n"
      "  }\n"
      "  for (uint i = 0; i < n; i++)\n"
      "    for (uint k = 0; k < 100000; k++) o[i + k] = a[k];\n"
      "}\n"
      "kernel void g(global const uint *restrict a, global uint *restrict o, uint n) {\n"
      "  for (uint i = 0; i < n; i++)\n"
      "    for (uint k = a[i]; k < a[i + 1]; k++) o[k] = a[k];\n"
      "}\n",
      "");
  expect_has(
      report.text,
      "rounds of the loop of line 2 do not overlap: there are loops in it, one behind another; they are not "
      "interleaved: line 3 may store to what line 3 stores in another round (`restrict` or #pragma ivdep say that "
      "it does not)\n");
  expect_has(report.text, "rounds of the 2 loops that begin with that of line 6, as one, overlap: the next begins 1");
  expect_has(report.text, "2 x R3 x R2 + 2 x R4 x R2 + 2 x R6 x R6\n");
  expect_has(report.text,
             "rounds of the loop of line 10 do not overlap: there is a loop in it, and of both as one "
             "loop whether it goes on depends on what it loads; they are not interleaved: line 11 may store to what "
             "line 11 stores in another round (`restrict` or #pragma ivdep say that it does not)\n");
  expect_has(report.page, "rounds of the loop of line 6 and those in it, in all");
  free_report(&report);
}

// As many work-items as there are share out the packets of a pipe that one reads until it is empty; who knows how many
// come may be alone.
Test(hardware_report, a_kernel_that_reads_a_pipe_until_it_is_empty_is_for_many_work_items) {
  static const struct {
    const char *reads, *lanes;
  } cases[] = {
      {"while (read_pipe(p, &x) == 0) o[x] = 1;", "kernel r: 4 lanes,"},
      {"while (true) { if (read_pipe(p, &x) != 0) break; o[x] = 1; }", "kernel r: 4 lanes,"},
      {"for (int i = 0; i < n; i++) { read_pipe(p, &x); s += x; } *o = s;", "kernel r: 1 lane,"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char source[512];
    snprintf(source, sizeof source,
             "kernel void w(global const int *a, write_only pipe int p) { write_pipe(p, &a[get_global_id(0)]); }\n"
             "kernel void r(read_only pipe int p, global int *restrict o, int n) { int x, s = 0; %s }\n",
             cases[i].reads);
    struct report report = report_of(source, "-cl-std=CL3.0");
    expect_has(report.text, cases[i].lanes);
    free_report(&report);
  }
}

Test(hardware_report, rounds_that_overlap_are_as_many_as_there_are_slots) {
  static const char source[] =
      "kernel void total(global const int *restrict x, global int *restrict y, int n) {\n"
      "  int s = 0;\n"
      "  for (int i = 0; i < n; i++) s += x[i];\n"
      "  *y = s;\n"
      "}\n";
  struct report few = report_of(source, "--slots 16"), many = report_of(source, "--slots 256");
  expect_has(few.text, "rounds in flight (--slots): 5.94 x R3\n");
  expect_has(few.text, "if R is 256; limited by: rounds in flight (--slots)");
  cr_expect_null(strstr(many.text, "rounds in flight"));
  free_report(&few);
  free_report(&many);
}

Test(hardware_report, kernels_with_channels_are_counted_and_their_loops_stay) {
  struct report report = report_of(
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
      "channel float links[3]; channel int values;\n"
      "__attribute__((max_global_work_dim(0))) __attribute__((autorun)) __attribute__((num_compute_units(2)))\n"
      "kernel void stage() {\n"
      "  int id = get_compute_id(0);\n"
      "  while (true) write_channel_intel(links[id + 1], read_channel_intel(links[id]) * 2);\n"
      "}\n"
      "kernel void feed(global const float *restrict x, int n) {\n"
      "  for (int i = 0; i < n; i++) write_channel_intel(links[0], x[i]);\n"
      "}\n"
      "kernel void drain(global float *restrict y, int n) {\n"
      "  for (int i = 0; i < n; i++) y[i] = read_channel_intel(links[2]);\n"
      "}\n"
      "kernel void give(global const int *x) { write_channel_intel(values, x[get_global_id(0)]); }\n"
      "kernel void collect(global int *restrict histogram, int n) {\n"
      "  int h[8];\n"
      "  for (int i = 0; i < 8; i++) h[i] = 0;\n"
      "  for (int i = 0; i < n; i++) h[read_channel_intel(values) & 7]++;\n"
      "  for (int i = 0; i < 8; i++) histogram[i] = h[i];\n"
      "}\n",
      "-cl-std=CL1.2");
  expect_has(report.text, "rounds of the loop of line 18 overlap: the next begins 1 cycle later");
  const char *give = strstr(report.text, "kernel give:");
  cr_assert_not_null(give);
  expect_has(give, "4096 work-items take");
  size_t counted = 0;
  for (const char *at = report.text; (at = strstr(at, "4096 work-items")); at++)
    counted++;
  cr_expect_eq(counted, 1, "%s", report.text);
  free_report(&report);
}

// More lanes would have nothing to do, so there are none, whatever was asked for.
Test(hardware_report, a_kernel_of_one_work_item_has_a_lane_and_says_why_its_rounds_are_one_after_the_other) {
  static const struct {
    const char *attribute, *index, *options, *lanes, *said;
  } cases[] = {
      {"", "i", "--lanes 4", "kernel f: 1 lane,", "loop of line 2 overlap: the next begins 1 cycle later"},
      {"", "i", "--copies 2", "kernel f: 1 lane,", "loop of line 2 do not overlap: there are copies"},
      {"", "i", "--slots 256", "kernel f: 1 lane,", "loop of line 2 do not overlap: there are more than 128 slots"},
      {"", "i + get_group_id(0)", "", "kernel f: 1 lane,", "loop of line 2 do not overlap: the kernel asks which"},
      {", intel_reqd_sub_group_size(2)", "i", "", "kernel f: 2 lanes,",
       "line 2 do not overlap: the pipeline has several"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char source[512];
    snprintf(source, sizeof source,
             "__attribute__((reqd_work_group_size(1, 1, 1)%s)) kernel void f(global int *restrict o, int n) {\n"
             "  for (int i = 0; i < n; i++) o[%s] = i;\n"
             "}\n",
             cases[i].attribute, cases[i].index);
    struct report report = report_of(source, cases[i].options);
    expect_has(report.text, cases[i].lanes);
    expect_has(report.text, cases[i].said);
    cr_expect_null(strstr(report.text, "share float operators"), "%s", report.text);
    free_report(&report);
  }
}

// Packets keep their order, which rounds do at one place alone.
Test(hardware_report, rounds_that_use_a_pipe_overlap_if_they_use_it_in_one_place) {
  struct report report = report_of(
      "__attribute__((reqd_work_group_size(1, 1, 1))) kernel void w(write_only pipe int p, int n) {\n"
      "  for (int i = 0; i < n; i++) write_pipe(p, &i);\n"
      "}\n"
      "__attribute__((reqd_work_group_size(1, 1, 1)))\n"
      "kernel void r(read_only pipe int p, global int *restrict o, int n) {\n"
      "  for (int i = 0; i < n; i++) {\n"
      "    int x = 0, y = 0;\n"
      "    read_pipe(p, &x);\n"
      "    read_pipe(p, &y);\n"
      "    o[i] = x - y;\n"
      "  }\n"
      "}\n",
      "-cl-std=CL3.0");
  expect_has(report.text, "rounds of the loop of line 2 overlap: the next begins 1 cycle later");
  expect_has(report.text, "rounds of the loop of line 6 do not overlap: it reads a pipe in several places");
  free_report(&report);
}

// Each of these was a loop of rounds around the pipeline, as the library has it.
Test(hardware_report, channels_have_their_names_and_chains_what_is_around_them) {
  struct report report = report_of(
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
      "channel int c[2];\n"
      "__attribute__((max_global_work_dim(0))) kernel void w(int n) {\n"
      "  for (int i = 0; i < n; i++) write_channel_intel(c[1], i);\n"
      "}\n"
      "__attribute__((max_global_work_dim(0))) kernel void r(global int *restrict o, int n) {\n"
      "  for (int i = 0; i < n; i++) o[i] = read_channel_intel(c[1]);\n"
      "}\n",
      "");
  unsigned lut4 = 0, flip_flops = 0, block_rams = 0, multipliers = 0;
  expect_has(report.text, "pipe c[1], which it writes");
  expect_has(report.page, "pipe c[1], which it reads");
  static const char chain[] = "chain of r, w: around these kernels, with 1 queue, estimated ";
  expect_has(report.text, chain);
  expect_has(report.page, chain);
  const char *figures = strstr(report.text, chain);
  cr_assert_eq(sscanf(figures + sizeof chain - 1, "%u LUT4, %u flip-flops, %u block RAMs, %u multipliers", &lut4,
                      &flip_flops, &block_rams, &multipliers),
               4);
  // As Yosys has of such a chain: a walker with three multipliers, a queue in a block RAM.
  cr_expect(lut4 > 1500 && lut4 < 3000 && flip_flops > 1000 && flip_flops < 2500, "%u LUT4, %u flip-flops", lut4,
            flip_flops);
  cr_expect(block_rams == 1 && multipliers == 3, "%u block RAMs, %u multipliers", block_rams, multipliers);
  free_report(&report);
}

Test(hardware_report, a_kernel_of_one_work_item_converts_vectors_without_a_loop) {
  struct report report = report_of(
      "__attribute__((reqd_work_group_size(1, 1, 1))) kernel void f(global const uchar4 *restrict a,\n"
      "                                                             global float4 *restrict o, int n) {\n"
      "  uint4 sum = 0;\n"
      "  for (int i = 0; i < n; i++) {\n"
      "    sum += convert_uint4(a[i]);\n"
      "    o[i] = convert_float4(sum);\n"
      "  }\n"
      "}\n"
      "kernel void g(global const uchar4 *a, global uint4 *o) {\n"
      "  o[get_global_id(0)] = convert_uint4(a[get_global_id(0)]);\n"
      "}\n",
      "");
  expect_has(report.text, "rounds of the loop of line 4 overlap: the next begins 2 cycles later");
  cr_expect_null(strstr(report.text, "ring of the loop of line 10"), "%s", report.text);
  free_report(&report);
}

Test(hardware_report, rounds_that_the_source_fixes_are_counted_and_others_are_named_by_their_line) {
  struct report report = report_of(
      "kernel void f(global uint *x, uint n) {\n"
      "  uint sum = x[get_global_id(0)];\n"
      "#pragma unroll 1\n"
      "  for (uint i = 3; i < 50; i += 7)\n"  // 3, 10, 17, 24, 31, 38, 45
      "    sum = sum * 5 + (sum >> 3);\n"
      "#pragma unroll 1\n"
      "  for (uint i = 0; i < n; i++)\n"
      "    sum = sum * 3 + (sum >> 5);\n"
      "  x[get_global_id(0)] = sum;\n"
      "}\n",
      "");
  expect_has(report.text, "ring of the loop of line 4: 1 x 7 rounds of line 4\n");
  expect_has(report.text, "ring of the loop of line 7: 1 x R7\n");
  expect_has(report.page, "rounds of the loop of line 7 <input");
  cr_expect(!strstr(report.page, "rounds of the loop of line 4 <input"), "a number is asked that is known");
  free_report(&report);
}

// What kernels take on the simulated device, by tests/baseline.json, which tests/bench measures.
Test(hardware_report, cycles_are_within_a_seventh_of_what_is_measured) {
  static const struct {
    const char *kernel, *options;
    double measured;
  } cases[] = {{"sha256", "--lanes 1", 262585},
               {"sub_group_scan_inclusive_add", "", 2308},
               {"work_group_scan_inclusive_add", "", 2637}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[256];
    snprintf(path, sizeof path, "tests/bench/pipelines/%s.cl", cases[i].kernel);
    struct report report = report_of_file(path, cases[i].options);
    const char *at = strstr(report.text, "  4096 work-items take about ");
    double cycles = 0;
    cr_assert(at && sscanf(at, "  4096 work-items take about %lf cycles", &cycles) == 1, "%s", report.text);
    cr_expect_lt(fabs(cycles / cases[i].measured - 1), 1 / 7., "%s: %.0f cycles, measured are %.0f", cases[i].kernel,
                 cycles, cases[i].measured);
    free_report(&report);
  }
}

// Of rounds of a loop that 4,096 work-items go through, so that the ring is what limits.
Test(hardware_report, copies_divide_the_cycles_until_the_rows_of_memory_limit_and_take_their_room) {
  static const char source[] =
      "kernel void f(global uint *x) {\n"
      "  uint sum = x[get_global_id(0)];\n"
      "#pragma unroll 1\n"
      "  for (uint i = 0; i < 10; i++) sum = sum * 5 + (sum >> 3);\n"
      "  x[get_global_id(0)] = sum;\n"
      "}\n";
  static const struct {
    const char *options;
    unsigned copies;
    const char *limit;
  } cases[] = {{"--lanes 4", 1, "ring of the loop of line 4"},
               {"--lanes 4 --copies 5", 5, "ring of the loop of line 4"},
               {"--lanes 4 --copies 15", 15, "ring of the loop of line 4"},
               {"--lanes 4 --copies 8 --board ulx3s-85f", 8, "rows of memory"}};
  double cycles[4] = {0}, luts[4] = {0};
  for (unsigned i = 0; i < 4; i++) {
    struct report report = report_of(source, cases[i].options);
    const char *at = strstr(report.text, "  4096 work-items take about "),
               *room = strstr(report.text, "  room of all ");
    char limit[64] = "";
    unsigned copies = 1;
    room = room ? room : strstr(report.text, "  room on an ECP5, estimated: ");
    cr_assert(at && sscanf(at, "  4096 work-items take about %lf cycles; limited by: %63[^\n]", &cycles[i], limit) == 2,
              "%s", report.text);
    cr_expect_str_eq(limit, cases[i].limit);
    cr_assert(room && (sscanf(room, "  room of all %u copies: %lf LUT4", &copies, &luts[i]) == 2 ||
                       sscanf(room, "  room on an ECP5, estimated: %lf LUT4", &luts[i]) == 1),
              "%s", report.text);
    cr_expect_eq(copies, cases[i].copies);
    free_report(&report);
  }
  // 1,024 sub-groups of 10 rounds; what is left of the whole is the way through the pipeline.
  const double way = cycles[0] - 1023 * 10;
  cr_expect_lt(fabs(cycles[1] - way - (1024 - 5) * 2), 10, "%.0f cycles", cycles[1]);
  cr_expect_lt(fabs(cycles[2] - way - (1024 - 15) * 2 / 3.), 10, "%.0f cycles", cycles[2]);
  cr_expect_lt(fabs(cycles[3] - way - (1024 - 8) * 2), 10, "%.0f cycles: two rows a sub-group", cycles[3]);
  cr_expect_eq(luts[2], 15 * luts[0], "%.0f and %.0f LUT4", luts[0], luts[2]);
}

Test(hardware_report, accesses_say_how_many_rows_they_take) {
  struct report report = report_of(
      "kernel void f(global uint *x, global const uchar *b, global const uint *index, uint n) {\n"
      "  size_t i = get_global_id(0);\n"
      "  uint a = x[i];\n"         // neighbours: a row
      "  a += x[2 * i + 4096];\n"  // every other word: two rows
      "  a += b[i];\n"             // bytes
      "  a += x[n + 9000];\n"      // one for all
      "  a += x[index[i]];\n"      // anywhere
      "  x[i + 77] = a;\n"
      "}\n",
      "--lanes 4");
  expect_has(report.text, "line 3       1 load of 4 bytes, global memory: lanes are 4 bytes apart, 1 row of");
  expect_has(report.text, "line 4       1 load of 4 bytes, global memory: lanes are 8 bytes apart, 2 rows of");
  expect_has(report.text, "line 5       1 load of 1 byte, global memory: lanes are 1 bytes apart, 1 row of");
  expect_has(report.text, "line 6       1 load of 4 bytes, global memory: the same for all lanes, 1 row of");
  expect_has(report.text, "line 7       1 load of 4 bytes, global memory: lanes are anywhere, up to 4 rows of");
  expect_has(report.page, "<li>Line 4: neighbouring lanes are 8 bytes apart, so an access takes 2 rows of 16 bytes");
  free_report(&report);
}

#define NEIGHBOURS_OF_A_LOCAL_ARRAY                                    \
  "kernel void neighbours(global const float *x, global float *y) {\n" \
  "  local float part[128];\n"                                         \
  "  int i = get_global_id(0), l = get_local_id(0);\n"                 \
  "  part[l] = x[i];\n"                                                \
  "  barrier(CLK_LOCAL_MEM_FENCE);\n"                                  \
  "  y[i] = part[l + 1] + part[l + 2];\n"                              \
  "}\n"

// A load of neighbours takes a copy of four banks, one of any elements a copy for each lane.
Test(hardware_report, what_a_local_array_takes_with_a_required_size_is_said_and_so) {
  struct report any = report_of(NEIGHBOURS_OF_A_LOCAL_ARRAY, "--lanes 4");
  struct report required =
      report_of("__attribute__((reqd_work_group_size(64, 1, 1))) " NEIGHBOURS_OF_A_LOCAL_ARRAY, "--lanes 4");
  expect_has(any.text,
             "4 banks, 32 block RAMs; a cycle makes all its reads: 0 of one element, 0 of neighbours, 2 of any");
  expect_has(any.text,
             "with __attribute__((reqd_work_group_size(N, 1, 1))) for the N work-items of a work-group it takes "
             "8 block RAMs");
  expect_has(required.text, "4 banks, 8 block RAMs; a cycle makes all its reads: 0 of one element, 2 of neighbours");
  cr_expect_null(strstr(required.text, "with __attribute__"));
  free_report(&any);
  free_report(&required);
}

Test(hardware_report, an_array_without_a_name_is_told_by_its_size) {
  struct report report = report_of(
      "struct nested { float m[3][3]; struct { short a; char b[2]; } in; };\n"
      "kernel void f(struct nested n, global struct nested *o, int i) {\n"
      "  n.in.b[i & 1] += n.m[i % 3][1];\n"
      "  o[get_global_id(0)] = n;\n"
      "}\n",
      "--lanes 4");
  expect_has(report.text, "private array of 40 bytes is in the memory port: its accesses are of different sizes");
  free_report(&report);
}

Test(hardware_report, vectors_of_bytes_and_shorts_are_accessed_by_words) {
  struct report report = report_of(
      "kernel void f(global const uchar4 *a, global const uchar3 *b, global short2 *c, global char2 *d) {\n"
      "  size_t i = get_global_id(0);\n"
      "  uchar4 x = a[i] + b[i].zyxx;\n"
      "  c[i] = convert_short2(x.xy);\n"
      "  d[i] = as_char2(x.zw);\n"
      "}\n",
      "--lanes 4");
  expect_has(report.text, "memory port: 4\n");
  expect_has(report.text, "line 3       2 loads of 4 bytes");
  expect_has(report.text, "line 4       1 store of 4 bytes");
  expect_has(report.text, "line 5       1 store of 2 bytes");
  free_report(&report);
}

Test(hardware_report, a_loop_around_another_has_its_own_line) {
  struct report report = report_of(
      "kernel void longest(global const uchar *text, uint n, uint window, global ushort2 *matches) {\n"
      "  uint i = get_global_id(0);\n"
      "  ushort2 best = 0;\n"
      "  for (uint d = 1; d <= min(window, i); d++) {\n"
      "    ushort k = 0;\n"
      "    while (i + k < n && k < 18 && text[i + k] == text[i - d + k]) k++;\n"
      "    if (k > best.x) best = (ushort2)(k, d);\n"
      "    if (k == 18) break;\n"
      "  }\n"
      "  matches[i] = best;\n"
      "}\n",
      "--lanes 4");
  expect_has(report.text, "ring of the loop of line 4: 1 x R4\n");
  expect_has(report.text, "ring of the loop of line 6: 1 x R6 x R4\n");
  free_report(&report);
}

Test(hardware_report, a_private_array_in_the_memory_port_is_named_with_the_reason) {
  struct report report = report_of(
      "kernel void rc4(global const uchar *key, global uchar *out, uint n) {\n"
      "  uchar s[256], j = 0;\n"
      "  for (int i = 0; i < 256; i++) s[i] = i;\n"
      "  for (int i = 0; i < 256; i++) {\n"
      "    j += s[i] + key[i & 15];\n"
      "    uchar t = s[i]; s[i] = s[j]; s[j] = t;\n"
      "  }\n"
      "  for (uint k = 0; k < n; k++) {\n"
      "    j += s[k & 255];\n"
      "    uchar t = s[k & 255]; s[k & 255] = s[j]; s[j] = t;\n"
      "    out[get_global_id(0) * n + k] = s[(uchar)(s[k & 255] + s[j])];\n"
      "  }\n"
      "}\n",
      "--lanes 1");
  expect_has(report.text, "private array s is in the memory port: it has 5 stores, and may have 4");
  free_report(&report);
}

enum { FIGURES = 4 };  // LUT4, flip-flops, block RAMs, multipliers

// 0: was not measured with the float operators of now.
static void expect_room(const char *what, const struct report *report, const double measured[FIGURES]) {
  const char *at = strstr(report->text, "  room on an ECP5, estimated: ");
  double room[FIGURES] = {0};
  cr_assert(at && sscanf(at, "  room on an ECP5, estimated: %lf LUT4, %lf flip-flops, %lf block RAMs, %lf multipliers",
                         &room[0], &room[1], &room[2], &room[3]) == FIGURES,
            "%s", report->text);
  for (unsigned i = 0; i < FIGURES; i++)
    if (measured[i] != 0)
      cr_expect_lt(fabs(room[i] / measured[i] - 1), 0.2, "%s, figure %u: %.0f, measured are %.0f", what, i, room[i],
                   measured[i]);
}

// Of one lane, whose port would be the limit.
Test(hardware_report, a_port_of_several_words_is_told_and_one_of_fewer_is_what_was_asked_for) {
  static const char source[] =
      "__attribute__((reqd_work_group_size(1, 1, 1)))\n"
      "kernel void f(global const float4 *restrict x, global float4 *restrict y, int n) {\n"
      "  for (int i = 0; i < n; i++) y[i] = x[i] * 3.0f;\n"
      "}\n";
  static const struct {
    const char *options, *accesses, *words;
  } cases[] = {{"", "memory port: 2 x R3", "accesses up to 4 neighbouring words a cycle"},
               {"--port-words 2", "memory port: 4 x R3", "accesses up to 2 neighbouring words a cycle"},
               {"--port-words 1", "memory port: 8 x R3", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct report report = report_of(source, cases[i].options);
    expect_has(report.text, cases[i].accesses);
    if (cases[i].words)
      expect_has(report.text, cases[i].words);
    else
      cr_expect_null(strstr(report.text, "neighbouring words a cycle"), "%s", report.text);
    free_report(&report);
  }
}

// What Yosys makes of kernels (docs/results/pipelines.md): values of a byte in four lanes are one word of a block RAM,
// a product by a small number is one multiplier, and what is the same bits is kept once.
Test(hardware_report, room_is_estimated_within_a_fifth_of_what_synthesis_makes) {
  static const struct {
    const char *file, *options;
    double measured[FIGURES];
  } cases[] = {
      {"tests/bench/kernels/sobel.cl", "--lanes 4", {11562, 7445, 112, 12}},
      {"tests/bench/pipelines/fir_4_taps.cl", "--lanes 4 --slots 128", {0, 0, 95, 0}},
      {"tests/bench/pipelines/stencil3d_tile.cl", "--lanes 4 --slots 128", {26002, 22847, 180, 76}},
      {"tests/bench/kernels/stencil3d.cl", "--lanes 4 --unroll 4 --slots 128", {20855, 16149, 122, 50}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct report report = report_of_file(cases[i].file, cases[i].options);
    expect_room(cases[i].file, &report, cases[i].measured);
    free_report(&report);
  }
  // Whose words go through a memory port of one word, and of two.
  static const double measured[] = {3296, 3143, 15, 2}, by_two[] = {3537, 3380, 16, 2}, by_four[] = {3692, 3743, 17, 8};
  static const char d_add[] =
      "kernel void d_add(global const double *x, global double *y) { size_t i = get_global_id(0); y[i] += x[i]; }\n";
  struct report report = report_of(d_add, "--double --lanes 1");
  expect_room("a sum of doubles by two words", &report, by_two);
  free_report(&report);
  report = report_of(
      "__attribute__((reqd_work_group_size(1, 1, 1)))\n"
      "kernel void scale4(global const float4 *restrict x, global float4 *restrict y, float a, int n) {\n"
      "  for (int i = 0; i < n; i++) y[i] = x[i] * a;\n"
      "}\n",
      "");
  expect_room("a product of vectors", &report, by_four);
  free_report(&report);
  report = report_of(d_add, "--double --lanes 1 --port-words 1");
  expect_room("a sum of doubles", &report, measured);
  free_report(&report);
}

Test(hardware_report, the_room_of_the_lines_and_that_of_the_parts_are_the_whole) {
  struct report report = report_of_file("tests/bench/pipelines/mandelbrot.cl", "");
  double whole = 0, parts = 0, lines = 0;
  for (char *line = strtok(report.text, "\n"); line; line = strtok(NULL, "\n")) {
    double lut = 0;
    int end = 0;
    if (sscanf(line, "  room on an ECP5, estimated: %lf LUT4%n", &lut, &end) == 1 && end > 0)
      whole = lut;
    else if ((sscanf(line, "    line %*u %*u operations %lf LUT4%n", &lut, &end) == 1 && end > 0) ||
             (sscanf(line, "    no line %*u operations %lf LUT4%n", &lut, &end) == 1 && end > 0))
      lines += lut;
    else if (sscanf(line, "    %*40[a-z ,-]%lf LUT4%n", &lut, &end) == 1 && end > 0)
      parts += lut;
  }
  // Each number is rounded.
  cr_expect_gt(whole, 1000);
  cr_expect_lt(fabs(parts - whole), 10, "%.0f of parts, %.0f in all", parts, whole);
  cr_expect_lt(fabs(lines - whole), 40, "%.0f of lines, %.0f in all", lines, whole);
  free_report(&report);
}

Test(hardware_report, the_page_shows_the_source_as_text_and_needs_nothing_from_elsewhere) {
  struct report report = report_of(
      "// <script>wrong()</script> & <b>\n"
      "kernel void f(global uint *x, uint n) {\n"
      "  if (n < 3 && n > 1) x[get_global_id(0)] = n;\n"
      "}\n",
      "");
  expect_has(report.page, "// &lt;script>wrong()&lt;/script> &amp; &lt;b>");
  expect_has(report.page, "  if (n &lt; 3 &amp;&amp; n > 1)");
  cr_expect(!strstr(report.page, "<script>wrong"), "the source became part of the page");
  cr_expect(!strstr(report.page, " src=") && !strstr(report.page, "href=") && !strstr(report.page, "url(http") &&
                !strstr(report.page, "@import"),
            "the page asks for something from elsewhere");
  free_report(&report);
}

// One work-item that does it all: each round waits for the one before.
Test(hardware_report, a_kernel_that_does_not_ask_which_work_item_it_is_has_one) {
  static const char list[] =
      "kernel void f(global const int *x, global int *y, int n) {\n"
      "  int at = 0;\n"
      "  for (int i = 0; i < n; i++) at = x[at];\n"
      "  *y = at;\n"
      "}\n";
  struct report report = report_of(list, "");
  expect_has(report.text, "  1 work-item takes about ");
  expect_has(report.text, "; limited by: latency, as nothing follows the first sub-group\n");
  expect_has(report.page, "type=\"number\" min=\"1\" value=\"1\"");
  expect_has(report.page, "let rounds that do not need each other be work-items");
  free_report(&report);
  report = report_of(list, "--work-items 4096");
  expect_has(report.text, "  4096 work-items take about ");
  free_report(&report);
  // Each work-item takes a packet or a number, so there may be many.
  static const char *const many[] = {
      "kernel void g(global const uint *x, write_only pipe uint a) { write_pipe(a, &x[get_global_id(0)]); }\n"
      "kernel void f(read_only pipe uint a, global uint *y) {\n"
      "  uint value;\n"
      "  if (read_pipe(a, &value) == 0) y[value] = 1;\n"
      "}\n",
      "kernel void f(volatile global int *x) { atomic_inc(x); }\n",
      "kernel void f(global int *x) { x[get_group_id(0)] = 1; }\n",
  };
  for (unsigned i = 0; i < sizeof many / sizeof *many; i++) {
    report = report_of(many[i], "");
    expect_has(report.text, "  4096 work-items take about ");
    cr_expect(!strstr(report.text, "1 work-item takes"), "%s", report.text);
    free_report(&report);
  }
}

Test(hardware_report, a_number_of_work_items_is_checked_and_told) {
  struct report report = report_of("kernel void f(global uint *x) { x[get_global_id(0)] = 1; }\n", "--work-items 1000");
  expect_has(report.text, "  1000 work-items take about ");
  expect_has(report.page, "type=\"number\" min=\"1\" value=\"1000\"");
  free_report(&report);
}

// Eight products of 32 bits are three multipliers each, and launch has two.
Test(hardware_report, products_of_integers_that_share_an_operator_are_counted_once) {
  static const char source[] =
      "kernel void f(global uint *x) {\n"
      "  uint y = x[get_global_id(0)], r = y;\n"
      "  r = r * y + 7; r = r * y + 8; r = r * y + 9; r = r * y + 10; r = r * y + 11; r = r * y + 12; r = r * y + 13;\n"
      "  x[get_global_id(0)] = r * y;\n"
      "}\n";
  // A load and a store take the port for two cycles.
  struct report report = report_of(source, "--lanes 1 --slots 128");
  expect_has(report.text, " 14 multipliers");
  expect_has(report.text, "8 operations share 4 operators in segment 1, a sub-group every 2 cycles: it does not get");
  free_report(&report);
  report = report_of(source, "--lanes 1 --share=8");
  expect_has(report.text, " 5 multipliers");
  expect_has(report.text, "8 operations share 1 operator in segment 1, a sub-group every 8 cycles (--share)");
  free_report(&report);
  report = report_of(source, "--lanes 1 --share=2");
  expect_has(report.text, " 14 multipliers");
  free_report(&report);
}

// Each work-item takes the memory port for five cycles, whatever is done with what it loads. Others load two
// words that lie together, and go by in one.
Test(hardware_report, operations_share_operators_unasked_where_the_memory_port_lets_no_more_by) {
  struct report report = report_of(
      "kernel void f(global float *x, global const float *a, int w) {\n"
      "  int i = get_global_id(0);\n"
      "  x[i] = a[i] * 0.4f + a[i + w] * 0.1f + a[i - w] * 0.2f + a[i + 2 * w] * 0.3f;\n"
      "}\n",
      "--lanes 1");
  expect_has(report.text,
             "3 operations share 1 operator in segment 1, a sub-group every 3 cycles: it does not get more");
  expect_has(report.text, "limited by: memory port");
  free_report(&report);
  report = report_of(
      "kernel void f(global float *x, global const float2 *a) {\n"
      "  int i = get_global_id(0);\n"
      "  float2 y = a[i] * a[i] + 3;\n"
      "  x[i] = y.x * y.y * y.x;\n"
      "}\n",
      "--lanes 4");
  cr_expect_null(strstr(report.text, "operations share"), "%s", report.text);
  free_report(&report);
}
