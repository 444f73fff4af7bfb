// SPDX-License-Identifier: Apache-2.0
// How a step of heddlec went. The values are heddlec's exit codes, so the first step that is not STATUS_OK decides.
#ifndef HEDDLE_HLS_STATUS_H
#define HEDDLE_HLS_STATUS_H

enum status {
  STATUS_OK = 0,
  STATUS_REJECTED = 1,         // the kernel source does not compile; its diagnostics are on stderr
  STATUS_INVALID_OPTIONS = 2,  // usage, or an invalid build option
  STATUS_TOOL_MISSING = 3,     // a compiler, linker or data file is not installed
  STATUS_FAILED = 4,           // a tool crashed, ran out of its limits, or the result was not what it has to be
};

#endif
