// SPDX-License-Identifier: Apache-2.0
// The end of a program that is observed (ending.h).
#include "host/observe/ending.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  MOST = 4,          // files of observe.c, and waveforms twice
  MOST_SECONDS = 60  // for all files of a program that aborts
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*finishes[MOST])(void);
static atomic_int count;

// Who aborts may hold what the files need, as malloc's lock where that has found a mistake.
static void give_up(int number) {
  (void)number;
  signal(SIGABRT, SIG_DFL);
  raise(SIGABRT);
}

// The program has called abort(), which ends it when this returns.
static void on_abort(int number) {
  (void)number;
  signal(SIGALRM, give_up);
  alarm(MOST_SECONDS);
  for (int i = count; i > 0; i--)
    finishes[i - 1]();
  alarm(0);
}

static void handle_abort(void) {
  struct sigaction now, ours = {.sa_handler = on_abort, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
  if (sigaction(SIGABRT, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
    sigaction(SIGABRT, &ours, NULL);
}

void heddle_at_end(void (*finish)(void)) {
  pthread_once(&once, handle_abort);
  pthread_mutex_lock(&lock);
  if (count < MOST)
    finishes[count++] = finish;
  pthread_mutex_unlock(&lock);
  atexit(finish);
}
