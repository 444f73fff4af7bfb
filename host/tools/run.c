// SPDX-License-Identifier: Apache-2.0
// `heddle run`: one kernel from a file, its arguments from the command line, its results printed or saved.
#include <CL/cl_ext.h>
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"
#include "host/tools/argument.h"
#include "host/tools/client.h"
#include "host/tools/heddle.h"

static const char usage[] =
    "usage: heddle run KERNEL.cl --global X[,Y[,Z]] [OPTION...] ARGUMENT...\n"
    "\n"
    "Builds KERNEL.cl (or takes SPIR-V or a kernel file made by heddlec), runs one kernel of it once, and prints what "
    "it wrote.\n"
    "\n"
    "The NDRange\n"
    "  -g, --global X[,Y[,Z]]   how many work-items in each dimension\n"
    "  -l, --local X[,Y[,Z]]    how many of them form a work-group (default: the library chooses)\n"
    "      --offset X[,Y[,Z]]   where global ids begin (default 0)\n"
    "\n"
    "Arguments, in the kernel's order or each as NAME=...; a pointer takes a buffer, anything else a value\n"
    "  3,1,7,0                  these values; -0x10 and 2.5e3 are understood too\n"
    "  zeros(N)                 N elements of zero\n"
    "  fill(V,N)                N elements of V\n"
    "  range(N)  range(A,B)  range(A,B,STEP)      0 to N-1; A up to, but without, B\n"
    "  random(N)  random(N,LOW,HIGH[,SEED])       the same on every run; below 100, or from 0 to 1 for float\n"
    "  @FILE                    a file: .npy (type and shape have to fit), .png (uchar, uchar3, uchar4 or uint), the\n"
    "                           numbers of .txt and .csv, the bytes of any other\n"
    "  local:BYTES              room in local memory, for a local pointer\n"
    "  Elements have the type that the kernel declares. TYPE: in front says it where the kernel does not (a "
    "structure,\n"
    "  void*): char uchar short ushort int uint long ulong float double, and their vectors, as in float4:zeros(16).\n"
    "\n"
    "Results\n"
    "  -p, --print NAME         print all of this buffer (default: the first 64 elements of each that the kernel may "
    "write)\n"
    "  -o, --out NAME=FILE      save this buffer, as .npy, .png, .txt and .csv say, else as bytes; its shape is that "
    "of\n"
    "                           the file that it came from, or the NDRange's\n"
    "  -q, --quiet              print no buffers\n"
    "  -s, --stats              print the cycle figures: where the cycles went (issues, memory wait, conflicts,\n"
    "                           idle), active lanes, cache hits, memory requests\n"
    "      --profile[=FILE]     where the cycles went, by source line, hottest first; of a FILE.json every "
    "instruction\n"
    "      --trace FILE         what happened when, from the program to the slots of the device: a timeline for\n"
    "                           Perfetto (ui.perfetto.dev) or chrome://tracing\n"
    "      --report FILE.html   all of that as one page to look at, with advice\n"
    "  -j, --json               the same as one JSON object, and nothing else on standard output: what the kernel\n"
    "                           prints goes to standard error\n"
    "\n"
    "More\n"
    "  -k, --kernel NAME        which kernel of the file (needed when it has several)\n"
    "      --hardware           on pipelines of its own kernels: a simulated device is made of them, once, and no\n"
    "                           programmable unit (HEDDLE_SIM_UNITS=1: with one for kernels that cannot be hardware)\n"
    "      --lanes L            of these pipelines, 1 to 32 (default: what the kernel requires, else 4)\n"
    "      --copies N           so many pipelines, 1 to 15, which share out the work-groups\n"
    "  -d, --device WHICH       sim (the default), model, a number of `heddle info`, or part of a name\n"
    "  -b, --build-options OPT  for the compiler, as in clBuildProgram: \"-DN=4 -cl-fast-relaxed-math\". The language "
    "is\n"
    "                           OpenCL C 3.0 unless they hold a -cl-std\n"
    "      --check              look for mistakes with memory, on the model: accesses out of bounds, values that "
    "nobody\n"
    "                           has written, data races, barriers that not all reach (docs/how-to/check-a-kernel.md)\n"
    "      --budget CYCLES      stop the kernel after so many cycles\n"
    "      --progress WHEN      auto (on a terminal), always, never\n"
    "  -h, --help               this text\n"
    "\n"
    "Examples\n"
    "  heddle run scan.cl -g 8 -l 8 3,1,7,0,4,1,6,3 'zeros(8)' 'zeros(8)'\n"
    "  heddle run saxpy.cl -k saxpy -g 4096 a=3 'x=range(4096)' 'y=random(4096)' --out y=y.txt --stats\n"
    "\n"
    "Exit status: 0 fine, 1 the kernel failed or --check found something, 2 wrong usage, 3 the kernel does not build, "
    "4 no device\n";

enum { OUTPUTS_MAX = 64, SHOWN_BY_DEFAULT = 64 };

struct request {
  const char *path, *kernel, *device, *build_options;
  size_t global[3], local[3], offset[3];
  unsigned global_dim, local_dim, offset_dim;
  bool stats, json, quiet, hardware, checks;
  const char *lanes;    // of pipelines; NULL: whatever the kernel requires
  const char *copies;   // of pipelines; NULL: one
  const char *profile;  // file, "-" for standard output; NULL: none
  enum progress progress;
  const char *prints[OUTPUTS_MAX], *saves[OUTPUTS_MAX];
  unsigned print_count, save_count;
};

static unsigned parse_sizes(const char *option, const char *text, size_t sizes[3]) {
  unsigned count = 0;
  const char *at = text;
  do {
    char *end;
    if (count == 3)
      die(EXIT_USAGE, "%s %s: an NDRange has 1 to 3 dimensions", option, text);
    at += strspn(at, " ");
    errno = 0;
    const unsigned long long size = strtoull(at, &end, 0);
    if (*at < '0' || *at > '9' || (*end && ((*end != ',' && *end != 'x') || !end[1])))
      die(EXIT_USAGE, "%s %s: expected numbers with commas between, as 64,8", option, text);
    if (errno != 0 || size > UINT32_MAX)
      die(EXIT_USAGE, "%s %s: a dimension has at most %u", option, text, UINT32_MAX);
    sizes[count++] = (size_t)size;
    at = *end ? end + 1 : end;
  } while (*at);
  return count;
}

static const char *listed(const char **list, unsigned *count, const char *text) {
  if (*count == OUTPUTS_MAX)
    die(EXIT_USAGE, "more than %d --print or --out", OUTPUTS_MAX);
  return list[(*count)++] = text;
}

static struct request parse_options(int argc, char **argv) {
  enum { OFFSET = 1000, BUDGET, PROGRESS, HARDWARE, LANES, COPIES, PROFILE, TRACE, CHECK, REPORT };
  static const struct option options[] = {{"global", required_argument, NULL, 'g'},
                                          {"local", required_argument, NULL, 'l'},
                                          {"offset", required_argument, NULL, OFFSET},
                                          {"kernel", required_argument, NULL, 'k'},
                                          {"device", required_argument, NULL, 'd'},
                                          {"print", required_argument, NULL, 'p'},
                                          {"out", required_argument, NULL, 'o'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"stats", no_argument, NULL, 's'},
                                          {"profile", optional_argument, NULL, PROFILE},
                                          {"trace", required_argument, NULL, TRACE},
                                          {"report", required_argument, NULL, REPORT},
                                          {"json", no_argument, NULL, 'j'},
                                          {"build-options", required_argument, NULL, 'b'},
                                          {"budget", required_argument, NULL, BUDGET},
                                          {"check", no_argument, NULL, CHECK},
                                          {"hardware", no_argument, NULL, HARDWARE},
                                          {"lanes", required_argument, NULL, LANES},
                                          {"copies", required_argument, NULL, COPIES},
                                          {"progress", required_argument, NULL, PROGRESS},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  struct request r = {.build_options = ""};
  char *end;
  for (int option; (option = getopt_long(argc, argv, "g:l:k:d:p:o:qsjb:h", options, NULL)) != -1;)
    switch (option) {
      case 'g':
        r.global_dim = parse_sizes("--global", optarg, r.global);
        break;
      case 'l':
        r.local_dim = parse_sizes("--local", optarg, r.local);
        break;
      case OFFSET:
        r.offset_dim = parse_sizes("--offset", optarg, r.offset);
        break;
      case 'k':
        r.kernel = optarg;
        break;
      case 'd':
        r.device = optarg;
        break;
      case 'p':
        listed(r.prints, &r.print_count, optarg);
        break;
      case 'o':
        if (!strchr(listed(r.saves, &r.save_count, optarg), '='))
          die(EXIT_USAGE, "--out %s: expected NAME=FILE", optarg);
        break;
      case 'q':
        r.quiet = true;
        break;
      case 's':
        r.stats = true;
        break;
      case TRACE:
        setenv("HEDDLE_TRACE", optarg, 1);  // the library reads it with the first call
        break;
      case REPORT:
        setenv("HEDDLE_REPORT", optarg, 1);
        break;
      case PROFILE:
        r.profile = optarg ? optarg : "-";
        break;
      case 'j':
        r.stats = r.json = r.quiet = true;
        break;
      case 'b':
        r.build_options = optarg;
        break;
      case BUDGET:
        if (strtoull(optarg, &end, 0) == 0 || *end)
          die(EXIT_USAGE, "--budget %s: expected a number of cycles", optarg);
        setenv("HEDDLE_BUDGET_CYCLES", optarg, 1);  // the library reads it when it opens the device
        break;
      case PROGRESS:
        if (strcmp(optarg, "auto") != 0 && strcmp(optarg, "always") != 0 && strcmp(optarg, "never") != 0)
          die(EXIT_USAGE, "--progress %s: expected auto, always or never", optarg);
        r.progress = optarg[1] == 'u' ? PROGRESS_AUTO : optarg[0] == 'a' ? PROGRESS_ON : PROGRESS_OFF;
        break;
      case CHECK:
        setenv("HEDDLE_CHECK", "1", 1);  // the library reads it when it looks for devices
        r.checks = true;
        break;
      case HARDWARE:
        r.hardware = true;
        break;
      case LANES:
        r.lanes = optarg;
        break;
      case COPIES:
        r.copies = optarg;
        break;
      case 'h':
        fputs(usage, stdout);
        exit(0);
      default:
        die(EXIT_USAGE, "see `heddle run --help`");
    }
  if ((r.lanes || r.copies) && !r.hardware)
    die(EXIT_USAGE, "--lanes and --copies are for --hardware");
  if (r.checks && r.hardware)
    die(EXIT_USAGE, "--check is for the model, not for --hardware");
  if (r.profile && r.json && strcmp(r.profile, "-") == 0)
    die(EXIT_USAGE, "--json has standard output to itself; give --profile=FILE");
  if (r.profile)
    setenv("HEDDLE_PROFILE", r.profile, 1);  // the library reads it when it opens the device
  if (optind == argc)
    die(EXIT_USAGE, "which kernel file? see `heddle run --help`");
  r.path = argv[optind++];
  if (r.global_dim == 0)
    die(EXIT_USAGE, "how many work-items? give --global X[,Y[,Z]]");
  if (r.local_dim && r.local_dim != r.global_dim)
    die(EXIT_USAGE, "--local needs as many dimensions as --global");
  if (r.offset_dim && r.offset_dim != r.global_dim)
    die(EXIT_USAGE, "--offset needs as many dimensions as --global");
  return r;
}

// OpenCL asks for OpenCL C 1.2 where no -cl-std is given, which has neither work-group collectives nor remainder
// work-groups; who types a command wants the language of today. And arguments are given by their names.
static char *completed_options(const char *options) {
  const size_t room = strlen(options) + 64;
  char *result = allocate(room);
  snprintf(result, room, "-cl-std=CL3.0 -cl-kernel-arg-info %s", options);  // of several -cl-std the last one counts
  return result;
}

// With the folder of the source for its #include "…", as compilers have it. Takes `options`.
static char *with_folder_of(const char *path, char *options) {
  const char *last = strrchr(path, '/');
  const char *folder = last ? path : ".";
  const size_t length = last ? (size_t)(last - path) + 1 : 1;
  if (strcmp(path, "-") == 0)
    return options;
  char *result = allocate(strlen(options) + 2 * length + 8);
  char *end = result + sprintf(result, "%s -I \"", options);
  for (size_t i = 0; i < length; i++) {
    if (strchr("\"\\", folder[i]))
      *end++ = '\\';
    *end++ = folder[i];
  }
  memcpy(end, "\"", 2);
  free(options);
  return result;
}

// What the library makes a device of (host/cl/hardware.h).
static void ask_for_hardware(const struct request *request, const char *build_options) {
  const size_t room = strlen(build_options) + 32 + (request->lanes ? strlen(request->lanes) : 0) +
                      (request->copies ? strlen(request->copies) : 0);
  char *options = allocate(room);
  if (strcmp(request->path, "-") == 0)
    die(EXIT_USAGE, "--hardware needs a source file, not standard input");
  snprintf(options, room, "%s%s %s%s %s", request->lanes ? "--lanes=" : "", request->lanes ? request->lanes : "",
           request->copies ? "--copies=" : "", request->copies ? request->copies : "", build_options);
  setenv("HEDDLE_HARDWARE", request->path, 1);
  setenv("HEDDLE_HARDWARE_OPTIONS", options, 1);
  free(options);
}

static cl_kernel choose_kernel(cl_program program, const struct request *request) {
  size_t bytes = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes), "clGetProgramInfo");
  char *names = allocate(bytes + 1);
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, bytes, names, NULL), "clGetProgramInfo");
  if (names[0] == '\0')
    die(EXIT_BUILD_FAILED, "%s has no kernel in it", request->path);
  if (!request->kernel && strchr(names, ';'))
    die(EXIT_USAGE, "%s has several kernels (%s); choose with --kernel", request->path, names);
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, request->kernel ? request->kernel : names, &error);
  if (error == CL_INVALID_KERNEL_NAME)
    die(EXIT_USAGE, "%s has no kernel \"%s\", but: %s", request->path, request->kernel, names);
  check(error, "clCreateKernel");
  free(names);
  return kernel;
}

// The index of the argument of this name, given as NAME or NAME=...; or count.
static unsigned argument_named(const struct argument *arguments, unsigned count, const char *text) {
  const size_t length = strcspn(text, "=");
  unsigned i = 0;
  while (i < count && !(strlen(arguments[i].name) == length && memcmp(arguments[i].name, text, length) == 0))
    i++;
  return i;
}

static void print_signature(const struct argument *arguments, unsigned count, FILE *stream) {
  for (unsigned i = 0; i < count; i++)
    fprintf(stream, "%s%s %s", i ? ", " : "", arguments[i].type_name, arguments[i].name);
}

static void fill_arguments(struct argument *arguments, unsigned count, char **texts, unsigned text_count) {
  const char **given = allocate((count + 1) * sizeof *given);
  unsigned next = 0;
  for (unsigned t = 0; t < text_count; t++) {
    const size_t word = strspn(texts[t], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    unsigned index;
    const char *value = texts[t];
    if (word && texts[t][word] == '=') {
      index = argument_named(arguments, count, texts[t]);
      if (index == count)
        die(EXIT_USAGE, "the kernel has no argument \"%.*s\"", (int)word, texts[t]);
      value += word + 1;
    } else {
      while (next < count && given[next])
        next++;
      index = next;
      if (index == count) {
        fprintf(stderr, "%s: too many arguments; the kernel takes %u: ", program_name, count);
        print_signature(arguments, count, stderr);
        fputc('\n', stderr);
        exit(EXIT_USAGE);
      }
    }
    if (given[index])
      die(EXIT_USAGE, "argument %s is given twice", arguments[index].name);
    given[index] = value;
  }
  for (unsigned i = 0; i < count; i++) {
    if (!given[i]) {
      fprintf(stderr, "%s: argument %s is missing; the kernel takes %u: ", program_name, arguments[i].name, count);
      print_signature(arguments, count, stderr);
      fputc('\n', stderr);
      exit(EXIT_USAGE);
    }
    parse_argument(&arguments[i], given[i]);
  }
  free(given);
}

static void set_arguments(struct session *session, cl_kernel kernel, struct argument *arguments, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    struct argument *a = &arguments[i];
    cl_int error = CL_SUCCESS;
    if (a->role == ROLE_BUFFER) {
      a->buffer = clCreateBuffer(session->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, a->bytes, a->data, &error);
      if (error != CL_SUCCESS)
        die(EXIT_KERNEL_FAILED, "no buffer of %zu bytes for %s: %s", a->bytes, a->name, error_name(error));
      error = clSetKernelArg(kernel, i, sizeof a->buffer, &a->buffer);
    } else {
      error = clSetKernelArg(kernel, i, a->bytes, a->role == ROLE_LOCAL ? NULL : a->data);
    }
    if (error != CL_SUCCESS)
      die(EXIT_USAGE, "the kernel does not take argument %s of %zu bytes for its %s: %s", a->name, a->bytes,
          a->type_name, error_name(error));
  }
}

// 0: the library chose the work-groups, and with them the sub-groups.
static size_t sub_group_size(struct session *session, cl_kernel kernel, const struct request *request) {
  size_t size = 0;
  if (!request->local_dim || clGetKernelSubGroupInfo(kernel, session->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                                     request->local_dim * sizeof(size_t), request->local, sizeof size,
                                                     &size, NULL) != CL_SUCCESS)
    return 0;
  return size;
}

static cl_ulong work_groups_of(cl_event event) {
  cl_ulong groups = 0;
  check(clGetEventInfo(event, CL_EVENT_GROUPS_TOTAL_HEDDLE, sizeof groups, &groups, NULL), "clGetEventInfo");
  return groups;
}

static void print_share(const char *what, const struct figures *f, uint64_t cycles) {
  char text[32];
  printf("  %-15s %14s  %5.1f %%\n", what, grouped(cycles, text), 100 * share_of_cycles(f, cycles));
}

static void print_breakdown(const struct figures *f) {
  if (!has_breakdown(f)) {
    puts("  (this device counts issues for cycles: it has no figures of memory wait, conflicts and idle)");
    return;
  }
  print_share("issues", f, f->issues);
  print_share("memory wait", f, f->memory_wait);
  print_share("conflicts", f, f->conflict);
  print_share("idle", f, idle_cycles(f));
}

static void print_stats(struct session *session, const struct figures *f, cl_ulong groups, size_t size,
                        double seconds) {
  char text[96];
  char *name = device_text(session->device, CL_DEVICE_NAME);
  printf("device            %s\n", name);
  free(name);
  printf("work-groups       %s", grouped(groups, text));
  if (size)
    printf(" in sub-groups of %zu", size);
  printf("\ncycles            %s\n", grouped(f->cycles, text));
  print_breakdown(f);
  printf("issues            %s, %.2f a cycle\n", grouped(f->issues, text), issues_per_cycle(f));
  printf("active lanes      %.1f %% of %u\n", 100 * lane_efficiency(f), f->lanes);
  printf("cache             %s", byte_words(device_figure(session->device, CL_DEVICE_CACHE_BYTES_HEDDLE), text));
  if (f->cache_requests)
    printf(", %s requests, %.1f %% hits", grouped(f->cache_requests, text), 100 * cache_hits(f));
  printf("\nmemory requests   %s\n", grouped(f->memory_requests, text));
  printf("external memory   %s\n", memory_words(session->device, text));
  const double time = milliseconds(f);
  printf("time at %g MHz   %.3f %s\n", (double)f->clock_khz / 1000, time < 1 ? time * 1000 : time,
         time < 1 ? "us" : "ms");
  printf("simulated in      %.2f s", seconds);
  if (seconds > 0)
    printf(" (%.0f kHz)", (double)f->cycles / seconds / 1000);
  putchar('\n');
}

static void print_json_count(const char *key, bool known, uint64_t value) {
  if (known)
    printf(", \"%s\": %llu", key, (unsigned long long)value);
  else
    printf(", \"%s\": null", key);
}

static void print_json(struct session *session, const struct figures *f, cl_ulong groups, size_t size, double seconds) {
  const uint32_t latency = device_figure(session->device, CL_DEVICE_MEMORY_LATENCY_HEDDLE);
  const uint32_t interval = device_figure(session->device, CL_DEVICE_MEMORY_INTERVAL_HEDDLE);
  const uint32_t cache = device_figure(session->device, CL_DEVICE_CACHE_BYTES_HEDDLE);
  char *name = device_text(session->device, CL_DEVICE_NAME);
  printf("{\"device\": \"%s\"", name);  // our own text: letters, digits and brackets
  free(name);
  print_json_count("lanes", true, f->lanes);
  print_json_count("units", true, f->units);
  print_json_count("work_groups", true, groups);
  print_json_count("sub_group_size", size != 0, size);
  print_json_count("cycles", true, f->cycles);
  print_json_count("issues", true, f->issues);
  print_json_count("memory_wait_cycles", has_breakdown(f), f->memory_wait);
  print_json_count("conflict_cycles", has_breakdown(f), f->conflict);
  print_json_count("idle_cycles", has_breakdown(f), idle_cycles(f));
  print_json_count("active_lanes", true, f->active_lanes);
  print_json_count("cache_bytes", true, cache);
  print_json_count("cache_requests", cache != 0, f->cache_requests);
  print_json_count("cache_misses", cache != 0, f->cache_misses);
  print_json_count("memory_requests", true, f->memory_requests);
  print_json_count("memory_line", true, device_figure(session->device, CL_DEVICE_LINE_BYTES_HEDDLE));
  print_json_count("memory_latency", latency != 0, latency);
  print_json_count("memory_interval", interval != 0, interval);
  print_json_count("memory_channels", true, device_figure(session->device, CL_DEVICE_MEMORY_CHANNELS_HEDDLE));
  print_json_count("clock_khz", true, f->clock_khz);
  printf(", \"seconds\": %.6f}\n", seconds);
}

static void show_stats(struct session *session, cl_kernel kernel, cl_event event, const struct request *request,
                       double seconds) {
  const struct figures f = figures_of(session->device, event);
  if (request->stats)
    (request->json ? print_json : print_stats)(session, &f, work_groups_of(event),
                                               sub_group_size(session, kernel, request), seconds);
}

static void show_results(struct session *session, struct argument *arguments, unsigned count,
                         const struct request *request) {
  for (unsigned i = 0; i < count; i++)
    if (arguments[i].buffer && arguments[i].kernel_writes)
      check(clEnqueueReadBuffer(session->queue, arguments[i].buffer, CL_TRUE, 0, arguments[i].bytes, arguments[i].data,
                                0, NULL, NULL),
            "clEnqueueReadBuffer");
  // Fastest first in an NDRange, slowest first in a file.
  size_t shape[3];
  for (unsigned i = 0; i < request->global_dim; i++)
    shape[i] = request->global[request->global_dim - 1 - i];
  for (unsigned i = 0; i < count; i++)
    if (arguments[i].buffer)
      give_shape(&arguments[i], shape, request->global_dim);
  for (unsigned o = 0; o < request->save_count; o++)
    save_elements(&arguments[argument_named(arguments, count, request->saves[o])], strchr(request->saves[o], '=') + 1);
  if (request->quiet)
    return;
  for (unsigned o = 0; o < request->print_count; o++)
    print_elements(stdout, &arguments[argument_named(arguments, count, request->prints[o])], 0);
  if (request->print_count == 0 && request->save_count == 0)
    for (unsigned i = 0; i < count; i++)
      if (arguments[i].buffer && arguments[i].kernel_writes)
        print_elements(stdout, &arguments[i], SHOWN_BY_DEFAULT);
}

static void check_names(const char *const *texts, unsigned text_count, const struct argument *arguments,
                        unsigned count) {
  for (unsigned t = 0; t < text_count; t++) {
    const unsigned i = argument_named(arguments, count, texts[t]);
    if (i == count)
      die(EXIT_USAGE, "the kernel has no argument \"%.*s\" to print or save", (int)strcspn(texts[t], "="), texts[t]);
    if (arguments[i].role != ROLE_BUFFER)
      die(EXIT_USAGE, "argument %s is no buffer", arguments[i].name);
  }
}

// Makes standard output another open file. A copy of the old one is returned.
static int replace_stdout(int by) {
  fflush(stdout);
  const int old = dup(STDOUT_FILENO);
  if (old < 0 || dup2(by, STDOUT_FILENO) < 0)
    die(EXIT_KERNEL_FAILED, "cannot redirect standard output: %s", strerror(errno));
  return old;
}

int command_run(int argc, char **argv) {
  argv[0] = (char[]){"heddle run"};  // getopt begins its messages with it
  const struct request request = parse_options(argc, argv);
  size_t bytes;
  char *source = read_file(request.path, &bytes);
  char *build_options = completed_options(request.build_options);
  if (request.hardware)
    ask_for_hardware(&request, build_options);
  build_options = with_folder_of(request.path, build_options);
  struct session session = open_session(choose_device(request.device));
  cl_program program = build_program(&session, source, bytes, build_options, request.path);
  cl_kernel kernel = choose_kernel(program, &request);
  unsigned count;
  struct argument *arguments = kernel_arguments(kernel, &count);
  check_names(request.prints, request.print_count, arguments, count);
  check_names(request.saves, request.save_count, arguments, count);
  fill_arguments(arguments, count, argv + optind, (unsigned)(argc - optind));
  set_arguments(&session, kernel, arguments, count);

  const int standard_output = request.json ? replace_stdout(STDERR_FILENO) : -1;  // what the kernel prints
  cl_event event;
  cl_int error =
      clEnqueueNDRangeKernel(session.queue, kernel, request.global_dim, request.offset_dim ? request.offset : NULL,
                             request.global, request.local_dim ? request.local : NULL, 0, NULL, &event);
  if (error == CL_INVALID_WORK_GROUP_SIZE || error == CL_INVALID_WORK_ITEM_SIZE) {
    size_t limit = 0;
    check(clGetKernelWorkGroupInfo(kernel, session.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL),
          "clGetKernelWorkGroupInfo");
    die(EXIT_USAGE,
        "this kernel cannot have such work-groups: at most %zu work-items, and what its reqd_work_group_size says",
        limit);
  }
  check(error, "clEnqueueNDRangeKernel");
  double seconds;
  error = wait_with_progress(event, "running", request.progress, &seconds);
  if (request.json)
    close(replace_stdout(standard_output));
  if (error != CL_SUCCESS) {  // the context callback has printed kernel, reason and work-item
    show_stats(&session, kernel, event, &request, seconds);
    return EXIT_KERNEL_FAILED;
  }
  show_results(&session, arguments, count, &request);
  show_stats(&session, kernel, event, &request, seconds);
  return 0;
}
