// SPDX-License-Identifier: Apache-2.0
// What built-in functions written in OpenCL C ask of the device: its CSRs, its dispatch packet, its custom-0 and float
// instructions (contract/DEVICE.md). For kernel pipelines, which have no instructions, the same names are functions
// that the generator makes circuits of (primitives.h).
#ifndef HEDDLE_HLS_LIB_DEVICE_H
#define HEDDLE_HLS_LIB_DEVICE_H

// A built-in function whose code is a few instructions: always part of its caller.
#define BUILTIN __attribute__((overloadable, always_inline))

// 1 where the device has float instructions (Zfinx). heddlec says so when it compiles a kernel, and what does not apply
// goes.
extern constant int __heddle_has_float_unit;

// funct3 of a collective: who takes part.
#define SCOPE_SUB_GROUP 0
#define SCOPE_WORK_GROUP 1
#define SCOPE_ACTIVE 2

// Fields of funct7.
#define OP_ADD 0
#define OP_MIN 1
#define OP_MAX 2
#define MODE_REDUCE 0
#define MODE_SCAN_INCLUSIVE 1
#define MODE_SCAN_EXCLUSIVE 2
#define MODE_BROADCAST 3
#define MODE_ALL 4
#define MODE_ANY 5
#define MODE_BARRIER 6
#define MODE_SHUFFLE 6  // of active sets, like the next
#define MODE_BALLOT 7
#define TYPE_INT 0
#define TYPE_UINT 1
#define TYPE_FLOAT 2                     // where there are float instructions; sums only of sub-groups
#define WIDE_SCOPE(scope) (4 + (scope))  // a word of 64 bits
#define WIDE_TYPE(type_code, is_second) ((is_second) << 1 | (type_code))  // of long TYPE_INT, of ulong TYPE_UINT

// ---- how the device does it

#ifdef HEDDLE_PIPELINE
#include "hls/lib/primitives.h"
#else

// Not volatile: a CSR keeps its value while a work-item runs, so reads of it may be merged and moved.
#define CSR(number)                                 \
  ({                                                \
    uint csr_value;                                 \
    __asm__("csrr %0, " #number : "=r"(csr_value)); \
    csr_value;                                      \
  })

// Unlike other CSRs the clock's change while a work-item runs: reads stay as many as the kernel has, in its order, and
// on their side of memory accesses, so that what lies between two is measured.
#define CLOCK_CSR(number)                                              \
  ({                                                                   \
    uint csr_value;                                                    \
    __asm__ volatile("csrr %0, " #number : "=r"(csr_value)::"memory"); \
    csr_value;                                                         \
  })

#define PACKET_WORD(index) (((constant const uint *)CSR(0xCCD))[index])

// The "memory" clobber keeps memory accesses on their side of the instruction.
#define COLLECTIVE(type, scope, mode, op, type_code, value, source)                                      \
  ({                                                                                                     \
    type collective_result;                                                                              \
    __asm__ volatile(".insn r CUSTOM_0, %c3, %c4, %0, %z1, %z2"                                          \
                     : "=r"(collective_result)                                                           \
                     : "rJ"(value), "rJ"(source), "i"(scope), "i"((type_code) << 5 | (mode) << 2 | (op)) \
                     : "memory");                                                                        \
    collective_result;                                                                                   \
  })

// Of 64 bits, word by word: of a sum the lower first, of a minimum or maximum the upper. Nothing may come between the
// two instructions.
#define WIDE_COLLECTIVE(scope, mode, op, type_code, value)                                           \
  ({                                                                                                 \
    ulong wide_value = (ulong)(value);                                                               \
    uint wide_low = (uint)wide_value, wide_high = (uint)(wide_value >> 32), wide_first, wide_second; \
    __asm__ volatile(                                                                                \
        ".insn r CUSTOM_0, %c4, %c5, %0, %z2, x0\n"                                                  \
        ".insn r CUSTOM_0, %c4, %c6, %1, %z3, x0"                                                    \
        : "=&r"(wide_first), "=r"(wide_second)                                                       \
        : "rJ"((op) == OP_ADD ? wide_low : wide_high), "rJ"((op) == OP_ADD ? wide_high : wide_low),  \
          "i"(WIDE_SCOPE(scope)), "i"(WIDE_TYPE(type_code, 0) << 5 | (mode) << 2 | (op)),            \
          "i"(WIDE_TYPE(type_code, 1) << 5 | (mode) << 2 | (op))                                     \
        : "memory");                                                                                 \
    (op) == OP_ADD ? upsample(wide_second, wide_first) : upsample(wide_first, wide_second);          \
  })

// An active-set collective among all live lanes of the sub-group. They wait for each other in the same statement, so
// that no branch of the compiler's comes between.
#define TOGETHER(mode, value, source)                                                                                  \
  ({                                                                                                                   \
    uint together_result;                                                                                              \
    __asm__ volatile(                                                                                                  \
        ".insn r CUSTOM_0, %c3, %c4, x0, x0, x0\n"                                                                     \
        ".insn r CUSTOM_0, %c5, %c6, %0, %z1, %z2"                                                                     \
        : "=r"(together_result)                                                                                        \
        : "rJ"(value), "rJ"(source), "i"(SCOPE_SUB_GROUP), "i"(MODE_BARRIER << 2), "i"(SCOPE_ACTIVE), "i"((mode) << 2) \
        : "memory");                                                                                                   \
    together_result;                                                                                                   \
  })

#define BARRIER(scope) \
  __asm__ volatile(".insn r CUSTOM_0, %c0, %c1, x0, x0, x0" ::"i"(scope), "i"(MODE_BARRIER << 2) : "memory")

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
#define SHUFFLE(word, lane) COLLECTIVE(uint, SCOPE_ACTIVE, MODE_SHUFFLE, 0, 0, word, lane)
#define BALLOT(predicate) COLLECTIVE(uint, SCOPE_ACTIVE, MODE_BALLOT, 0, 0, predicate, 0)

#endif
