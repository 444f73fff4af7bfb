# SPDX-License-Identifier: Apache-2.0
# Heddle built and installed on Debian 12, for CI and for trying it out:
#   docker build -t heddle . && docker run --rm heddle heddle info
# `docker build --target tree -t heddle-tree .` keeps the tree with all that was built: `docker run --rm heddle-tree make test`.
FROM debian:12-slim AS tree
RUN apt-get -q update && apt-get -q install -y --no-install-recommends make git ca-certificates python3 python3-venv && rm -rf /var/lib/apt/lists/*
WORKDIR /heddle
# What set-up installs changes seldom: a layer of its own, which a change of the sources leaves as it is.
COPY .ci .ci
RUN .ci/setup && rm -rf /var/lib/apt/lists/*
COPY . .
RUN make all deb

# The package alone, with what it needs: the default simulated device, the model, the compiler, the heddle command.
FROM debian:12-slim
COPY --from=tree /heddle/build/heddle_*.deb /tmp/
RUN apt-get -q update && apt-get -q install -y --no-install-recommends /tmp/heddle_*.deb llvm-22 python3 && rm -rf /tmp/heddle_*.deb /var/lib/apt/lists/*
WORKDIR /work
CMD ["heddle", "info"]
