# SPDX-License-Identifier: Apache-2.0
# On libclc's functions in LLVM's text, for sed -E: none is to be kept from being inlined. What double_zeros.cl and
# libclc_repairs.cl wrap gets another name, so that libclc's other functions call the wrapper.
/^attributes/s/ noinline / /
/^define/s/@_Z(8lgamma_r)fPi\(/@__libclc_\1(/
/^define/s/@_Z(3sin|3tan|4atan|6atanpi|3erf|5expm1|5sinpi|5cospi|5tanpi)d\(/@__libclc_\1(/
$a\
declare spir_func float @_Z8lgamma_rfPi(float, ptr)\
declare spir_func double @_Z3sind(double)\
declare spir_func double @_Z3tand(double)\
declare spir_func double @_Z4atand(double)\
declare spir_func double @_Z6atanpid(double)\
declare spir_func double @_Z3erfd(double)\
declare spir_func double @_Z5expm1d(double)\
declare spir_func double @_Z5sinpid(double)\
declare spir_func double @_Z5cospid(double)\
declare spir_func double @_Z5tanpid(double)
