// SPDX-License-Identifier: Apache-2.0
// What the line information of kernel files says of code that is not the program's own. heddlec writes it, the host
// library reads it.
#ifndef HEDDLE_CONTRACT_KERNEL_LINES_H
#define HEDDLE_CONTRACT_KERNEL_LINES_H

// The file of built-in functions that were inlined. Its lines mean nothing.
#define HEDDLE_BUILT_IN_FILE "<built-in functions>"

#endif
