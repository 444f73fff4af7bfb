// SPDX-License-Identifier: Apache-2.0
// The options of `heddle run` and its --help (run_options.h).
#include "host/tools/run_options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "host/tools/run_files.h"

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
    "  void*): char uchar short ushort int uint long ulong half float double, and their vectors, as in "
    "float4:zeros(16).\n"
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
    "      --konata FILE        every instruction that the simulated RTL issues, with its stages: a log for Konata\n"
    "      --konata-from CYCLE, --konata-to CYCLE     only those that begin in these cycles of the kernel\n"
    "      --wave FILE.fst      waveforms of the simulated RTL, for GTKWave; FILE.gtkw has the signals of the stages.\n"
    "                           The device that records them is made once, which takes some 40 s\n"
    "      --wave-from CYCLE, --wave-to CYCLE         only from this cycle of the kernel, from 0, and up to this one\n"
    "      --wave-before-fault CYCLES                 only so many cycles before a fault, and a few behind it\n"
    "      --report FILE.html   all of that as one page to look at, with advice\n"
    "  -j, --json               the same as one JSON object, with the faults and the findings of --check, and nothing\n"
    "                           else on standard output: what the kernel prints goes to standard error\n"
    "\n"
    "More\n"
    "  -k, --kernel NAME        which kernel of the file (needed when it has several)\n"
    "      --hardware           on pipelines of its own kernels: a simulated device is made of them, once, and no\n"
    "                           programmable unit (HEDDLE_SIM_UNITS=1: with one for kernels that cannot be hardware)\n"
    "      --lanes L            of these pipelines, 1 to 32 (default: what the kernel requires, else 4)\n"
    "      --copies N           so many pipelines, 1 to 15, which share out the work-groups\n"
    "      --verilog FILE.v     modules that functions with verilog_module(\"NAME\", LATENCY) are; may be there "
    "several\n"
    "                           times\n"
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

static unsigned parse_sizes(const char *option, const char *text, size_t sizes[3]) {
  unsigned count = 0;
  const char *at = text;
  do {
    char *end;
    if (count == 3)
      die(EXIT_USAGE, "%s %s: an NDRange has 1 to 3 dimensions", option, text);
    at += strspn(at, " ");
    errno = 0;
    const unsigned long long size = strtoull(at, &end, number_base(at));
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

// Which cycles are recorded, as texts.
struct wave_options {
  const char *from, *to, *before_fault;
};

static unsigned long long parse_cycles(const char *option, const char *text, const char *variable) {
  char *end;
  errno = 0;
  const unsigned long long cycles = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno != 0)
    die(EXIT_USAGE, "%s %s: expected a number of cycles", option, text);
  setenv(variable, text, 1);  // the library reads it when it opens the device
  return cycles;
}

// Said before any device is opened: one that records waveforms would be made first, for whoever did not want it.
static void expect_no_model(const struct request *r, const char *option) {
  if (r->device && strcmp(r->device, "model") == 0)
    die(EXIT_USAGE, "%s is of the simulated RTL, --device sim, and not of Heddle model", option);
}

static void ask_for_waves(const struct request *r, const struct wave_options *wave) {
  const bool has_window = wave->from || wave->to;
  if (!r->wave && (has_window || wave->before_fault))
    die(EXIT_USAGE, "--wave-from, --wave-to and --wave-before-fault say which cycles of --wave FILE.fst");
  if (!r->wave)
    return;
  if (r->checks)
    die(EXIT_USAGE, "--wave is of the simulated RTL, --check of the model: take one of them");
  expect_no_model(r, "--wave");
  if (has_window && wave->before_fault)
    die(EXIT_USAGE, "--wave-before-fault says which cycles: take --wave-from and --wave-to away, or it");
  const unsigned long long from = wave->from ? parse_cycles("--wave-from", wave->from, "HEDDLE_WAVE_FROM") : 0;
  const unsigned long long to = wave->to ? parse_cycles("--wave-to", wave->to, "HEDDLE_WAVE_TO") : ULLONG_MAX;
  if (from > to)
    die(EXIT_USAGE, "--wave-from %llu is behind --wave-to %llu", from, to);
  if (wave->before_fault)
    parse_cycles("--wave-before-fault", wave->before_fault, "HEDDLE_WAVE_BEFORE_FAULT");
  expect_file("--wave", r->wave, wave->before_fault ? EXPECTED_FILE_OR_NONE : EXPECTED_FILE);  // there may be no fault
  setenv("HEDDLE_WAVE", r->wave, 1);
}

static void ask_for_konata(const struct request *r, const char *first, const char *last) {
  if (!r->konata && (first || last))
    die(EXIT_USAGE, "--konata-from and --konata-to say which cycles of --konata FILE");
  if (!r->konata)
    return;
  if (r->checks)
    die(EXIT_USAGE, "--konata is of the simulated RTL, --check of the model: take one of them");
  expect_no_model(r, "--konata");
  const unsigned long long from = first ? parse_cycles("--konata-from", first, "HEDDLE_KONATA_FROM") : 0;
  const unsigned long long to = last ? parse_cycles("--konata-to", last, "HEDDLE_KONATA_TO") : ULLONG_MAX;
  if (from > to)
    die(EXIT_USAGE, "--konata-from %llu is behind --konata-to %llu", from, to);
  expect_file("--konata", r->konata, EXPECTED_FILE);
  setenv("HEDDLE_KONATA", r->konata, 1);
}

// The library reads the variable with its first call.
static void ask_for_output(const char *option, const char *variable, const char *path) {
  if (!path)
    return;
  setenv(variable, expect_file(option, path, EXPECTED_OUTPUT), 1);
}

// Whether a board, or this kind of simulated device, is asked for.
static bool is_board_or(const struct request *r, const char *kind) {
  return r->device && (strcasecmp(r->device, "board") == 0 || strcasecmp(r->device, kind) == 0);
}

// Of getopt_long: words that are no options come one by one, as WORD; and a word such as -1,2 is none. To getopt_long
// it is an option with a value.
#define WORDS_IN_ORDER "-"
#define NUMBERS "0::1::2::3::4::5::6::7::8::9::.::"

enum {
  WORD = 1,
  OFFSET = 1000,
  BUDGET,
  PROGRESS,
  HARDWARE,
  LANES,
  COPIES,
  VERILOG,
  PROFILE,
  TRACE,
  CHECK,
  REPORT,
  WAVE,
  WAVE_FROM,
  WAVE_TO,
  WAVE_FAULT,
  KONATA,
  KONATA_FROM,
  KONATA_TO
};
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
                                        {"konata", required_argument, NULL, KONATA},
                                        {"konata-from", required_argument, NULL, KONATA_FROM},
                                        {"konata-to", required_argument, NULL, KONATA_TO},
                                        {"wave", required_argument, NULL, WAVE},
                                        {"wave-from", required_argument, NULL, WAVE_FROM},
                                        {"wave-to", required_argument, NULL, WAVE_TO},
                                        {"wave-before-fault", required_argument, NULL, WAVE_FAULT},
                                        {"json", no_argument, NULL, 'j'},
                                        {"build-options", required_argument, NULL, 'b'},
                                        {"budget", required_argument, NULL, BUDGET},
                                        {"check", no_argument, NULL, CHECK},
                                        {"hardware", no_argument, NULL, HARDWARE},
                                        {"lanes", required_argument, NULL, LANES},
                                        {"copies", required_argument, NULL, COPIES},
                                        {"verilog", required_argument, NULL, VERILOG},
                                        {"progress", required_argument, NULL, PROGRESS},
                                        {"help", no_argument, NULL, 'h'},
                                        {0}};

// What the options say, and the words that are none.
struct command_line {
  struct request request;
  struct wave_options wave;
  const char *konata_from, *konata_to, *trace, *report;
  char **argv, **words;
  int num_words;
};

static void set_budget(const char *text) {
  char *end;
  if (*text < '0' || *text > '9' || strtoull(text, &end, number_base(text)) == 0 || *end)
    die(EXIT_USAGE, "--budget %s: expected a number of cycles", text);
  setenv("HEDDLE_BUDGET_CYCLES", text, 1);  // the library reads it when it opens the device
}

static enum progress parse_progress(const char *text) {
  if (strcmp(text, "auto") != 0 && strcmp(text, "always") != 0 && strcmp(text, "never") != 0)
    die(EXIT_USAGE, "--progress %s: expected auto, always or never", text);
  return text[1] == 'u' ? PROGRESS_AUTO : text[0] == 'a' ? PROGRESS_ON : PROGRESS_OFF;
}

// Takes an option of getopt_long, whose value is `optarg`.
static void take_option(struct command_line *line, int option) {
  struct request *r = &line->request;
  switch (option) {
    case WORD:
      line->words[line->num_words++] = optarg;
      break;
    case 'g':
      r->global_dim = parse_sizes("--global", optarg, r->global);
      break;
    case 'l':
      r->local_dim = parse_sizes("--local", optarg, r->local);
      for (unsigned i = 0; i < r->local_dim; i++)
        if (r->local[i] == 0)
          die(EXIT_USAGE, "--local %s: a work-group has one work-item at least in each dimension", optarg);
      break;
    case OFFSET:
      r->offset_dim = parse_sizes("--offset", optarg, r->offset);
      break;
    case 'k':
      r->kernel = optarg;
      break;
    case 'd':
      r->device = optarg;
      break;
    case 'p':
      listed(r->prints, &r->print_count, optarg);
      break;
    case 'o':
      if (!strchr(listed(r->saves, &r->save_count, optarg), '='))
        die(EXIT_USAGE, "--out %s: expected NAME=FILE", optarg);
      break;
    case 'q':
      r->quiet = true;
      break;
    case 's':
      r->stats = true;
      break;
    case TRACE:
      line->trace = optarg;
      break;
    case REPORT:
      line->report = optarg;
      break;
    case KONATA:
      r->konata = optarg;
      break;
    case KONATA_FROM:
      line->konata_from = optarg;
      break;
    case KONATA_TO:
      line->konata_to = optarg;
      break;
    case WAVE:
      r->wave = optarg;
      break;
    case WAVE_FROM:
      line->wave.from = optarg;
      break;
    case WAVE_TO:
      line->wave.to = optarg;
      break;
    case WAVE_FAULT:
      line->wave.before_fault = optarg;
      break;
    case PROFILE:
      r->profile = optarg ? optarg : "-";
      break;
    case 'j':
      r->stats = r->json = r->quiet = true;
      break;
    case 'b':
      r->build_options = optarg;
      break;
    case BUDGET:
      set_budget(optarg);
      break;
    case PROGRESS:
      r->progress = parse_progress(optarg);
      break;
    case CHECK:
      setenv("HEDDLE_CHECK", "1", 1);  // the library reads it when it looks for devices
      r->checks = true;
      break;
    case HARDWARE:
      r->hardware = true;
      break;
    case LANES:
      r->lanes = optarg;
      break;
    case COPIES:
      r->copies = optarg;
      break;
    case VERILOG:
      r->verilog[r->num_verilog++] = optarg;
      break;
    case 'h':
      fputs(usage, stdout);
      exit(0);
    default:
      if (!strchr(NUMBERS, option))
        die(EXIT_USAGE, "see `heddle run --help`");
      line->words[line->num_words++] = line->argv[optind - 1];
  }
}

// Refuses options that do not go together, and tells the library what is asked for.
static void apply_options(struct command_line *line) {
  struct request *r = &line->request;
  if ((r->lanes || r->copies || r->num_verilog > 0) && !r->hardware)
    die(EXIT_USAGE, "--lanes, --copies and --verilog are for --hardware");
  if (r->checks && r->hardware)
    die(EXIT_USAGE, "--check is for the model, not for --hardware");
  if (r->checks && is_board_or(r, "sim"))
    die(EXIT_USAGE, "--check is for the model, not for --device %s", r->device);
  if (r->hardware && is_board_or(r, "model"))
    die(EXIT_USAGE, "--hardware is of the simulated RTL, --device sim, and not of --device %s", r->device);
  ask_for_waves(r, &line->wave);
  ask_for_konata(r, line->konata_from, line->konata_to);
  if (r->profile && r->json && strcmp(r->profile, "-") == 0)
    die(EXIT_USAGE, "--json has standard output to itself; give --profile=FILE");
  ask_for_output("--trace", "HEDDLE_TRACE", line->trace);
  ask_for_output("--report", "HEDDLE_REPORT", line->report);
  ask_for_output("--profile", "HEDDLE_PROFILE", r->profile);
  for (unsigned i = 0; i < r->save_count; i++)
    expect_file("--out", strchr(r->saves[i], '=') + 1, EXPECTED_SAVED);
}

struct request parse_options(int argc, char **argv) {
  struct command_line line = {.request = {.build_options = ""}, .argv = argv};
  line.words = allocate((size_t)argc * sizeof *line.words);
  line.request.verilog = allocate((size_t)argc * sizeof *line.request.verilog);
  for (int option;
       (option = getopt_long(argc, argv, WORDS_IN_ORDER NUMBERS "g:l:k:d:p:o:qsjb:h", options, NULL)) != -1;)
    take_option(&line, option);
  optind -= line.num_words;  // all of them last, as getopt_long leaves them elsewhere
  memcpy(argv + optind, line.words, (size_t)line.num_words * sizeof *line.words);
  free(line.words);
  apply_options(&line);
  struct request r = line.request;
  if (optind == argc)
    die(EXIT_USAGE, "which kernel file? see `heddle run --help`");
  r.path = argv[optind++];
  expect_source(r.path);
  if (r.global_dim == 0)
    die(EXIT_USAGE, "how many work-items? give --global X[,Y[,Z]]");
  if (r.local_dim && r.local_dim != r.global_dim)
    die(EXIT_USAGE, "--local needs as many dimensions as --global");
  if (r.offset_dim && r.offset_dim != r.global_dim)
    die(EXIT_USAGE, "--offset needs as many dimensions as --global");
  return r;
}
