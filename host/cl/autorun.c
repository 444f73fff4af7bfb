// SPDX-License-Identifier: Apache-2.0
// Which autorun kernels are to come (autorun.h).
#include "host/cl/autorun.h"

#include <stdlib.h>

#include "host/cl/channel_users.h"
#include "host/cl/context.h"
#include "host/cl/dispatch_command.h"
#include "host/cl/kernel.h"
#include "host/cl/queue.h"

// Whether two kernels have a channel with each other.
static bool have_channel(const struct heddle_kernel *one, const struct heddle_kernel *other) {
  return heddle_channel_feeds(one, other) || heddle_channel_feeds(other, one);
}

// Marks the autorun kernels that a kernel reaches.
static void mark_reached(const struct heddle_kernel_file *file, const struct heddle_kernel *kernel, bool *reached) {
  const struct heddle_kernel **found = calloc(1 + (size_t)file->num_kernels, sizeof *found);
  uint32_t count = 0;
  if (!found)
    return;
  found[count++] = kernel;
  for (uint32_t n = 0; n < count; n++)
    for (uint32_t i = 0; i < file->num_kernels; i++) {
      const struct heddle_kernel *one = &file->kernels[i];
      if (!one->is_autorun || reached[i] || !have_channel(found[n], one))
        continue;
      reached[i] = true;
      found[count++] = one;
    }
  free(found);
}

static bool has_any(const struct heddle_kernel_file *file) {
  bool has = false;
  for (uint32_t i = 0; i < file->num_kernels; i++)
    has |= file->kernels[i].is_autorun;
  return has;
}

static bool is_held(const struct heddle_kernel *kernel) {
  bool is = false;
  pthread_mutex_lock(&heddle_lock);
  for (const struct heddle_channel_user *user = heddle_channels_held; user; user = user->next)
    is |= user->kernel == kernel;
  pthread_mutex_unlock(&heddle_lock);
  return is;
}

static cl_int enqueue(cl_program program, const struct heddle_kernel *kernel, cl_command_queue queue) {
  cl_int error = CL_SUCCESS;
  cl_kernel made = heddle_kernel_create(program, kernel->name, &error);
  if (!made)
    return error;
  cl_command_queue own = heddle_queue_create(queue->context, queue->device, 0, NULL, 0, &error);
  if (own) {
    error = heddle_enqueue_autorun(own, made);
    heddle_queue_release(own);  // the command keeps it
  }
  heddle_kernel_release(made);
  return error;
}

void heddle_autorun_enqueue(cl_program program, int index, const struct heddle_kernel *kernel, cl_command_queue queue) {
  const struct heddle_kernel_file *file = program->builds[index].file;
  bool *reached = kernel->num_channels != 0 && has_any(file) ? calloc(file->num_kernels, sizeof *reached) : NULL;
  if (!reached)
    return;
  mark_reached(file, kernel, reached);
  for (uint32_t i = 0; i < file->num_kernels; i++) {
    if (!reached[i] || is_held(&file->kernels[i]))
      continue;
    const cl_int error = enqueue(program, &file->kernels[i], queue);
    if (error != CL_SUCCESS)
      heddle_context_report_kernel(queue->context, file->kernels[i].name,
                                   "this autorun kernel could not be started (%d)", error);
  }
  free(reached);
}
