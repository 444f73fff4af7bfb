// SPDX-License-Identifier: Apache-2.0
// Finds the checkout's ICD folder from the place of the running program (checkout.h).
#include "host/tools/checkout.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void heddle_use_checkout(void) {
  if (getenv("OCL_ICD_VENDORS"))
    return;
  char directory[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", directory, sizeof directory - 1);
  if (length <= 0)
    return;
  directory[length] = '\0';
  for (char *slash = strrchr(directory, '/'); slash && slash != directory; slash = strrchr(directory, '/')) {
    *slash = '\0';
    char icd[PATH_MAX + 64];
    int end = snprintf(icd, sizeof icd, "%s/etc/OpenCL/vendors/", directory);
    strcpy(icd + end, "heddle.icd");
    if (access(icd, R_OK) == 0) {
      icd[end] = '\0';
      setenv("OCL_ICD_VENDORS", icd, 1);
      return;
    }
  }
}
