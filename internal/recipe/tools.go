package recipe

import "strings"

// ptxas are its options that write and read nothing more, from its --help of 11.8, 12.4, 13.0 and 13.4. Not among them: -o,
// -optf, -ias, -g and -lineinfo (nvcc has its own), and what only asks. Which of them take the next word was tried with
// 13.0: -O does not.
var ptxas = []known{{"", `
	-v --verbose -v2 --verbose2 -w --disable-warnings -Werror --warning-as-error -warn-spills --warn-on-spills -warn-lmem-usage
	--warn-on-local-memory-usage -warn-double-usage --warn-on-double-precision-use -suppress-stack-size-warning --suppress-stack-size-warning
	-suppress-double-demote-warning --suppress-double-demote-warning -suppress-debug-info --suppress-debug-info
	-suppress-async-bulk-multicast-advisory-warning --suppress-async-bulk-multicast-advisory-warning -suppress-sparse-mma-advisory-info
	--suppress-sparse-mma-advisory-info -sp-bounds-check --sp-bounds-check -ret-end --return-at-end -regUsageLevel: --register-usage-level:
	-preserve-relocs --preserve-relocs -opt-fp-atomics --optimize-float-atomics -O* --opt-level: -maxrregcount: --maxrregcount: -m: --machine:
	-legacy-bar-warp-wide-behavior --legacy-bar-warp-wide-behavior -fscm: --force-store-cache: -flcm: --force-load-cache: -fmad: --fmad: -ewp
	--extensible-whole-program -e: --entry: -no-bb-merge --dont-merge-basicblocks -disable-optimizer-consts --disable-optimizer-constants
	-func-maxrregcount: --device-function-maxrregcount: -dscm: --def-store-cache: -dlcm: --def-load-cache: -c --compile-only -astoolspatch
	--compile-as-tools-patch -allow-expensive-optimizations: --allow-expensive-optimizations: -pic: --position-independent-code:
	-override-directive-values --override-directive-values -minnctapersm: --minnctapersm: -maxntid: --maxntid: -split-compile: --split-compile:
	-sanitize: --sanitize: -make-errors-visible-at-exit --make-errors-visible-at-exit -gno-tmem-access-check --gno-tensor-memory-access-check
	-g-tmem-access-check --g-tensor-memory-access-check -device-stack-protector: --device-stack-protector: -annotate --compiler-annotations -Ofc:
	--Ofast-compile: -enable-func-clone-sc: --enable-func-clone-sc: -jobserver --jobserver`}}

// cudafe are options of the front end that are about messages alone.
var cudafe = []known{{"", `--diag_suppress: --diag_error: --diag_warning: --diag_remark: --display_error_number --no_display_error_number`}}

// fatbinary, from its --help of 12.4, 13.0 and 13.4.
var fatbinary = []known{{"", `-compress: --compress: -compress-all --compress-all -compress-mode: --compress-mode:`}}

// tool judges the words for one of nvcc's own programs by their names: a value stands behind = or in the next word. A word
// that is neither is a file that the program reads (ptxas compiles all that it is given).
func tool(words []string, table []known) *Refusal {
	for k := 0; k < len(words); k++ {
		name, _, joined := strings.Cut(words[k], "=")
		_, rest, takes, ok := find(table, name)
		if !ok || takes && rest != "" {
			return &Refusal{"unknown-tool-option", words[k]}
		}
		if takes && !joined && k+1 < len(words) && !strings.HasPrefix(words[k+1], "-") {
			k++
		}
	}
	return nil
}
