// SPDX-License-Identifier: Apache-2.0
// What `make install` installs is complete and works without the checkout: programs compile with it by pkg-config and
// by CMake, kernels run through its ICD, its manual pages and completions say what the programs' --help says; `make
// uninstall` takes all of it away. INSTALL_TEST is the folder in which build.mk has installed.
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/install/shell.h"

#define HERE INSTALL_TEST "/here"

static void use_here(void) {
  begin(HERE, HERE "/etc/OpenCL/vendors");
}

TestSuite(install, .init = use_here, .fini = finish, .timeout = 120);

// ---- What is installed

Test(install, everything_has_its_place_below_destdir) {
  static const char *const places[] = {"etc/OpenCL/vendors/heddle.icd",
                                       "usr/bin/heddle",
                                       "usr/bin/heddlec",
                                       "usr/bin/heddle-board",
                                       "usr/bin/heddle-sycl++",
                                       "usr/bin/heddle-sycl-link",
                                       "usr/include/CL/cl_heddle.h",
                                       "usr/include/heddle-sycl/CL/sycl.hpp",
                                       "usr/include/heddle-sycl/sycl/detail/leaves.hpp",
                                       "usr/include/heddle-sycl/sycl/sycl.hpp",
                                       "usr/lib/libheddle.so",
                                       "usr/lib/libheddle-sycl.a",
                                       "usr/lib/cmake/Heddle/HeddleConfig.cmake",
                                       "usr/lib/cmake/Heddle/HeddleConfigVersion.cmake",
                                       "usr/lib/heddle/rtl-L8-S32-P.so",
                                       "usr/lib/pkgconfig/heddle.pc",
                                       "usr/lib/udev/rules.d/70-heddle.rules",
                                       "usr/share/bash-completion/completions/heddle",
                                       "usr/share/bash-completion/completions/heddlec",
                                       "usr/share/bash-completion/completions/heddle-board",
                                       "usr/share/bash-completion/completions/heddle-sycl++",
                                       "usr/share/heddle/builtins.bc",
                                       "usr/share/heddle/builtins-atomics.bc",
                                       "usr/share/heddle/builtins-collectives.bc",
                                       "usr/share/heddle/builtins-conversions.bc",
                                       "usr/share/heddle/builtins-double.bc",
                                       "usr/share/heddle/builtins-float.bc",
                                       "usr/share/heddle/builtins-integers.bc",
                                       "usr/share/heddle/builtins-memory.bc",
                                       "usr/share/heddle/builtins.parts",
                                       "usr/share/heddle/device.ld",
                                       "usr/share/heddle/heddle.h",
                                       "usr/share/heddle/pipeline/builtins.bc",
                                       "usr/share/heddle/pipeline/builtins-float.bc",
                                       "usr/share/heddle/rtl/contract/sim.h",
                                       "usr/share/heddle/rtl/rtl/heddle.v",
                                       "usr/share/heddle/rtl/rtl/pipeline/pipeline_unit.v",
                                       "usr/share/heddle/rtl/sim/rtl/device.cpp",
                                       "usr/share/heddle/rtl/sim/rtl/fst_writer.cpp",
                                       "usr/share/heddle/rtl/sim/rtl/hardware.sh",
                                       "usr/share/heddle/rtl/sim/rtl/stages.sv",
                                       "usr/share/heddle/runtime.a",
                                       "usr/share/heddle/runtime-i.a",
                                       "usr/share/man/man1/heddle.1",
                                       "usr/share/man/man1/heddlec.1",
                                       "usr/share/man/man1/heddle-board.1",
                                       "usr/share/man/man1/heddle-sycl++.1",
                                       "usr/share/man/man1/heddle-sycl-link.1",
                                       "usr/share/zsh/site-functions/_heddle"};
  char *list = read_file(INSTALL_TEST "/staged.txt");
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char line[128];
    snprintf(line, sizeof line, "./%s\n", places[i]);
    cr_expect(strstr(list, line), "installed: expected %s among\n%s", places[i], list);
  }
  for (char *line = strtok(list, "\n"); line; line = strtok(NULL, "\n"))
    cr_expect(strstr(line, "eddle"), "installed: expected nothing without the name of Heddle in it, got %s", line);
  // They are read where they are installed, not where they were put first.
  cr_expect_str_eq(read_file(INSTALL_TEST "/heddle.icd"), "/usr/lib/libheddle.so\n");
  cr_expect(strstr(read_file(INSTALL_TEST "/heddle.pc"), "\nprefix=/usr\n"));
}

Test(install, uninstall_leaves_what_others_put_there_and_nothing_else) {
  cr_assert_str_eq(read_file(INSTALL_TEST "/left.txt"), "./usr/lib/heddle/another\n");
  expect_output("", "find " INSTALL_TEST "/staged -iname \"*heddle*\" ! -path \"*/usr/lib/heddle*\" -mindepth 1");
}

// ---- Programs

// Asks for something of CL/cl_heddle.h; the kernel is source, or the file that is the first argument.
static const char program[] =
    "#define CL_TARGET_OPENCL_VERSION 300\n"
    "#include <CL/cl.h>\n"
    "#include <CL/cl_heddle.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "static const char *source = \"kernel void k(global int *x) { x[get_global_id(0)] *= 2; }\";\n"
    "int main(int argc, char **argv) {\n"
    "  static unsigned char file[1 << 20];\n"
    "  const unsigned char *binary = file;\n"
    "  cl_platform_id platform; cl_device_id device; cl_uint lanes = 0; cl_int error, x[3] = {1, 2, 3};\n"
    "  size_t bytes, three = 3;\n"
    "  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ||\n"
    "      clGetDeviceInfo(device, CL_DEVICE_LANES_HEDDLE, sizeof lanes, &lanes, NULL)) return 2;\n"
    "  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);\n"
    "  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);\n"
    "  FILE *opened = argc > 1 ? fopen(argv[1], \"rb\") : NULL;\n"
    "  cl_program program;\n"
    "  if (opened) {\n"
    "    bytes = fread(file, 1, sizeof file, opened);\n"
    "    program = clCreateProgramWithBinary(context, 1, &device, &bytes, &binary, NULL, &error);\n"
    "  } else {\n"
    "    program = clCreateProgramWithSource(context, 1, &source, NULL, &error);\n"
    "  }\n"
    "  if (error || clBuildProgram(program, 1, &device, NULL, NULL, NULL)) return 3;\n"
    "  cl_kernel kernel = clCreateKernel(program, \"k\", &error);\n"
    "  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof x, x, &error);\n"
    "  if (clSetKernelArg(kernel, 0, sizeof buffer, &buffer) ||\n"
    "      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &three, NULL, 0, NULL, NULL) ||\n"
    "      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL)) return 4;\n"
    "  printf(\"%u lanes: %d %d %d\\n\", lanes, x[0], x[1], x[2]);\n"
    "  return 0;\n"
    "}\n";

Test(install, programs_compile_with_pkg_config) {
  write_file("program.c", program);
  free(output_of("gcc -Wall -Werror program.c -o program $(pkg-config --cflags --libs heddle)"));
  expect_output("8 lanes: 2 4 6\n", "./program");
  char *version = output_of("pkg-config --modversion heddle"), *said = output_of("heddle --version"), expected[64];
  snprintf(expected, sizeof expected, "heddle %s", version);
  cr_assert_str_eq(said, expected);
  expect_output(HERE "/bin/heddlec\n", "pkg-config --variable=heddlec heddle");
}

Test(install, programs_and_kernels_compile_with_cmake) {
  write_file("program.c", program);
  write_file("double.cl", "kernel void k(global int *x) { x[get_global_id(0)] *= 3; }\n");
  write_file("CMakeLists.txt",
             "cmake_minimum_required(VERSION 3.13)\n"
             "project(program C)\n"
             "find_package(Heddle 0.1 REQUIRED)\n"
             "add_executable(program program.c)\n"
             "target_link_libraries(program PRIVATE Heddle::Heddle)\n"
             "add_custom_command(OUTPUT k.elf DEPENDS double.cl\n"
             "  COMMAND Heddle::heddlec ${CMAKE_SOURCE_DIR}/double.cl -o k.elf)\n"
             "add_custom_target(kernels ALL DEPENDS k.elf)\n");
  free(output_of("cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build"));
  expect_output("8 lanes: 2 4 6\n", "build/program");
  expect_output("8 lanes: 3 6 9\n", "build/program build/k.elf");
}

Test(install, another_version_is_not_found_by_cmake) {
  int status;
  write_file("CMakeLists.txt",
             "cmake_minimum_required(VERSION 3.13)\nproject(none NONE)\n"
             "find_package(Heddle 7.5 REQUIRED)\n");
  const char *output = output_and_status(&status, "cmake -S . -B build");
  cr_assert_neq(status, 0);
  cr_assert(strstr(output, "HeddleConfig.cmake, version: 0."), "%s", output);
}

Test(install, the_commands_work_without_the_checkout) {
  write_file("scan.cl",
             "kernel void scan(global const int *p, global int *out) {\n"
             "  out[get_global_id(0)] = work_group_scan_inclusive_add(p[get_global_id(0)]);\n}\n");
  for (int i = 0; i < 2; i++) {
    char command[160];
    snprintf(command, sizeof command, "heddle run scan.cl -d %s -g 8 -l 8 3,1,7,0,4,1,6,3 \"zeros(8)\"",
             i == 0 ? "sim" : "model");
    const char *output = output_of(command);
    cr_assert(strstr(output, "3 4 11 11 15 16 22 25"), "%s:\n%s", command, output);
  }
  write_file("sum.cpp",
             "#include <sycl/sycl.hpp>\n#include <cstdio>\nint main() {\n  int sum = 0;\n  {\n"
             "    sycl::buffer<int> b(&sum, sycl::range<1>(1));\n"
             "    sycl::queue().submit([&](sycl::handler &h) {\n      sycl::accessor a(b, h);\n"
             "      h.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {\n"
             "        int all = sycl::reduce_over_group(item.get_group(), (int)item.get_local_id(0), sycl::plus<>());\n"
             "        if (item.get_local_id(0) == 0) a[0] = all;\n      });\n    });\n  }\n"
             "  std::printf(\"%d\\n\", sum);\n}\n");
  expect_output("28\n", "heddle-sycl++ sum.cpp -o sum && HEDDLE_SYCL_DEVICE=model ./sum");
  // An example of the checkout, and all that it needs from where it is installed.
  write_file("sort.cpp", read_file(INSTALL_TEST "/../../../host/sycl/examples/sort.cpp"));
  write_file("example.hpp", read_file(INSTALL_TEST "/../../../host/sycl/examples/example.hpp"));
  free(output_of("heddle-sycl++ -v -O2 -c -MD sort.cpp -o sort.o && heddle-sycl++ sort.o -o sort"));
  expect_output("0\n", "tr \" \" \"\\n\" < sort.d | grep sycl/ | grep -cv ^" HERE "/include/heddle-sycl/; true");
  const char *sorted = output_of("HEDDLE_SYCL_DEVICE=model ./sort");
  cr_assert(strstr(sorted, "1024 pairs sorted"), "%s", sorted);
  // It is this library that they find, and nothing of the folder that it was built in.
  const char *output = output_of("heddlec -v -cl-std=CL3.0 scan.cl -o scan.elf");
  cr_assert(strstr(output, HERE "/share/heddle"), "%s", output);
}

// ---- Manual pages and completion

Test(install, manual_pages_render_without_a_warning) {
  static const char *const pages[][2] = {{"heddle", "HEDDLE(1)\n"},
                                         {"heddlec", "HEDDLEC(1)\n"},
                                         {"heddle-board", "HEDDLE-BOARD(1)\n"},
                                         {"heddle-sycl++", "HEDDLE-SYCL++(1)\n"},
                                         {"heddle-sycl-link", "HEDDLE-SYCL++(1)\n"}};  // the same page
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    char command[256];
    snprintf(command, sizeof command,
             "MANPATH=" HERE "/share/man man --warnings 1 %s > page; head -n 1 page | cut -d \" \" -f 1", pages[i][0]);
    expect_output(pages[i][1], command);  // standard error is in it
  }
}

enum { WORDS_MOST = 64, WORD_BYTES = 32 };
struct words {
  size_t count;
  char words[WORDS_MOST][WORD_BYTES];
};

static bool has_word(const struct words *words, const char *word) {
  for (size_t i = 0; i < words->count; i++)
    if (strcmp(words->words[i], word) == 0)
      return true;
  return false;
}

// Adds the options that a line begins with, as in "  -o, --out NAME=FILE".
static void add_options(struct words *words, const char *line) {
  const char *at = line + strspn(line, " ");
  while (at != line && *at == '-' && words->count < WORDS_MOST) {
    const size_t length = strspn(at, "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (length > 1)
      snprintf(words->words[words->count++], WORD_BYTES, "%.*s", (int)length, at);
    at += length;
    at += strncmp(at, ", ", 2) == 0 ? 2 : strlen(at);
  }
}

// Of the lines of a text that are indented by `least` to `most`; between a line that begins with `from` and the next
// that is indented less than `least`, or of the whole text.
static struct words options_in(char *text, size_t least, size_t most, const char *from) {
  struct words words = {0};
  bool inside = !from;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const size_t indent = strspn(line, " ");
    if (from && indent < least)
      inside = strcmp(line + indent, from) == 0;
    else if (inside && indent <= most)
      add_options(&words, line);
  }
  return words;
}

static void expect_same(const char *command, const struct words *help, const struct words *page) {
  cr_assert(help->count > 2, "%s --help lists %zu options", command, help->count);
  for (size_t i = 0; i < help->count; i++)
    cr_expect(has_word(page, help->words[i]), "%s.1: expected %s, which is in --help", command, help->words[i]);
  for (size_t i = 0; i < page->count; i++)
    cr_expect(has_word(help, page->words[i]), "%s.1: expected no %s, which is not in --help", command, page->words[i]);
}

Test(install, manual_pages_list_the_options_of_help) {
  static const struct {
    const char *command, *page, *section;
  } pages[] = {{"heddle info", "heddle", "heddle info"},    {"heddle run", "heddle", "heddle run"},
               {"heddle cache", "heddle", "heddle cache"},  {"heddlec", "heddlec", "OPTIONS"},
               {"heddle-board", "heddle-board", "OPTIONS"}, {"heddle-sycl++", "heddle-sycl++", "OPTIONS"}};
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    char command[256];
    snprintf(command, sizeof command, "%s --help", pages[i].command);
    const struct words help = options_in(output_of(command), 2, 6, NULL);
    snprintf(command, sizeof command, "man -E ascii -l " HERE "/share/man/man1/%s.1", pages[i].page);
    const struct words page = options_in(output_of(command), 7, 7, pages[i].section);
    expect_same(pages[i].command, &help, &page);
  }
}

// What bash offers for a line of words whose last is being typed, in order, each on a line.
static char *bash_completed(const char *words) {
  char command[512];
  snprintf(command, sizeof command,
           "source " HERE
           "/share/bash-completion/completions/heddle; COMP_WORDS=(%s); "
           "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); complete=$(complete -p ${COMP_WORDS[0]}); "
           "function=${complete##*-F }; ${function%%%% *} ${COMP_WORDS[0]}; "
           "printf \"%%s\\n\" \"${COMPREPLY[@]}\" | sort",
           words);
  return output_of(command);
}

// The same of an interactive zsh; to it --emit=asm is one word.
static char *zsh_completed(const char *line) {
  char command[512];
  snprintf(command, sizeof command, "zsh -f %s " HERE "/share/zsh/site-functions \"%s\" | sed s/^--emit=//",
           COMPLETE_ZSH, line);
  return output_of(command);
}

static void expect_completion(const char *words, const char *expected) {
  const char *got = bash_completed(words);
  cr_expect_str_eq(got, expected, "completion of %s by bash: expected\n%sgot\n%s", words, expected, got);
  // As it is typed: an empty word is a space, and no spaces around "=".
  char line[128] = "";
  for (const char *at = words; *at; at++)
    if (*at != '"' && strncmp(at, " =", 2) != 0 && !(*at == ' ' && at > words && at[-1] == '='))
      strncat(line, at, 1);
  got = zsh_completed(line);
  cr_expect_str_eq(got, expected, "completion of %s by zsh: expected\n%sgot\n%s", line, expected, got);
}

Test(install, bash_and_zsh_complete_commands_options_values_and_files) {
  write_file("kernels.cl", "");
  expect_completion("heddle \"\"", "--help\n--version\ncache\nflash\ninfo\npack\nrun\n");
  expect_completion("heddle r", "run\n");
  expect_completion("heddle run --bu", "--budget\n--build-options\n");
  expect_completion("heddle cache --c", "--clear\n");
  expect_completion("heddle run kernels.cl --device m", "model\n");
  expect_completion("heddle run kernels.cl --progress \"\"", "always\nauto\nnever\n");
  expect_completion("heddle run ker", "kernels.cl\n");
  expect_completion("heddle run kernels.cl @ker", "@kernels.cl\n");
  expect_completion("heddlec --emit = \"\"", "asm\nelf\nll\nobj\n");
  expect_completion("heddlec --de", "--depend\n");
  expect_completion("heddlec ker", "kernels.cl\n");
  expect_completion("heddle-board --s", "--seed\n--speed\n");
  expect_completion("heddle-sycl++ -fsycl-d", "-fsycl-default-sub-group-size=\n");
  expect_completion("heddle-sycl++ ker", "kernels.cl\n");
}

Test(install, bash_and_zsh_complete_every_option_of_help) {
  static const char *const commands[] = {"heddle info", "heddle run",   "heddle cache",
                                         "heddlec",     "heddle-board", "heddle-sycl++"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    char command[128];
    snprintf(command, sizeof command, "%s --help", commands[i]);
    const struct words help = options_in(output_of(command), 2, 6, NULL);
    cr_assert_gt(help.count, 2);
    for (int zsh = 0; zsh < 2; zsh++) {
      snprintf(command, sizeof command, "%s -", commands[i]);
      const char *offered = zsh ? zsh_completed(command) : bash_completed(command);
      for (size_t n = 0; n < help.count; n++) {
        const char *at = strstr(offered, help.words[n]);
        const size_t length = strlen(help.words[n]);
        while (at && ((at > offered && at[-1] != '\n') || !strchr("\n=", at[length])))
          at = strstr(at + 1, help.words[n]);
        cr_expect(at, "completion of %s - by %s: expected %s among\n%s", commands[i], zsh ? "zsh" : "bash",
                  help.words[n], offered);
      }
    }
  }
}
