# SPDX-License-Identifier: Apache-2.0
# Every job of the project: `make help` lists them. Each folder adds its own in build.mk.
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SECONDARY:

BUILD ?= build
CC := gcc
CXX := g++
CLANG := clang-22
LLVM_CONFIG := llvm-config-22
VENV := .venv
PYTHON := $(VENV)/bin/python
CFLAGS ?= -O2 -g
C_WARNINGS := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
C_STANDARD := -std=c11 -D_GNU_SOURCE
C_DEFINES := -DCL_TARGET_OPENCL_VERSION=300 -DCL_USE_DEPRECATED_OPENCL_1_0_APIS -DCL_USE_DEPRECATED_OPENCL_1_1_APIS \
  -DCL_USE_DEPRECATED_OPENCL_1_2_APIS -DCL_USE_DEPRECATED_OPENCL_2_0_APIS -DCL_USE_DEPRECATED_OPENCL_2_1_APIS \
  -DCL_USE_DEPRECATED_OPENCL_2_2_APIS
C_ALL = $(CFLAGS) $(C_STANDARD) $(C_WARNINGS) $(C_DEFINES) -I. -MMD -MP

.PHONY: all
all:

include $(wildcard */build.mk */*/build.mk)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(C_ALL) -fPIC -c $< -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
