/* SPDX-License-Identifier: Apache-2.0 */
/* What heddle-sycl++ puts into a program calls this before main. */
#ifndef HEDDLE_SYCL_RUNTIME_REGISTER_H
#define HEDDLE_SYCL_RUNTIME_REGISTER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Kernel files, from images[2 * i] to images[2 * i + 1], and heddle-sycl-link's list of their kernels. */
void heddle_sycl_register(const unsigned char *const *images, unsigned count, const char *list);

#ifdef __cplusplus
}
#endif

#endif
