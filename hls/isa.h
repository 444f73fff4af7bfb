// SPDX-License-Identifier: Apache-2.0
// The device's ISA string, and what LLVM calls its parts.
#ifndef HEDDLE_HLS_ISA_H
#define HEDDLE_HLS_ISA_H

#include <stddef.h>

#include "contract/status.h"

#define HEDDLE_DEFAULT_ISA "rv32ima_zicsr_zfinx_zba_zbb_xindex"

// Writes the LLVM features ("+m,+zicsr,...") of an ISA string such as "rv32im_zicsr" to features. An extension that
// the compiler does not make use of, or that no Heddle device can have, is explained on stderr.
enum status isa_features(const char *isa, char *features, size_t size);

#endif
