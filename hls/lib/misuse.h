// SPDX-License-Identifier: Apache-2.0
// Where kernels are checked (HEDDLE_CHECK), built-in functions say that they are misused: lui to x0 does nothing, and
// the checker sees it (enum heddle_misuse). Else it costs nothing.
#ifndef HEDDLE_HLS_LIB_MISUSE_H
#define HEDDLE_HLS_LIB_MISUSE_H

#include "contract/device_map.h"

// 1 where kernels are checked; heddlec says so when it compiles a kernel.
extern constant int __heddle_is_checked;

#define TELL_MISUSE(what) __asm__ volatile("lui zero, %0" ::"i"(HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_MISUSE | (what)))

// `condition` is computed where kernels are checked, and nowhere else.
#define MISUSED_IF(condition, what) \
  do {                              \
    if (__heddle_is_checked != 0)   \
      if (condition)                \
        TELL_MISUSE(what);          \
  } while (0)

#endif
