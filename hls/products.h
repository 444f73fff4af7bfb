// SPDX-License-Identifier: Apache-2.0
// Addresses of rows of neighbours, as of a stencil's in three dimensions: (z n + y) n for each z and y. Called by the
// kernel pass after optimisation.
#ifndef HEDDLE_HLS_PRODUCTS_H
#define HEDDLE_HLS_PRODUCTS_H

#include <llvm-c/Core.h>

// Sums of few values in many combinations, each times the same factor, become sums of their products: three and three
// multiplications instead of nine. Where such a product is an index, its parts are added to the pointer one by one, so
// that what combinations have in common is added once.
void products_share(LLVMModuleRef module);

#endif
