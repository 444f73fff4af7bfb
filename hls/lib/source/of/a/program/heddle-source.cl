// SPDX-License-Identifier: Apache-2.0
// clang finds the source of the program that it compiles here instead of this file (hls/overlay.h).
