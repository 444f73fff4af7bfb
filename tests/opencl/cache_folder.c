// SPDX-License-Identifier: Apache-2.0
// The folder of the cache of kernels (host/cl/cache_folder.h): whose it is, how much is in it, and that whatever
// happens to it, also by other processes, is no reason for a build to fail.
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
TestSuite(cache_folder, .init = own_cache, .fini = remove_own_cache);

Test(cache_folder, the_folder_is_made_for_this_user_alone) {
  struct stat facts;
  snprintf(folder, sizeof folder, "%s/not/there/yet", top);
  setenv("HEDDLE_CACHE_DIR", folder, 1);
  umask(0);
  build_and_run(SIMPLE, NULL, 5);
  cr_assert_eq(stat(folder, &facts), 0);
  if ((facts.st_mode & 0777) != 0700 || facts.st_uid != geteuid())
    fail("%s: expected mode 0700 and owner %u, got 0%o and %u", folder, geteuid(), facts.st_mode & 0777, facts.st_uid);
  cr_assert_eq(stat(only_entry(), &facts), 0);
  if ((facts.st_mode & 0777) != 0600)
    fail("entry: expected mode 0600, got 0%o", facts.st_mode & 0777);
}

Test(cache_folder, by_default_it_is_where_xdg_says) {
  char path[128];
  unsetenv("HEDDLE_CACHE_DIR");
  setenv("XDG_CACHE_HOME", folder, 1);
  build_and_run(SIMPLE, NULL, 5);
  snprintf(path, sizeof path, "%s/heddle", folder);
  expect_entries(1, path);
  setenv("XDG_CACHE_HOME", "relative/path", 1);  // counts for none
  setenv("HOME", top, 1);
  build_and_run(SIMPLE, NULL, 5);
  snprintf(path, sizeof path, "%s/.cache/heddle", top);
  expect_entries(1, path);
  unsetenv("HOME");
  build_and_run(SIMPLE, NULL, 5);
  EXPECT_RUNS(3);
}

// Twice, so that what is not kept is seen.
static void expect_nothing_kept(const char *path) {
  const int before = count_runs();
  build_and_run(SIMPLE, NULL, 5);
  build_and_run(SIMPLE, NULL, 5);
  EXPECT_RUNS(before + 2);
  expect_entries(0, path);
}

Test(cache_folder, a_folder_that_others_can_enter_is_not_used) {
  cr_assert_eq(mkdir(folder, 0700), 0);
  cr_assert_eq(chmod(folder, 0755), 0);
  expect_nothing_kept(folder);
  cr_assert_eq(chmod(folder, 0720), 0);
  expect_nothing_kept(folder);
}

Test(cache_folder, a_folder_of_another_user_is_not_used) {
  if (geteuid() != 0)
    cr_skip_test("only root can give a folder away");
  cr_assert_eq(mkdir(folder, 0700), 0);
  cr_assert_eq(chown(folder, 12345, 12345), 0);
  expect_nothing_kept(folder);
}

Test(cache_folder, a_link_to_a_folder_is_not_used) {
  char other[128];
  snprintf(other, sizeof other, "%s/other", top);
  cr_assert_eq(mkdir(other, 0700), 0);
  cr_assert_eq(symlink(other, folder), 0);
  expect_nothing_kept(other);
}

Test(cache_folder, a_folder_that_cannot_be_is_no_reason_to_fail) {
  const int file = open(folder, O_CREAT | O_WRONLY, 0600);
  cr_assert_geq(file, 0);
  close(file);
  build_and_run(SIMPLE, NULL, 5);
  setenv("HEDDLE_CACHE_DIR", "/proc/none/such", 1);
  build_and_run(SIMPLE, NULL, 5);
  setenv("HEDDLE_CACHE_DIR", "", 1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  build_and_run(SIMPLE, NULL, 5);
  EXPECT_RUNS(3);
}

Test(cache_folder, what_stands_in_the_place_of_an_entry_is_no_reason_to_fail) {
  char path[PATH_MAX];
  build_and_run(SIMPLE, NULL, 5);
  snprintf(path, sizeof path, "%s", only_entry());
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(mkdir(path, 0700), 0);
  build_and_run(SIMPLE, NULL, 5);
  cr_assert_eq(rmdir(path), 0);
  cr_assert_eq(mkfifo(path, 0600), 0);
  build_and_run(SIMPLE, NULL, 5);
  unlink(path);
  cr_assert_eq(symlink("/etc/passwd", path), 0);
  build_and_run(SIMPLE, NULL, 5);
  EXPECT_RUNS(4);
}

Test(cache_folder, no_bytes_or_no_number_of_them_keep_nothing) {
  static const char *const values[] = {"0", "", "none", "-1", "1k", "99999999999999999999999"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    setenv("HEDDLE_CACHE_BYTES", values[i], 1);
    expect_nothing_kept(folder);
  }
}

static void build_numbered(int number) {
  char source[96];
  snprintf(source, sizeof source, "kernel void k(global int *out) { out[0] = %d; }\n", number);
  build_and_run(source, NULL, (uint32_t)number);
}

Test(cache_folder, it_stays_within_its_bytes_and_forgets_what_was_used_least_recently) {
  uint64_t bytes, one;
  build_numbered(1);
  expect_entries(1, folder);
  count_entries(folder, &one);
  char limit[32];
  snprintf(limit, sizeof limit, "%" PRIu64, 4 * one + one / 2);
  setenv("HEDDLE_CACHE_BYTES", limit, 1);
  for (int number = 2; number <= 8; number++) {
    build_numbered(number);
    build_numbered(1);  // in use all the time
    count_entries(folder, &bytes);
    if (bytes > 4 * one + one / 2)
      fail("cache: expected at most %s bytes, got %" PRIu64, limit, bytes);
  }
  EXPECT_RUNS(8);
  build_numbered(8);
  EXPECT_RUNS(8);
  build_numbered(2);
  EXPECT_RUNS(9);
}

Test(cache_folder, one_result_larger_than_all_of_it_is_not_kept) {
  setenv("HEDDLE_CACHE_BYTES", "100", 1);
  expect_nothing_kept(folder);
}

Test(cache_folder, what_was_begun_and_left_goes_and_what_is_not_ours_stays) {
  char begun[128], fresh[128], foreign[128];
  cr_assert_eq(mkdir(folder, 0700), 0);
  snprintf(begun, sizeof begun, "%s/.new-12", folder);
  snprintf(fresh, sizeof fresh, "%s/.new-34", folder);
  snprintf(foreign, sizeof foreign, "%s/notes.txt", folder);
  write_old_file(begun, "half");
  write_old_file(foreign, "mine");
  write_old_file(fresh, "half");
  cr_assert_eq(utimes(fresh, NULL), 0);
  build_and_run(SIMPLE, NULL, 5);
  cr_expect_neq(access(begun, F_OK), 0, "what was left an hour ago is still there");
  cr_expect_eq(access(fresh, F_OK), 0, "what another process writes is gone");
  cr_expect_eq(access(foreign, F_OK), 0, "a file that is not the cache's is gone");
}

// Criterion's assertions end a process that is not its own as well.
// A process that was forked opens the device anew: what it inherited is its parent's.
static cl_device_id device_called(const char *wanted) {
  cl_platform_id platform;
  cl_device_id devices[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count) != CL_SUCCESS)
    return NULL;
  for (cl_uint i = 0; i < count && i < 16; i++) {
    char name[128];
    if (clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL) == CL_SUCCESS && strcmp(name, wanted) == 0)
      return devices[i];
  }
  return NULL;
}

Test(cache_folder, many_processes_build_at_once) {
  enum { PROCESSES = 6, PROGRAMS = 3 };
  char name[128];
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_NAME, sizeof name, name, NULL));
  pid_t children[PROCESSES];
  for (int i = 0; i < PROCESSES; i++) {
    children[i] = fork();
    cr_assert_geq(children[i], 0);
    if (children[i] == 0) {
      cl_int error = CL_INVALID_DEVICE;
      cl_device_id device = device_called(name);
      cl_context context = device ? clCreateContext(NULL, 1, &device, NULL, NULL, &error) : NULL;
      for (int number = 1; number <= PROGRAMS; number++) {
        const char *source;
        char text[96];
        snprintf(text, sizeof text, "kernel void k(global int *out) { out[0] = %d; }\n", number);
        source = text;
        cl_program program = error == CL_SUCCESS ? clCreateProgramWithSource(context, 1, &source, NULL, &error) : NULL;
        if (error != CL_SUCCESS || clBuildProgram(program, 1, &device, NULL, NULL, NULL) != CL_SUCCESS)
          _exit(1);
      }
      _exit(0);
    }
  }
  for (int i = 0; i < PROCESSES; i++) {
    int status = -1;
    cr_assert_eq(waitpid(children[i], &status, 0), children[i]);
    cr_assert_eq(status, 0, "process %d ended with %d", i, status);
  }
  expect_entries(PROGRAMS, folder);
  const int before = count_runs();
  for (int number = 1; number <= PROGRAMS; number++)
    build_numbered(number);
  EXPECT_RUNS(before);
}
