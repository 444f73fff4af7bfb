// SPDX-License-Identifier: Apache-2.0
// Part of every test program that is built with LeakSanitizer: looks for leaks when main has returned, but before
// libraries end. Then what an application has not released, which is its business, is still in the library's registry
// of handles; what nobody knows any more is a leak.
#include <stdlib.h>

void __lsan_do_leak_check(void);

__attribute__((constructor)) static void look_for_leaks_at_exit(void) {
  atexit(__lsan_do_leak_check);
}
