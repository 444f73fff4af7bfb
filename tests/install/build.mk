# SPDX-License-Identifier: Apache-2.0
# What `make install` installs is used: installed once below a DESTDIR and taken away again, and once into a folder to use.
INSTALL_TEST := $(BUILD)/tests/install
INSTALL_SUITES := $(INSTALL_TEST)/install $(INSTALL_TEST)/deb
TESTS += $(INSTALL_SUITES) tests/install/dist.py

$(INSTALL_SUITES): %: %.o $(INSTALL_TEST)/shell.o
	$(LINK) $^ -o $@ -lcriterion
$(INSTALL_TEST)/install: | $(INSTALL_TEST)/installed
$(INSTALL_TEST)/deb: | $(INSTALL_TEST)/package.deb
$(INSTALL_SUITES:%=%.o): C_ALL += -DINSTALL_TEST='"$(abspath $(INSTALL_TEST))"'
$(INSTALL_TEST)/install.o: C_ALL += -DCOMPLETE_ZSH='"$(abspath tests/install/complete.zsh)"'
$(INSTALL_SUITES:%=%.o) $(INSTALL_TEST)/installed: $(NAMED_FOLDER)
LINT_INCLUDES += -DINSTALL_TEST=\"\" -DCOMPLETE_ZSH=\"\"

# What is installed, but for what is made for its place.
install_sources := $(filter-out $(BUILD)/install/%,$(foreach entry,$(INSTALLED),$(word 2,$(subst $(comma), ,$(entry)))))
install_test_make = +$(MAKE) --no-print-directory BUILD=$(BUILD) DESTDIR=$(abspath $(1)) PREFIX=$(2) SYSCONFDIR=$(3) $(4)
install_test_files = (cd $(INSTALL_TEST)/staged && find . ! -type d | sort) > $(INSTALL_TEST)/$(1)
$(INSTALL_TEST)/installed: Makefile $(wildcard host/install/*) $(install_sources) | all
	@echo '  install $(@D)'; rm -rf $(INSTALL_TEST)/staged $(INSTALL_TEST)/here; mkdir -p $(INSTALL_TEST)/staged/usr/lib/heddle
	@touch $(INSTALL_TEST)/staged/usr/lib/heddle/another
	@$(call install_test_make,$(INSTALL_TEST)/staged,/usr,/etc,install) > $@.log && $(call install_test_files,staged.txt)
	@cp $(INSTALL_TEST)/staged/usr/lib/pkgconfig/heddle.pc $(INSTALL_TEST)/staged/etc/OpenCL/vendors/heddle.icd $(INSTALL_TEST)
	@$(call install_test_make,$(INSTALL_TEST)/staged,/usr,/etc,uninstall) >> $@.log && $(call install_test_files,left.txt)
	@$(call install_test_make,,$(abspath $(INSTALL_TEST)/here),$(abspath $(INSTALL_TEST)/here/etc),install) >> $@.log
	@touch $@

$(INSTALL_TEST)/package.deb: Makefile $(wildcard host/install/*) $(install_sources) | all $(INSTALL_TEST)/installed
	@echo '  deb $@'
	@+$(MAKE) --no-print-directory BUILD=$(BUILD) deb > $@.log 2>&1 || { cat $@.log >&2; exit 1; }
	@cp $(DEB) $@.new && mv $@.new $@
