package pages

import (
	"strings"

	"cupel/internal/contract"
)

// makeFragment checks with cupel where it is, else with the script beside the fragment. On Windows make may
// work with cmd.exe or with sh: there the script itself looks for cupel.
func makeFragment(c *contract.Contract, dir string) []byte {
	return []byte(strings.NewReplacer("HEADLINE", headline(c), "DIR", oneLine(dir)).Replace(makeText))
}

const makeText = `# HEADLINE
# include DIR/cuda.mk, then: make check-cuda-env
cuda_mk_dir := $(dir $(lastword $(MAKEFILE_LIST)))

.PHONY: check-cuda-env
ifeq ($(OS),Windows_NT)
check-cuda-env:
	powershell -NoProfile -ExecutionPolicy Bypass -File "$(cuda_mk_dir)verify-cuda.ps1" -PreferCupel
else
check-cuda-env:
	@if command -v cupel >/dev/null 2>&1; then cupel verify; else sh "$(cuda_mk_dir)verify-cuda.sh"; fi
endif
`
