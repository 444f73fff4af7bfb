// SPDX-License-Identifier: Apache-2.0
// The versions of OpenCL C that kernels may be written in. heddlec takes these with -cl-std; the OpenCL library reports
// them (CL_DEVICE_OPENCL_C_ALL_VERSIONS). OpenCL C 2.0 has images and shared virtual memory, which no device has.
#ifndef HEDDLE_CONTRACT_LANGUAGE_H
#define HEDDLE_CONTRACT_LANGUAGE_H

// X(MAJOR, MINOR) for each of them.
#define HEDDLE_LANGUAGE_VERSIONS(X) X(1, 0) X(1, 1) X(1, 2) X(3, 0)

// Which one a program gets that names none: the OpenCL API says (5.8.6.5). People who type a command get the newest.
#define HEDDLE_LANGUAGE_OF_PROGRAMS "CL1.2"
#define HEDDLE_LANGUAGE_OF_COMMANDS "CL3.0"

#endif
