// SPDX-License-Identifier: Apache-2.0
// The OpenCL C extensions and optional features that kernels may use: the one list of them. heddlec turns it into
// macros and built-in declarations of the front end; the OpenCL library reports it to programs
// (CL_DEVICE_EXTENSIONS, CL_DEVICE_OPENCL_C_FEATURES). Names are separated by one space.
#ifndef HEDDLE_HLS_FEATURES_H
#define HEDDLE_HLS_FEATURES_H

// Device extensions that concern kernels.
#define HEDDLE_EXTENSIONS                                                           \
  "cl_khr_subgroups cl_khr_byte_addressable_store cl_intel_required_subgroup_size " \
  "cl_intel_subgroups cl_intel_subgroups_short cl_khr_kernel_clock cles_khr_int64 " \
  "cl_khr_subgroup_extended_types cl_khr_fp16 cl_khr_extended_bit_ops "             \
  "cl_khr_integer_dot_product cl_khr_expect_assume cl_khr_extended_async_copies "   \
  "cl_khr_3d_image_writes cl_khr_depth_images cl_khr_srgb_image_writes " HEDDLE_ACTIVE_SET_EXTENSIONS

// Of them, those for the active work-items of a sub-group (lib/active_set.cl).
#define HEDDLE_ACTIVE_SET_EXTENSIONS                                                                \
  "cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_ballot cl_khr_subgroup_non_uniform_arithmetic " \
  "cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative cl_khr_subgroup_rotate "                \
  "cl_khr_subgroup_clustered_reduce"

// Optional features of OpenCL C 3.0.
#define HEDDLE_FEATURES                                                               \
  "__opencl_c_subgroups __opencl_c_work_group_collective_functions __opencl_c_int64 " \
  "__opencl_c_generic_address_space __opencl_c_program_scope_global_variables "       \
  "__opencl_c_images __opencl_c_3d_image_writes __opencl_c_read_write_images " HEDDLE_EXTENSION_FEATURES

// Of them, what extensions (cl_khr_kernel_clock, cl_khr_integer_dot_product) have in every version of the language.
#define HEDDLE_EXTENSION_FEATURES                                                  \
  "__opencl_c_kernel_clock_scope_device __opencl_c_kernel_clock_scope_work_group " \
  "__opencl_c_kernel_clock_scope_sub_group "                                       \
  "__opencl_c_integer_dot_product_input_4x8bit __opencl_c_integer_dot_product_input_4x8bit_packed"

// Both where the device's ISA string has A as well.
#define HEDDLE_ATOMIC_EXTENSIONS                                           \
  "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics " \
  "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics"
#define HEDDLE_ATOMIC_FEATURES                                          \
  "__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst "    \
  "__opencl_c_atomic_scope_device __opencl_c_atomic_scope_all_devices " \
  "__opencl_c_pipes __opencl_c_device_enqueue"

// Both where double is offered: HEDDLE_DOUBLE=1 for the OpenCL library, --double for heddlec.
#define HEDDLE_DOUBLE_EXTENSIONS "cl_khr_fp64"
#define HEDDLE_DOUBLE_FEATURES "__opencl_c_fp64"

#endif
