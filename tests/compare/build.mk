# SPDX-License-Identifier: Apache-2.0
# A unit of integers beside VexRiscv, the soft CPU that one would take instead: cycles, results and LUT4. By itself, since it
# takes minutes and needs a CPU of its own; nothing of it is in `make test`.
COMPARE := $(BUILD)/tests/compare
COMPARE_CPU := pythondata-cpu-vexriscv==1.0.1.post407
COMPARE_VERILOG := $(COMPARE)/python/pythondata_cpu_vexriscv/verilog/VexRiscv.v
# The unit: this device, and these parameters of rtl/unit/unit.v.
COMPARE_SHAPE := LANES=8 SLOTS=32 FPU=0
COMPARE_DEVICE := $(BUILD)/lib/heddle/rtl-L8-S32-rv32imab.so

$(COMPARE_VERILOG): tests/compare/build.mk $(SETUP)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(COMPARE)/python $(COMPARE_CPU)
	@touch $@
$(COMPARE)/cpu: $(COMPARE_VERILOG) tests/compare/cpu.cpp $(VERILATED_RUNTIME)
	$(call quietly,verilator) $(call verilate,$(COMPARE)/cpu.verilated,VexRiscv,-Wno-fatal -Wno-lint -Wno-style,$(abspath $(COMPARE_VERILOG)),tests/compare/cpu.cpp,)
	$(if $(V),,@) $(RTL_CXX) $(COMPARE)/cpu.verilated/*.o $(VERILATED_RUNTIME) -o $@ -lpthread
$(COMPARE)/program.elf: tests/compare/kernels.c tests/compare/start.S tests/compare/program.ld
	@mkdir -p $(@D)
	$(call quietly,clang) $(CLANG) --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -O3 $(C_WARNINGS) -ffreestanding -fno-builtin -nostdlib \
	  -fuse-ld=lld -T tests/compare/program.ld tests/compare/start.S tests/compare/kernels.c -o $@
$(COMPARE)/program.bin: $(COMPARE)/program.elf
	@llvm-objcopy-22 -O binary $< $@

.PHONY: compare-cpu
compare-cpu: all $(COMPARE)/cpu $(COMPARE)/program.bin $(COMPARE_DEVICE) ## Seven kernels on a unit of integers and on VexRiscv: build/compare-cpu.json [TABLE=1 for docs/results]
	@$(PYTHON) tests/compare/compare_cpu.py --verilog $(COMPARE_VERILOG) --cpu $(COMPARE)/cpu --program $(COMPARE)/program.bin --device $(COMPARE_DEVICE) \
	  --write $(BUILD)/compare-cpu.json $(if $(TABLE),--table) $(COMPARE_SHAPE)
