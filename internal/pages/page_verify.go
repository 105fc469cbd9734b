package pages

import (
	"slices"
	"strings"

	"cupel/internal/contract"
)

// verification shows how a machine is checked, and what a good one prints.
func verification(b *book) {
	b.title("Verify")
	b.WriteString(fence("sh", "cupel verify"))
	if b.has("linux") || b.has("wsl2") || b.has("jetson") {
		b.line("\nWithout cupel, and with whichever is there (a line `include %s/cuda.mk` in the Makefile):\n", oneLine(b.dir))
		b.WriteString(fence("sh", "sh "+shellPath(b.dir)+"/verify-cuda.sh\nmake check-cuda-env"))
	}
	if b.has("windows") {
		b.line("\nOn Windows without cupel:\n")
		b.WriteString(fence("powershell", "powershell -NoProfile -ExecutionPolicy Bypass -File "+ps(strings.ReplaceAll(b.dir, "/", `\`)+`\verify-cuda.ps1`)))
	}
	b.line("")
	b.line("Each prints one line per check and exits with 0 when nothing failed, with 1 when something did. A line begins with its")
	b.line("status: `pass`, `warn`, `fail`, or `skipped` with the check that had to pass first. The scripts make these checks:\n")
	made, left := b.checks()
	b.line("%s.\n", ticks(made))
	if len(left) > 0 {
		b.line("`cupel verify` makes more: %s,", ticks(left))
		b.line("the doctor's rules on what the contract uses, and the reference machine.")
		return
	}
	b.line("`cupel verify` makes more: the doctor's rules on what the contract uses, and the reference machine.")
}

// checks are those that the scripts make on some platform, and those that are left to cupel.
func (b *book) checks() (made, left []string) {
	for _, p := range b.platforms() {
		target := contract.Platform{Name: p.name}
		k := newKit(b.c, target, &releaseTable{names: columnsOf(b.c, target)})
		for _, id := range checkIDs(b.c, target) {
			switch fn := k.step(id).fn; {
			case slices.Contains(made, id) || slices.Contains(left, id):
			case fn == "unchecked" || fn == "skip":
				left = append(left, id)
			default:
				made = append(made, id)
			}
		}
	}
	return made, left
}

// shellPath quotes a folder where it must be.
func shellPath(dir string) string {
	if strings.Trim(dir, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == "" {
		return dir
	}
	return sh(dir)
}
