// SPDX-License-Identifier: Apache-2.0
// heddlec's command line, build options and exit codes.
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hls/compiler.h"
#include "tests/temporary.h"

static const char kernel[] = "kernel void k(global int *a) { a[get_global_id(0)] = 1; }\n";

#define EXPECT_ACCEPTED(...)                                        \
  do {                                                              \
    struct result result = compile_well(kernel, __VA_ARGS__, NULL); \
    result_free(&result);                                           \
  } while (0)

Test(options, every_build_option_of_the_specification_is_accepted) {
  EXPECT_ACCEPTED("-cl-single-precision-constant", "-cl-denorms-are-zero", "-cl-fp32-correctly-rounded-divide-sqrt",
                  "-cl-strict-aliasing", "-cl-uniform-work-group-size", "-cl-no-subgroup-ifp", "-cl-mad-enable",
                  "-cl-no-signed-zeros");
  EXPECT_ACCEPTED("-cl-unsafe-math-optimizations", "-cl-finite-math-only", "-cl-fast-relaxed-math", "-w", "-Werror",
                  "-cl-kernel-arg-info", "-g");
  EXPECT_ACCEPTED("-cl-opt-disable");
  EXPECT_ACCEPTED("-DX", "-D", "Y=2", "-DF(x)=x+1", "-I.", "-I", "/tmp");
}

Test(options, language_versions_of_the_device_are_accepted) {
  EXPECT_ACCEPTED("-cl-std=CL1.1");
  EXPECT_ACCEPTED("-cl-std=CL1.2");
  EXPECT_ACCEPTED("-cl-std=CL3.0");
}

// API 5.8.6.5: a value of the option that the device does not have fails to compile; what is no value is invalid.
Test(options, other_language_versions_are_refused) {
  static const char *const invalid[] = {"CL1.0", "CL3.1", "CL9", "CL", "", "CLC++", "CLC++2021", "c99", "cl3.0"};
  char option[32];
  expect_refusal(compile(kernel, "-cl-std=CL2.0", NULL), 1, "-cl-std=CL3.0");
  for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
    snprintf(option, sizeof option, "-cl-std=%s", invalid[i]);
    expect_refusal(compile(kernel, option, NULL), 2, option);
  }
}

static void expect_version(int version, const char *options) {
  char source[96];
  snprintf(source, sizeof source, "#if __OPENCL_C_VERSION__ != %d\n#error version\n#endif\n", version);
  struct result result = compile_well(source, "--build-options", options, NULL);
  result_free(&result);
}

// As in `heddle run`. (Of programs it is 1.2: tests/opencl/build_options.c.)
Test(options, the_language_of_commands_is_3_0_and_the_last_cl_std_counts) {
  expect_version(300, "");
  expect_version(110, "-cl-std=CL1.2 -cl-std=CL1.1");
  expect_version(300, "-cl-std=CL1.2 -DX=-cl-std=CL1.1 -cl-std=CL3.0");
}

Test(options, names_of_a_newer_language_are_named_with_the_option_that_has_them) {
  static const char missing[] =
      "kernel void k(global int *a) { a[0] = work_group_scan_inclusive_add(a[0]); atomic_int x; a[1] = nowhere; }\n";
  struct result result = compile(missing, "-cl-std=CL1.2", NULL);
  cr_expect_eq(result.code, 1);
  cr_expect(strstr(result.messages,
                   "note: 'work_group_scan_inclusive_add', 'atomic_int' are of OpenCL C 3.0; this was "
                   "compiled as OpenCL C 1.2. Build with -cl-std=CL3.0\n"),
            "%s", result.messages);
  result_free(&result);
  // Names that the source declares are not of the language: `q` here, `kept` there.
  static const char declared[] =
      "kernel void k(global int *a) { queue_t q = get_default_queue(); a[0] = q != 0; atomic_flag *kept = 0; "
      "a[1] = kept == 0; }\n";
  result = compile(declared, "-cl-std=CL1.2", NULL);
  cr_expect_eq(result.code, 1);
  cr_expect(strstr(result.messages, "note: 'queue_t', 'atomic_flag' are of OpenCL C 3.0; this was compiled as"), "%s",
            result.messages);
  result_free(&result);
  // Names that it has for the newer language only.
  expect_refusal(compile("#if __OPENCL_C_VERSION__ >= 300\nint f(int x) { return x; }\n#endif\n"
                         "kernel void k(global int *a) { a[0] = f(a[1]); }\n",
                         "-cl-std=CL1.2", NULL),
                 1, "note: the source is OpenCL C 3.0; this was compiled as OpenCL C 1.2. Build with -cl-std=CL3.0");
  // What no version has is not promised in any, and what fails for another reason has no such note.
  static const char *const other[] = {"kernel void k(global int *a) { a[1] = nowhere; }\n",
                                      "kernel void k(global int *a) { int *b = 1.0f; }\n"};
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    result = compile(other[i], "-cl-std=CL1.2", NULL);
    cr_expect(result.code == 1 && !strstr(result.messages, "CL3.0"), "%s", result.messages);
    result_free(&result);
  }
  // Pointers without an address space: no name, but the language.
  expect_refusal(compile("int f(int *p) { return *p; }\nkernel void k(global int *a) { a[0] = f(a + 1); }\n",
                         "-cl-std=CL1.2", NULL),
                 1, "note: the source is OpenCL C 3.0; this was compiled as OpenCL C 1.2. Build with -cl-std=CL3.0");
}

// Of Intel's SDK for FPGAs, whether the source enables them or a header of it.
Test(options, channels_are_there_and_one_that_is_not_declared_is_named) {
  struct result result =
      compile_well("channel float data __attribute__((depth(8)));\nkernel void k(global float *x) { x[0] = 1; }\n",
                   "-cl-std=CL1.2", NULL);
  result_free(&result);
  static const char *const sources[] = {
      "kernel void k(global float *x) { write_channel_intel(data, x[0]); }\n",
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
      "kernel void k(global float *x) { bool ok; x[0] = read_channel_nb_intel(data, &ok); }\n"};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
    expect_refusal(compile(sources[i], "-cl-std=CL1.2", NULL), 1, "error: use of undeclared identifier 'data'");
  expect_refusal(compile("kernel void k(global int *a) { int channel = nowhere; }\n", NULL), 1,
                 "error: use of undeclared identifier 'nowhere'");
}

// OpenCL C 3.0, section 6.10: the version of the device, whatever the language's, and images.
Test(options, predefined_macros_are_the_devices) {
  static const char source[] =
      "#if __OPENCL_VERSION__ != 300 || !defined(__ENDIAN_LITTLE__) || !defined(__IMAGE_SUPPORT__) || "
      "__EMBEDDED_PROFILE__ != 1\n#error "
      "macros\n#endif\n";
  struct result result = compile_well(source, NULL);
  result_free(&result);
  result = compile_well(source, "-cl-std=CL3.0", NULL);
  result_free(&result);
}

Test(options, other_build_options_are_invalid) {
  expect_refusal(compile(kernel, "-cl-no-such-option", NULL), 2, "-cl-no-such-option");
  expect_refusal(compile(kernel, "-cl-std=CL9.0", NULL), 2, "-cl-std=CL9.0");
  expect_refusal(compile(kernel, "--build-options", "-Xclang -load", NULL), 2, "-Xclang");
  expect_refusal(compile(kernel, "--build-options", "-cl-mad-enable -O3", NULL), 2, "-O3");
  expect_refusal(compile(kernel, "--build-options", "-D", NULL), 2, "-D");
  expect_refusal(compile(kernel, "--build-options", "-DX=\"a", NULL), 2, "quote");
  expect_refusal(compile(kernel, "--emit=exe", NULL), 2, "exe");
}

Test(options, a_build_options_string_is_split_as_a_shell_would) {
  static const char source[] =
      "#define TEXT(x) #x\n"
      "constant char text[] = WORD;\n"
      "kernel void k(global int *a) { a[0] = N + text[1]; }\n"
      "#if sizeof_word_check\n#endif\n";
  struct result result =
      compile_well(source, "--build-options", "  -D N=3\t-D\"WORD=\\\"a b\\\"\" '-DQ=x y' -Werror ", NULL);
  result_free(&result);
}

// ---- Parts of the built-in library: clang reads those that a source may need

static void expect_parts(const char *source, const char *read, const char *not_read) {
  struct result result = compile_well(source, "-v", NULL);
  cr_expect(!*read || strstr(result.messages, read), "%s: expected that clang reads %s:\n%s", source, read,
            result.messages);
  cr_expect(!strstr(result.messages, not_read), "%s: expected that clang does not read %s:\n%s", source, not_read,
            result.messages);
  result_free(&result);
}

Test(options, clang_reads_parts_of_the_built_in_library_that_words_name) {
  expect_parts(kernel, "", "builtins-");
  expect_parts("kernel void k(global float *a) { a[0] = log2(a[1]); }\n", "builtins-float.bc",
               "builtins-conversions.bc");
  expect_parts("kernel void k(global int *a) { a[0] = convert_int_sat(1.5f); }\n", "builtins-conversions.bc",
               "builtins-memory.bc");
  expect_parts("kernel void k(global int *a) { a[0] = bit_reverse(a[1]); }\n", "builtins-integers.bc",
               "builtins-float.bc");
  expect_parts("kernel void k(global int *a) { a[0] = add_sat(a[1], a[2]); }\n", "builtins-integers.bc",
               "builtins-collectives.bc");
  expect_parts("kernel void k(global int *a) { a[0] = sub_group_reduce_add(a[1]); }\n", "builtins-collectives.bc",
               "builtins-atomics.bc");
  expect_parts("kernel void k(global int *a) { atomic_add(a, 3); }\n", "builtins-atomics.bc", "builtins-integers.bc");
  expect_parts("kernel void k(global int *a) { vstore2(vload2(0, a), 1, a); }\n", "builtins-memory.bc",
               "builtins-float.bc");
}

Test(options, functions_are_found_however_their_names_come_about) {
  static const char *const sources[] = {
      "#define C(type) convert_##type##_sat\nkernel void k(global int *a) { a[0] = C(int)(1.5f); }\n",
      "#define C(x, y) x %:%: y\nkernel void k(global int *a) { a[0] = C(con, vert_int)(1.5f); }\n",
      "#define C(x, y) x ?\?=?\?= y\nkernel void k(global int *a) { a[0] = C(con, vert_int)(1.5f); }\n",
      "kernel void k(global int *a) { a[0] = con\\\nvert_int(1.5f); }\n",
      "kernel void k(global int *a) { a[0] = con\\  \r\nvert_int(1.5f); }\n",
      "kernel void k(global int *a) { a[0] = con?\?/\nvert_int(1.5f); }\n",
  };
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    struct result result = compile_well(sources[i], NULL);
    result_free(&result);
  }
  static const char macro[] = "kernel void k(global int *a) { a[0] = F(1.5f); }\n";
  struct result result = compile_well(macro, "-DF=convert_int_sat", NULL);
  result_free(&result);
  result = compile_well(macro, "--build-options", "-D F=convert_int_rtp", NULL);
  result_free(&result);
  char name[TEMPORARY_BYTES];
  const int file = mkstemp(temporary_name(name));
  cr_assert(file >= 0 && write(file, "#define F vload4\n", 17) == 17 && close(file) == 0);
  result = compile_well("#include \"f.h\"\nkernel void k(global int4 *a, global int *b) { *a = F(0, b); }\n",
                        "--header", "f.h", name, NULL);
  result_free(&result);
  cr_expect_eq(unlink(name), 0);
}

Test(options, the_isa_string_is_checked) {
  EXPECT_ACCEPTED("--isa", "rv32im_zicsr");
  EXPECT_ACCEPTED("--isa", "rv32im_zicsr_zba_zbb");
  expect_refusal(compile(kernel, "--isa", "rv32im_zfoo", NULL), 2, "zfoo");
  expect_refusal(compile(kernel, "--isa", "rv32imc", NULL), 2, "'c'");
  expect_refusal(compile(kernel, "--isa", "rv64im", NULL), 2, "rv64im");
  expect_refusal(compile(kernel, "--isa", "rv32i__", NULL), 2, "rv32i__");
}

Test(options, each_stage_can_be_looked_at) {
  struct result ir = compile_well(kernel, "--emit=ll", NULL);
  cr_expect(strstr((char *)ir.bytes, "riscv32"));
  struct result assembly = compile_well(kernel, "--emit=asm", NULL);
  cr_expect(strstr((char *)assembly.bytes, "csrr"));
  struct result object = compile_well(kernel, "--emit=obj", NULL);
  cr_expect_arr_eq(object.bytes, "\177ELF", 4);
  result_free(&ir);
  result_free(&assembly);
  result_free(&object);
}

// A result that nobody names has a name that says what it is.
Test(options, a_result_without_a_name_is_named_for_what_it_is) {
  static const struct {
    const char *options, *made;
  } results[] = {{"k.cl", "a.elf"},
                 {"-c k.cl", "a.o"},
                 {"--link a.o", "a.elf"},
                 {"--link -create-library a.o", "a.lib"},
                 {"--hardware k.cl", "a.hw/kernels.elf"}};
  char folder[TEMPORARY_BYTES], compiler[PATH_MAX], command[2 * PATH_MAX];
  cr_assert(mkdtemp(temporary_name(folder)) && realpath(BUILD "/bin/heddlec", compiler));
  snprintf(command, sizeof command, "%s/k.cl", folder);
  cr_assert(temporary_write(command, kernel));
  for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
    snprintf(command, sizeof command, "cd %s && rm -f a.elf && %s %s && test -s %s", folder, compiler,
             results[i].options, results[i].made);
    cr_expect_eq(system(command), 0, "%s: no %s", results[i].options, results[i].made);  // NOLINT(cert-env33-c)
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c)
}

Test(options, without_clang_the_exit_code_is_3_and_the_package_is_named) {
  setenv("PATH", "/nonexistent", 1);
  expect_refusal(compile(kernel, NULL), 3, "apt-get install clang-22");
}

Test(options, without_data_files_the_exit_code_is_3) {
  setenv("HEDDLE_DATA", "/nonexistent", 1);
  expect_refusal(compile(kernel, NULL), 3, "/nonexistent/heddle.h");
}

Test(options, a_compilation_that_never_ends_is_stopped) {
  // Doubles eight times in each macro: more expansion than a second allows.
  static const char source[] =
      "#define A(x) x+x+x+x+x+x+x+x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\n"
      "kernel void k(global int *a) { a[0] = C(a[1]); }\n";
  expect_refusal(compile(source, "--time-limit", "1", NULL), 4, "did not end within 1 s");
}

// Named pipes, each of which is written a while after the one before: the compiler waits for longer than the limit, as
// on a busy machine, but works a little all the time.
Test(options, the_limit_is_on_the_time_that_a_compilation_works) {
  enum { PIPES = 8, MICROSECONDS = 400000 };
  char folder[] = "/tmp/heddle-test-XXXXXX", paths[PIPES][64], source[1000] = "";
  cr_assert_not_null(mkdtemp(folder));
  for (int i = 0; i < PIPES; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/%d.h", folder, i);
    cr_assert_eq(mkfifo(paths[i], 0600), 0, "no pipe %s: %s", paths[i], strerror(errno));
    snprintf(source + strlen(source), sizeof source - strlen(source), "#include \"%s\"\n", paths[i]);
  }
  strcat(source, "kernel void k(global int *a) { a[0] = 1; }\n");
  const pid_t writer = fork();
  if (writer == 0) {
    for (int i = 0; i < PIPES; i++) {
      const int file = open(paths[i], O_WRONLY);  // when the compiler has opened it
      usleep(MICROSECONDS);
      close(file);
    }
    _exit(0);
  }
  struct result result = compile(source, "--time-limit", "2", NULL);
  kill(writer, SIGKILL);
  waitpid(writer, NULL, 0);
  for (int i = 0; i < PIPES; i++)
    unlink(paths[i]);
  rmdir(folder);
  cr_expect_eq(result.code, 0, "exit code 0 expected, got %d: %.300s", result.code, result.messages);
  result_free(&result);
}

Test(options, a_compilation_that_waits_for_ever_is_stopped) {
  char path[] = "/tmp/heddle-test-XXXXXX", pipe[64], source[200];
  cr_assert_not_null(mkdtemp(path));
  snprintf(pipe, sizeof pipe, "%s/never.h", path);
  cr_assert_eq(mkfifo(pipe, 0600), 0, "no pipe %s: %s", pipe, strerror(errno));
  snprintf(source, sizeof source, "#include \"%s\"\nkernel void k() {}\n", pipe);
  expect_refusal(compile(source, "--time-limit", "1", NULL), 4, "did not do anything for 1 s");
  unlink(pipe);
  rmdir(path);
}

Test(options, a_compilation_that_takes_all_memory_is_stopped) {
  static const char source[] =
      "#define A(x) x+x+x+x+x+x+x+x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\n"
      "kernel void k(global int *a) { a[0] = C(a[1]); }\n";
  struct result result = compile(source, "--memory-limit", "600", "--time-limit", "20", NULL);
  cr_expect_eq(result.code, 4, "exit code 4 expected, got %d: %.200s", result.code, result.messages);
  result_free(&result);
}

Test(options, a_signal_leaves_no_files_behind) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 16];
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/a.cl", folder);
  FILE *file = fopen(path, "w");
  fputs("#define A(x) x+x+x+x+x+x+x+x\n#define B(x) A(A(A(x)))\nint x = B(B(B(1)));\n", file);
  fclose(file);
  pid_t pid = fork();
  if (pid == 0) {
    setenv("TMPDIR", folder, 1);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl(BUILD "/bin/heddlec", "heddlec", path, "-o", "/dev/null", (char *)NULL);
    _exit(99);
  }
  usleep(300000);
  kill(pid, SIGTERM);
  int status;
  waitpid(pid, &status, 0);
  cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "status %x", status);
  unlink(path);
  cr_expect_eq(rmdir(folder), 0, "files are left in %s", folder);
}
