# SPDX-License-Identifier: Apache-2.0
# MPI programs whose ranks have devices of their own. OpenMPI comes when it is asked for: few need it.
MPI_PROGRAMS := $(BUILD)/bin/mpi_scan $(BUILD)/bin/mpi_sgemm
MPI_OBJECTS := $(patsubst %,$(BUILD)/host/examples/%.o,ranks mpi_scan mpi_sgemm)
MPI_PACKAGES := $(BUILD)/tests/mpi/packages
$(MPI_PACKAGES): tests/mpi/build.mk $(SETUP)
	@.ci/setup --packages openmpi-bin libopenmpi-dev
	@mkdir -p $(@D) && touch $@

$(MPI_OBJECTS): $(MPI_PACKAGES)
$(MPI_OBJECTS): C_ALL += $(shell mpicc --showme:compile 2> /dev/null)
MPI_FLAGS := $(if $(filter lint lint-c,$(MAKECMDGOALS)),$(shell mpicc --showme:compile 2> /dev/null))
LINT_INCLUDES += $(MPI_FLAGS)
LINT_LEFT_OUT += $(if $(MPI_FLAGS),,$(MPI_OBJECTS:$(BUILD)/%.o=%.c))
$(MPI_PROGRAMS): $(BUILD)/bin/%: $(BUILD)/host/examples/%.o $(BUILD)/host/examples/ranks.o $(TOOL_COMMON) $(BUILD)/contract/tool/output.o $(BUILD)/contract/tool/version.o
	@mkdir -p $(@D)
	$(call quietly,ld) OMPI_CC=$(CC) mpicc $(CFLAGS) $(LINK_ALSO) $^ -o $@ -lOpenCL -lpthread

# In make test where OpenMPI is installed already.
MPI_TESTS := tests/mpi/mpi_scan.py tests/mpi/mpi_sgemm.py
ifneq ($(shell command -v mpicc 2> /dev/null),)
TESTS += $(MPI_TESTS)
test test-long: $(MPI_PROGRAMS) $(BUILD)/bin/heddle-board
endif

.PHONY: test-mpi
test-mpi: all $(MPI_PROGRAMS) $(BUILD)/bin/heddle-board ## MPI ranks, each with a simulated device of its own. Installs OpenMPI (53 MB)
	@tests/run --logs $(BUILD)/tests/logs --jobs 1 $(MPI_TESTS)
