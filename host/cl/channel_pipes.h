// SPDX-License-Identifier: Apache-2.0
// The pipes that a program's channels are (channels.h).
//
// Threads: any.
#ifndef HEDDLE_CL_CHANNEL_PIPES_H
#define HEDDLE_CL_CHANNEL_PIPES_H

#include <CL/cl.h>

struct heddle_channel;

// Sets the arguments of a kernel object that are channels. Their pipes are made here, once for each build. CL_SUCCESS,
// CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE or CL_INVALID_OPERATION, which the context is told.
cl_int heddle_channels_set(cl_kernel kernel);

// The channels of an executable that goes. NULL is allowed.
void heddle_channels_free(struct heddle_channel *channels);

#endif
