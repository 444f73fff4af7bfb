# SPDX-License-Identifier: Apache-2.0
# An MPI program whose ranks have devices of their own. OpenMPI comes when it is asked for: few need it.
MPI_SCAN := $(BUILD)/bin/mpi_scan
MPI_PACKAGES := $(BUILD)/tests/mpi/packages
$(MPI_PACKAGES): tests/mpi/build.mk $(SETUP)
	@.ci/setup --packages openmpi-bin libopenmpi-dev
	@mkdir -p $(@D) && touch $@

$(BUILD)/host/examples/mpi_scan.o: $(MPI_PACKAGES)
$(BUILD)/host/examples/mpi_scan.o: C_ALL += $(shell mpicc --showme:compile 2> /dev/null)
MPI_FLAGS := $(if $(filter lint lint-c,$(MAKECMDGOALS)),$(shell mpicc --showme:compile 2> /dev/null))
LINT_INCLUDES += $(MPI_FLAGS)
LINT_LEFT_OUT += $(if $(MPI_FLAGS),,host/examples/mpi_scan.c)
$(MPI_SCAN): $(BUILD)/host/examples/mpi_scan.o $(TOOL_COMMON) $(BUILD)/contract/tool/output.o
	@mkdir -p $(@D)
	$(call quietly,ld) OMPI_CC=$(CC) mpicc $(CFLAGS) $(LINK_ALSO) $^ -o $@ -lOpenCL -lpthread

.PHONY: test-mpi
test-mpi: all $(MPI_SCAN) $(BUILD)/bin/heddle-board ## MPI ranks, each with a simulated device of its own. Installs OpenMPI (53 MB)
	@tests/run --logs $(BUILD)/tests/logs --jobs 1 tests/mpi/mpi_scan.py
