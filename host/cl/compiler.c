// SPDX-License-Identifier: Apache-2.0
// Runs heddlec (compiler.h).
#include "host/cl/compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "contract/language.h"
#include "contract/program.h"
#include "contract/status.h"
#include "contract/work_folder.h"
#include "host/cl/cache_key.h"
#include "host/cl/child.h"
#include "host/cl/log.h"
#include "host/observe/observe.h"

// heddlec limits the processor time of each of its steps; on a busy machine they take many times that. To say its
// version it needs none of them.
enum { SECONDS = 1800, VERSION_SECONDS = 120, VERSION_BYTES = 255 };

bool heddle_compiler_find(char *path) {
  const char *named = secure_getenv("HEDDLEC");
  Dl_info here;
  if (named && *named) {
    snprintf(path, PATH_MAX, "%s", named);
    return access(path, X_OK) == 0;
  }
  if (dladdr((void *)heddle_compile, &here) && strrchr(here.dli_fname, '/')) {
    const int length = (int)(strrchr(here.dli_fname, '/') - here.dli_fname);
    if (snprintf(path, PATH_MAX, "%.*s/../bin/heddlec", length, here.dli_fname) < PATH_MAX && access(path, X_OK) == 0)
      return true;
  }
  return heddle_program_find("heddlec", path);
}

bool heddle_compiler_available(void) {
  char path[PATH_MAX];
  return heddle_compiler_find(path);
}

bool heddle_compiler_takes_il(void) {
  char path[PATH_MAX];
  return heddle_compiler_available() && heddle_program_find("llvm-spirv-15", path);
}

// The whole file; NULL when there is none or it is out of all proportion.
static void *read_file(const char *path, size_t *size) {
  struct stat facts;
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  if (!file)
    return NULL;
  if (fstat(fileno(file), &facts) == 0 && facts.st_size > 0 && facts.st_size <= HEDDLE_OUTPUT_BYTES_MAX)
    bytes = malloc((size_t)facts.st_size);
  if (bytes && fread(bytes, 1, (size_t)facts.st_size, file) != (size_t)facts.st_size) {
    free(bytes);
    bytes = NULL;
  }
  *size = bytes ? (size_t)facts.st_size : 0;
  fclose(file);
  return bytes;
}

// The code that a step's call has for an exit code of heddlec.
static cl_int error_of(enum heddle_step step, int exit_code) {
  static const struct {
    cl_int options, missing, failure;
  } codes[] = {
      [HEDDLE_BUILD] = {CL_INVALID_BUILD_OPTIONS, CL_COMPILER_NOT_AVAILABLE, CL_BUILD_PROGRAM_FAILURE},
      [HEDDLE_COMPILE] = {CL_INVALID_COMPILER_OPTIONS, CL_COMPILER_NOT_AVAILABLE, CL_COMPILE_PROGRAM_FAILURE},
      [HEDDLE_LINK] = {CL_INVALID_LINKER_OPTIONS, CL_LINKER_NOT_AVAILABLE, CL_LINK_PROGRAM_FAILURE},
  };
  switch (exit_code) {
    case STATUS_OK:
      return CL_SUCCESS;
    case STATUS_INVALID_OPTIONS:
      return codes[step].options;
    case STATUS_TOOL_MISSING:
      return codes[step].missing;
    default:
      return codes[step].failure;
  }
}

// The command line, and the files that it names: all in one private folder.
struct command {
  const char *folder;
  char *log;         // of HEDDLE_LOG_BYTES_MAX; says what went wrong
  char **arguments;  // ended by NULL
  size_t num_arguments;
  char **files;
  size_t num_files;
  char *pipelines;  // the job's, cut into words
};

// Room for `files` files, and for three arguments for each beside a dozen others.
static bool command_open(struct command *command, const char *folder, char *log, size_t files) {
  *command = (struct command){.folder = folder, .log = log};
  command->files = calloc(files, sizeof *command->files);
  command->arguments = calloc(3 * files + 20 + 2 * HEDDLE_KINDS_MOST, sizeof *command->arguments);
  return command->files && command->arguments;
}

static void command_close(struct command *command) {
  for (size_t i = 0; i < command->num_files; i++)
    free(command->files[i]);
  free(command->files);
  free(command->arguments);
  free(command->pipelines);
}

static void add(struct command *command, const char *argument) {
  command->arguments[command->num_arguments++] = (char *)argument;
}

// The path of a file in the folder; NULL: host memory is out.
static const char *add_file(struct command *command, const char *name, size_t number) {
  char *path = NULL;
  if ((number != 0 ? asprintf(&path, "%s/%s-%zu", command->folder, name, number)
                   : asprintf(&path, "%s/%s", command->folder, name)) < 0 ||
      !path)
    return NULL;
  command->files[command->num_files++] = path;
  return path;
}

// Writes a file of the folder. Its path; NULL: the log says why not.
static const char *write_input(struct command *command, const char *name, size_t number, const void *bytes,
                               size_t size) {
  const char *path = add_file(command, name, number);
  if (path && heddle_child_write_file(path, bytes, size))
    return path;
  snprintf(command->log, HEDDLE_LOG_BYTES_MAX, "cannot write %s: %s\n", path ? path : command->folder,
           path ? strerror(errno) : "host memory is out");
  return NULL;
}

// What the device has beside programmable units.
static bool add_pipelines(struct command *command, const struct heddle_job *job) {
  char *rest = NULL;
  command->pipelines = strdup(job->pipelines);
  if (!command->pipelines)
    return false;
  size_t left = job->step == HEDDLE_COMPILE ? 0 : HEDDLE_KINDS_MOST;
  for (char *word = strtok_r(command->pipelines, " ", &rest); word && left != 0; word = strtok_r(NULL, " ", &rest)) {
    add(command, "--pipeline");
    add(command, word);
    left--;
  }
  return true;
}

static bool write_files(struct command *command, const struct heddle_job *job) {
  // Of any length, which an argument is not.
  const char *options = write_input(command, "options", 0, job->options, strlen(job->options));
  if (!options)
    return false;
  add(command, "--build-options-file");
  add(command, options);
  for (size_t i = 0; i < job->num_inputs; i++) {
    const bool is_source = job->step != HEDDLE_LINK;
    const char *path = write_input(command, is_source ? "program.cl" : "program", is_source ? 0 : i + 1,
                                   job->inputs[i].bytes, job->inputs[i].size);
    if (!path)
      return false;
    add(command, path);
  }
  for (size_t i = 0; i < job->num_headers; i++) {
    const char *path = write_input(command, "header", i + 1, job->headers[i].bytes, job->headers[i].size);
    if (!path)
      return false;
    add(command, "--header");
    add(command, job->headers[i].name);
    add(command, path);
  }
  return true;
}

// The compiler's list of files: a path on each line, perhaps behind "!".
static void take_files(const char *path, struct heddle_files *files) {
  char line[PATH_MAX + 2];
  FILE *list = fopen(path, "r");
  files->unknown = !list;
  while (list && fgets(line, sizeof line, list)) {
    char **longer = realloc(files->paths, (files->count + 1) * sizeof *longer);
    files->paths = longer ? longer : files->paths;
    const size_t length = strcspn(line, "\n");
    char *copy = longer && line[line[0] == '!'] == '/' && line[length] == '\n' ? strndup(line, length) : NULL;
    if (copy)
      files->paths[files->count++] = copy;
    else
      files->unknown = true;
  }
  if (list)
    fclose(list);
}

// Compiles in a private folder, which exists and is empty.
static cl_int compile_in(const char *folder, const char *compiler, const struct heddle_job *job,
                         struct heddle_compilation *result, struct heddle_files *files) {
  struct command command;
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  const bool is_open = command_open(&command, folder, result->log, job->num_inputs + job->num_headers + 3);
  const char *output = is_open ? add_file(&command, "output", 0) : NULL;
  const char *list = output ? add_file(&command, "files", 0) : NULL;
  if (list) {
    add(&command, compiler);
    add(&command, "--isa");
    add(&command, job->isa);
    if (job->step != HEDDLE_LINK)
      add(&command, "-cl-std=" HEDDLE_LANGUAGE_OF_PROGRAMS);  // unless the options name another
    add(&command, "--scratch");
    add(&command, folder);
    add(&command, "--name");
    add(&command, "program.cl");
    add(&command, "-o");
    add(&command, output);
    add(&command, "--depend");
    add(&command, list);
    if (job->step != HEDDLE_BUILD)
      add(&command, job->step == HEDDLE_LINK ? "--link" : "-c");
    if (job->has_double)
      add(&command, "--double");
    if (job->has_checks)
      add(&command, "--check");
    const int code = add_pipelines(&command, job) && write_files(&command, job)
                         ? heddle_child_run(command.arguments, NULL, SECONDS, result->log, HEDDLE_LOG_BYTES_MAX)
                         : STATUS_FAILED;
    error = error_of(job->step, code);
  }
  if (error == CL_SUCCESS) {
    result->output = read_file(output, &result->output_bytes);
    error = result->output ? CL_SUCCESS : error_of(job->step, STATUS_FAILED);
    if (!result->output)
      snprintf(result->log, HEDDLE_LOG_BYTES_MAX, "heddlec's result cannot be read, or has more than %d bytes\n",
               HEDDLE_OUTPUT_BYTES_MAX);
    take_files(list, files);
  }
  command_close(&command);
  return error;
}

// Runs the compiler, whose path may be NULL.
static cl_int run(const char *compiler, const struct heddle_job *job, struct heddle_compilation *result,
                  struct heddle_files *files) {
  char folder[PATH_MAX];
  int lock;
  result->log = calloc(1, HEDDLE_LOG_BYTES_MAX + 1);
  if (!result->log)
    return CL_OUT_OF_HOST_MEMORY;
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  if (!compiler) {
    snprintf(result->log, HEDDLE_LOG_BYTES_MAX,
             "The kernel compiler heddlec was not found ($HEDDLEC, ../bin beside libheddle.so, PATH). Install Heddle's "
             "compiler with the packages clang-22 and lld-22, or pass a binary to clCreateProgramWithBinary.\n");
    error = error_of(job->step, STATUS_TOOL_MISSING);
  } else if ((lock = heddle_work_folder_make(folder, sizeof folder)) < 0) {
    snprintf(result->log, HEDDLE_LOG_BYTES_MAX, "cannot make a folder for the compiler in %s ($TMPDIR): %s\n", folder,
             strerror(errno));
    error = error_of(job->step, STATUS_FAILED);
  } else {
    error = compile_in(folder, compiler, job, result, files);
    heddle_work_folder_remove(folder);
    close(lock);
  }
  if (error != CL_SUCCESS && result->log[0] == 0)
    snprintf(result->log, HEDDLE_LOG_BYTES_MAX, "%s failed and did not say why\n", compiler ? compiler : "heddlec");
  char *shorter = realloc(result->log, strlen(result->log) + 1);
  if (shorter)
    result->log = shorter;
  return error;
}

cl_int heddle_compile(const struct heddle_job *job, struct heddle_compilation *result) {
  char compiler[PATH_MAX];
  uint8_t key[HEDDLE_CACHE_KEY_BYTES];
  struct heddle_files files = {0};
  struct timespec now;
  *result = (struct heddle_compilation){0};
  clock_gettime(CLOCK_REALTIME, &now);
  const bool is_there = heddle_compiler_find(compiler);
  const bool has_key = is_there && heddle_cache_enabled() && heddle_cache_key(job, compiler, key);
  if (has_key && heddle_cache_get(key, result)) {
    heddle_log(HEDDLE_LOG_INFO, "program taken from the cache of kernels");
    return CL_SUCCESS;
  }
  const uint64_t start = heddle_trace_clock();
  const cl_int error = run(is_there ? compiler : NULL, job, result, &files);
  heddle_trace_host("compiler", "heddlec",
                    job->step == HEDDLE_LINK      ? "link"
                    : job->step == HEDDLE_COMPILE ? "compile"
                                                  : "compile and link",
                    start, 0);
  if (has_key && error == CL_SUCCESS)
    heddle_cache_put(key, result, &files, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
  for (size_t i = 0; i < files.count; i++)
    free(files.paths[i]);
  free(files.paths);
  heddle_log(HEDDLE_LOG_INFO, "program %s", error == CL_SUCCESS ? "compiled" : "not compiled; its build log says why");
  return error;
}

static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

void heddle_compiler_forked(void) {
  pthread_mutex_init(&asking, NULL);
}

bool heddle_compiler_reads(const char *compiler) {
  static char asked[PATH_MAX], answer[VERSION_BYTES + 1];
  char path[PATH_MAX];
  const size_t length = strlen(compiler);
  if (!heddle_compiler_find(path))
    return true;
  pthread_mutex_lock(&asking);
  if (strcmp(asked, path) != 0) {
    char *const arguments[] = {path, "--version", NULL};
    memset(answer, 0, sizeof answer);
    heddle_child_run(arguments, NULL, VERSION_SECONDS, answer, VERSION_BYTES);
    snprintf(asked, sizeof asked, "%s", path);
  }
  const bool reads = strncmp(answer, compiler, length) == 0 && answer[length] == ',';
  pthread_mutex_unlock(&asking);
  return reads;
}
