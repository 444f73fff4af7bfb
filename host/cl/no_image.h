// SPDX-License-Identifier: Apache-2.0
// The image commands: no memory object is an image, which every one of them has to say after its queue is found good.
#ifndef HEDDLE_CL_NO_IMAGE_H
#define HEDDLE_CL_NO_IMAGE_H

#include <CL/cl.h>

// CL_INVALID_COMMAND_QUEUE; CL_INVALID_OPERATION if the queue's device has no images, which is so for all of ours.
cl_int heddle_no_image(cl_command_queue queue);

#endif
