// SPDX-License-Identifier: Apache-2.0
// Build options, headers' names and the environment are data for the compilers: whatever is in them, no code of theirs
// runs, every failure has a text, and nothing outlives the program. HEDDLE_TEST_OPTIONS: how many random option strings
// (default 12, `make soak-options` 400).
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/temporary.h"

static const char kernel[] = "kernel void k(global int *x) { x[0] = 1; }\n";

static cl_program program_of(const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(harness()->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  return program;
}

// Builds; a failure has one of the codes that options may lead to, and a text.
static cl_int build_with(const char *source, const char *options, char *log, size_t size) {
  cl_program program = program_of(source);
  size_t bytes = 0;
  const cl_int error = clBuildProgram(program, 1, &harness()->device, options, NULL, NULL);
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes));
  char *whole = allocate(bytes + 1);
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_LOG, bytes, whole, NULL));
  snprintf(log, size, "%s", whole);
  free(whole);
  EXPECT_SUCCESS(clReleaseProgram(program));
  if (error != CL_SUCCESS && error != CL_INVALID_BUILD_OPTIONS && error != CL_BUILD_PROGRAM_FAILURE)
    fail("options \"%.200s\": expected success, CL_INVALID_BUILD_OPTIONS or CL_BUILD_PROGRAM_FAILURE, got %s", options,
         error_name(error));
  if (error != CL_SUCCESS && log[0] == 0)
    fail("options \"%.200s\": %s, and an empty build log", options, error_name(error));
  return error;
}

static void expect_build(cl_int expected, const char *source, const char *options) {
  char log[2048];
  const cl_int error = build_with(source, options, log, sizeof log);
  if (error != expected)
    fail("options \"%.200s\": expected %s, got %s: %s", options, error_name(expected), error_name(error), log);
}

// A working directory with files that make a compiler leave a mark if it takes them for its own.
static char folder[TEMPORARY_BYTES];

static void write_text(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void remove_folder(const char *path) {
  char command[TEMPORARY_BYTES + 32];
  snprintf(command, sizeof command, "rm -rf %s", path);
  cr_expect_eq(system(command), 0);
}

static void enter_trap(void) {
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  cr_assert_eq(chdir(folder), 0);
  // Options of clang's that write a file where they are obeyed.
  write_text("resp", "-DTRAPPED -load ./no-such-plugin.so -dependency-dot mark -H\n");
  write_text("@resp", "-DTRAPPED\n");
  write_text("clang.cfg", "-DTRAPPED\n");
}

static void leave_trap(void) {
  static const char *const ours[] = {"resp", "@resp", "clang.cfg", ".", ".."};
  DIR *entries = opendir(".");
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    bool is_ours = false;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
      is_ours = is_ours || strcmp(entry->d_name, ours[i]) == 0;
    cr_expect(is_ours, "the compiler left %s in the working directory", entry->d_name);
    if (entry->d_name[0] != '.')
      unlink(entry->d_name);
  }
  if (entries)
    closedir(entries);
  cr_expect_eq(chdir("/"), 0);
  cr_expect_eq(rmdir(folder), 0);
}

static const char watched[] =
    "#ifdef TRAPPED\nkernel void trapped(void) {}\n#error trapped\n#endif\n"
    "kernel void k(global int *x) { x[0] = 1; }\n";

static void expect_not_trapped(const char *options) {
  char log[4096];
  build_with(watched, options, log, sizeof log);
  cr_expect_null(strstr(log, "error: trapped"), "options \"%s\" were taken from a file: %s", options, log);
  cr_expect_null(strstr(log, "unable to load plugin"), "options \"%s\" load a plugin: %s", options, log);
}

Test(build_options, no_value_is_a_file_of_options, .init = enter_trap, .fini = leave_trap) {
  static const char *const options[] = {"-D @resp",  "-D@resp",    "-I @resp",   "-I@resp",      "@resp",
                                        "-DA=@resp", "-D A=@resp", "-I '@resp'", "-D \"@resp\"", "-I. @resp"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    expect_not_trapped(options[i]);
  expect_build(CL_INVALID_BUILD_OPTIONS, kernel, "-D @resp");
  expect_build(CL_INVALID_BUILD_OPTIONS, kernel, "@resp");
  expect_build(CL_SUCCESS, kernel, "-DA=@resp");
}

Test(build_options, the_environment_gives_compilers_no_options, .init = enter_trap, .fini = leave_trap) {
  setenv("CCC_OVERRIDE_OPTIONS", "+-DTRAPPED", 1);
  setenv("CPATH", folder, 1);
  setenv("CLANG_CONFIG_FILE_USER_DIR", folder, 1);
  setenv("LD_PRELOAD", "/nowhere/preloaded.so", 1);
  char log[4096];
  EXPECT_CODE(CL_SUCCESS, build_with(watched, "", log, sizeof log));
  cr_expect_str_eq(log, "");
  expect_build(CL_BUILD_PROGRAM_FAILURE, "#include <clang.cfg>\n", "");
}

Test(build_options, options_of_heddlec_are_none_of_programs) {
  static const char *const options[] = {
      "-h",        "--help", "--version",   "-D --help",     "-o x",       "-c", "--link",
      "--emit=ll", "-v",     "--isa rv32i", "-Xclang -load", "-include x", "-",  "--"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    expect_build(CL_INVALID_BUILD_OPTIONS, kernel, options[i]);
}

Test(build_options, headers_may_have_the_names_of_options) {
  static const char *names[] = {"-h", "--help", "--version", "-o", "@resp", "a b.h", "../../x.h", "/etc/passwd"};
  cl_program header = program_of("#define V 7\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char source[128];
    snprintf(source, sizeof source, "#include \"%s\"\nkernel void k(global int *x) { x[0] = V; }\n", names[i]);
    EXPECT_SUCCESS(clCompileProgram(program_of(source), 0, NULL, "", 1, &header, &names[i], NULL, NULL));
  }
}

// Writes a header that sets V to 666 in a folder and in those above it, as somebody else may who can write there.
static void write_strangers(const char *where, int levels, const char *name) {
  char path[512];
  for (int up = 0; up < levels; up++) {
    int length = snprintf(path, sizeof path, "%s/", where);
    for (int i = 0; i < up; i++)
      length += snprintf(path + length, sizeof path - (size_t)length, "../");
    snprintf(path + length, sizeof path - (size_t)length, "%s", name);
    cr_assert(temporary_write(path, "#define V 666\n"), "%s", path);
  }
}

// The source has no folder: nothing beside or above the files that the compiler keeps for itself is what it includes.
Test(build_options, no_file_beside_the_compilers_own_is_included) {
  enum { LEVELS = 5 };
  char top[TEMPORARY_BYTES], temporary[TEMPORARY_BYTES + 2 * LEVELS];
  cr_assert(mkdtemp(temporary_name(top)));
  int length = snprintf(temporary, sizeof temporary, "%s", top);
  for (int i = 1; i < LEVELS; i++) {
    length += snprintf(temporary + length, sizeof temporary - (size_t)length, "/t");
    cr_assert(mkdir(temporary, 0700) == 0);
  }
  write_strangers(temporary, LEVELS, "stranger.h");
  cr_assert(setenv("TMPDIR", temporary, 1) == 0);
  static const char *const names[] = {"stranger.h",
                                      "../stranger.h",
                                      "../../stranger.h",
                                      "../../../stranger.h",
                                      "../../../../stranger.h",
                                      "../../../../../stranger.h",
                                      "macros.h",
                                      "../macros.h",
                                      "source.cl",
                                      "depend",
                                      "../../../source.cl"};
  cl_program header = program_of("#define V 7\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char source[256];
    snprintf(source, sizeof source, "#include \"%s\"\nkernel void k(global int *x) { x[0] = V + A; }\n", names[i]);
    cl_program part = program_of(source);
    cr_expect(clCompileProgram(part, 0, NULL, "-DA=1", 0, NULL, NULL, NULL, NULL) == CL_COMPILE_PROGRAM_FAILURE, "%s",
              names[i]);
    EXPECT_SUCCESS(clReleaseProgram(part));
    part = program_of(source);
    EXPECT_SUCCESS(clCompileProgram(part, 0, NULL, "-DA=1", 1, &header, (const char *[]){names[i]}, NULL, NULL));
    cl_int error;
    cl_program whole = clLinkProgram(harness()->context, 0, NULL, "", 1, &part, NULL, NULL, &error);
    EXPECT_SUCCESS(error);
    cl_mem result = buffer_with(NULL, sizeof(cl_int));
    cl_kernel named = kernel_of(whole, "k");
    set_args(named, ARG(result), END_ARGS);
    run(named, 1, NULL, (const size_t[]){1}, NULL);
    cl_int got;
    read_buffer(result, &got, sizeof got);
    cr_expect(got == 8, "%s: expected 8, got %d", names[i], got);
    EXPECT_SUCCESS(clReleaseKernel(named));
    EXPECT_SUCCESS(clReleaseProgram(whole));
    EXPECT_SUCCESS(clReleaseProgram(part));
    EXPECT_SUCCESS(clReleaseMemObject(result));
  }
  remove_folder(top);
}

// A folder of -I is where a name in quotes is looked for, and the folder above it where "../" leads to.
Test(build_options, names_in_quotes_are_found_from_folders_of_options) {
  char top[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 8], options[sizeof path + 3];
  cr_assert(mkdtemp(temporary_name(top)));
  snprintf(path, sizeof path, "%s/part", top);
  cr_assert(mkdir(path, 0700) == 0);
  write_strangers(path, 2, "own.h");
  snprintf(options, sizeof options, "-I %s", path);
  build(
      "#include \"own.h\"\n#undef V\n#include \"../own.h\"\n"
      "kernel void k(global int *x) { x[0] = V; }\n#if V != 666\n#error V\n#endif\n",
      options);
}

Test(build_options, macros_are_those_of_define) {
  static const char source[] =
      "#define TEXT_(x) #x\n#define TEXT(x) TEXT_(x)\nconstant char text[] = TEXT(WORDS);\n"
      "kernel void k(global int *x) { x[0] = F(20) + ONE + sizeof text; }\n#ifdef CUT\n#error cut\n#endif\n";
  build(source, "-DF(y)=y+1 -D ONE '-DWORDS=a b' -D'LAST=\\' -D\"Q=1\n#define CUT\"");
}

// Names of the language's own headers, which come before all that a program gives.
Test(build_options, macros_meet_the_source_and_no_header) {
  static const char *const macros[] = {
      "cl_khr_fp64",      "cl_khr_fp64=0", "cl_khr_fp64=1",     "cl_khr_fp16=0", "__opencl_c_fp64=1",
      "__opencl_c_int64", "uint=int",      "float4=int4",       "ulong8=int",    "__OPENCL_C_VERSION__=100",
      "memory_order",     "unsigned=",     "__attribute__(x)=", "float=double",  "overloadable=1"};
  static const char *const versions[] = {"-cl-std=CL1.1", "", "-cl-std=CL3.0"};
  for (size_t i = 0; i < sizeof macros / sizeof *macros; i++) {
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
      char options[128];
      snprintf(options, sizeof options, "%s -D %s", versions[v], macros[i]);
      expect_build(CL_SUCCESS, kernel, options);
    }
  }
  cl_kernel values = kernel_of(build("kernel void k(global int *x) { x[0] = M_PI_F; x[1] = CLK_LOCAL_MEM_FENCE; }",
                                     "-D M_PI_F=7 -DCLK_LOCAL_MEM_FENCE=8"),
                               "k");
  cl_mem result = buffer_with(NULL, 2 * sizeof(cl_int));
  set_args(values, ARG(result), END_ARGS);
  run(values, 1, NULL, (const size_t[]){1}, NULL);
  cl_int got[2];
  read_buffer(result, got, sizeof got);
  cr_expect(got[0] == 7 && got[1] == 8, "expected 7 and 8 of -D, got %d and %d", got[0], got[1]);
}

// Writes over the beginning of a text.
static void set_first(char *options, const char *word) {
  while (*word)
    *options++ = *word++;
}

Test(build_options, options_of_any_length_are_taken) {
  enum { BYTES = 200000 };
  char *options = allocate(BYTES + 64);
  for (size_t i = 0; i + 7 < BYTES; i += 7)
    memcpy(options + i, "-DA=1  ", 8);
  expect_build(CL_SUCCESS, kernel, options);
  memset(options, 'x', BYTES);
  set_first(options, "-DA");
  expect_build(CL_SUCCESS, kernel, options);
  set_first(options, "-I ");
  expect_build(CL_INVALID_BUILD_OPTIONS, kernel, options);
  set_first(options, "'-D");
  expect_build(CL_INVALID_BUILD_OPTIONS, kernel, options);
  free(options);
}

// API 5.8.6.5: OpenCL C 1.2 unless an option says otherwise; a version that the device does not list does not compile.
Test(build_options, language_versions_are_those_that_the_device_lists) {
  cl_name_version listed[16];
  size_t bytes;
  expect_build(CL_SUCCESS, "#if __OPENCL_C_VERSION__ != 120\n#error version\n#endif\n", NULL);
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof listed, listed, &bytes));
  static const unsigned versions[][2] = {{1, 1}, {1, 2}, {2, 0}, {3, 0}};
  for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
    bool is_listed = false;
    for (size_t i = 0; i < bytes / sizeof *listed; i++)
      is_listed = is_listed || listed[i].version == CL_MAKE_VERSION(versions[v][0], versions[v][1], 0);
    char option[32];
    snprintf(option, sizeof option, "-cl-std=CL%u.%u", versions[v][0], versions[v][1]);
    expect_build(is_listed ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE, kernel, option);
  }
  expect_build(CL_INVALID_BUILD_OPTIONS, kernel, "-cl-std=CL9");
  expect_build(CL_INVALID_BUILD_OPTIONS, kernel, "-cl-std=");
}

Test(build_options, inline_assembly_and_pragmas_read_no_files) {
  expect_build(CL_BUILD_PROGRAM_FAILURE,
               "kernel void k(global int *x) {\n"
               "  __asm__ volatile(\".pushsection .rodata\\n.incbin \\\"/etc/passwd\\\"\\n.popsection\"); }\n",
               "");
  expect_build(CL_SUCCESS, "#pragma comment(lib, \"/etc/passwd\")\nkernel void k(global int *x) { x[0] = 1; }\n", "");
}

Test(build_options, services_can_keep_includes_in_the_folders_they_name, .init = enter_trap, .fini = leave_trap) {
  char source[256];
  write_text("resp", "#define V 7\n");
  snprintf(source, sizeof source, "#include \"%s/resp\"\nkernel void k(global int *x) { x[0] = V; }\n", folder);
  expect_build(CL_SUCCESS, source, "");
  setenv("HEDDLE_CONFINE_INCLUDES", "1", 1);
  expect_build(CL_BUILD_PROGRAM_FAILURE, source, "");
  expect_build(CL_SUCCESS, source, "-I .");
  static const char *const wrong[] = {"yes", "true", "on", "2", "01", " 1", "1 ", "-1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    setenv("HEDDLE_CONFINE_INCLUDES", wrong[i], 1);
    char log[2048];
    EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, build_with(kernel, "", log, sizeof log));
    cr_expect(strstr(log, "HEDDLE_CONFINE_INCLUDES must be 0 or 1"), "of %s: %s", wrong[i], log);
  }
  setenv("HEDDLE_CONFINE_INCLUDES", "0", 1);
  expect_build(CL_SUCCESS, source, "");
}

Test(build_options, builds_say_why_they_fail_whatever_is_closed) {
  for (int mask = 0; mask < 8; mask++) {
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
      for (int i = 0; i < 3; i++)
        if (mask >> i & 1)
          close(i);
      char log[2048] = "";
      const bool fails =
          build_with("kernel void k(global int *x) { nonsense }\n", "", log, sizeof log) == CL_BUILD_PROGRAM_FAILURE;
      const bool says = strstr(log, "nonsense");
      const bool warns = build_with("#warning hello\nkernel void k(global int *x) { x[0] = 1; }\n", "", log,
                                    sizeof log) == CL_SUCCESS &&
                         strstr(log, "hello");
      _exit(fails && says && warns ? 0 : 1);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "with descriptors %d (a mask) closed", mask);
  }
}

Test(build_options, a_folder_that_cannot_be_made_is_named) {
  char log[2048];
  setenv("TMPDIR", "/nowhere", 1);
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, build_with(kernel, "", log, sizeof log));
  cr_expect(strstr(log, "/nowhere") && strstr(log, "No such file or directory"), "%s", log);
}

// ---- Programs that end while they build

static void count_entries(const char *path, int *entries) {
  DIR *place = opendir(path);
  *entries = 0;
  for (struct dirent *entry; place && (entry = readdir(place));)
    *entries += entry->d_name[0] != '.';
  if (place)
    closedir(place);
}

// Processes whose command line names the folder.
static int count_processes(const char *named) {
  int count = 0;
  DIR *processes = opendir("/proc");
  for (struct dirent *entry; processes && (entry = readdir(processes));) {
    char path[300], line[8192];
    snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
    const int file = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? open(path, O_RDONLY) : -1;
    const ssize_t length = file >= 0 ? read(file, line, sizeof line) : 0;
    count += length > 0 && memmem(line, (size_t)length, named, strlen(named));
    if (file >= 0)
      close(file);
  }
  if (processes)
    closedir(processes);
  return count;
}

enum { POLL_US = 20000, POLLS = 1500 };  // 30 s: a bound, not a measure

static bool comes_true(bool (*is_so)(void)) {
  for (int i = 0; i < POLLS; i++) {
    if (is_so())
      return true;
    usleep(POLL_US);
  }
  return false;
}

static bool clang_runs(void) {
  return count_processes(folder) >= 2;  // heddlec and clang
}

static bool nothing_is_left(void) {
  int entries;
  count_entries(folder, &entries);
  return entries == 0 && count_processes(folder) == 0;
}

// More macros than a compiler expands in a minute.
static const char endless[] =
    "#define A(x) x+x+x+x+x+x+x+x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\n"
    "kernel void k(global int *a) { a[0] = C(a[1]); }\n";

_Noreturn static void *work_for_ever(void *unused) {
  (void)unused;
  setpriority(PRIO_PROCESS, (id_t)gettid(), 19);
  for (volatile unsigned rounds = 0;; rounds++)
    ;
}

static pid_t start_endless_build(int other_threads) {
  const pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child == 0) {
    signal(SIGINT, SIG_DFL);  // which a shell's background jobs ignore
    for (int i = 0; i < other_threads; i++) {
      pthread_t thread;
      pthread_create(&thread, NULL, work_for_ever, NULL);
    }
    setenv("TMPDIR", folder, 1);
    cl_program program = program_of(endless);
    clBuildProgram(program, 1, &harness()->device, "", NULL, NULL);
    _exit(0);
  }
  cr_assert(comes_true(clang_runs), "clang does not run");
  return child;
}

Test(build_options, compilers_and_their_files_end_with_the_program) {
  static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    const pid_t child = start_endless_build(0);
    cr_expect_eq(kill(child, signals[i]), 0);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_expect(comes_true(nothing_is_left), "after signal %d processes or files are left", signals[i]);
  }
  cr_expect_eq(rmdir(folder), 0);
}

// The thread that builds ends first; the others wait for a processor before they can.
Test(build_options, compilers_and_their_files_end_with_a_program_of_many_threads) {
  enum { ROUNDS = 3, THREADS = 64 };
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  for (int i = 0; i < ROUNDS; i++) {
    const pid_t child = start_endless_build(THREADS);
    cr_expect_eq(kill(child, SIGINT), 0);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_expect(comes_true(nothing_is_left), "in round %d processes or files are left", i);
  }
  cr_expect_eq(rmdir(folder), 0);
}

Test(build_options, what_nobody_could_remove_the_next_build_does) {
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  char dead[TEMPORARY_BYTES + 64], file[TEMPORARY_BYTES + 80], other[TEMPORARY_BYTES + 64];
  snprintf(dead, sizeof dead, "%s/heddle-build-aBcDeF", folder);
  snprintf(file, sizeof file, "%s/source.cl", dead);
  snprintf(other, sizeof other, "%s/heddle-builds", folder);
  cr_assert(mkdir(dead, 0700) == 0 && mkdir(other, 0700) == 0);
  write_text(file, "kernel");
  setenv("TMPDIR", folder, 1);
  expect_build(CL_SUCCESS, kernel, "");
  cr_expect_neq(access(dead, F_OK), 0, "a folder without an owner is still there");
  cr_expect_eq(rmdir(other), 0, "a folder of another name was removed");
  cr_expect_eq(rmdir(folder), 0);
}

// ---- Programs with more rights than whoever started them

static bool has_more_rights;

// In the place of the C library's, for this program and the library.
char *secure_getenv(const char *name) {
  return has_more_rights ? NULL : getenv(name);
}

// What the child does with an environment that names programs, code and files in `folder`.
_Noreturn static void run_with_environment(void) {
  static const char *const files[] = {"HEDDLE_TRACE", "HEDDLE_PROFILE", "HEDDLE_REPORT", "HEDDLE_KONATA"};
  char path[TEMPORARY_BYTES + 32];
  if (chdir(folder) != 0)
    _exit(2);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    setenv(files[i], files[i], 1);
  snprintf(path, sizeof path, "%s/heddlec", folder);
  setenv("HEDDLEC", path, 1);
  setenv("PATH", folder, 1);
  setenv("HEDDLE_DATA", folder, 1);
  setenv("TMPDIR", folder, 1);
  setenv("HEDDLE_CACHE_DIR", folder, 1);
  setenv("HEDDLE_CACHE_BYTES", "1000000", 1);
  // exit: what is written at the end is.
  exit(clBuildProgram(program_of(kernel), 1, &harness()->device, "", NULL, NULL) == CL_SUCCESS ? 0 : 1);
}

static void expect_files(int expected, const char *what) {
  int entries;
  count_entries(folder, &entries);
  if (entries != expected)
    fail("%s: expected %d files, got %d", what, expected, entries);
}

Test(build_options, no_variable_names_code_or_files_for_a_program_with_more_rights) {
  enum { MADE = 2 };
  static const char *const programs[] = {"heddlec", "clang-22"};
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  for (size_t i = 0; i < MADE; i++) {
    char path[TEMPORARY_BYTES + 32], text[TEMPORARY_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, programs[i]);
    snprintf(text, sizeof text, "#!/bin/sh\n: > %s/mark\nexit 1\n", folder);
    write_text(path, text);
    cr_assert_eq(chmod(path, 0755), 0);
  }
  for (int more = 1; more >= 0; more--) {
    const pid_t child = fork();
    if (child == 0) {
      has_more_rights = more;
      run_with_environment();
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    if (more && status != 0)
      fail("with more rights: the kernel does not build (status 0x%x)", status);
    if (more)
      expect_files(MADE, "with more rights");
  }
  char mark[TEMPORARY_BYTES + 32];
  snprintf(mark, sizeof mark, "%s/mark", folder);
  cr_expect_eq(access(mark, F_OK), 0, "without more rights the compiler that was named does not run");
  remove_folder(folder);
}

// ---- Random strings of hostile options

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void append_word(char *text, size_t size, uint32_t *state) {
  static const char *const options[] = {
      "-D",  "-I",   "-D ", "-I ",       "",    "-cl-std=", "-Xclang ", "-include ",     "--",   "-W",    "-f",
      "-o ", "-cl-", "@",   "-imacros ", "-x ", "-mllvm ",  "-B",       "-ivfsoverlay ", "-Wl,", "-load "};
  static const char *const values[] = {"@resp",
                                       "resp",
                                       "./resp",
                                       "-load ./x.so",
                                       "X=@resp",
                                       "TRAPPED",
                                       "X",
                                       "X=1",
                                       "F(a,b)=a",
                                       "=",
                                       "-",
                                       "--help",
                                       "--version",
                                       "-h",
                                       "CL3.0",
                                       "CL2.0",
                                       "CL1.2",
                                       "mad-enable",
                                       "\\",
                                       "\"",
                                       "'",
                                       "'a b'",
                                       "\"@resp\"",
                                       "X=\"\n#define Y\"",
                                       "\n",
                                       "\t",
                                       "\x01",
                                       "\xff\xfe",
                                       "../..",
                                       "/",
                                       "/dev/stdin",
                                       "/proc/self/mem",
                                       "%s%n",
                                       "$(touch mark)",
                                       "`touch mark`",
                                       ";touch mark",
                                       "|x",
                                       ">mark",
                                       "~",
                                       "X=/*",
                                       "X=//",
                                       "X=\\",
                                       "1",
                                       "\xc3\xa9",
                                       "-cl-std=CL1.1",
                                       "--scratch=/",
                                       "--depend=mark"};
  enum { OPTIONS = sizeof options / sizeof *options, VALUES = sizeof values / sizeof *values };
  const char *option = options[next_random(state) % OPTIONS];
  const char *value = values[next_random(state) % VALUES];
  const size_t used = strlen(text);
  snprintf(text + used, size - used, "%s%s%s", option, value, next_random(state) % 8 == 0 ? "" : " ");
}

Test(build_options, random_hostile_options_are_only_options, .init = enter_trap, .fini = leave_trap, .timeout = 600) {
  const char *wanted = getenv("HEDDLE_TEST_OPTIONS");
  const int count = wanted ? atoi(wanted) : 12;
  for (int i = 0; i < count; i++) {
    uint32_t state = (uint32_t)i + 1;
    char options[1024] = "", log[4096];
    const uint32_t words = 1 + next_random(&state) % 4;
    for (uint32_t w = 0; w < words; w++)
      append_word(options, sizeof options, &state);
    const cl_int error = build_with(watched, options, log, sizeof log);
    const bool is_defined = strstr(options, "-DTRAPPED") || strstr(options, "-D TRAPPED");
    if (!is_defined && strstr(log, "error: trapped"))
      fail("number %d, options \"%s\" (%s): options were taken from a file: %s", i, options, error_name(error), log);
    if (strstr(log, "plugin") || strstr(log, "cannot open shared object"))
      fail("number %d, options \"%s\": a plugin was wanted: %s", i, options, log);
  }
}
