// SPDX-License-Identifier: Apache-2.0
// The Debian package of `make deb` says what it needs, holds what it should and nothing of the machine that made it,
// and works once it is unpacked. INSTALL_TEST is the folder in which build.mk has put it.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/install/shell.h"

#define PACKAGE INSTALL_TEST "/package.deb"
#define ROOT "$HOME/root"

// Unpacked as it would be below /, but for the ICD file, which names the place of the library there.
static void unpack(void) {
  begin("root/usr", "root/etc/OpenCL/vendors");
  free(output_of("dpkg-deb -x " PACKAGE " root"));
  expect_output("/usr/lib/libheddle.so\n", "cat root/etc/OpenCL/vendors/heddle.icd");
  free(output_of("echo " ROOT "/usr/lib/libheddle.so > root/etc/OpenCL/vendors/heddle.icd"));
}

TestSuite(deb, .init = unpack, .fini = finish, .timeout = 120);

static void expect_in(const char *text, const char *word, const char *what) {
  cr_expect(strstr(text, word), "%s: expected %s in it, got\n%s", what, word, text);
}

Test(deb, package_says_what_it_needs_and_is) {
  static const char *const needs[] = {
      "libc6 (>=", "libmd0 (>=", "ocl-icd-libopencl1", "libllvm22", "libstdc++6 (>=", "clang-22", "lld-22"};
  const char *depends = output_of("dpkg-deb -f " PACKAGE " Depends");
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    expect_in(depends, needs[i], "Depends");
  expect_output("heddle\n", "dpkg-deb -f " PACKAGE " Package");
  expect_output("opencl-icd\n", "dpkg-deb -f " PACKAGE " Provides");
  expect_output("heddle-embedded\n", "dpkg-deb -f " PACKAGE " Conflicts");
  expect_in(output_of("dpkg-deb -f " PACKAGE " Recommends"), "llvm-spirv-15", "Recommends");
  expect_in(output_of("dpkg-deb -f " PACKAGE " Recommends"), "libusb-1.0-0", "Recommends");
  // What heddle says of itself, with what dpkg says behind it.
  expect_output("same\n", "[ \"$(heddle --version)\" = \"heddle $(dpkg-deb -f " PACKAGE " Version)\" ] && echo same");
}

Test(deb, files_are_roots_unchanged_and_where_debian_wants_them) {
  expect_output("", "dpkg-deb -c " PACKAGE " | grep -v \"^[-d]rw[-x]r-[-x]r-[-x] root/root \"; true");
  expect_output("", "dpkg-deb -c " PACKAGE " | grep -E \"/usr/local|/home|/tmp\"; true");
  expect_output("/etc/OpenCL/vendors/heddle.icd\n", "dpkg-deb -I " PACKAGE " conffiles");
  free(output_of("dpkg-deb -I " PACKAGE " md5sums > sums && cd " ROOT " && md5sum --quiet -c $OLDPWD/sums"));
  expect_output("", "cd " ROOT
                    " && find usr -type f | sort > $OLDPWD/files; cd $OLDPWD; "
                    "dpkg-deb -I " PACKAGE " md5sums | cut -c 35- | sort | diff - files");
  free(output_of("zcat " ROOT "/usr/share/doc/heddle/changelog.gz | dpkg-parsechangelog -l - -S Version"));
  expect_in(output_of("cat " ROOT "/usr/share/doc/heddle/copyright"), "Apache-2.0", "copyright");
}

// dpkg-gencontrol(1): files in KiB, each rounded up, and 1 KiB for anything else. What folders take is the file
// system's, and the package is the same on each.
Test(deb, size_that_it_says_is_that_of_its_files) {
  expect_output("same\n", "kib=$(dpkg-deb -c " PACKAGE
                          " | awk \"{ kib += /^-/ ? int((\\$3 + 1023) / 1024) : 1 } END { print kib }\"); "
                          "size=$(dpkg-deb -f " PACKAGE
                          " Installed-Size); [ $kib = $size ] && echo same || echo $size, not $kib");
}

Test(deb, making_it_brings_no_warning) {
  expect_output("", "grep -i warning " INSTALL_TEST "/package.deb.log; true");
}

Test(deb, lintian_finds_no_error_and_no_warning) {
  expect_output("", "lintian --fail-on none " PACKAGE " 2> said; grep -v \"root privileges\" said; true");
}

Test(deb, no_file_names_the_folder_that_it_was_built_in) {
  expect_output("", "cd " ROOT " && grep -rlF \"$(dirname $(dirname $(dirname " INSTALL_TEST ")))\" .; true");
}

Test(deb, programs_are_stripped) {
  static const char *const files[] = {"bin/heddle", "bin/heddlec", "lib/libheddle.so", "lib/heddle/rtl-L8-S32-P.so"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char command[512];
    snprintf(command, sizeof command, "readelf -SW " ROOT "/usr/%s | grep -E \"[.]symtab|[.]debug\"; true", files[i]);
    expect_output("", command);
  }
}

Test(deb, unpacked_it_compiles_and_runs_kernels) {
  write_file("scan.cl",
             "kernel void scan(global const int *p, global int *out) {\n"
             "  out[get_global_id(0)] = work_group_scan_inclusive_add(p[get_global_id(0)]);\n}\n");
  expect_in(output_of("heddle info"), "Heddle sim (8 lanes, 32 slots)", "heddle info");
  expect_in(output_of("heddle run scan.cl -g 8 -l 8 3,1,7,0,4,1,6,3 \"zeros(8)\""), "3 4 11 11 15 16 22 25",
            "heddle run");
  expect_in(output_of("heddlec -cl-std=CL3.0 scan.cl -o scan.elf && heddle run scan.elf -g 8 -l 8 "
                      "1,1,1,1,1,1,1,1 \"zeros(8)\" -d model"),
            "1 2 3 4 5 6 7 8", "heddle run of what heddlec made");
  expect_in(output_of("clinfo -l"), "Device #1: Heddle model", "clinfo");
}

Test(deb, unpacked_it_compiles_and_runs_sycl_programs) {
  expect_in(output_of("dpkg-deb -f " PACKAGE " Recommends"), "python3, libstdc++-12-dev, ocl-icd-opencl-dev",
            "Recommends");
  expect_output(
      "3\n",
      "dpkg-deb -c " PACKAGE
      " | grep -cE \"/usr/(bin/heddle-sycl[+][+]|lib/libheddle-sycl[.]a|include/heddle-sycl/sycl/sycl[.]hpp)$\"");
  write_file("size.cpp",
             "#include <sycl/sycl.hpp>\n#include <cstdio>\nint main() {\n  sycl::queue q;\n"
             "  unsigned *size = sycl::malloc_device<unsigned>(1, q), got = 0;\n"
             "  q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) [[intel::sub_group_size(4)]] {\n"
             "    *size = item.get_sub_group().get_max_local_range()[0];\n  });\n"
             "  q.memcpy(&got, size, sizeof got).wait_and_throw();\n  std::printf(\"%u\\n\", got);\n}\n");
  expect_output("4\n", "heddle-sycl++ size.cpp -o size && HEDDLE_SYCL_DEVICE=model ./size");
}
