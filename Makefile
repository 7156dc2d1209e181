# What can be done here, a line each. CI runs `make lint`, `make test` and `make test-live`.

SWIFT ?= swift
HARK = .build/release/hark
RECORD = .build/release/hark-record
CORPUS ?= ../shared/corpus
FLAGS ?=
# Today's part of what CI samples.
DAY := $(shell expr $$(date +%s) / 86400)
# After so many seconds `make test` ends the tests and names those that are not finished.
TEST_LIMIT ?= 2700
# Where the linker looks first, and finds the C++ library only as an archive: its shared form alone takes
# half of the instructions of `hark --version`. Types are found by their accessors, not by looking up their
# mangled names: that took a quarter of the instructions of `hark timeline` on a short capture.
STATIC = .build/static
# Functions of the same code are in the program once (--icf).
# The folder of the sources is not in the programs: two builds are the same bytes.
ifeq ($(shell uname -s),Darwin)
# Recording is Linux's alone.
PROGRAMS = $(HARK)
RELEASE = -Xswiftc -gnone
else
PROGRAMS = $(HARK) $(RECORD)
OPTIMIZED = --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc -L$(CURDIR)/$(STATIC) \
	-Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -s -Xlinker --no-export-dynamic \
	-Xlinker --no-eh-frame-hdr -Xlinker --icf=all -Xlinker -T -Xlinker $(CURDIR)/Tools/release.ld \
	-Xswiftc -gnone -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
	-Xswiftc -Xfrontend -Xswiftc -function-sections
# The linker optimizes all modules as one: `hark info` takes a fifth fewer instructions, and the build some minutes longer.
# `make build LTO=` does without. Not --lto-partitions, which would use more processors: references between Swift's tables
# get lost, and the program ends when it parses its arguments.
LTO = --experimental-lto-mode full -Xswiftc -Xfrontend -Xswiftc -conditional-runtime-records \
	-Xswiftc -Xfrontend -Xswiftc -internalize-at-link
# How often the samples run each part of the code decides how it is optimized: see Tools/profile. Compilers before 6.3 cannot
# read that file.
PROFILE = .build/release.profdata
RELEASE = $(OPTIMIZED) $(LTO) $(shell $(SWIFT) --version 2>/dev/null | grep -Eq 'version (6\.[3-9]|[7-9])' && \
  echo -Xswiftc -Xfrontend -Xswiftc -ir-profile-use=$(CURDIR)/$(PROFILE))
endif

# Nobody steps through the libraries written in C: without their debug information they compile in a fifth less.
DEBUG = -Xcc -g0

DEMO = captures/pebble-session

.PHONY: help docs pictures example wheel wheel-test fleet-test demo build dist install test lint format golden agree agree-bumble agree-hci wireshark-plugin redact-oracle redact-sample bench bench-check bench-build fuzz captures setup \
	bench-live profile test-all test-build test-setup test-live test-resources reproduce clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: setup build ## Install what is missing, build, and show the decrypted timeline of a sample
	$(HARK) timeline $(DEMO)/pebble-session.btsnoop --keys $(DEMO)/accessory.harkkeys

build: setup $(STATIC)/libstdc++.a $(PROFILE) ## Build the release binaries, .build/release/hark and hark-record
	for program in $(notdir $(PROGRAMS)); do \
	  $(SWIFT) build -c release --product $$program $(RELEASE) $(FLAGS) || exit 1; \
	done

dist: build ## Make the files of a release in dist/: Debian packages, tarball, checksums (needs dpkg-dev)
	Tools/setup dist
	Tools/dist .build/release dist

wheel: build ## Make the Python package in dist/, with the program in it
	Tools/setup wheel
	Tools/wheel build $(HARK) dist

wheel-test: wheel ## Install the Python package as users do, and test it (with packages from PyPI)
	Tools/wheel test dist/hark_analyzer-*.whl

COUNT ?= 5000
fleet-test: build ## Test DuckDB, pandas and Spark over exported captures; COUNT captures (5000) with packages from PyPI
	Tools/setup fleet
	Tools/fleet-test $(HARK) $(COUNT) $(or $(wildcard $(CORPUS)),captures)

PREFIX ?= /usr/local
install: ## Install the built programs, manual pages and completions below PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install $(PROGRAMS) $(DESTDIR)$(PREFIX)/bin
	Tools/man-pages $(PROGRAMS) $(DESTDIR)$(PREFIX)/share/man/man1
	Tools/completions $(HARK) $(DESTDIR)$(PREFIX)/share

# Without the archive, the linker takes the shared library.
$(STATIC)/libstdc++.a:
	@mkdir -p $(STATIC)
	@for cc in clang $(CC); do \
	  file=$$($$cc -print-file-name=libstdc++.a 2>/dev/null) && [ -f "$$file" ] && ln -sf "$$file" $@ && break; \
	done || true

# The compiler keeps code whose source did not change, whatever the profile says.
.build/release.profdata: Tools/release.profdata.xz
	@mkdir -p .build
	find .build -path '*/release/*' -name '*.swift.o' -delete -o -path '*/release/*' -name '*.swift.bc' -delete
	xz -dc $< > $@

profile: setup $(STATIC)/libstdc++.a ## Make the profile that release builds are optimized by (takes a release build)
	Tools/profile .build-profile $(OPTIMIZED)

test: test-build ## Run every test, with today's part of long series of cases
	Tools/run-tests $(TEST_LIMIT) $(SWIFT) test --skip-build $(FLAGS)
	Tools/check-output-schemas .build/debug/hark --part $(DAY) 12
	$(PYTHON_TESTS) -k "not tshark and not what_hark_writes"

test-all: test-build ## Run every test with all its cases
	HARK_TEST_ALL=1 Tools/run-tests $$((3 * $(TEST_LIMIT))) $(SWIFT) test --skip-build $(FLAGS)
	Tools/check-output-schemas .build/debug/hark
	python3 -B Tools/editor_schemas_test.py .build/debug/hark
	$(PYTHON_TESTS)

# The Python package from its sources, with the program of the tests.
PYTHON_TESTS = PATH="$(CURDIR)/.build/debug:$$PATH" PYTHONPATH=python/src \
	python3 -B -m pytest -q -p no:cacheprovider python/tests

test-build: setup test-setup
	$(SWIFT) build --build-tests $(DEBUG) $(FLAGS)

test-live: test-build ## Record real traffic in a virtual machine (needs root)
	Tools/setup live
	Tests/Live/run .build/debug/hark-record

lint: ## Check the format, and what no shipped target may do
	Tools/lint

format: ## Format all Swift sources
	$(SWIFT) format -r -i -p Sources Tests Fuzz Package.swift

golden: ## Rewrite the expected outputs; read the diff like code
	Tools/generate-output-schemas.py
	HARK_GOLDEN=1 $(SWIFT) test --filter 'Golden|FindingsSample|Interface|AppSide' $(DEBUG) $(FLAGS)

agree: build ## Compare fields and timeline with tshark over CORPUS (needs tshark)
	python3 Tools/agree_test.py
	python3 Tools/agree_timeline_test.py
	python3 -B Tools/agree_redacted_test.py
	Tools/agree --hark $(HARK) --min-hci 0.9995 --min-air 0.999 $(CORPUS)
	Tools/agree-timeline --hark $(HARK) --min 0.999 captures $(wildcard $(CORPUS))
	Tools/agree-filters --hark $(HARK) $(CORPUS)
	Tools/agree-redacted $(HARK) captures $(wildcard $(CORPUS))
	Tools/agree-redacted $(HARK) --level share captures $(wildcard $(CORPUS))

wireshark-plugin: build ## Test the plug-in for Wireshark with tshark
	python3 -B Tools/wireshark_plugin_test.py $(HARK)

redact-oracle: build ## Attack redaction: planted secrets, and what tshark finds personal in CORPUS (needs tshark)
	python3 -B Tools/redact_oracle_test.py
	Tools/redact-plants $(HARK)
	Tools/redact-plants --whole --formats $(HARK)
	Tools/redact-plants --mutate $(DAY) 2000 $(HARK)
	Tools/redact-plants --whole --reports --only 'AAP|notes|SDP|OBEX|AT lines|media|names|texts|logs' $(HARK)
	Tools/redact-oracle --spoil --formats --mark --hark $(HARK) captures $(wildcard $(CORPUS))

redact-sample: ## Attack redaction with a part that changes every day (HARK=PATH; a minute)
	Tools/redact-plants --quiet --sample $(DAY) 400 $(HARK)
	! command -v tshark >/dev/null || Tools/redact-oracle --spoil --sample $(DAY) 8 --hark $(HARK) captures

agree-bumble: build ## Compare every field with Bumble over CORPUS (needs the Python package bumble)
	Tools/agree_bumble.py --hark $(HARK) captures $(wildcard $(CORPUS))

agree-hci: build ## Compare HCI layouts with Bumble, and with rootcanal's file PDL if given
	Tools/agree-hci-layouts --hark $(HARK) $(if $(PDL),--pdl $(PDL))
	Tools/agree-hci-layouts --write .build/hci-samples.btsnoop
	Tools/agree_bumble.py --hark $(HARK) --min 0.998 .build/hci-samples.btsnoop

REAL = $(addprefix --real ,$(wildcard $(CORPUS)))

bench: bench-build ## Measure against btmon and tshark (needs both, and valgrind), on CORPUS, too
	Benchmarks/run $(REAL)

bench-check: bench-build ## Fail where a measured ratio is worse than its threshold
	Benchmarks/run --check $(REAL)

bench-live: build ## Measure the recorder and the live timeline under load (takes 5 minutes)
	Tests/Live/load.py $(RECORD)
	Benchmarks/live

bench-build: build
	BENCH=1 $(SWIFT) build -c release --product passes $(RELEASE) $(FLAGS)

docs: setup ## Make the documentation of HarkKit in dist/HarkKit
	mkdir -p dist
	DOCS=1 $(SWIFT) package --scratch-path .build-docs --allow-writing-to-directory dist generate-documentation \
	  --target HarkKit --output-path dist/HarkKit --warnings-as-errors

pictures: build test-setup ## Make the pictures in the documents (needs Chromium)
	/usr/bin/python3 -B Tests/HarkWebTests/browser.py $(HARK) --picture docs/web.png

example: setup ## Build the example package that uses HarkKit, and run it
	$(SWIFT) build --package-path Examples/notifications --scratch-path .build/example
	.build/example/debug/notifications $(DEMO)/pebble-session.btsnoop $(DEMO)/accessory.harkkeys

fuzz: ## Fuzz each target for SECONDS (default 60), or all for CAMPAIGN seconds with figures in docs/trust.md
	Fuzz/run $(if $(CAMPAIGN),--campaign $(CAMPAIGN),$(or $(SECONDS),60))

test-resources: build ## Read inputs that ask for far more than their size with every command
	Tests/Resources/run $(HARK) .build/hostile

captures: ## Make the sample captures anew (needs Python packages, see its README)
	captures/generator/generate.py captures

setup: ## Install the libraries the build needs
	@Tools/setup build

test-setup:
	@Tools/setup test

reproduce: setup ## Build a release twice, in two folders, and compare all files (takes two release builds)
	Tools/reproduce

clean: ## Remove what was built
	rm -rf .build
