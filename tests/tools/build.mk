# SPDX-License-Identifier: Apache-2.0
# The command-line programs, run as people run them; the pages, read as people read them; and who includes whom.
TESTS += tests/tools/heddle_tool.py tests/tools/demo.py tests/tools/pages.py tests/tools/layout.py tests/tools/includes.py tests/tools/runner.py tests/tools/ci_page.py tests/tools/argument_files.py tests/tools/help.py tests/tools/sizes.py
