# make help lists the targets. `make test` fetches and installs all it needs (Go, and apt as root or with sudo, must be there).

PREFIX    ?= /usr/local
DESTDIR   ?=
FUZZTIME  ?= 60s
BENCH     ?= .
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
PLATFORMS ?= linux/amd64 linux/arm64 windows/amd64 windows/arm64 darwin/arm64
# Each system once is enough for `go vet`. No file is for windows/arm64 alone, and no test runs on darwin: `make test` leaves both to
# `make e2e`.
VET_ON    ?= linux/amd64 windows/amd64 darwin/arm64

# What `make test` fetches, and what only `make e2e` adds to it (scripts/testbed list says what each part is).
TEST_PARTS ?= cuda-12.4 cuda-13.0 cuda-13.4 driver-535 gcc-12 gcc-11 shells rust cmake sources powershell-grammar wine vs win-cuda-13.0 win-cuda-13.4 container candle-0.9 builders btrfs-progs
E2E_PARTS  ?= $(TEST_PARTS) cuda-11.8 cuda-13.1 cuda-13.2 cuda-13.3 container-trixie nccl uv ripgrep
# The peers that `make bench` measures against.
BENCH_PARTS ?= $(TEST_PARTS) ccache ccache-4.11 sccache strace
# Packages under internal/ whose tests also run as Windows programs, the longest first; those not written yet are left out.
WINE_PKGS  ?= cli shim trust toolkit host probe testbed contract verify lock infer trial child unpack depot fetch source build literal logtext signature diagnose call nvcc mend review record relay mirror tree bundle digest wire recipe include stamp cas toolchain closure cache learned jobserver engine watch

programs := $(notdir $(wildcard cmd/*))
ldflags   = -s -w -X cupel/internal/cli.Version=$(VERSION)
gobuild   = CGO_ENABLED=0 go build -trimpath -ldflags '$(ldflags)'
wine_pkgs = $(foreach p,$(WINE_PKGS),$(if $(wildcard internal/$(p)),./internal/$(p)/...))
long_first = ./internal/realbuilds ./internal/cli ./internal/recipe ./internal/toolkit ./internal/trust ./internal/diagnose ./...
# Without cgo, as the programs are: what vet and cross compiled is used again. And vet was here.
gotest    = env CGO_ENABLED=0 go test -vet=off
testrun   = CGO_ENABLED=0 go run ./internal/cmd/testrun -skips testdata/skips.txt

.PHONY: help build install dist test e2e bench fuzz vet cross clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

build: ## all programs, static, side by side in bin/
	$(gobuild) -o bin/ ./cmd/...

install: build ## programs into $(DESTDIR)$(PREFIX)/bin
	install -d '$(DESTDIR)$(PREFIX)/bin'
	cd bin && install -m 755 $(programs) '$(DESTDIR)$(PREFIX)/bin/'

dist: ## an archive with checksum for each platform, in dist/
	rm -rf dist && mkdir -p dist
	@set -e; for p in $(PLATFORMS); do os=$${p%/*}; arch=$${p#*/}; name=cupel-$(VERSION)-$$os-$$arch; \
	  echo "dist $$name"; mkdir -p dist/$$name; \
	  GOOS=$$os GOARCH=$$arch $(gobuild) -o dist/$$name/ ./cmd/...; \
	  for f in LICENSE README.md CHANGELOG.md; do if [ -f $$f ]; then cp $$f dist/$$name/; fi; done; \
	  go run ./internal/cmd/pack -to dist dist/$$name; rm -r dist/$$name; done
	@cat dist/SHA256SUMS

test: ## fetch the test bed, vet and build for all systems, run all tests on Linux and under wine
	@set -e; scripts/testbed fetch $(TEST_PARTS) & bed=$$!; $(MAKE) --no-print-directory vet cross VET_ON='$(filter-out darwin/%,$(VET_ON))' PLATFORMS='$(filter-out windows/arm64 darwin/%,$(PLATFORMS))' || { wait $$bed; exit 1; }; wait $$bed
	$(testrun) linux: $(gotest) -short -p 3 -timeout 20m $(long_first) -- windows: scripts/wine-go test -vet=off -short -timeout 20m $(wine_pkgs)

e2e: ## the same with every toolkit of the test bed and the long tests
	scripts/testbed fetch $(E2E_PARTS)
	$(MAKE) --no-print-directory vet cross
	$(testrun) e2e: $(gotest) -count=1 -p 3 -timeout 120m $(long_first) -- e2e-windows: scripts/wine-go test -vet=off -count=1 -timeout 60m $(wine_pkgs)

bench: ## all benchmarks (BENCH=pattern); those of internal/peers print ratios against Ninja, ccache, sccache and take an hour
	scripts/testbed fetch $(BENCH_PARTS)
	go test -timeout 0 -run '^$$' -bench '$(BENCH)' -benchmem ./...

fuzz: ## every fuzz target for FUZZTIME each
	scripts/fuzz $(FUZZTIME)

vet: ## gofmt, and go vet for every system
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo 'gofmt: the files above are not formatted' >&2; exit 1; }
	@set -e; for p in $(VET_ON); do echo "vet $$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} go vet ./...; done

cross: ## build for every platform, keeping nothing
	@set -e; for p in $(PLATFORMS); do echo "build $$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} go build ./...; done

clean: ## remove bin/ and dist/ (the test bed's cache stays)
	rm -rf bin dist
