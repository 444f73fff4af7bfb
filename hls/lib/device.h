// SPDX-License-Identifier: Apache-2.0
// What built-in functions written in OpenCL C ask of the device: its CSRs, its dispatch packet, its custom-0 and float
// instructions (contract/DEVICE.md). For kernel pipelines, which have no instructions, the same names are functions
// that the generator makes circuits of (primitives.h).
#ifndef HEDDLE_HLS_LIB_DEVICE_H
#define HEDDLE_HLS_LIB_DEVICE_H

#include "contract/collectives.h"
#include "contract/csrs.h"

// A built-in function whose code is a few instructions: always part of its caller.
#define BUILTIN __attribute__((overloadable, always_inline))

// 1 where the device has float instructions (Zfinx). heddlec says so when it compiles a kernel, and what does not apply
// goes.
extern constant int __heddle_has_float_unit;

// Of 64 bits a collective of a bitwise operator is two of 32.
#define WIDE_FUNCT3(scope, op) (HEDDLE_OP_IS_BITWISE(op) ? (scope) : HEDDLE_SCOPE_WIDE + (scope))
#define WIDE_FUNCT7(type_code, is_second, mode, op)                         \
  (HEDDLE_OP_IS_BITWISE(op) ? HEDDLE_COLLECTIVE_FUNCT7(type_code, mode, op) \
                            : HEDDLE_WIDE_FUNCT7((type_code) == HEDDLE_TYPE_UINT, is_second, mode, op))

// ---- how the device does it

#ifdef HEDDLE_PIPELINE
#include "hls/lib/primitives.h"
#else

// Not volatile: a CSR keeps its value while a work-item runs, so reads of it may be merged and moved.
#define CSR(number)                                                 \
  ({                                                                \
    uint csr_value;                                                 \
    __asm__("csrr %0, " HEDDLE_CSR_TEXT(number) : "=r"(csr_value)); \
    csr_value;                                                      \
  })

// Unlike other CSRs the clock's change while a work-item runs: reads stay as many as the kernel has, in its order, and
// on their side of memory accesses, so that what lies between two is measured.
#define CLOCK_CSR(number)                                                              \
  ({                                                                                   \
    uint csr_value;                                                                    \
    __asm__ volatile("csrr %0, " HEDDLE_CSR_TEXT(number) : "=r"(csr_value)::"memory"); \
    csr_value;                                                                         \
  })

#define PACKET_WORD(index) (((constant const uint *)CSR(HEDDLE_CSR_PACKET))[index])

// The "memory" clobber keeps memory accesses on their side of the instruction.
#define COLLECTIVE(type, scope, mode, op, type_code, value, source)                                              \
  ({                                                                                                             \
    type collective_result;                                                                                      \
    __asm__ volatile(".insn r CUSTOM_0, %c3, %c4, %0, %z1, %z2"                                                  \
                     : "=r"(collective_result)                                                                   \
                     : "rJ"(value), "rJ"(source), "i"(scope), "i"(HEDDLE_COLLECTIVE_FUNCT7(type_code, mode, op)) \
                     : "memory");                                                                                \
    collective_result;                                                                                           \
  })

// Of 64 bits, word by word: of a sum the lower first, of a minimum or maximum the upper. Nothing may come between the
// two instructions.
#define WIDE_COLLECTIVE(scope, mode, op, type_code, value)                                                        \
  ({                                                                                                              \
    ulong wide_value = (ulong)(value);                                                                            \
    uint wide_low = (uint)wide_value, wide_high = (uint)(wide_value >> 32), wide_first, wide_second;              \
    __asm__ volatile(                                                                                             \
        ".insn r CUSTOM_0, %c4, %c5, %0, %z2, x0\n"                                                               \
        ".insn r CUSTOM_0, %c4, %c6, %1, %z3, x0"                                                                 \
        : "=&r"(wide_first), "=r"(wide_second)                                                                    \
        : "rJ"((op) == HEDDLE_OP_ADD ? wide_low : wide_high), "rJ"((op) == HEDDLE_OP_ADD ? wide_high : wide_low), \
          "i"(WIDE_FUNCT3(scope, op)), "i"(WIDE_FUNCT7(type_code, 0, mode, op)),                                  \
          "i"(WIDE_FUNCT7(type_code, 1, mode, op))                                                                \
        : "memory");                                                                                              \
    (op) == HEDDLE_OP_ADD ? upsample(wide_second, wide_first) : upsample(wide_first, wide_second);                \
  })

// An active-set collective among all live lanes of the sub-group. They wait for each other in the same statement, so
// that no branch of the compiler's comes between.
#define TOGETHER(mode, value, source)                                                            \
  ({                                                                                             \
    uint together_result;                                                                        \
    __asm__ volatile(                                                                            \
        ".insn r CUSTOM_0, %c3, %c4, x0, x0, x0\n"                                               \
        ".insn r CUSTOM_0, %c5, %c6, %0, %z1, %z2"                                               \
        : "=r"(together_result)                                                                  \
        : "rJ"(value), "rJ"(source), "i"(HEDDLE_SCOPE_SUB_GROUP), "i"(HEDDLE_MODE_BARRIER << 2), \
          "i"(HEDDLE_SCOPE_ACTIVE), "i"((mode) << 2)                                             \
        : "memory");                                                                             \
    together_result;                                                                             \
  })

#define BARRIER(scope) \
  __asm__ volatile(".insn r CUSTOM_0, %c0, %c1, x0, x0, x0" ::"i"(scope), "i"(HEDDLE_MODE_BARRIER << 2) : "memory")

#define FCVT_S_W "fcvt.s.w"
#define FCVT_S_WU "fcvt.s.wu"
#define FCVT_W_S "fcvt.w.s"
#define FCVT_WU_S "fcvt.wu.s"

// A conversion by the float unit, which takes the mode in the instruction.
#define BY_UNIT(R, instruction, x, mode)                            \
  ({                                                                \
    R by_unit;                                                      \
    if ((mode) == ROUND_UP) {                                       \
      __asm__(instruction " %0, %1, rup" : "=r"(by_unit) : "r"(x)); \
    } else if ((mode) == ROUND_DOWN) {                              \
      __asm__(instruction " %0, %1, rdn" : "=r"(by_unit) : "r"(x)); \
    } else if ((mode) == ROUND_TO_ZERO) {                           \
      __asm__(instruction " %0, %1, rtz" : "=r"(by_unit) : "r"(x)); \
    } else {                                                        \
      __asm__(instruction " %0, %1, rne" : "=r"(by_unit) : "r"(x)); \
    }                                                               \
    by_unit;                                                        \
  })

#endif

// Among the lanes that run this together: the word of another lane (0 where that lane does not), and the lanes whose
// predicate is not 0.
#define SHUFFLE(word, lane) COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_SHUFFLE, 0, 0, word, lane)
#define BALLOT(predicate) COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_BALLOT, 0, 0, predicate, 0)

#define MY_LANE CSR(HEDDLE_CSR_LANE)
#define MY_SUB_GROUP CSR(HEDDLE_CSR_SUB_GROUP_ID)
#define SUB_GROUP_SIZE CSR(HEDDLE_CSR_SUB_GROUP_SIZE)
#define NUM_SUB_GROUPS CSR(HEDDLE_CSR_NUM_SUB_GROUPS)

#endif
