package cli

import (
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/nvcc"
)

// print writes the command as it can be pasted into this shell: what the recorded environment has other than this shell's
// stands before it. Secrets are not printed: this shell has them or not.
func (r *rerun) print(cmd *cobra.Command) error {
	for _, n := range r.notes {
		replayNote(cmd, "%s", n)
	}
	set, unset := r.forShell(os.Environ())
	text := r.forUnix(set, unset)
	if runtime.GOOS == "windows" {
		text = r.forCmd(set, unset)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), text)
	return err
}

// forShell is what a shell must set and unset to have the environment of the call.
func (r *rerun) forShell(here []string) (set, unset []string) {
	old := map[string]string{}
	for _, kv := range here {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
			old[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.env)) {
		if value, ok := old[name]; (r.bare || !ok || value != r.env[name]) && shellSets(name) && !slices.Contains(r.had.Hidden, name) {
			set = append(set, name)
		}
	}
	if r.bare {
		return set, nil
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		has := func(n string) bool { return sameName(n, name) }
		if shellSets(name) && !slices.ContainsFunc(slices.Collect(maps.Keys(r.env)), has) && !slices.ContainsFunc(r.had.Hidden, has) {
			unset = append(unset, name)
		}
	}
	return set, unset
}

// shellSets leaves out what a shell keeps up itself.
func shellSets(name string) bool {
	return !slices.Contains([]string{"_", "PWD", "OLDPWD", "SHLVL"}, name) && !strings.HasPrefix(name, "=")
}

// forUnix is one command for sh, bash, zsh and fish: env(1) knows names that a shell cannot set.
func (r *rerun) forUnix(set, unset []string) string {
	words := []string{"env"}
	if r.bare {
		words = append(words, "-i")
	}
	for _, name := range unset {
		words = append(words, "-u", name)
	}
	for _, name := range set {
		words = append(words, name+"="+r.env[name])
	}
	if len(words) == 1 {
		words = nil
	}
	return "cd " + nvcc.Paste([]string{r.dir}, false) + " && " + nvcc.Paste(slices.Concat(words, []string{r.program}, r.args), false) + "\n"
}

// forCmd is for cmd.exe, line by line; setlocal keeps a batch file from changing the shell that starts it.
func (r *rerun) forCmd(set, unset []string) string {
	lines := []string{"setlocal", `cd /d "` + r.dir + `"`}
	for _, name := range unset {
		lines = append(lines, `set "`+name+`="`)
	}
	for _, name := range set {
		lines = append(lines, `set "`+name+`=`+r.env[name]+`"`)
	}
	lines = append(lines, nvcc.Paste(append([]string{r.program}, r.args...), true))
	return strings.Join(lines, "\r\n") + "\r\n"
}
