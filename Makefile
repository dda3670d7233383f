# `make run` is the program, `make test` is the proof; the rest is for those who build it.

SWIFT ?= swift
PREFIX ?= /usr/local
ARGS ?=

# Headers and programs from Debian: the first line to build and run, the second for what the shipped tools and /view call, the third for tests.
PACKAGES := libcurl4-openssl-dev libedit-dev libsqlite3-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libssl-dev zlib1g-dev pkg-config \
	libvips-tools bubblewrap zip unzip chafa poppler-utils zbar-tools miller jq qpdf git ffmpeg img2pdf ghostscript \
	libimage-exiftool-perl mupdf-tools cmark-gfm ripgrep \
	tmux sqlite3 curl jpegoptim openssl python3-hypercorn python3-venv gcc bc file bsdextrautils less qrencode
APT := $(if $(filter 0,$(shell id -u)),,sudo) env DEBIAN_FRONTEND=noninteractive apt-get

# The Swift runtime is linked in: one file, and half the time to start.
RELEASE := -c release --static-swift-stdlib
PROGRAM := .build/release/assent

# Real servers and engines that tests and benchmarks meet, from PyPI, each in an environment of its own.
PEERS := .build/peers

.PHONY: build run test quick seeds tests peers soak lint format embedded comments figures check bench picture newcomer install deps

build: deps
	$(SWIFT) build $(RELEASE) --product assent

# Standard output belongs to the program: `make run ARGS='list --json' | jq` works.
run:
	@$(MAKE) --no-print-directory build >&2
	@exec $(PROGRAM) $(ARGS)

# All of it is built before anything runs. Peers that cannot be installed fail the tests that meet them, and no others.
test: deps
	@$(MAKE) --no-print-directory -k -j2 tests peers || $(MAKE) --no-print-directory tests
	@Tests/run.sh

# Every test that starts no process.
quick: tests
	@Tests/run.sh quick

# A thousand seeds of the simulator, from the first; `make test` plays fewer.
SEEDS ?= 1000

seeds: tests
	@SIM_COUNT=$(SEEDS) $(SWIFT) test --skip-build --filter Simulator/noSeedBreaksARule > .build/seeds.log 2>&1 \
		|| { cat .build/seeds.log; exit 1; }
	@grep '^simulator: $(SEEDS) seeds' .build/seeds.log
	@tail -1 .build/seeds.log

tests: deps
	$(SWIFT) build --build-tests

peers: $(PEERS)/ray/installed $(PEERS)/bento/installed $(PEERS)/litellm/installed $(PEERS)/photographs/installed

# Only the photographs in these packages are looked at.
$(PEERS)/photographs/installed: PIP_OPTIONS := --no-deps

# Touches the network only where the list of versions is newer than what was installed by it.
$(PEERS)/%/installed: Tests/Harness/Peer/requirements-%.txt | deps
	@echo "installing from PyPI: $*"
	@rm -rf $(@D)
	@/usr/bin/python3 -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --no-input --retries 2 --only-binary :all: $(PIP_OPTIONS) -r $< \
		|| { printf '\nThe peers of $< could not be installed: PyPI must be reachable the first time.\n'; rm -rf $(@D); exit 1; }
	@touch $@

# SOAK_SEEDS seeds of the simulator, from a place of its own each time unless SOAK_FROM says which: a set that passes again proves only
# itself. It fails if SOAK_SECONDS end it before. Then flipped bits of a database, which doctor must see, words that are put into sentences, which
# the planner must not drop, random plans in a flow without a machine and with the real tools, which must end as a serial interpreter says,
# and a thousand kills of the real program, with ten thousand steps under way.
SOAK_SECONDS ?= 1800
SOAK_FROM ?= $(shell od -An -N5 -tu8 /dev/urandom | tr -d ' ')
SOAK_SEEDS ?= 20000
SOAK_FLIPS ?= 5000
SOAK_KILLS ?= 1000
SOAK_INSERTIONS ?= 100000
SOAK_PLANS ?= 5000
SOAK_REAL_PLANS ?= 200

soak: SHELL := bash
soak: deps
	$(SWIFT) build --build-tests -c release -Xswiftc -enable-testing --scratch-path .build/soak
	@from=$(SOAK_FROM); echo "soak: $(SOAK_SEEDS) seeds from $$from; again: make soak SOAK_FROM=$$from"; \
	SIM_FROM=$$from SIM_COUNT=$(SOAK_SEEDS) SIM_SECONDS=$(SOAK_SECONDS) \
		$(SWIFT) test --skip-build -c release --scratch-path .build/soak --filter Simulator/noSeedBreaksARule
	@FLIP_SEED=$(SOAK_FROM) FLIP_COUNT=$(SOAK_FLIPS) $(SWIFT) test --skip-build -c release --scratch-path .build/soak --filter noFlippedBitIsSilent
	@INSERT_SEED=$(SOAK_FROM) INSERT_COUNT=$(SOAK_INSERTIONS) \
		$(SWIFT) test --skip-build -c release --scratch-path .build/soak --filter noInsertedWordIsDropped
	@from=$(SOAK_FROM); echo "soak: $(SOAK_PLANS) random plans and $(SOAK_REAL_PLANS) real ones from $$from; again: make soak SOAK_FROM=$$from"; \
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 PLAN_SEED=$$from PLAN_COUNT=$(SOAK_PLANS) REAL_PLANS=$(SOAK_REAL_PLANS) \
		$(SWIFT) test --skip-build -c release --scratch-path .build/soak --filter 'RandomPlanTests|RealPlanTests'
	@ASSENT_SOAK_KILLS=$(SOAK_KILLS) $(SWIFT) test --skip-build -c release --scratch-path .build/soak --filter MixedLoadTests

lint:
	$(SWIFT) format lint --strict -r Sources Tests Package.swift

format:
	$(SWIFT) format -i -r Sources Tests Package.swift

# Writes the JSON in which the program embeds the YAML of Config/ again (Sources/CEmbedded/manifests).
embedded: deps
	WRITE_EMBEDDED=1 $(SWIFT) test --filter EmbeddedFormTests/theEmbeddedFormIsNew

# Removes the doc comments that were rewritten from the list of known bad ones. No comment is added to the list.
comments: deps
	WRITE_KNOWN_COMMENTS=1 $(SWIFT) test --filter everyNewDocCommentOpensPlainly

# Lowers the bounds of the figures to today's values. FIGURES=all sets each bound to its figure, after a merge of changes
# that were made at the same time.
FIGURES ?= 1

figures: tests
	WRITE_FIGURES=$(FIGURES) $(SWIFT) test --skip-build --filter 'noFigureGrows|wordingGetsNoWorse'

# Imports that work only because some other target happens to be built first.
check: deps
	$(SWIFT) build --explicit-target-dependency-import-check error

# Every figure beside its reference, in the same run.
bench: build $(PEERS)/durable/installed
	$(SWIFT) build $(RELEASE) --product assent-harness
	$(SWIFT) build $(RELEASE) --product assent-bench
	.build/release/assent-bench $(ARGS)

# Draws the picture of a session again, light and dark. A test compares the files with the golden transcript.
picture: deps
	$(SWIFT) build --product assent-harness
	.build/debug/assent-harness picture docs/images

# Types a newcomer's lines into the built program at 40, 80 and 120 columns, and draws every screen: sheets in .build/newcomer.
NEWCOMER_PACKAGES := python3-pyte python3-pil fonts-dejavu-core

newcomer: build
	@dpkg -s $(NEWCOMER_PACKAGES) > /dev/null 2>&1 || $(APT) install -y --no-install-recommends $(NEWCOMER_PACKAGES)
	/usr/bin/python3 Tests/Harness/newcomer/newcomer.py $(PROGRAM) .build/newcomer $(ARGS)

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
