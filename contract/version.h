// SPDX-License-Identifier: Apache-2.0
// The version of Heddle: of the library, of the heddle command and of heddlec, and what the Makefile installs as.
#ifndef HEDDLE_VERSION_H
#define HEDDLE_VERSION_H

#define HEDDLE_VERSION "0.1"

#endif
