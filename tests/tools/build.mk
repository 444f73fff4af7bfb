# SPDX-License-Identifier: Apache-2.0
# The command-line programs, run as people run them.
TESTS += tests/tools/heddle_tool.py tests/tools/demo.py
