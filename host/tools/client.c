// SPDX-License-Identifier: Apache-2.0
// Errors, files, devices and sessions of the command-line programs (client.h).
#include "host/tools/client.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "contract/fat_binary.h"
#include "contract/spirv.h"
#include "host/include/CL/cl_heddle.h"
#include "host/tools/checkout.h"

const char *program_name = "heddle";

void die(int status, const char *format, ...) {
  fflush(stdout);
  fprintf(stderr, "%s: ", program_name);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(status);
}

void check(cl_int code, const char *call) {
  if (code != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "%s failed: %s (%d)", call, error_name(code), code);
}

void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory)
    die(EXIT_KERNEL_FAILED, "no memory for %zu bytes", bytes);
  return memory;
}

void answer_help(int argc, char **argv, const char *usage) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      puts(usage);
      exit(0);
    }
}

char *device_text(cl_device_id device, cl_device_info name) {
  size_t bytes = 0;
  if (clGetDeviceInfo(device, name, 0, NULL, &bytes) != CL_SUCCESS)
    return strdup("?");
  char *text = allocate(bytes + 1);
  check(clGetDeviceInfo(device, name, bytes, text, NULL), "clGetDeviceInfo");
  return text;
}

int number_base(const char *text) {
  text += *text == '-' || *text == '+';
  return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
}

char *read_file(const char *path, size_t *bytes) {
  return read_file_up_to(path, (size_t)64 << 20, bytes);
}

char *read_file_up_to(const char *path, size_t most, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file)
    die(EXIT_USAGE, "cannot open %s: %s", path, strerror(errno));
  size_t room = 1 << 16, used = 0;
  char *text = allocate(room + 1);
  size_t got;
  while ((got = fread(text + used, 1, room - used, file)) > 0) {
    used += got;
    if (used > most) {
      char words[32];
      die(EXIT_USAGE, "%s has more than %s, which is all that there is room for", path, byte_words(most, words));
    }
    if (used == room) {
      room *= 2;
      text = realloc(text, room + 1);
      if (!text)
        die(EXIT_KERNEL_FAILED, "no memory for %s", path);
    }
  }
  if (ferror(file))
    die(EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
  fclose(file);
  text[used] = '\0';
  *bytes = used;
  return text;
}

char *shared_file(const char *name) {
  char path[PATH_MAX + 1] = "";
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  path[length > 0 ? length : 0] = '\0';
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(path, '/');
    if (slash)
      *slash = '\0';
  }
  const size_t room = strlen(path) + strlen(name) + 32;
  char *result = allocate(room);
  snprintf(result, room, "%s/share/heddle/%s", path, name);
  return result;
}

cl_uint heddle_devices(cl_device_id *devices, cl_uint room) {
  heddle_use_checkout();
  cl_platform_id platforms[32];
  cl_uint platform_count = 0;
  if (clGetPlatformIDs(32, platforms, &platform_count) != CL_SUCCESS)
    platform_count = 0;
  for (cl_uint i = 0; i < platform_count && i < 32; i++) {
    char name[64] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_VENDOR, sizeof name, name, NULL);
    if (strcmp(name, "Heddle") != 0)
      continue;
    cl_uint count = 0;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, room, devices, &count) == CL_SUCCESS && count > 0)
      return count < room ? count : room;
  }
  die(EXIT_NO_DEVICE,
      "no Heddle device among the %u OpenCL platforms of this machine; in a checkout run `make` and use build/bin, or "
      "`make install`, or set OCL_ICD_VENDORS to the folder that holds heddle.icd",
      platform_count);
}

cl_device_id choose_device(const char *which) {
  cl_device_id devices[32];
  const cl_uint count = heddle_devices(devices, 32);
  if (!which)
    return devices[0];
  char *end;
  const unsigned long number = strtoul(which, &end, 10);
  if (*which && *end == '\0') {
    if (number < count)
      return devices[number];
    die(EXIT_NO_DEVICE, "there is no device %lu: `heddle info` lists %u, from 0", number, count);
  }
  char wanted[128];
  if (strcasecmp(which, "sim") == 0 || strcasecmp(which, "model") == 0 || strcasecmp(which, "board") == 0)
    snprintf(wanted, sizeof wanted, "Heddle %s", which);
  else
    snprintf(wanted, sizeof wanted, "%s", which);
  for (cl_uint i = 0; i < count; i++) {
    char *name = device_text(devices[i], CL_DEVICE_NAME);
    const bool fits = strcasestr(name, wanted);
    free(name);
    if (fits)
      return devices[i];
  }
  die(EXIT_NO_DEVICE, "no device is called \"%s\"; `heddle info` lists those there are", which);
}

static void CL_CALLBACK report_notice(const char *text, const void *info, size_t bytes, void *user) {
  (void)info, (void)bytes, (void)user;
  // A progress line may stand there: begin a fresh one over it.
  fprintf(stderr, "%s%s: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", program_name, text);
}

struct session open_session(cl_device_id device) {
  struct session session = {.device = device};
  cl_int error;
  char *unavailable = device_text(device, CL_DEVICE_UNAVAILABLE_HEDDLE);
  if (*unavailable)
    die(EXIT_NO_DEVICE, "the device is not available: %s", unavailable);
  free(unavailable);
  session.context = clCreateContext(NULL, 1, &device, report_notice, NULL, &error);
  check(error, "clCreateContext");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  session.queue = clCreateCommandQueueWithProperties(session.context, device, properties, &error);
  check(error, "clCreateCommandQueueWithProperties");
  return session;
}

// A kernel file, or some with bitstreams.
static bool is_binary(const char *text, size_t bytes) {
  return (bytes > 4 && memcmp(text, "\177ELF", 4) == 0) || heddle_fat_claimed(text, bytes);
}

// `#line 1 "path"`, the path spelled as a C string. A line break in it would end the directive, and what is behind it
// would be source.
static char *line_directive(const char *path) {
  char *text = allocate(2 * strlen(path) + sizeof "#line 1 \"\"\n"), *at = text;
  at += sprintf(at, "#line 1 \"");
  for (; *path; path++) {
    if (*path == '"' || *path == '\\')
      *at++ = '\\';
    *at++ = *path == '\n' || *path == '\r' ? ' ' : *path;
  }
  strcpy(at, "\"\n");
  return text;
}

cl_program build_program(struct session *session, const char *source, size_t bytes, const char *options,
                         const char *path) {
  cl_int error;
  cl_program program;
  if (is_binary(source, bytes)) {
    const unsigned char *binary = (const unsigned char *)source;
    program = clCreateProgramWithBinary(session->context, 1, &session->device, &bytes, &binary, NULL, &error);
    if (error != CL_SUCCESS)
      die(EXIT_BUILD_FAILED, "%s is no kernel file for this device: %s", path, error_name(error));
  } else if (heddle_spirv_claimed(source, bytes)) {
    program = clCreateProgramWithIL(session->context, source, bytes, &error);
    if (error != CL_SUCCESS)
      die(EXIT_BUILD_FAILED, "%s is no SPIR-V that this device takes: %s", path, error_name(error));
  } else {
    // Diagnostics and faults then name the file as the user did.
    char *name = line_directive(path);
    const char *parts[] = {name, source};
    const size_t sizes[] = {strlen(name), bytes};
    program = clCreateProgramWithSource(session->context, 2, parts, sizes, &error);
    check(error, "clCreateProgramWithSource");
    free(name);
  }
  error = clBuildProgram(program, 1, &session->device, options, NULL, NULL);
  size_t log_bytes = 0;
  clGetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &log_bytes);
  char *log = allocate(log_bytes + 1);
  clGetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, log_bytes, log, NULL);
  if (log[0])
    fprintf(stderr, "%s%s", log, log[strlen(log) - 1] == '\n' ? "" : "\n");
  if (error == CL_INVALID_BUILD_OPTIONS)
    die(EXIT_USAGE, "the compiler does not take the build options \"%s\"", options);
  if (error != CL_SUCCESS)
    die(EXIT_BUILD_FAILED, "%s does not build (%s)", path, error_name(error));
  free(log);
  return program;
}
