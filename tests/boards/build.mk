# SPDX-License-Identifier: Apache-2.0
# Boards: pins, the script that makes bitstreams, and one of them simulated.
TESTS += tests/boards/boards.py
test test-long: $(BOARDS_SIMULATED:%=$(BUILD)/bin/heddle-%)
