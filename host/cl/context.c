// SPDX-License-Identifier: Apache-2.0
// Contexts (context.h).
#include "host/cl/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/cache_folder.h"
#include "host/cl/log.h"

// To the callback if there is one, else to standard error.
static void report(heddle_notify notify, const char *text, void *user_data) {
  heddle_log(notify ? HEDDLE_LOG_INFO : HEDDLE_LOG_ERROR, "%s", text);
  if (notify)
    notify(text, NULL, 0, user_data);
}

bool heddle_is_context(cl_context context) {
  return heddle_object_valid(context, HEDDLE_CONTEXT_OBJECT);
}

// Number of words up to and with the final 0; 0 for NULL.
static size_t properties_words(const cl_context_properties *properties) {
  size_t words = 0;
  if (properties) {
    while (properties[words] != 0)
      words += 2;
    words++;
  }
  return words;
}

cl_int heddle_context_check(const cl_context_properties *properties, heddle_notify notify, const void *user_data) {
  bool platform_seen = false, sync_seen = false;
  for (const cl_context_properties *at = properties; at && at[0] != 0; at += 2) {
    if (at[0] == CL_CONTEXT_PLATFORM && !platform_seen) {
      platform_seen = true;
      if (!heddle_is_platform((cl_platform_id)at[1]))
        return CL_INVALID_PLATFORM;
    } else if (at[0] == CL_CONTEXT_INTEROP_USER_SYNC && !sync_seen && (at[1] == CL_TRUE || at[1] == CL_FALSE)) {
      sync_seen = true;
    } else {
      return CL_INVALID_PROPERTY;
    }
  }
  return !notify && user_data ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_context heddle_context_create(const cl_context_properties *properties, cl_uint num_devices,
                                 const cl_device_id *devices, heddle_notify notify, void *user_data, cl_int *error) {
  cl_context context = heddle_object_create(HEDDLE_CONTEXT_OBJECT, sizeof *context);
  const size_t bytes = properties_words(properties) * sizeof *properties;
  *error = CL_OUT_OF_HOST_MEMORY;
  if (!context) {
    heddle_context_give(num_devices, devices);
    return NULL;
  }
  context->num_devices = num_devices;
  memcpy(context->devices, devices, num_devices * sizeof *devices);
  for (cl_uint i = 0; i < num_devices; i++)
    if (heddle_context_root(context, devices[i]) < 0) {
      context->domains[context->num_roots] = heddle_device_take_domain(devices[i]->root->driver);
      context->roots[context->num_roots++] = devices[i]->root;
    }
  if (bytes != 0) {
    context->properties = malloc(bytes);
    if (!context->properties) {
      heddle_context_release(context);
      return NULL;
    }
    memcpy(context->properties, properties, bytes);
    context->properties_bytes = bytes;
  }
  context->notify = notify;
  context->user_data = user_data;
  struct heddle_error why;
  if (heddle_cache_check(&why) != 0)
    heddle_context_report(context, why.text);
  *error = CL_SUCCESS;
  return context;
}

bool heddle_context_available(cl_device_id device, heddle_notify notify, void *user_data) {
  const bool available = heddle_device_take(device);
  if (!available) {
    char why[sizeof device->root->error.text];
    heddle_unavailable_text(device, why, sizeof why);
    report(notify, why, user_data);
  }
  return available;
}

void heddle_context_give(cl_uint num_devices, const cl_device_id *devices) {
  for (cl_uint i = 0; i < num_devices; i++)
    heddle_device_let_go(devices[i]);
}

void heddle_context_release(cl_context context) {
  if (!heddle_object_release(context))
    return;
  heddle_callbacks_run(context->destructors, context);
  for (cl_uint i = 0; i < context->num_roots; i++)
    heddle_device_give_domain(context->roots[i]->driver, context->domains[i]);
  heddle_context_give(context->num_devices, context->devices);
  free(context->properties);
  free(context);
}

int heddle_context_index(cl_context context, cl_device_id device) {
  for (cl_uint i = 0; i < context->num_devices; i++)
    if (context->devices[i] == device)
      return (int)i;
  return -1;
}

int heddle_context_root(cl_context context, cl_device_id device) {
  for (cl_uint i = 0; i < context->num_roots; i++)
    if (context->roots[i] == device->root)
      return (int)i;
  return -1;
}

uint8_t heddle_context_rights(cl_context context, cl_uint root, bool is_written) {
  return (uint8_t)(context->domains[root] | (is_written ? HEDDLE_RIGHTS_WRITE : 0));
}

cl_int heddle_context_check_devices(cl_context context, cl_uint num_devices, const cl_device_id *devices) {
  for (cl_uint i = 0; i < num_devices; i++) {
    if (!heddle_is_device(devices[i]) || heddle_context_index(context, devices[i]) < 0)
      return CL_INVALID_DEVICE;
    for (cl_uint j = 0; j < i; j++)
      if (devices[j] == devices[i])
        return CL_INVALID_DEVICE;
  }
  return CL_SUCCESS;
}

void heddle_context_report(cl_context context, const char *text) {
  report(context->notify, text, context->user_data);
}

void heddle_context_report_kernel(cl_context context, const char *kernel, const char *format, ...) {
  char text[1024];
  va_list arguments;
  const int used = snprintf(text, sizeof text, "kernel '%.200s': ", kernel);
  va_start(arguments, format);
  vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
  va_end(arguments);
  heddle_context_report(context, text);
}
