# SPDX-License-Identifier: Apache-2.0
# What a library for another host (HOST=aarch64-linux-gnu, riscv64-linux-gnu) is made with; nothing without HOST.
ifdef HOST
# The headers of OpenCL and libusb are the same for every machine, but a cross compiler does not look where they are. They come after
# its own.
C_ALL += -Ihost/cross -idirafter /usr/include

# In place of the ICD loader, which the other host has: a library of its name, with the functions that the heddle command calls. It
# is for the linker alone, and is not installed.
CROSS_LOADER := $(BUILD)/host/cross/libOpenCL.so
$(CROSS_LOADER): $(TOOL_OBJECTS) $(TOOL_COMMON)
	@mkdir -p $(@D)
	$(call quietly,ld) $(NM) -u $^ | awk '$$2 ~ /^cl[A-Z]/ { called[$$2] } END { for (name in called) print "void " name "(void) {}" }' | \
	  $(CC) -shared -nostdlib -Wl$(comma)-soname$(comma)libOpenCL.so.1 -x c - -o $@
endif
