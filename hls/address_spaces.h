// SPDX-License-Identifier: Apache-2.0
// Address spaces of pointers in the front end's output, by LLVM's numbers of spir.
#ifndef HEDDLE_HLS_ADDRESS_SPACES_H
#define HEDDLE_HLS_ADDRESS_SPACES_H

enum {
  GLOBAL_ADDRESS_SPACE = 1,
  CONSTANT_ADDRESS_SPACE = 2,
  LOCAL_ADDRESS_SPACE = 3,
  GENERIC_ADDRESS_SPACE = 4,
};

#endif
