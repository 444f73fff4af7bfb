// SPDX-License-Identifier: Apache-2.0
// What device.h is for kernel pipelines. The built-in library is compiled a second time with it, so that what would be
// an instruction of the device is a call of one of these functions, which are defined nowhere: the generator makes a
// circuit of each call. hls/pipeline/primitives.h is the generator's side.
#ifndef HEDDLE_HLS_LIB_PRIMITIVES_H
#define HEDDLE_HLS_LIB_PRIMITIVES_H

// What a work-item is, and a word of the dispatch packet, by the numbers in contract/DEVICE.md.
uint __attribute__((const)) __heddle_csr(uint number);
uint __attribute__((const)) __heddle_packet_word(uint index);

// Half of the clock: by the CSR's number.
uint __heddle_clock(uint number);

// As the instructions. All but the values and the lane are constants.
uint __heddle_collective(uint scope, uint mode, uint op, uint type_code, uint value, uint source);
ulong __heddle_wide_collective(uint scope, uint mode, uint op, uint type_code, ulong value);
void __heddle_barrier(uint scope);

// A pipe on the chip. A packet of so many bytes is read: 0 if there is none any more, else a name of it, of which the
// words are asked for; or written, from its words: 0 if the pipe does not take it.
uint __heddle_pipe_read(const global void *queue, uint bytes);
uint __heddle_pipe_word(uint packet, uint index);
uint __heddle_pipe_write(const global void *queue, uint bytes, uint, uint, uint, uint, uint, uint, uint, uint, uint,
                         uint, uint, uint, uint, uint, uint, uint);
// The same, but that they wait for nothing.
uint __heddle_pipe_polled_read(const global void *queue, uint bytes);
uint __heddle_pipe_polled_write(const global void *queue, uint bytes, uint, uint, uint, uint, uint, uint, uint, uint,
                                uint, uint, uint, uint, uint, uint, uint, uint);

// Conversions with a rounding mode, which is RISC-V's: 0 to nearest even, 1 to zero, 2 down, 3 up, 4 to nearest and
// away from 0.
float __attribute__((const)) __heddle_float_of_int(int x, uint mode);
float __attribute__((const)) __heddle_float_of_uint(uint x, uint mode);
int __attribute__((const)) __heddle_int_of_float(float x, uint mode);
uint __attribute__((const)) __heddle_uint_of_float(float x, uint mode);

#define CSR(number) __heddle_csr(number)
#define CLOCK_CSR(number) __heddle_clock(number)
#define PACKET_WORD(index) __heddle_packet_word(index)
#define COLLECTIVE(type, scope, mode, op, type_code, value, source) \
  ((type)__heddle_collective(scope, mode, op, type_code, (uint)(value), source))
// Words of bits do not hang together.
#define WIDE_COLLECTIVE(scope, mode, op, type_code, value)                                                    \
  (HEDDLE_OP_IS_BITWISE(op) ? upsample(COLLECTIVE(uint, scope, mode, op, type_code, (ulong)(value) >> 32, 0), \
                                       COLLECTIVE(uint, scope, mode, op, type_code, value, 0))                \
                            : __heddle_wide_collective(scope, mode, op, type_code, (ulong)(value)))
// The lanes of a sub-group are together wherever all of them come.
#define TOGETHER(mode, value, source) COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, mode, 0, 0, value, source)
#define BARRIER(scope) __heddle_barrier(scope)

#define FCVT_S_W __heddle_float_of_int
#define FCVT_S_WU __heddle_float_of_uint
#define FCVT_W_S __heddle_int_of_float
#define FCVT_WU_S __heddle_uint_of_float
#define BY_UNIT(R, convert, x, mode) \
  convert(x, (mode) == ROUND_UP ? 3 : (mode) == ROUND_DOWN ? 2 : (mode) == ROUND_TO_ZERO ? 1 : 0)

#endif
