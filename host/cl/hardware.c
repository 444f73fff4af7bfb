// SPDX-License-Identifier: Apache-2.0
// Runs heddlec where there is only a source, then the script that Verilates, and loads what comes out (hardware.h).
#include "host/cl/hardware.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/status.h"
#include "contract/words.h"
#include "contract/work_folder.h"
#include "host/cl/cache.h"
#include "host/cl/cache_folder.h"
#include "host/cl/child.h"
#include "host/cl/compiler.h"
#include "host/cl/log.h"
#include "host/cl/platform.h"
#include "host/environment.h"
#include "host/observe/waves.h"
#include "host/transport/sim.h"

enum {
  SECONDS = 900,
  LOG_BYTES = 1 << 16,
  PARAMETER_BYTES = 32,
  MOST_PARAMETERS = 12,
  HAS_TO_BE_MADE = 4,
  LINE_BYTES = 4096
};

// What becomes kernel pipelines; NULL: nothing does.
static const char *asked_pipelines(void) {
  const char *named = secure_getenv("HEDDLE_HARDWARE");
  return named && *named ? named : NULL;
}

// They as a path that no command line takes for an option, in `path` where it has to be another one; NULL as above.
static const char *pipelines_path(char path[PATH_MAX]) {
  const char *named = asked_pipelines();
  if (!named || *named != '-')
    return named;
  snprintf(path, PATH_MAX, "./%.*s", PATH_MAX - 3, named);
  return path;
}

bool heddle_hardware_asked(void) {
  return asked_pipelines() || heddle_waves_asked();
}

// The first line of a text that says what is wrong, else its first.
static void first_error(const char *log, char *line, size_t size) {
  const char *at = strstr(log, "error: ");
  if (!at)
    at = strstr(log, "heddle");
  while (at && at > log && at[-1] != '\n')
    at--;
  at = at ? at : log;
  snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

static int failed(const char *what, const char *log, struct heddle_error *error) {
  char line[160];
  first_error(log, line, sizeof line);
  fputs(log, stderr);
  return heddle_fail(error, -EINVAL, "%s: %s", what, line);
}

// From a source to a folder of pipelines, `hardware`.
static int make_pipelines(const char *compiler, const char *source, const char *hardware, char *log,
                          struct heddle_error *error) {
  const char *given = secure_getenv("HEDDLE_HARDWARE_OPTIONS");
  size_t count, used = 0;
  char **words = heddle_words_split(given ? given : "-cl-std=CL3.0", &count);
  if (!words && errno == EINVAL)
    return heddle_environment_wrong("HEDDLE_HARDWARE_OPTIONS", "options whose quotes are closed", error);
  char **arguments = words ? malloc((count + 7) * sizeof *arguments) : NULL;
  if (!arguments) {
    free(words);
    return heddle_fail(error, -ENOMEM, "out of host memory");
  }
  arguments[used++] = (char *)compiler;
  arguments[used++] = "--hardware";
  for (size_t i = 0; i < count; i++)
    arguments[used++] = words[i];
  if (heddle_offers_double())
    arguments[used++] = "--double";
  arguments[used++] = (char *)source;
  arguments[used++] = "-o";
  arguments[used++] = (char *)hardware;
  arguments[used] = NULL;
  heddle_log(HEDDLE_LOG_ERROR, "making pipelines of %s", source);  // as the program takes so long
  const int status = heddle_child_run(arguments, NULL, SECONDS, log, LOG_BYTES);
  free(arguments);
  free(words);
  if (status != STATUS_OK)
    return failed("heddlec --hardware", log, error);
  fputs(log, stderr);  // what became hardware, and what did not
  return 0;
}

// A power of two: a bank of the device's cache for each unit that works at a dispatch.
static unsigned banks_for(unsigned units) {
  unsigned banks = 1;
  while (banks < units)
    banks *= 2;
  return banks;
}

// The most lanes and the most copies that a pipeline of the folder has, 1 where there is none that can be read.
static void find_most(const char *hardware, unsigned *most_lanes, unsigned *most_copies) {
  char path[PATH_MAX + 16], line[LINE_BYTES];
  unsigned lanes, copies;
  *most_lanes = *most_copies = 1;
  snprintf(path, sizeof path, "%s/kinds.txt", hardware);
  FILE *kinds = fopen(path, "r");
  while (kinds && fgets(line, sizeof line, kinds)) {
    if (sscanf(line, "kernel %*511s %*39s %u %*u %u", &lanes, &copies) != 2)
      continue;
    if (lanes > *most_lanes && lanes <= 32)
      *most_lanes = lanes;
    if (copies > *most_copies && copies <= 15)
      *most_copies = copies;
  }
  if (kinds)
    fclose(kinds);
}

// The parameters of rtl/heddle.v that a small ISA sets, as sim/rtl/build.mk has them.
static const char *const *parameters_of_isa(const char *isa) {
  static const struct {
    const char *isa, *parameters[7];
  } all[] = {{"rv32i", {"MUL=0", "DIV=0", "FPU=0", "BITMANIP=0", "ATOMIC=0"}},
             {"rv32im", {"FPU=0", "BITMANIP=0", "ATOMIC=0", "COMPACT=1"}},
             {"rv32ima", {"FPU=0", "BITMANIP=0", "COMPACT=1"}},
             {"", {NULL}}};
  size_t i = 0;
  while (strcmp(all[i].isa, isa) != 0 && *all[i].isa)
    i++;
  return all[i].parameters;
}

// A device with the pipelines of a folder, or with none where that is NULL. Its path takes the place of the log.
static int make_device(const char *compiler, const char *hardware, const char *cache,
                       const struct heddle_sim_config *config, char *log, struct heddle_error *error) {
  char script[PATH_MAX], parameters[6][PARAMETER_BYTES];
  unsigned widest = 1, copies = 1;
  const char *isa = heddle_sim_asked_isa();
  if (!isa)
    return heddle_environment_wrong("HEDDLE_SIM_ISA", "rv32i, rv32im or rv32ima", error);
  if (hardware)
    find_most(hardware, &widest, &copies);
  const unsigned values[6] = {config->lanes ? config->lanes : widest,
                              config->slots,
                              config->units,
                              banks_for(copies > config->units ? copies : config->units),
                              28,
                              config->processor};
  static const char *const names[6] = {"LANES", "SLOTS", "UNITS", "BANKS", "GLOBAL_LOG2", "PROCESSOR"};
  // The second time -g stands there: what it starts ends with it.
  char *arguments[7 + MOST_PARAMETERS] = {"/bin/sh", script, "-n"};
  size_t count = 3;
  if (heddle_waves_asked())
    arguments[count++] = "-w";
  arguments[count++] = hardware ? (char *)hardware : "-";
  arguments[count++] = (char *)cache;
  for (int i = 0; i < 6; i++) {
    snprintf(parameters[i], PARAMETER_BYTES, "%s=%u", names[i], values[i]);
    arguments[count++] = parameters[i];
  }
  for (const char *const *parameter = parameters_of_isa(hardware ? "" : isa); *parameter; parameter++)
    arguments[count++] = (char *)*parameter;
  const char *slash = strrchr(compiler, '/');
  snprintf(script, sizeof script, "%.*s/../share/heddle/rtl/sim/rtl/hardware.sh", slash ? (int)(slash - compiler) : 0,
           compiler);
  if (access(script, R_OK) != 0)
    return heddle_fail(error, -ENOENT, "the sources of the simulated device are not installed: %.160s is missing",
                       script);
  int status = heddle_child_run(arguments, NULL, SECONDS, log, LOG_BYTES);
  if (status == HAS_TO_BE_MADE) {
    heddle_log(HEDDLE_LOG_ERROR, "making a simulated device%s%s, once (some %d s%s)",
               hardware ? " with the pipelines" : "", heddle_waves_asked() ? " that records waveforms" : "",
               heddle_waves_asked() ? 40 : 20, hardware ? ", minutes for large kernels" : "");
    arguments[2] = "-g";
    memset(log, 0, LOG_BYTES);
    status = heddle_child_run(arguments, NULL, SECONDS, log, LOG_BYTES);
  }
  if (status != STATUS_OK)
    return failed(hardware ? "HEDDLE_HARDWARE" : "HEDDLE_WAVE", log, error);
  // The last line is the path; what tools said stands before it.
  char *end = log + strlen(log);
  while (end > log && end[-1] == '\n')
    *--end = 0;
  const char *last = strrchr(log, '\n');
  if (last)
    memmove(log, last + 1, strlen(last + 1) + 1);
  return 0;
}

// `named` is a folder or a source, or NULL: no pipelines.
static int make_and_open(const char *named, bool is_source, const char *folder, const struct heddle_sim_config *config,
                         struct heddle_link *link, struct heddle_error *error) {
  char compiler[PATH_MAX], hardware[PATH_MAX], cache[PATH_MAX];
  if (!heddle_compiler_find(compiler))
    return heddle_fail(error, -ENOENT,
                       "HEDDLE_HARDWARE and HEDDLE_WAVE need heddlec ($HEDDLEC, ../bin beside libheddle.so, PATH)");
  char *log = calloc(1, LOG_BYTES + 1);
  if (!log)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  int result = 0;
  snprintf(hardware, sizeof hardware, "%s", named ? named : "");
  if (is_source) {
    snprintf(hardware, sizeof hardware, "%.*s/kernels.hw", PATH_MAX - 16, folder);
    result = make_pipelines(compiler, named, hardware, log, error);
  }
  // Where nothing is kept the device is made in the folder that is removed.
  const int kept = heddle_cache_enabled() ? heddle_cache_open(true) : -1;
  if (kept < 0 || !heddle_cache_path(cache))
    snprintf(cache, sizeof cache, "%s", folder);
  if (result == 0)
    result = make_device(compiler, named ? hardware : NULL, cache, config, log, error);
  if (result == 0)
    result = heddle_sim_open_file(log, config, link, error);
  if (kept >= 0) {
    heddle_cache_trim(kept, heddle_cache_limit());
    close(kept);
  }
  free(log);
  return result;
}

// A device that has been made, by its name or by what it is.
static bool is_shared_object(const char *path) {
  const char *end = strrchr(path, '.');
  if (end && strcmp(end, ".so") == 0)
    return true;
  unsigned char start[SELFMAG];
  FILE *file = fopen(path, "rb");
  const bool is_one =
      file && fread(start, 1, sizeof start, file) == sizeof start && memcmp(start, ELFMAG, SELFMAG) == 0;
  if (file)
    fclose(file);
  return is_one;
}

int heddle_hardware_open(struct heddle_link *link, struct heddle_error *error) {
  char whole[PATH_MAX];
  const char *named = pipelines_path(whole);
  struct heddle_sim_config config = {0};
  struct stat facts = {0};
  char folder[PATH_MAX];
  int result = heddle_sim_read_variables(&config, named, error);
  if (result == 0)
    result = heddle_waves_check(error);
  if (result != 0)
    return result;
  if (named && stat(named, &facts) != 0)
    return heddle_fail(error, -ENOENT, "HEDDLE_HARDWARE: %.160s: %s", named, strerror(errno));
  if (S_ISREG(facts.st_mode) && is_shared_object(named))
    return heddle_sim_open_file(named, &config, link, error);
  const int owned = heddle_work_folder_make(folder, sizeof folder);
  if (owned < 0)
    return heddle_fail(error, -errno, "%.160s: %s", folder, strerror(errno));
  result = make_and_open(named, S_ISREG(facts.st_mode), folder, &config, link, error);
  heddle_work_folder_remove(folder);
  close(owned);
  return result;
}
