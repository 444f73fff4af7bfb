// SPDX-License-Identifier: Apache-2.0
// The soak's calls for images and samplers, which it makes and gives up again at once, for shared virtual memory with
// pointers that are none, and for what the device lacks: native kernels.
#include <string.h>

#include "tests/soak/soak.h"

static void CL_CALLBACK native(void *arguments) {
  (void)arguments;
}

// What an image of 4 × 4 says, and its end.
static void use_image(struct actor *actor, cl_mem image) {
  const struct rules none = {0};
  size_t width = 0;
  cl_mem_object_type type = 0;
  TRY(actor, &none, clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof width, &width, NULL));
  TRY(actor, &none, clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL));
  if (width != 4 || type != CL_MEM_OBJECT_IMAGE2D)
    fail_soak(actor, "thread %u, call %u: a 2D image of width 4: type 0x%x, width %zu", actor->number, actor->calls,
              type, width);
  TRY(actor, &none, clReleaseMemObject(image));
}

static void try_image(struct actor *actor) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  const cl_image_desc without_width = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_height = 4};
  const struct picked context = pick_context(actor);
  const uint32_t odd = below(actor, 8);
  struct rules rules = {0};
  cl_int error;
  cl_mem image;
  cl_sampler sampler;
  cl_uint count;
  wrong_if(&rules, !context.thing, CL_INVALID_CONTEXT);
  if (odd < 3) {
    wrong_if(&rules, odd == 0, CL_INVALID_VALUE);
    TRY(actor, &rules,
        clGetSupportedImageFormats(context.handle, CL_MEM_READ_ONLY, odd == 0 ? 0x7001 : CL_MEM_OBJECT_IMAGE2D, 0, NULL,
                                   &count));
    return;
  }
  wrong_if(&rules, odd == 3, CL_INVALID_IMAGE_DESCRIPTOR);
  or_else(&rules, odd < 6, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  if (odd < 6) {
    const cl_image_desc *given = odd == 3 ? &without_width : &desc;
    if (TRY_MAKE(actor, &rules, image, clCreateImage(context.handle, 0, &format, given, NULL, &error)))
      use_image(actor, image);
  } else if (TRY_MAKE(actor, &rules, sampler, clCreateSamplerWithProperties(context.handle, NULL, &error))) {
    const struct rules none = {0};
    TRY(actor, &none, clRetainSampler(sampler));
    TRY(actor, &none, clReleaseSampler(sampler));
    TRY(actor, &none, clReleaseSampler(sampler));
  }
}

static void try_sampler(struct actor *actor) {
  const cl_sampler sampler = wrong_handle(actor, KINDS);
  const struct rules rules = {.errors = {CL_INVALID_SAMPLER}, .num_errors = 1};
  if (one_in(actor, 2))
    TRY(actor, &rules, clRetainSampler(sampler));
  else
    TRY(actor, &rules, clReleaseSampler(sampler));
}

static void enqueue_absent(struct actor *actor) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
  const struct picked queue = pick(actor, QUEUE), memory = pick(actor, MEMORY);
  char bytes[16];
  cl_int error;
  void *pointer;
  struct rules rules = {0};
  wrong_if(&rules, !queue.thing || queue.thing->is_on_device, CL_INVALID_COMMAND_QUEUE);
  struct rules image = rules;
  wrong_if(&image, true, CL_INVALID_MEM_OBJECT);  // the actors' objects are buffers and pipes
  struct rules lacking = rules, shared = rules;
  wrong_if(&lacking, true, CL_INVALID_OPERATION);
  wrong_if(&shared, true, CL_INVALID_VALUE);  // the pointers are the host's
  switch (below(actor, 12)) {
    case 0:
      set_user_events(actor);  // it blocks
      TRY(actor, &rules, clEnqueueSVMMemcpy(queue.handle, CL_TRUE, bytes, bytes + 8, 4, 0, NULL, NULL));
      break;
    case 1:
      TRY(actor, &shared, clEnqueueSVMMemFill(queue.handle, bytes, bytes, 3, 9, 0, NULL, NULL));
      break;
    case 2:
      TRY(actor, &shared, clEnqueueSVMMap(queue.handle, CL_TRUE, CL_MAP_READ, bytes, 8, 0, NULL, NULL));
      break;
    case 3:
      TRY(actor, &shared, clEnqueueSVMUnmap(queue.handle, bytes, 0, NULL, NULL));
      break;
    case 4:
      pointer = bytes;
      TRY(actor, &shared, clEnqueueSVMFree(queue.handle, 0, &pointer, NULL, NULL, 0, NULL, NULL));
      break;
    case 5:
      pointer = bytes;
      TRY(actor, &shared, clEnqueueSVMMigrateMem(queue.handle, 1, (const void **)&pointer, NULL, 0, 0, NULL, NULL));
      break;
    case 6:
      TRY(actor, &lacking, clEnqueueNativeKernel(queue.handle, native, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
      break;
    case 7:
      TRY(actor, &image,
          clEnqueueReadImage(queue.handle, memory.handle, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL));
      break;
    case 8:
      TRY(actor, &image,
          clEnqueueWriteImage(queue.handle, memory.handle, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL));
      break;
    case 9:
      TRY(actor, &image,
          clEnqueueCopyImageToBuffer(queue.handle, memory.handle, memory.handle, origin, region, 0, 0, NULL, NULL));
      break;
    case 10:
      TRY(actor, &image, clEnqueueFillImage(queue.handle, memory.handle, bytes, origin, region, 0, NULL, NULL));
      break;
    default: {
      size_t pitch;
      TRY_MAKE(actor, &image, pointer,
               clEnqueueMapImage(queue.handle, memory.handle, CL_TRUE, CL_MAP_READ, origin, region, &pitch, &pitch, 0,
                                 NULL, NULL, &error));
    }
  }
}

static void set_svm(struct actor *actor) {
  const struct picked kernel = pick(actor, KERNEL);
  struct rules rules = {0};
  wrong_if(&rules, !kernel.thing, CL_INVALID_KERNEL);
  if (one_in(actor, 2)) {
    wrong_if(&rules, true, CL_INVALID_ARG_VALUE);
    wrong_if(&rules, true, CL_INVALID_ARG_INDEX);
    TRY(actor, &rules, clSetKernelArgSVMPointer(kernel.handle, 0, &rules));
    return;
  }
  wrong_if(&rules, true, CL_INVALID_VALUE);
  TRY(actor, &rules, clSetKernelExecInfo(kernel.handle, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, NULL));
}

void step_absent(struct actor *actor) {
  switch (below(actor, 6)) {
    case 0:
      try_image(actor);
      break;
    case 1:
      try_sampler(actor);
      break;
    case 2:
      set_svm(actor);
      break;
    default:
      enqueue_absent(actor);
  }
}
