// SPDX-License-Identifier: Apache-2.0
// Reads what is asked for, and has a device record it until that is closed or the program exits (waves.h).
#include "host/observe/waves.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "contract/sim_waves.h"
#include "host/environment.h"
#include "host/observe/ending.h"

enum { MOST_BEFORE_FAULT = 1000000 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char path[PATH_MAX], save_path[PATH_MAX + 8];  // whole: the program may be in another folder at its end
static pid_t owner;                                   // a child that this process forks records nothing
static void *recorded;                                // device; NULL: none yet
static bool was_recorded, is_made;                    // is_made: the file is there, and empty
static void (*end)(void *device, struct heddle_waves_end *end);
static struct heddle_waves asked;

// ---- The end.

static void say(const struct heddle_waves_end *done) {
  if (done->ran == 0)
    fprintf(stderr, "heddle: no waveforms were recorded: no kernel ran on Heddle sim (HEDDLE_WAVE)\n");
  else if (done->cycles == 0 && asked.before_fault != 0)
    fprintf(stderr, "heddle: no waveforms were recorded: no kernel had a fault\n");
  else if (done->cycles == 0)
    fprintf(stderr,
            "heddle: no waveforms were recorded: kernels ran for %" PRIu64 " cycles, and cycles from %" PRIu64
            " on were asked for\n",
            done->ran, asked.from);
  else if (!done->is_whole)
    fprintf(stderr, "heddle: %s cannot be written (HEDDLE_WAVE): is the disk full?\n", path);
  else
    fprintf(stderr, "heddle: waveforms of cycles %" PRIu64 " to %" PRIu64 " of %" PRIu64 ": gtkwave %s\n", done->first,
            done->last, done->ran, save_path);
  if (done->is_whole && done->left_out != 0)
    fprintf(stderr,
            "heddle: the waveforms have reached their limit of %" PRIu64 " bytes (HEDDLE_WAVE_BYTES): %" PRIu64
            " cycles were left out\n",
            asked.bytes, done->left_out);
}

// GTKWave opens a save file that does not say where to look at time 0, a few picoseconds wide: nothing is seen. Here it
// begins at the first cycle of the waveforms, with cycles so wide that the 8 digits of a PC can be read: it shows 2 to
// the power of minus the zoom, in picoseconds, on each 200 pixels.
static void say_where_to_look(const struct heddle_waves_end *done) {
  enum { MARKERS = 27 };  // the time of each; none is set
  FILE *out = fopen(save_path, "ae");
  if (!out)
    return;
  fprintf(out, "[timestart] %" PRIu64 "\n*-11.600000", HEDDLE_WAVES_CYCLE_PS * done->first);
  for (int i = 0; i < MARKERS; i++)
    fputs(" -1", out);
  fputs("\n[treeopen] TOP.\n[treeopen] TOP.heddle.\n[sst_expanded] 1\n", out);
  fclose(out);
}

static void end_recording(void) {
  struct heddle_waves_end done;
  if (!recorded)
    return;
  end(recorded, &done);
  recorded = NULL;
  say(&done);
  // Who looks for the file is to find it whole, or not at all.
  if (!done.is_whole) {
    heddle_output_file_withdraw(path);
    heddle_output_file_withdraw(save_path);
  } else {
    say_where_to_look(&done);
  }
}

static void finish(void) {
  struct heddle_output_limit limit;
  if (getpid() != owner)
    return;
  heddle_output_limit_enter(&limit);
  pthread_mutex_lock(&lock);
  end_recording();
  if (is_made)
    heddle_output_file_withdraw(path);
  is_made = false;
  if (!was_recorded) {
    was_recorded = true;
    fprintf(stderr, "heddle: no waveforms were recorded: no kernel ran on Heddle sim (HEDDLE_WAVE)\n");
  }
  pthread_mutex_unlock(&lock);
  heddle_output_limit_leave(&limit);
}

// ---- The beginning.

static void ask(void) {
  const char *name = secure_getenv("HEDDLE_WAVE");
  char folder[PATH_MAX];
  if (!name || !*name)
    return;
  const bool is_whole = name[0] == '/' || !getcwd(folder, sizeof folder);
  if (snprintf(path, sizeof path, "%s%s%s", is_whole ? "" : folder, is_whole ? "" : "/", name) >= (int)sizeof path)
    path[PATH_MAX - 1] = 0;  // no file has so long a name, which heddle_waves_check says
  const size_t length = strlen(path);
  const bool has_end = length > 4 && strcmp(path + length - 4, ".fst") == 0;
  snprintf(save_path, sizeof save_path, "%.*s.gtkw", (int)(has_end ? length - 4 : length), path);
  owner = getpid();
  heddle_at_end(finish);
}

bool heddle_waves_asked(void) {
  pthread_once(&once, ask);
  return path[0] != 0;
}

// Reads the variables that have numbers.
static int read_numbers(struct heddle_error *error) {
  static const struct heddle_variable from = {.name = "HEDDLE_WAVE_FROM", .most = UINT64_MAX, .what = "a cycle"};
  static const struct heddle_variable to = {
      .name = "HEDDLE_WAVE_TO", .otherwise = UINT64_MAX, .most = UINT64_MAX, .what = "a cycle"};
  static const struct heddle_variable before = {.name = "HEDDLE_WAVE_BEFORE_FAULT",
                                                .least = 1,
                                                .most = MOST_BEFORE_FAULT,
                                                .what = "a number of cycles from 1 to 1000000"};
  static const struct heddle_variable bytes = {.name = "HEDDLE_WAVE_BYTES",
                                               .otherwise = UINT64_C(256) << 20,
                                               .least = 1 << 16,
                                               .most = UINT64_C(1) << 40,
                                               .what = "a number of bytes, 65536 at least"};
  if (heddle_environment_number(&from, &asked.from, error) != 0 ||
      heddle_environment_number(&to, &asked.to, error) != 0 ||
      heddle_environment_number(&before, &asked.before_fault, error) != 0 ||
      heddle_environment_number(&bytes, &asked.bytes, error) != 0)
    return -EINVAL;
  if (asked.from > asked.to)
    return heddle_fail(error, -EINVAL, "HEDDLE_WAVE_FROM, %" PRIu64 ", is behind HEDDLE_WAVE_TO, %" PRIu64, asked.from,
                       asked.to);
  if (heddle_environment_is_set(before.name) &&
      (heddle_environment_is_set(from.name) || heddle_environment_is_set(to.name)))
    return heddle_fail(error, -EINVAL,
                       "HEDDLE_WAVE_BEFORE_FAULT says which cycles are recorded: take HEDDLE_WAVE_FROM and "
                       "HEDDLE_WAVE_TO away, or it");
  return 0;
}

// Makes the file, or one that is there empty.
static int make_file(struct heddle_error *error) {
  struct stat facts;
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file < 0)
    return heddle_fail(error, -errno, "HEDDLE_WAVE: %.160s cannot be written: %s", path, strerror(errno));
  const bool is_file = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
  const int result = !is_file                  ? heddle_fail(error, -EINVAL, "HEDDLE_WAVE: %.160s is no file", path)
                     : ftruncate(file, 0) != 0 ? heddle_fail(error, -errno, "HEDDLE_WAVE: %.160s cannot be written: %s",
                                                             path, strerror(errno))
                                               : 0;
  close(file);
  return result;
}

int heddle_waves_check(struct heddle_error *error) {
  if (!heddle_waves_asked())
    return 0;
  pthread_mutex_lock(&lock);
  int result = 0;
  if (!was_recorded && getpid() == owner) {
    result = read_numbers(error);
    if (result == 0)
      result = make_file(error);
    is_made = result == 0;
  }
  if (result != 0)
    was_recorded = true;  // the error says why there is nothing
  pthread_mutex_unlock(&lock);
  return result;
}

int heddle_waves_begin(void *library, void *device, struct heddle_error *error) {
  const char *(*begin)(void *device, const struct heddle_waves *waves);
  int result = 0;
  if (!heddle_waves_asked())
    return 0;
  pthread_mutex_lock(&lock);
  if (!was_recorded && getpid() == owner) {
    was_recorded = true;
    // POSIX's way to make an object pointer one to a function, as in host/transport/sim.c.
    *(void **)&begin = dlsym(library, HEDDLE_WAVES_BEGIN_SYMBOL);
    *(void **)&end = dlsym(library, HEDDLE_WAVES_END_SYMBOL);
    asked.path = path;
    asked.save_path = save_path;
    const char *wrong = begin && end ? begin(device, &asked)
                                     : "this device was made without waveforms; HEDDLE_HARDWARE can be the source or "
                                       "the folder that it was made of";
    if (wrong) {
      result = heddle_fail(error, -EINVAL, "HEDDLE_WAVE: %s", wrong);
    } else {
      recorded = device;
      is_made = false;
      // At the end before what the device's library registered when it was loaded: that takes its own state away.
      heddle_at_end(finish);
    }
  }
  pthread_mutex_unlock(&lock);
  return result;
}

void heddle_waves_end(const void *device) {
  pthread_mutex_lock(&lock);
  if (recorded && device == recorded && getpid() == owner)
    end_recording();
  pthread_mutex_unlock(&lock);
}
