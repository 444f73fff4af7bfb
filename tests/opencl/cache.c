// SPDX-License-Identifier: Apache-2.0
// The cache of kernels on disk (host/cl/cache.h): a program is compiled once, and never taken for another.
#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/own_cache.h"
#include "tests/opencl/pieces.h"

// cppcheck-suppress unknownMacro
TestSuite(cache, .init = own_cache, .fini = remove_own_cache);

Test(cache, the_second_build_compiles_nothing) {
  for (int i = 0; i < 3; i++)
    build_and_run(SIMPLE, NULL, 5);
  EXPECT_RUNS(1);
}

Test(cache, what_is_found_has_the_log_and_the_binary_of_the_first) {
  static const char source[] = "#warning look here\nkernel void k(global int *out) { out[0] = 6; }\n";
  cl_program first = build(source, NULL), second = build(source, NULL);
  const struct binary one = saved(first), two = saved(second);
  EXPECT_RUNS(1);
  if (!strstr(log_of(first), "look here") || strcmp(log_of(first), log_of(second)) != 0)
    fail("logs: expected twice the same warning, got \"%s\" and \"%s\"", log_of(first), log_of(second));
  if (one.size != two.size || memcmp(one.bytes, two.bytes, one.size) != 0)
    fail("binaries: expected the same, got %zu and %zu bytes", one.size, two.size);
}

Test(cache, what_differs_in_anything_is_compiled) {
  build_and_run(SIMPLE, NULL, 5);
  build_and_run("kernel void k(global int *out) { out[0] = 7; }\n", NULL, 7);
  EXPECT_RUNS(2);
  build_and_run(SIMPLE, "-DX", 5);
  EXPECT_RUNS(3);
  build_and_run(SIMPLE, "-DY", 5);
  EXPECT_RUNS(4);
  cl_program part = compiled(SIMPLE, NULL);
  EXPECT_RUNS(5);
  link_well(&part, 1, NULL);
  EXPECT_RUNS(6);
  link_well(&part, 1, "-create-library");
  EXPECT_RUNS(7);
  expect_entries(7, folder);
}

Test(cache, another_compiler_compiles_anew) {
  build_and_run(SIMPLE, NULL, 5);
  const struct timeval times[2] = {{1000000000, 0}, {1000000000, 0}};
  cr_assert_eq(utimes(compiler, times), 0);
  build_and_run(SIMPLE, NULL, 5);
  EXPECT_RUNS(2);
  setenv("HEDDLE_DATA", "/nonexistent", 1);
  cl_program program = source_of(SIMPLE);
  EXPECT_CODE(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
}

// Each file of the compiler's data, with another time of change.
Test(cache, other_data_of_the_compiler_compiles_anew) {
  static const char *const names[] = {
      "builtins.bc", "builtins.parts", "builtins-images.bc",   "builtins-float.bc",  "runtime.a",
      "heddle.h",    "device.ld",      "pipeline/builtins.bc", "include/ihc_apint.h"};
  char command[PATH_MAX + 256], path[PATH_MAX];
  snprintf(command, sizeof command,
           "mkdir %s/data && cd '%s/share/heddle' && cp -rp -t %s/data *.bc *.a *.parts heddle.h device.ld pipeline "
           "include source",
           top, build_folder(), top);
  cr_assert_eq(system(command), 0);
  snprintf(path, sizeof path, "%s/data", top);
  setenv("HEDDLE_DATA", path, 1);
  build_and_run(SIMPLE, NULL, 5);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(command, sizeof command, "touch -d @1000000000 %s/data/%s", top, names[i]);
    cr_assert_eq(system(command), 0);
    build_and_run(SIMPLE, NULL, 5);
    EXPECT_RUNS(2 + (int)i);
    build_and_run(SIMPLE, NULL, 5);
    EXPECT_RUNS(2 + (int)i);
  }
}

Test(cache, without_clang_nothing_is_taken_for_compiled) {
  build_and_run(SIMPLE, NULL, 5);
  setenv("PATH", "/bin/nowhere", 1);
  cl_program program = source_of(SIMPLE);
  EXPECT_CODE(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
}

Test(cache, objects_libraries_and_links_are_kept) {
  for (int i = 0; i < 2; i++) {
    const cl_program parts[] = {compiled("int f(void) { return 8; }\n", NULL),
                                compiled("int f(void); kernel void k(global int *out) { out[0] = f(); }\n", NULL)};
    const cl_program both[] = {link_well(&parts[0], 1, "-create-library"), parts[1]};
    expect_type(CL_PROGRAM_BINARY_TYPE_LIBRARY, both[0]);
    expect_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, both[1]);
    expect_word(8, link_well(both, 2, NULL), "k");
    EXPECT_RUNS(4);
  }
}

static uint32_t with_header(const char *header_source) {
  cl_program program = source_of("#include <a.h>\nkernel void k(global int *out) { out[0] = A; }\n");
  const cl_program header = source_of(header_source);
  const char *name = "a.h";
  EXPECT_SUCCESS(clCompileProgram(program, 1, &harness()->device, NULL, 1, &header, &name, NULL, NULL));
  cl_kernel kernel = kernel_of(link_well(&program, 1, NULL), "k");
  cl_mem out = buffer_with(NULL, 4);
  uint32_t got;
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, &got, 4);
  return got;
}

Test(cache, embedded_headers_are_part_of_the_source) {
  cr_assert_eq(with_header("#define A 1\n"), 1);
  cr_assert_eq(with_header("#define A 2\n"), 2);
  EXPECT_RUNS(4);
  cr_assert_eq(with_header("#define A 1\n"), 1);
  EXPECT_RUNS(4);
}

Test(cache, a_file_that_is_included_is_part_of_the_source) {
  static const char source[] = "#include \"a b.h\"\nkernel void k(global int *out) { out[0] = A; }\n";
  char path[96], options[96];
  snprintf(path, sizeof path, "%s/a b.h", top);
  snprintf(options, sizeof options, "-I %s", top);
  write_old_file(path, "#define A 1\n");
  build_and_run(source, options, 1);
  build_and_run(source, options, 1);
  EXPECT_RUNS(1);
  write_old_file(path, "#define A 2\n");  // of the same size and time
  build_and_run(source, options, 2);
  EXPECT_RUNS(2);
  write_old_file(path, "#define A __COUNTER__ + __LINE__ // __TIME__\n");
  build_and_run(source, options, 2);
  build_and_run(source, options, 2);
  EXPECT_RUNS(4);
  unlink(path);
  cl_program program = source_of(source);
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &harness()->device, options, NULL, NULL));
}

// A header that defines A, below the folder of the test; folders on the way are made.
static void write_header(const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", top, name);
  for (char *slash = path + strlen(top) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = 0;
    mkdir(path, 0700);
  }
  write_old_file(path, text);
}

static const char with_a[] = "#include \"a.h\"\nkernel void k(global int *out) { out[0] = A; }\n";

Test(cache, a_relative_folder_is_of_the_folder_that_the_program_is_in) {
  write_header("one/inc/a.h", "#define A 1\n");
  write_header("two/inc/a.h", "#define A 2\n");
  static const char *const spelled[] = {"-I inc", "-Iinc", "-D X -I 'inc'"};
  for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++) {
    cr_assert(chdir(top) == 0 && chdir("one") == 0);
    build_and_run(with_a, spelled[i], 1);
    cr_assert_eq(chdir("../two"), 0);
    build_and_run(with_a, spelled[i], 2);
    cr_assert_eq(chdir("../one"), 0);
    build_and_run(with_a, spelled[i], 1);
  }
  EXPECT_RUNS(6);
  cr_assert_eq(chdir("/"), 0);
}

Test(cache, a_file_that_would_be_found_first_now_is_part_of_the_source) {
  static const char *const first[] = {"one/a.h", "two/c.h"}, *const text[] = {"#define A 4\n", "#define A 5\n"};
  char options[384], path[128];
  write_header("one/b.h", "");
  write_header("two/a.h", "#include \"c.h\"\n");
  write_header("three/c.h", "#define A 3\n");
  snprintf(options, sizeof options, "-I %s/one/ -I%s/two -I %s/three", top, top, top);
  build_and_run(with_a, options, 3);
  build_and_run(with_a, options, 3);
  EXPECT_RUNS(1);
  for (int i = 0; i < 2; i++) {
    write_header(first[i], text[i]);
    build_and_run(with_a, options, 4 + (uint32_t)i);
    snprintf(path, sizeof path, "%s/%s", top, first[i]);
    unlink(path);
    build_and_run(with_a, options, 3);
  }
}

Test(cache, a_link_to_another_file_is_another_file) {
  static const char *const links[] = {"a.h", "link"}, *const options_of[] = {"-I %s", "-I %s/link"};
  char options[128], path[128];
  write_header("one/a.h", "#define A 1\n");
  write_header("two/a.h", "#define A 2\n");
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", top, links[i]);
    snprintf(options, sizeof options, options_of[i], top);
    cr_assert_eq(symlink(i == 0 ? "one/a.h" : "one", path), 0);
    build_and_run(with_a, options, 1);
    cr_assert(unlink(path) == 0 && symlink(i == 0 ? "two/a.h" : "two", path) == 0);
    build_and_run(with_a, options, 2);
    build_and_run(with_a, options, 2);
    EXPECT_RUNS(2 * i + 2);
  }
}

Test(cache, a_file_changed_while_it_is_compiled_is_not_relied_upon) {
  static const char source[] = "#include \"a.h\"\nkernel void k(global int *out) { out[0] = A; }\n";
  char path[96], options[96];
  snprintf(path, sizeof path, "%s/a.h", top);
  snprintf(options, sizeof options, "-I %s", top);
  write_old_file(path, "#define A 1\n");
  const struct timeval ahead[2] = {{4000000000, 0}, {4000000000, 0}};
  cr_assert_eq(utimes(path, ahead), 0);
  build_and_run(source, options, 1);
  expect_entries(0, folder);
}

Test(cache, what_is_another_program_each_time_is_not_kept) {
  static const char *const sources[] = {
      "constant char now[] = __TIME__; kernel void k(global int *out) { out[0] = 1 + (now[0] == 0); }\n",
      "#if __has_include(\"x.h\")\n#endif\nkernel void k(global int *out) { out[0] = 1; }\n"};
  for (size_t i = 0; i < 2; i++)
    build_and_run(sources[i], NULL, 1);
  build_and_run("kernel void k(global int *out) { out[0] = sizeof V > 0; }\n", "-DV=__DATE__", 1);
  EXPECT_RUNS(3);
  expect_entries(0, folder);
}

Test(cache, what_does_not_compile_is_not_kept) {
  for (int i = 1; i <= 2; i++) {
    cl_program program = source_of("kernel void k(global int *out) { out[0] = none; }\n");
    EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
    EXPECT_RUNS(i);
  }
  expect_entries(0, folder);
}

Test(cache, a_broken_entry_is_none_and_goes) {
  build_and_run(SIMPLE, NULL, 5);
  struct stat facts;
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", only_entry());
  cr_assert_eq(stat(path, &facts), 0);
  unsigned char *whole = allocate((size_t)facts.st_size);
  int file = open(path, O_RDONLY);
  cr_assert_eq(read(file, whole, (size_t)facts.st_size), facts.st_size);
  close(file);
  int expected = 1;
  static const int promilles[] = {0, 1, 20, 50, 500, 999};
  for (size_t i = 0; i < sizeof promilles / sizeof *promilles; i++) {
    const off_t at = facts.st_size * promilles[i] / 1000;
    cr_assert_eq(truncate(path, at), 0);
    build_and_run(SIMPLE, NULL, 5);
    EXPECT_RUNS(++expected);
    file = open(path, O_WRONLY);
    const unsigned char other = whole[at] ^ 1;
    cr_assert_eq(pwrite(file, &other, 1, at), 1);
    close(file);
    build_and_run(SIMPLE, NULL, 5);
    EXPECT_RUNS(++expected);
    build_and_run(SIMPLE, NULL, 5);
    EXPECT_RUNS(expected);
  }
  expect_entries(1, folder);
}

Test(cache, an_entry_under_another_name_is_none) {
  static const char other_source[] = "kernel void k(global int *out) { out[0] = 9; }\n";
  char simple_entry[PATH_MAX], kept[128], other_entry[PATH_MAX];
  build_and_run(SIMPLE, NULL, 5);
  snprintf(simple_entry, sizeof simple_entry, "%s", only_entry());
  snprintf(kept, sizeof kept, "%s/kept", top);
  cr_assert_eq(rename(simple_entry, kept), 0);
  build_and_run(other_source, NULL, 9);
  snprintf(other_entry, sizeof other_entry, "%s", only_entry());
  cr_assert_eq(rename(kept, other_entry), 0);
  build_and_run(other_source, NULL, 9);
  EXPECT_RUNS(3);
}
