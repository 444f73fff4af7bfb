// SPDX-License-Identifier: Apache-2.0
// Does what each sanitizer is there to find, so that `make test-asan` and `make test-tsan` know that they would find
// it. Ends with status 0 only if nobody noticed. The only argument says what: leak, overflow, undefined or race.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shared;

static void *write_shared(void *unused) {
  shared++;
  return unused;
}

static void race(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, write_shared, NULL) != 0)
      abort();
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  const char *what = argc == 2 ? argv[1] : "";
  char *volatile bytes = malloc(16);
  volatile int number = INT_MAX;
  if (!bytes)
    return 1;
  if (strcmp(what, "leak") == 0)
    bytes = NULL;  // cppcheck-suppress memleak
  else if (strcmp(what, "overflow") == 0)
    bytes[16 + (argc - 2)] = 1;
  else if (strcmp(what, "undefined") == 0)
    number = number + (argc - 1);
  else if (strcmp(what, "race") == 0)
    race();
  else
    fprintf(stderr, "usage: planted leak|overflow|undefined|race\n");
  free(bytes);  // NOLINT(clang-analyzer-unix.Malloc)
  return 0;
}
