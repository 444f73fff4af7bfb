// SPDX-License-Identifier: Apache-2.0
// Every kernel of `make bench`, at full size, on the golden model with one thread and with several: the results and the
// device's figures are the same, bit for bit. Each runs in a process of its own, as the device reads its number of
// threads when it is opened.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/run_problem.h"

enum { MOST_BYTES = 1 << 24 };

struct outcome {
  bool is_there, cannot_run;
  struct figures figures;
  size_t bytes;
  char result[MOST_BYTES];
};

static void run_here(const char *threads, const char *name, struct outcome *outcome) {
  setenv("HEDDLE_MODEL_THREADS", threads, 1);
  const struct workload *workload = workload_named(name);
  struct session session = open_session(choose_device("model"));
  if (!device_can_run(&session, workload)) {
    outcome->cannot_run = true;
    return;
  }
  struct problem *problem = problem_of(workload, workload->full, resident_work_items(&session));
  void *result = run_problem(&session, workload, problem, &outcome->figures);
  char text[256] = "";
  outcome->bytes = 4 * problem->result_count;
  if (!problem_is_solved(problem, result, text) || outcome->bytes > sizeof outcome->result) {
    fprintf(stderr, "%s threads: %s\n", threads, text);
    return;
  }
  memcpy(outcome->result, result, outcome->bytes);
  outcome->is_there = true;
  problem_free(problem);
  free(result);
}

static struct outcome *run(const char *threads, const char *name) {
  struct outcome *outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  cr_assert(outcome != MAP_FAILED);
  fflush(NULL);
  const pid_t child = fork();
  cr_assert(child >= 0);
  if (child == 0) {
    run_here(threads, name, outcome);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status == 0 && outcome->cannot_run)
    cr_skip_test("the device has no atomic instructions");
  cr_assert(status == 0 && outcome->is_there, "%s with %s threads: status %d, no right result", name, threads, status);
  return outcome;
}

static bool same_figures(const struct figures *a, const struct figures *b) {
  return a->cycles == b->cycles && a->issues == b->issues && a->active_lanes == b->active_lanes &&
         a->memory_requests == b->memory_requests && a->memory_wait == b->memory_wait && a->conflict == b->conflict &&
         a->cache_requests == b->cache_requests && a->cache_misses == b->cache_misses && a->lanes == b->lanes &&
         a->units == b->units && a->clock_khz == b->clock_khz;
}

static void agree(const char *name) {
  struct outcome *one = run("1", name), *several = run("3", name);
  cr_expect(same_figures(&one->figures, &several->figures), "other figures");
  cr_assert_eq(one->bytes, several->bytes);
  for (size_t at = 0; at < one->bytes && memcmp(one->result, several->result, one->bytes) != 0; at++)
    cr_assert_eq(one->result[at], several->result[at], "byte %zu of the result: %u, on one thread %u", at,
                 (uint8_t)several->result[at], (uint8_t)one->result[at]);
  munmap(one, sizeof *one);
  munmap(several, sizeof *several);
}

#define TEST_OF(name, full, small)                   \
  Test(threads, name##_has_the_bits_of_one_thread) { \
    agree(#name);                                    \
  }
WORKLOADS(TEST_OF)
PIPELINE_WORKLOADS(TEST_OF)
