# `make run` is the program, `make test` is the proof; the rest is for those who build it.

SWIFT ?= swift
PREFIX ?= /usr/local
ARGS ?=

# Headers and programs from Debian: the first line to build and run, the second for what the shipped tools call, the third for tests.
PACKAGES := libcurl4-openssl-dev libedit-dev libsqlite3-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libssl-dev pkg-config \
	libvips-tools jpegoptim bubblewrap zip \
	tmux sqlite3 curl openssl python3-hypercorn python3-venv
APT := $(if $(filter 0,$(shell id -u)),,sudo) env DEBIAN_FRONTEND=noninteractive apt-get

# The Swift runtime is linked in: one file, and half the time to start.
RELEASE := -c release --static-swift-stdlib
PROGRAM := .build/release/assent

# Real servers and engines that tests and benchmarks meet, from PyPI, each in an environment of its own.
PEERS := .build/peers

.PHONY: build run test tests peers soak lint format check bench install deps

build: deps
	$(SWIFT) build $(RELEASE) --product assent

# Standard output belongs to the program: `make run ARGS='list --json' | jq` works.
run:
	@$(MAKE) --no-print-directory build >&2
	@exec $(PROGRAM) $(ARGS)

# Five runs: what waits for keys, for sockets, and for programs is not held up by what computes, nor by what keeps the whole machine busy.
KEYS := ^TerminalTests[.]
SOCKETS := ^(HTTPTests|LanguageModelsTests|EngineTests|HarnessTests)[.]
PROGRAMS := ^ProgramTests[.]
# A hundred programs at once would each be as slow as all of them.
FEW := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
BUSY := SimulatorTests|MixedLoadTests|CrashTests|PeersTests|PeerJobTests|ManyProcessesTests

# What failed is said again at the end, below some thousand lines of what did not.
test: SHELL := bash
test: deps
	@$(MAKE) --no-print-directory -j2 tests peers
	@set -o pipefail; { \
		$(SWIFT) test --skip-build --filter '$(KEYS)' && \
		$(SWIFT) test --skip-build --skip '$(KEYS)' --skip '$(SOCKETS)' --skip '$(PROGRAMS)' --skip '$(BUSY)' && \
		$(SWIFT) test --skip-build --filter '$(SOCKETS)' --skip '$(BUSY)' && \
		$(FEW) $(SWIFT) test --skip-build --filter '$(PROGRAMS)' --skip '$(BUSY)' && \
		$(SWIFT) test --skip-build --filter '$(BUSY)'; \
	} 2>&1 | tee .build/test.log || { printf '\nfailed:\n'; grep -A 12 'recorded an issue' .build/test.log; exit 1; }

tests: deps
	$(SWIFT) build --build-tests

peers: $(PEERS)/ray/installed $(PEERS)/bento/installed

# Touches the network only where the list of versions is newer than what was installed by it.
$(PEERS)/%/installed: Tests/Harness/Peer/requirements-%.txt | deps
	@echo "installing from PyPI: $*"
	@rm -rf $(@D)
	@/usr/bin/python3 -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --no-input --retries 2 --only-binary :all: -r $< \
		|| { printf '\nThe peers of $< could not be installed: PyPI must be reachable the first time.\n'; rm -rf $(@D); exit 1; }
	@touch $@

# SOAK_SEEDS seeds of the simulator, far from those of `make test` if SOAK_FROM says so: it fails if SOAK_SECONDS end it before. Then a
# thousand kills of the real program, with ten thousand steps under way.
SOAK_SECONDS ?= 1800
SOAK_FROM ?= 1
SOAK_SEEDS ?= 20000
SOAK_KILLS ?= 1000

soak: SHELL := bash
soak: deps
	$(SWIFT) build --build-tests -c release -Xswiftc -enable-testing --scratch-path .build/soak
	@SIM_FROM=$(SOAK_FROM) SIM_COUNT=$(SOAK_SEEDS) SIM_SECONDS=$(SOAK_SECONDS) \
		$(SWIFT) test --skip-build -c release --scratch-path .build/soak --filter Simulator/noSeedBreaksARule
	@ASSENT_SOAK_KILLS=$(SOAK_KILLS) $(SWIFT) test --skip-build -c release --scratch-path .build/soak --filter MixedLoadTests

lint:
	$(SWIFT) format lint --strict -r Sources Tests Benchmarks Package.swift

format:
	$(SWIFT) format -i -r Sources Tests Benchmarks Package.swift

# Imports that work only because some other target happens to be built first.
check: deps
	$(SWIFT) build --explicit-target-dependency-import-check error

# Every figure beside its reference, in the same run.
bench: build $(PEERS)/durable/installed
	$(SWIFT) build $(RELEASE) --product assent-harness
	$(SWIFT) build $(RELEASE) --product assent-bench
	.build/release/assent-bench $(ARGS)

install: build
	install -D -m 755 $(PROGRAM) "$(DESTDIR)$(PREFIX)/bin/assent"
	strip "$(DESTDIR)$(PREFIX)/bin/assent"

# Asks dpkg only, and touches the network only for what is missing.
deps:
	@missing=""; \
	for package in $(PACKAGES); do \
		dpkg -s "$$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
		echo "installing:$$missing"; \
		$(APT) install -y --no-install-recommends $$missing \
			|| { $(APT) update && $(APT) install -y --no-install-recommends $$missing; }; \
	fi
