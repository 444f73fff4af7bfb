// SPDX-License-Identifier: Apache-2.0
// SPIR-V instructions that the translator does not know, in terms of those that it does (SPIR-V specification, section
// 3.49), and the names of those that no device of ours has.
#ifndef HEDDLE_HLS_IL_REWRITE_H
#define HEDDLE_HLS_IL_REWRITE_H

#include <stddef.h>
#include <stdint.h>

#include "contract/status.h"

// A copy of a whole module (contract/spirv.h), for the caller to free, in which are written out: OpCopyMemory,
// OpCopyLogical, OpCompositeConstruct, OpCompositeExtract and OpCompositeInsert of parts of parts, OpIAddCarry,
// OpISubBorrow, OpUMulExtended, OpSMulExtended, OpPtrEqual, OpPtrNotEqual, OpPtrDiff, OpDot of 8 and 16 elements,
// fmax_common and fmin_common, addresses of built-in variables and their elements, and OpFNegate and OpFMod of
// specialization constants; OpDecorateString and OpMemberDecorateString are left out, as they say nothing to a device.
// STATUS_REJECTED: it has an instruction that is not supported, which stderr names. STATUS_FAILED: host memory is out.
// Work and memory are linear in the module, but for what copies of nested structures take, which is limited.
enum status il_rewrite(const uint32_t *words, size_t count, uint32_t **copy, size_t *new_count);

#endif
