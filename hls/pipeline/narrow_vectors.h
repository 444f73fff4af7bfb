// SPDX-License-Identifier: Apache-2.0
// Accesses of vectors whose elements are narrower than a word, as uchar4, short2 and half8, and of one element.
#ifndef HEDDLE_HLS_PIPELINE_NARROW_VECTORS_H
#define HEDDLE_HLS_PIPELINE_NARROW_VECTORS_H

#include <llvm-c/Core.h>

// An access of each element would take the memory port as often as one of a word. Replaces loads and stores of such
// vectors, where they are aligned, by those of words (char2: of 16 bits), and bitcasts, which vectors_take_apart
// (vectors.h) lowers. Private and local arrays keep accesses of elements unless all of theirs are of words: those of
// one size can have a memory of their own (arrays.c). What stores one element of any vector in memory, by an index,
// does not load and store the others, which may be other work-items'.
void narrow_vectors_join(LLVMModuleRef module);

#endif
