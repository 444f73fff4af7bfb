// SPDX-License-Identifier: Apache-2.0
// Sub-devices (sub_device.h).
#include "host/cl/sub_device.h"

#include <stdlib.h>
#include <string.h>

size_t heddle_partition_ways(const struct heddle_capabilities *capabilities,
                             cl_device_partition_property ways[HEDDLE_PARTITION_WAYS]) {
  ways[0] = CL_DEVICE_PARTITION_EQUALLY;
  ways[1] = CL_DEVICE_PARTITION_BY_COUNTS;
  return capabilities->units > 1 ? HEDDLE_PARTITION_WAYS : 0;
}

// As many sub-devices of so many units as there are; units that are left over are of none. All units in one are no
// division of the device.
static cl_int read_equally(cl_uint units, const cl_device_partition_property *properties,
                           struct heddle_partition *partition) {
  const cl_device_partition_property each = properties[1];
  if (each <= 0 || properties[2] != 0)
    return CL_INVALID_VALUE;
  if (units < 2 || each == units)
    return CL_DEVICE_PARTITION_FAILED;
  if (each > units)
    return CL_INVALID_DEVICE_PARTITION_COUNT;
  partition->count = units / (cl_uint)each;
  for (cl_uint i = 0; i < partition->count; i++)
    partition->units[i] = (cl_uint)each;
  partition->bytes = 3 * sizeof *properties;
  return CL_SUCCESS;
}

// A list of counts that ends with 0. No more of it is read than the device has units.
static cl_int read_counts(cl_uint units, const cl_device_partition_property *properties,
                          struct heddle_partition *partition) {
  const cl_device_partition_property *counts = properties + 1;
  cl_uint sum = 0, n = 0;
  if (units < 2)
    return CL_DEVICE_PARTITION_FAILED;
  for (; counts[n] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; n++) {
    if (counts[n] < 0 || counts[n] > units - sum)
      return CL_INVALID_DEVICE_PARTITION_COUNT;
    partition->units[n] = (cl_uint)counts[n];
    sum += partition->units[n];
  }
  partition->count = n;
  partition->bytes = (n + 3) * sizeof *properties;
  return n == 0 || counts[n + 1] != 0 ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_int heddle_partition_read(const struct heddle_capabilities *capabilities,
                             const cl_device_partition_property *properties, struct heddle_partition *partition) {
  const cl_uint units =
      capabilities->units < HEDDLE_MAX_SUB_DEVICES ? capabilities->units : (cl_uint)HEDDLE_MAX_SUB_DEVICES;
  *partition = (struct heddle_partition){0};
  if (properties && properties[0] == CL_DEVICE_PARTITION_EQUALLY)
    return read_equally(units, properties, partition);
  if (properties && properties[0] == CL_DEVICE_PARTITION_BY_COUNTS)
    return read_counts(units, properties, partition);
  return CL_INVALID_VALUE;
}

// A sub-device of the lowest `units` units of `left`.
static cl_device_id create(cl_device_id parent, uint32_t left, cl_uint units,
                           const cl_device_partition_property *properties, size_t bytes) {
  cl_device_partition_property *copy = malloc(bytes);
  cl_device_id device = copy ? heddle_object_create(HEDDLE_DEVICE_OBJECT, sizeof *device) : NULL;
  if (!device) {
    free(copy);
    return NULL;
  }
  heddle_device_hold(parent);
  memcpy(copy, properties, bytes);
  device->root = parent->root;
  device->parent = parent;
  device->partition = copy;
  device->partition_bytes = bytes;
  device->capabilities = parent->capabilities;
  device->capabilities.units = device->capabilities.kinds[0].units = units;
  device->capabilities.num_kinds = 1;
  for (cl_uint i = 0; i < units; i++) {
    device->unit_mask |= left & ~(left - 1);
    left &= left - 1;
  }
  return device;
}

cl_int heddle_sub_devices_create(cl_device_id device, const cl_device_partition_property *properties,
                                 const struct heddle_partition *partition, cl_device_id *made) {
  uint32_t left = device->parent ? device->unit_mask : (1u << device->capabilities.units) - 1;
  for (cl_uint i = 0; i < partition->count; i++) {
    made[i] = create(device, left, partition->units[i], properties, partition->bytes);
    if (!made[i]) {
      for (cl_uint j = 0; j < i; j++)
        heddle_device_let_go(made[j]);
      return CL_OUT_OF_HOST_MEMORY;
    }
    left &= ~made[i]->unit_mask;
  }
  return CL_SUCCESS;
}
