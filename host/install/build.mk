# SPDX-License-Identifier: Apache-2.0
# Installing: `make install` puts what the folders' build.mk add to INSTALLED below DESTDIR, `make uninstall` takes the same
# away. Files that name the place of others are made of *.in.
INSTALL_FILLED ?= $(BUILD)/install
INSTALL_MADE := $(patsubst host/install/%.in,$(INSTALL_FILLED)/%,$(wildcard host/install/*.in))
INSTALL_PAGES := $(if $(NO_COMPILER),heddle.1,$(notdir $(wildcard host/install/*.1)))
INSTALL_MADE += $(INSTALL_PAGES:%=$(INSTALL_FILLED)/%)
# Of the header, so that it is told once.
HEDDLE_VERSION := $(shell sed -n 's/^.define HEDDLE_VERSION "\(.*\)"/\1/p' contract/version.h)

install_place = 644,$(INSTALL_FILLED)/$(1),$(2)/$(1)
INSTALLED += $(call install_place,heddle.icd,$(SYSCONFDIR)/OpenCL/vendors) $(call install_place,heddle.pc,$(LIBDIR)/pkgconfig)
INSTALLED += $(foreach file,HeddleConfig.cmake HeddleConfigVersion.cmake,$(call install_place,$(file),$(LIBDIR)/cmake/Heddle))
INSTALLED += $(foreach page,$(INSTALL_PAGES),$(call install_place,$(page),$(PREFIX)/share/man/man1))
# bash looks for a file of the command's name, zsh reads what functions are for.
INSTALLED += 644,host/install/_heddle,$(ZSHDIR)/_heddle
INSTALLED += $(foreach command,heddle $(if $(NO_COMPILER),,heddlec heddle-board heddle-sycl++),644$(comma)host/install/heddle.bash$(comma)$(PREFIX)/share/bash-completion/completions/$(command))
# udev reads rules below /usr and /usr/local.
INSTALLED += 644,host/install/70-heddle.rules,$(PREFIX)/lib/udev/rules.d/70-heddle.rules

# $(call install_each,COMMANDS): for each file, of mode $$1, $$2 is installed as $$3.
install_each = @set -e; for entry in $(INSTALLED); do set -- $$(echo $$entry | tr , ' '); $(1); done

.PHONY: install install-strip uninstall
install: all $(INSTALL_MADE) ## Install for every OpenCL program of this machine [PREFIX=/usr/local DESTDIR= LIBDIR= SYSCONFDIR=/etc ZSHDIR=]
	$(call install_each,install -D -m $$1 $$2 $(DESTDIR)$$3)
	@echo 'installed below $(DESTDIR)$(PREFIX); `make uninstall` with the same variables takes it away'

install-strip: install ## The same without symbols
	$(call install_each,[ $$1 = 644 ] || ! head -c 4 $$2 | grep -q ELF || $(STRIP) --strip-unneeded $(DESTDIR)$$3)

# share/heddle, include/heddle, include/heddle-sycl and those below them, the deepest first.
INSTALL_OWN_ROOTS = $(PREFIX)/share/heddle $(PREFIX)/include/heddle $(PREFIX)/include/heddle-sycl
INSTALL_OWN_FOLDERS = $(shell for root in $(INSTALL_OWN_ROOTS); do for entry in $(INSTALLED); do dirname $${entry##*,}; done | grep "^$$root/" | \
  while read -r folder; do while [ $$folder != $$root ]; do echo $$folder; folder=$${folder%/*}; done; done | sort -ru; echo $$root; done)

# Folders that are nobody else's go as well once they are empty.
uninstall: ## Take away what make install put there [PREFIX=/usr/local DESTDIR= LIBDIR= SYSCONFDIR=/etc ZSHDIR=]
	$(call install_each,rm -f $(DESTDIR)$$3)
	@rm -f $(DESTDIR)$(LIBDIR)/heddle/rtl-L*.so
	@for folder in $(LIBDIR)/heddle $(LIBDIR)/cmake/Heddle $(INSTALL_OWN_FOLDERS) $(PREFIX)/lib/udev/rules.d $(PREFIX)/lib/udev; do \
	  [ ! -d $(DESTDIR)$$folder ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$$folder; done

# Each time anew: the places are the command line's.
install_fill = sed -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@LIBDIR@|$(LIBDIR)|g' -e 's|@VERSION@|$(HEDDLE_VERSION)|g' \
  -e "s|@TO_PREFIX@|$$(realpath -m --relative-to=$(LIBDIR)/cmake/Heddle $(PREFIX))|g" $< > $@
.PHONY: install-places
$(INSTALL_FILLED)/%.1: host/install/%.1 install-places
	@mkdir -p $(@D); $(install_fill)
$(INSTALL_FILLED)/%: host/install/%.in install-places
	@mkdir -p $(@D); $(install_fill)

# For `apt install ./FILE`: what make install-strip installs below /usr, with the default device only.
DEB_NAME := heddle$(if $(NO_COMPILER),-embedded)
DEB = $(BUILD)/$(DEB_NAME)_$(HEDDLE_VERSION)_$(shell dpkg --print-architecture).deb
DEB_FOLDER := $(BUILD)/install/deb
.PHONY: deb
deb: all ## A Debian package of it, for apt install ./build/heddle_….deb; with HEDDLE_NO_COMPILER=1 the small one
	@rm -rf $(DEB_FOLDER); mkdir -p $(DEB_FOLDER)
	@+$(MAKE) --no-print-directory BUILD=$(BUILD) DESTDIR=$(abspath $(DEB_FOLDER))/debian/$(DEB_NAME) PREFIX=/usr LIBDIR=/usr/lib \
	  SYSCONFDIR=/etc ZSHDIR=/usr/share/zsh/vendor-completions INSTALL_FILLED=$(DEB_FOLDER)/filled RTL_INSTALLED='$(RTL_DEFAULT)' install-strip > $(DEB_FOLDER)/log
	@host/install/deb $(DEB_FOLDER) $(DEB_NAME) $(HEDDLE_VERSION) $(DEB)
	@echo 'apt install ./$(DEB)'

# The sources as a tar file that builds without git: the same bytes wherever it is made of one commit. What git would not have in a
# commit is not in it, and a tree with changes is refused, since its version would be no version.
DIST = $(BUILD)/heddle-$(HEDDLE_VERSION).tar.gz
.PHONY: dist
dist: ## The sources of this commit as build/heddle-VERSION.tar.gz, which builds without git
	@[ -e .git ] || { echo 'make dist: this tree is no git repository' >&2; exit 1; }
	@$(GIT) diff --quiet HEAD -- || { echo 'make dist: the tree has changes; commit them first (git status shows them)' >&2; exit 1; }
	@mkdir -p $(BUILD)
	@$(GIT) -c tar.umask=0022 -c core.autocrlf=false -c core.attributesFile=/dev/null archive --format=tar --prefix=heddle-$(HEDDLE_VERSION)/ HEAD | gzip -9n > $(DIST).new && mv $(DIST).new $(DIST)
	@echo "$(DIST): $$(wc -c < $(DIST)) bytes, sha256 $$(sha256sum < $(DIST) | cut -c -64)"
