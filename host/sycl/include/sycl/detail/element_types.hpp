// SPDX-License-Identifier: Apache-2.0
// The names of vecs' and marrays' elements (SYCL 2020, sections 4.14.2 and 4.14.3) and their types: `what` of each.
#ifndef HEDDLE_SYCL_DETAIL_ELEMENT_TYPES_HPP
#define HEDDLE_SYCL_DETAIL_ELEMENT_TYPES_HPP

#define HEDDLE_FOR_ELEMENT_TYPES(what)                                                                      \
  what(char, std::int8_t) what(uchar, std::uint8_t) what(short, std::int16_t) what(ushort, std::uint16_t)   \
      what(int, std::int32_t) what(uint, std::uint32_t) what(long, std::int64_t) what(ulong, std::uint64_t) \
          what(half, half) what(float, float) what(double, double)

#endif
