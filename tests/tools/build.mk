# SPDX-License-Identifier: Apache-2.0
# The command-line programs, run as people run them; and the pages, read as people read them.
TESTS += tests/tools/heddle_tool.py tests/tools/demo.py tests/tools/pages.py
