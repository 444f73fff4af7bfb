// SPDX-License-Identifier: Apache-2.0
// Runs the tests of a program that is built with ThreadSanitizer, one after the other, each in a child process, and
// prints TAP, as Criterion does where it can (criterion/criterion.h). Takes of Criterion's options --tap=FILE and
// --filter SUITE/TEST, and ignores the rest.
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/sanitizers/criterion/criterion.h"

static struct sanitized_test *tests;

// What a child leaves behind, in memory that it shares with its parent.
static struct verdict {
  bool failed, skipped;
  char reason[512];
} *verdict;

void sanitized_add(struct sanitized_test *test) {
  struct sanitized_test **end = &tests;
  while (*end)
    end = &(*end)->next;
  *end = test;
}

void sanitized_fail(bool goes_on, const char *file, int line, const char *what, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = snprintf(verdict->reason, sizeof verdict->reason, "%s:%d: %s: ", file, line, what);
  if (length > 0 && (size_t)length < sizeof verdict->reason)
    vsnprintf(verdict->reason + length, sizeof verdict->reason - (size_t)length, format, arguments);
  va_end(arguments);
  verdict->failed = true;
  fprintf(stderr, "%s\n", verdict->reason);
  if (!goes_on)
    exit(1);
}

void sanitized_skip(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(verdict->reason, sizeof verdict->reason, format, arguments);
  va_end(arguments);
  verdict->skipped = true;
  exit(0);
}

static const struct sanitized_options *suite_options(const char *suite) {
  static const struct sanitized_options none;
  for (const struct sanitized_test *test = tests; test; test = test->next)
    if (!test->run && strcmp(test->suite, suite) == 0)
      return &test->options;
  return &none;
}

static void run_in_child(const struct sanitized_test *test) {
  const struct sanitized_options *suite = suite_options(test->suite);
  void (*const steps[])(void) = {suite->init, test->options.init, test->run, test->options.fini, suite->fini};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (steps[i])
      steps[i]();
  exit(verdict->failed ? 1 : 0);
}

static void run(const struct sanitized_test *test, int number, FILE *tap) {
  memset(verdict, 0, sizeof *verdict);
  fflush(NULL);
  int status = 1;
  const pid_t child = fork();
  if (child == 0)
    run_in_child(test);
  if (child < 0 || waitpid(child, &status, 0) < 0)
    perror(test->name);
  const char *skipped = verdict->skipped ? " # SKIP " : "";
  fprintf(tap, "%s %d - %s::%s%s%s\n", status == 0 ? "ok" : "not ok", number, test->suite, test->name, skipped,
          verdict->skipped ? verdict->reason : "");
  if (status != 0)
    fprintf(tap, "  %s (wait status 0x%x)\n", verdict->reason, (unsigned)status);
}

int main(int argc, char **argv) {
  FILE *tap = stdout;
  const char *filter = "*";
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "--tap=", 6) == 0)
      tap = fopen(argv[i] + 6, "w");
    else if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc)
      filter = argv[++i];
  verdict = mmap(NULL, sizeof *verdict, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!tap || verdict == MAP_FAILED) {
    perror("runner");
    return 1;
  }
  int count = 0, number = 0;
  char name[512];
  for (int counting = 1; counting >= 0; counting--) {
    for (const struct sanitized_test *test = tests; test; test = test->next) {
      snprintf(name, sizeof name, "%s/%s", test->suite, test->name ? test->name : "");
      if (!test->run || fnmatch(filter, name, 0) != 0)
        continue;
      if (counting)
        count++;
      else
        run(test, ++number, tap);
    }
    if (counting)
      fprintf(tap, "1..%d\n", count);
  }
  return fclose(tap) == 0 ? 0 : 1;
}
