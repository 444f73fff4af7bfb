// SPDX-License-Identifier: Apache-2.0
// Makes a program that was built in a checkout find the Heddle of that checkout. For host/tools, host/examples and
// tests.
#ifndef HEDDLE_TOOLS_CHECKOUT_H
#define HEDDLE_TOOLS_CHECKOUT_H

// When OCL_ICD_VENDORS is not set and a directory above the running program holds etc/OpenCL/vendors/heddle.icd, points
// OCL_ICD_VENDORS there. Call it before the first OpenCL call: the ICD loader reads the variable once. An installed
// program finds nothing above it but the system's own folder, and is left alone.
void heddle_use_checkout(void);

#endif
