# SPDX-License-Identifier: Apache-2.0
# Devices on a bus: $(BUILD)/lib/heddle/axi/rtl-L<lanes>-S<slots>.so, with -P a command processor, with -U<units> several. A bus of 8 bytes, so
# that a beat is several transfers.
AXI_PARAMETERS = $(RTL_SHAPE) DATA_LOG2=3 ID_BITS=4
$(BUILD)/lib/heddle/axi/rtl-%.so: $(RTL_SOURCES) $(AXI_SOURCES) $(RTL_HEADERS) sim/axi/device.cpp contract/sim.h $(VERILATED_RUNTIME)
	@mkdir -p $(@D)
	$(call quietly,verilator) $(call verilate,$(BUILD)/sim/axi/$*,heddle_axi,$(AXI_PARAMETERS:%=-G%) -GBASE="64'h40000000",\
	  $(RTL_SOURCES) $(AXI_SOURCES),sim/axi/device.cpp,$(AXI_PARAMETERS:%=-D%))
	$(if $(V),,@) $(RTL_CXX) -shared $(BUILD)/sim/axi/$*/*.o $(VERILATED_RUNTIME) -o $@.new -lpthread && mv $@.new $@
