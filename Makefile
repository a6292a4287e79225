# fancytext: verbs for people. `make help` lists them.
# `make demo` and `make test` install what they need first (Debian packages, only the missing ones).

PREFIX ?= /usr/local
SWIFT ?= swift
PYTHON ?= python3
# The small libraries are linked from their archives, where Debian has them: less for the loader to find and relocate.
ARCHIVES := .build/archives
# Swift's library is linked statically, at a fixed load address: the loader's 40,000 relocations took half of the start-up time.
# Generic types are made by calls, not found by their mangled names: for each name the runtime searched all conformances, a fifth
# of a card's instructions. Nothing reads debug information, which takes a tenth of the compiler's time, or the tables for
# unwinding, which take 2.4 MB.
BUILD_FLAGS := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -Xclang-linker -Xswiftc -no-pie \
	-Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -use-ld=lld -Xlinker -L$(ARCHIVES) -Xlinker --no-export-dynamic \
	-Xlinker packaging/no-unwind-table.ld \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors -Xswiftc -gnone
PREVIEW_FLAGS := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld
BUILD := PKG_CONFIG_PATH=$(CURDIR)/$(ARCHIVES):$(PKG_CONFIG_PATH) $(SWIFT) build $(BUILD_FLAGS)
BINARY := .build/release/fancytext

BUILD_PACKAGES := pkg-config libfreetype-dev libharfbuzz-dev libpng-dev libpcre2-dev libfontconfig-dev \
	libdeflate-dev libjpeg62-turbo-dev libgif-dev libcurl4-openssl-dev
# The fonts that the program carries come from a folder, or from packages (Sources/System/CEmbeddedFonts).
ifdef FONTS
export FANCYTEXT_FONTS := $(abspath $(FONTS))
else
BUILD_PACKAGES += fonts-inter-variable fonts-dejavu-core
endif
# The number of libavif is 15 in Debian 12.
AVIF := $(shell grep -qs ^12 /etc/debian_version && echo 15 || echo 16)
# librsvg2-2 brings ICU along, whose package has its version in its name.
RUN_PACKAGES := libjpeg62-turbo libwebp7 libavif$(AVIF) libgif7 librsvg2-2 libhyphen0 libcurl4 \
	libcmark-gfm-extensions0.29.0.gfm.6
DIST_PACKAGES := binutils dpkg-dev icu-devtools patchelf python3
TEST_PACKAGES := jq unicode-data fonts-noto-color-emoji fonts-liberation2

.DEFAULT_GOAL := help
.PHONY: help deps test-deps build preview demo test test-client record lint format bench kills example-parallel example-spark fuzz fuzz-guided asan asan-mutations ubsan tsan attacks attack-page mutations run-mutations docs gallery man install wheel dist test-wheel test-node test-dist release clean

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install the Debian packages that building and running need
	@./.ci/install-packages $(BUILD_PACKAGES) $(RUN_PACKAGES)

test-deps: deps
	@./.ci/install-packages $(TEST_PACKAGES)

$(ARCHIVES): deps
	@./.ci/link-archives $@ libpcre2-8 libpng libdeflate freetype2

build: deps $(ARCHIVES) ## build the program in release mode; FONTS=FOLDER for fonts of your own
	$(BUILD) --product fancytext

# A package of its own. `fancytext preview` finds the program beside itself.
preview: build ## build the program that serves the page of `fancytext preview`, in release mode
	$(SWIFT) build --package-path Preview --scratch-path .build/preview $(PREVIEW_FLAGS)
	@install -m 755 .build/preview/release/fancytext-preview $(BINARY)-preview

demo: build ## render Fixtures/demo/card.html to card.png and show it as terminal text
	@$(BINARY) render Fixtures/demo/card.html --width 1200 --height 630 -o card.png
	@$(BINARY) render Fixtures/demo/card.html --format ansi --width 76
	@echo
	@echo "wrote card.png: $$(wc -c < card.png) bytes, 1200x630 pixels"

test: test-deps preview ## build everything and run all tests
	FANCYTEXT_BINARY=$(CURDIR)/$(BINARY) $(SWIFT) test

test-client: deps ## build and run a package that uses the library as the README shows, in debug and release, from clean
	@SWIFT=$(SWIFT) ./.ci/test-client

record: preview ## write the goldens anew; look at the difference before committing it
	FANCYTEXT_RECORD=1 FANCYTEXT_BINARY=$(CURDIR)/$(BINARY) $(SWIFT) test

lint: ## check the format of all sources, that imports point up, that folders do not reach each other, and that nothing is declared for nobody
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Preview Package.swift
	@command -v python3 >/dev/null || ./.ci/install-packages python3-minimal
	@python3 Tests/Tools/module_map.py --check imports circles dead numbers page

format: ## format all sources in place
	$(SWIFT) format --in-place --recursive --parallel Sources Tests Preview Package.swift

gallery: build ## render Fixtures/gallery/*.html to pictures beside them, and the demo card
	@$(BINARY) render Fixtures/demo/card.html --width 1200 --height 630 -o Fixtures/demo/card.png
	@while read -r name options; do \
		eval "$(BINARY) render Fixtures/gallery/$$name.html $$options -o Fixtures/gallery/$$name.png" || exit 1; \
	done < Fixtures/gallery/options.txt
	@ls Fixtures/gallery/*.png

bench: build ## measure beside peers and over sizes, for the docs; FILTER=card|syntax|edit|fancy|article the library's stages, PAGE=FILE
ifeq ($(FILTER)$(PAGE),)
	python3 Tests/Tools/bench.py --program $(BINARY) --docs Sources/FancyText/FancyText.docc
else
	$(BUILD) --product FancyTextBenchmarks
	FANCYTEXT_BINARY=$(BINARY) .build/release/FancyTextBenchmarks $(FILTER) $(if $(PAGE),--page $(PAGE))
endif

kills: build ## kill batches and caches at random, KILLS (200) times, and look that every file is whole
	python3 Tests/Tools/kills.py --program $(BINARY) --kills $(or $(KILLS),200)

example-parallel: build ## render a card for each of ROWS (10000) rows with GNU parallel over two workers
	@./.ci/install-packages parallel jq python3-minimal
	@python3 Fixtures/examples/rows.py $(or $(ROWS),10000) > .build/rows.ndjson
	@bash -c 'time FANCYTEXT=$(CURDIR)/$(BINARY) Fixtures/examples/parallel.sh .build/rows.ndjson > .build/results.ndjson'
	@wc -l < .build/results.ndjson

example-spark: build ## the same with Apache Spark, two executors; needs Java 17, installs pyspark in .build/spark
	@[ -x .build/spark/bin/python ] || python3 -m venv .build/spark
	@.build/spark/bin/pip install --quiet pyspark 'pandas<3' pyarrow
	@FANCYTEXT=$(CURDIR)/$(BINARY) .build/spark/bin/python Fixtures/examples/spark_cards.py \
		--rows $(or $(ROWS),100000) --master '$(or $(MASTER),local-cluster[2,1,1024])'

fuzz: deps $(ARCHIVES) ## try random, mutated and broken inputs for SECONDS (60) of processor time; TARGET=syntax|select|css|… for one kind, SEEDS=FOLDER
	$(BUILD) --product FancyTextFuzz
	.build/release/FancyTextFuzz $(if $(TARGET),--target $(TARGET)) --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1) \
		--seeds Fixtures/fuzz/pages --seeds $(or $(SEEDS),Fixtures/gallery)

# AddressSanitizer beside it. libFuzzer's own main would do without the targets' rules, so that the program calls it.
fuzz-guided: deps $(ARCHIVES) ## try inputs that libFuzzer makes to reach more of the code of TARGET (css), for SECONDS (60)
	PKG_CONFIG_PATH=$(CURDIR)/$(ARCHIVES):$(PKG_CONFIG_PATH) $(SWIFT) build -c release --sanitize=address \
		-Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld -Xswiftc -DGUIDED -Xlinker -L$(ARCHIVES) \
		--scratch-path .build/guided --product FancyTextFuzz
	@mkdir -p .build/corpus/$(or $(TARGET),css)
	ASAN_OPTIONS=detect_leaks=0 .build/guided/release/FancyTextFuzz --target $(or $(TARGET),css) --seconds $(or $(SECONDS),60) \
		--seed $(or $(SEED),1) --seeds .build/corpus/$(or $(TARGET),css) --seeds Fixtures/fuzz/$(if $(filter fonts,$(TARGET)),fonts,pages)

# Tests that run the program need one without a sanitizer: what they say of memory and time is about that one.
# With a sanitizer frames are several times as large: layout of elements nested to the limit needs larger stacks.
asan: test-deps ## all tests in one process, and a minute of fuzzing, with AddressSanitizer
	$(SWIFT) build --sanitize=address --scratch-path .build/asan --build-tests
	ulimit -s 131072 && ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --sanitize=address --scratch-path .build/asan --skip-build --skip EndToEndTests
	ASAN_OPTIONS=detect_leaks=0 .build/asan/debug/FancyTextFuzz --seconds $(or $(SECONDS),60) --seeds Fixtures/fuzz/pages \
		--seeds $(or $(SEEDS),Fixtures/gallery)

asan-mutations: deps $(ARCHIVES) ## pages, bent pages and bent requests through every command of a program with AddressSanitizer; FOLDERS='…' COUNT=2000 SEED=1
	PKG_CONFIG_PATH=$(CURDIR)/$(ARCHIVES):$(PKG_CONFIG_PATH) $(SWIFT) build -c release --sanitize=address \
		-Xswiftc -use-ld=lld -Xlinker -L$(ARCHIVES) --scratch-path .build/asan-program --product fancytext
	$(MAKE) run-mutations PROGRAM=.build/asan-program/release/fancytext

ubsan: test-deps ## all tests in one process with UndefinedBehaviorSanitizer in the C targets
	$(SWIFT) build -Xcc -fsanitize=undefined -Xcc -fno-sanitize=function -Xcc -fno-sanitize-recover=undefined -Xlinker -lubsan --scratch-path .build/ubsan --build-tests
	$(SWIFT) test -Xcc -fsanitize=undefined -Xcc -fno-sanitize=function -Xcc -fno-sanitize-recover=undefined -Xlinker -lubsan --scratch-path .build/ubsan \
		--skip-build --skip EndToEndTests

# What ThreadSanitizer keeps of all tests together does not fit into 24 GB: each module's have a process of their own.
tsan: test-deps ## all tests with ThreadSanitizer, one module after another
	$(SWIFT) build --sanitize=thread --scratch-path .build/tsan --build-tests
	for tests in $(filter-out EndToEndTests,$(notdir $(wildcard Tests/*Tests))); do \
		$(SWIFT) test --sanitize=thread --scratch-path .build/tsan --skip-build --filter "^$$tests\\." || exit 1; \
	done

attacks: preview ## hostile inputs by the command line and by batch; fails where one costs, ends or writes what it must not
	for way in "" --untrusted --batch "--batch --untrusted"; do \
		python3 Tests/Tools/attacks.py --program $(BINARY) --check $$way || exit 1; \
	done

attack-page: build ## write what they cost into the documentation
	python3 Tests/Tools/attacks.py --program $(BINARY) --page Sources/FancyText/FancyText.docc/Attacks.md

mutations: build ## pages, bent pages and bent requests through every command; FOLDERS='…' COUNT=2000 SEED=1
	$(MAKE) run-mutations PROGRAM=$(BINARY)

run-mutations:
	python3 Tests/Tools/mutations.py --program $(PROGRAM) --whole $(or $(FOLDERS),Fixtures/fuzz/pages Fixtures/gallery)
	python3 Tests/Tools/mutations.py --program $(PROGRAM) --count $(or $(COUNT),2000) --seed $(or $(SEED),1) \
		$(or $(FOLDERS),Fixtures/fuzz/pages Fixtures/gallery)
	python3 Tests/Tools/mutations.py --program $(PROGRAM) --count $(or $(COUNT),2000) --seed $(or $(SEED),1) --requests \
		$(or $(FOLDERS),Fixtures/fuzz/pages Fixtures/gallery)

man: build ## write the manual pages to .build/man
	$(SWIFT) build --product generate-manual
	@./packaging/manual .build/debug/generate-manual $(BINARY) .build/man

docs: deps $(ARCHIVES) ## write the library's documentation to .build/docs, for a browser; fails on warnings
	PKG_CONFIG_PATH=$(CURDIR)/$(ARCHIVES):$(PKG_CONFIG_PATH) $(SWIFT) build --target FancyText
	@SWIFT=$(SWIFT) ./.ci/symbols .build/docs-symbols
	$(dir $(shell command -v $(SWIFT)))docc convert Sources/FancyText/FancyText.docc --output-path .build/docs --warnings-as-errors \
		--additional-symbol-graph-dir .build/docs-symbols --fallback-display-name FancyText --fallback-bundle-identifier fancytext
	@echo "wrote .build/docs; look at it with: python3 -m http.server -d .build/docs"

# Builds nothing, so that root needs no compiler.
install: ## install what `make build man` (and `make preview`) made: program, manual, completions, below PREFIX
	@./packaging/install $(BINARY) .build/man $(DESTDIR)$(PREFIX)

wheel: man ## make a tarball that carries its libraries, and a Python wheel and a Node package of it, in .build/dist
	@./.ci/install-packages $(DIST_PACKAGES)
	@rm -rf .build/dist
	@SWIFT=$(SWIFT) ./packaging/dist-tarball $(BINARY) .build/man .build/dist
	@./packaging/dist-modules .build/dist

dist: wheel preview ## make these and the Debian packages
	@SWIFT=$(SWIFT) ./packaging/dist-debian $(BINARY) .build/man .build/dist

test-wheel: ## install the wheel of `make wheel` in an empty environment, and run its tests with packages of PyPI
	@rm -rf .build/test-wheel && $(PYTHON) -m venv .build/test-wheel
	@.build/test-wheel/bin/pip install --quiet .build/dist/*.whl pytest mypy fastapi uvicorn httpx
	@.build/test-wheel/bin/python -m pytest -q -p no:cacheprovider packaging/python/tests

test-node: ## install the Node package of `make wheel` in an empty folder, and run its tests; of its types too, with tsc
	@rm -rf .build/test-node && mkdir -p .build/test-node && cp -r packaging/node/tests/* .build/test-node
	@cd .build/test-node && npm install --silent ../dist/fancytext-*.tgz && node --test fancytext.test.js
	@if command -v tsc >/dev/null; then cd .build/test-node && tsc --noEmit --strict --target es2022 --moduleResolution node --typeRoots . --types node types.ts; \
		else echo "there is no tsc: the types were not checked"; fi

# Builds nothing, like install.
test-dist: ## install what `make dist` made in empty Debian roots, and draw there; as root, SUITES='bookworm trixie'
	@./.ci/install-packages debootstrap
	@./packaging/test-dist .build/dist $(BINARY)

release: ## check, commit, package and tag the version VERSION=0.2.0 of CHANGELOG.md; pushes nothing
	@MAKE='$(MAKE)' ./packaging/release '$(VERSION)'

clean: ## remove build products
	rm -rf .build card.png
