// SPDX-License-Identifier: Apache-2.0
// Integers of any width, as Intel's SDK for FPGAs has them: int2_t to int64_t, uint1_t to uint64_t. They are C's
// _BitInt: an operation has the width of the wider of its operands, and hardware has wires for so many bits alone.
#ifndef HEDDLE_IHC_APINT_H
#define HEDDLE_IHC_APINT_H

// 8, 16, 32 and 64 bits are OpenCL C's own types, whose operations are at least int's.
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;

#define HEDDLE_WIDTH(width)              \
  typedef _BitInt(width) int##width##_t; \
  typedef unsigned _BitInt(width) uint##width##_t
typedef unsigned _BitInt(1) uint1_t;
HEDDLE_WIDTH(2);
HEDDLE_WIDTH(3);
HEDDLE_WIDTH(4);
HEDDLE_WIDTH(5);
HEDDLE_WIDTH(6);
HEDDLE_WIDTH(7);
HEDDLE_WIDTH(9);
HEDDLE_WIDTH(10);
HEDDLE_WIDTH(11);
HEDDLE_WIDTH(12);
HEDDLE_WIDTH(13);
HEDDLE_WIDTH(14);
HEDDLE_WIDTH(15);
HEDDLE_WIDTH(17);
HEDDLE_WIDTH(18);
HEDDLE_WIDTH(19);
HEDDLE_WIDTH(20);
HEDDLE_WIDTH(21);
HEDDLE_WIDTH(22);
HEDDLE_WIDTH(23);
HEDDLE_WIDTH(24);
HEDDLE_WIDTH(25);
HEDDLE_WIDTH(26);
HEDDLE_WIDTH(27);
HEDDLE_WIDTH(28);
HEDDLE_WIDTH(29);
HEDDLE_WIDTH(30);
HEDDLE_WIDTH(31);
HEDDLE_WIDTH(33);
HEDDLE_WIDTH(34);
HEDDLE_WIDTH(35);
HEDDLE_WIDTH(36);
HEDDLE_WIDTH(37);
HEDDLE_WIDTH(38);
HEDDLE_WIDTH(39);
HEDDLE_WIDTH(40);
HEDDLE_WIDTH(41);
HEDDLE_WIDTH(42);
HEDDLE_WIDTH(43);
HEDDLE_WIDTH(44);
HEDDLE_WIDTH(45);
HEDDLE_WIDTH(46);
HEDDLE_WIDTH(47);
HEDDLE_WIDTH(48);
HEDDLE_WIDTH(49);
HEDDLE_WIDTH(50);
HEDDLE_WIDTH(51);
HEDDLE_WIDTH(52);
HEDDLE_WIDTH(53);
HEDDLE_WIDTH(54);
HEDDLE_WIDTH(55);
HEDDLE_WIDTH(56);
HEDDLE_WIDTH(57);
HEDDLE_WIDTH(58);
HEDDLE_WIDTH(59);
HEDDLE_WIDTH(60);
HEDDLE_WIDTH(61);
HEDDLE_WIDTH(62);
HEDDLE_WIDTH(63);
#undef HEDDLE_WIDTH

#endif
