package rule

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/version"
)

var rootRules = []Rule{
	{ID: "cuda-root-is-subfolder", Severity: finding.Error, Title: "a toolkit variable names a folder inside a toolkit", Label: "toolkit-path-wrong", Check: rootIsSub},
	{ID: "toolkit-path-wrong", Severity: finding.Error, Title: "a toolkit variable leads nowhere", CausedBy: []string{"shell-older-than-install"}, Check: rootNowhere},
	{ID: "cuda-roots-disagree", Severity: finding.Warning, Title: "toolkit variables name different toolkits", Label: "mixed-toolkits", CausedBy: []string{"toolkit-path-wrong"}, Check: rootsDisagree},
	{ID: "nvcc-outside-cuda-root", Severity: finding.Warning, Title: "nvcc on PATH belongs to another toolkit than the variables name", Label: "mixed-toolkits",
		CausedBy: []string{"toolkit-path-wrong", "cuda-roots-disagree", "shell-older-than-install"}, Check: nvccOutside},
	{ID: "cuda-path-not-newest", Severity: finding.Info, Title: "CUDA_PATH is not the newest installed toolkit", On: onWindows, CausedBy: []string{"shell-older-than-install"}, Check: pathNotNewest},
	{ID: "shell-older-than-install", Severity: finding.Warning, Title: "this shell is older than the last change of the environment", Label: "toolkit-path-wrong", On: onWindows, Check: shellOlder},
	{ID: "path-folder-missing", Severity: finding.Info, Title: "PATH names a CUDA folder that does not exist", Label: "toolkit-path-wrong", Check: pathMissing},
}

// rootVariables lists the variables set here that name a toolkit's root, sorted; the per-version ones of the
// Windows installer are no choice and left out.
func (in *Input) rootVariables() []string {
	var out []string
	for n, v := range in.Machine.Env {
		row, ok := data.VariableByName(n, in.Machine.System.OS)
		if ok && row.Kind == "toolkit-root" && !strings.Contains(row.Name, "*") && strings.TrimSpace(v) != "" {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out
}

func rootIsSub(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, n := range in.rootVariables() {
		value := in.env(n)
		t := in.above(value)
		if t == nil {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("%s names a place inside the toolkit, not its root", n),
			Where: n + "=" + value,
			Why:   "its readers append bin, include and lib64 themselves",
			Next:  []finding.Step{setVariable(in, n, t.Root)},
		})
	}
	return out
}

// above is the toolkit inside which a value leads: to a folder or a file that is there and is no root itself.
func (in *Input) above(value string) *fact.Toolkit {
	s := in.Paths()
	path := s.Clean(value)
	if in.toolkitAt(value) != nil || in.toolkitAt(path) != nil || !in.exists(path) {
		return nil
	}
	if t := in.owner(path); t != nil {
		return t
	}
	if slices.Contains([]string{"bin", "include"}, s.Base(path)) { // of /usr, which owns nothing by its path alone
		return in.toolkitAt(s.Dir(path))
	}
	return nil
}

// setVariable is the command that sets a variable in the shell of that system.
func setVariable(in *Input, variable, value string) finding.Step {
	if in.Paths().Windows() {
		return command(fmt.Sprintf("$env:%s = '%s'", variable, strings.ReplaceAll(value, "'", "''")), "in this shell")
	}
	return command(fmt.Sprintf("export %s=%s", variable, quote(value)), "in this shell, and where it was set")
}

func rootNowhere(in *Input) []finding.Finding {
	s := in.Paths()
	var out []finding.Finding
	for _, n := range in.rootVariables() {
		value := s.Clean(in.env(n))
		if in.toolkitAt(value) != nil || in.toolkitAt(in.env(n)) != nil || in.above(value) != nil {
			continue
		}
		f := finding.Finding{
			What:  n + " leads to no toolkit",
			Where: n + "=" + in.env(n),
			Why:   "nothing is there",
			Next:  []finding.Step{unset(in, n, "when it is a leftover")},
		}
		if p, ok := in.Machine.Places[value]; ok && p.Kind == "unreadable" {
			// It may well be a toolkit: nobody can tell, so nothing is said against the variable.
			f.What = n + " leads to a place that cannot be read"
			f.Why = "this user may not look into it, or its links lead in a circle; whether a toolkit is there is not known"
			f.Next = []finding.Step{advice("make it readable for the user who builds")}
			out = append(out, f)
			continue
		}
		if in.exists(value) {
			f.Why = "it is there, but it holds no nvcc, no version.json and no CUDA runtime library"
		}
		if in.Chosen.Toolkit != nil {
			f.Next = append([]finding.Step{setVariable(in, n, in.Chosen.Toolkit.Root)}, f.Next...)
		}
		out = append(out, f)
	}
	return out
}

func rootsDisagree(in *Input) []finding.Finding {
	by := map[string][]string{}
	var order []string
	for _, n := range in.rootVariables() {
		if t := in.toolkitAt(in.env(n)); t != nil {
			if len(by[t.Home()]) == 0 {
				order = append(order, t.Home())
			}
			by[t.Home()] = append(by[t.Home()], n)
		}
	}
	if len(order) < 2 {
		return nil
	}
	f := finding.Finding{
		What: "toolkit variables name different toolkits",
		Why:  "each builder reads others of them, so parts of one project are built with different toolkits",
		Next: []finding.Step{envCommand(in), command("cupel doctor --consumers", "which builder takes which")},
	}
	var where []string
	for _, root := range order {
		where = append(where, strings.Join(by[root], ", ")+" → "+root)
	}
	f.Where = strings.Join(where, "; ")
	return one(f)
}

func nvccOutside(in *Input) []finding.Finding {
	if in.Active.Toolkit == nil {
		return nil
	}
	for _, n := range []string{"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_ROOT", "CUDA_TOOLKIT_PATH"} {
		t := in.toolkitAt(in.env(n))
		if in.env(n) == "" || t == nil || t.Home() == in.Active.Toolkit.Home() {
			continue
		}
		return one(finding.Finding{
			What:  fmt.Sprintf("nvcc on PATH is of %s, %s names %s", name(*in.Active.Toolkit), n, name(*t)),
			Where: in.Active.Toolkit.Parts[fact.PartNvcc] + " against " + n + "=" + in.env(n),
			Why:   "builders that start nvcc by name and take headers or libraries from " + n + " mix the two",
			Next:  []finding.Step{envCommand(in), command("cupel doctor --consumers", "which builder takes which")},
		})
	}
	return nil
}

func newestInstalled(in *Input) (string, version.V) {
	var best version.V
	var bestName string
	for n, value := range in.Machine.Env {
		rest, ok := strings.CutPrefix(strings.ToUpper(n), "CUDA_PATH_V")
		if !ok || value == "" {
			continue
		}
		if v := parseV(strings.ReplaceAll(rest, "_", ".")); best.Less(v) {
			best, bestName = v, n
		}
	}
	return bestName, best
}

func pathNotNewest(in *Input) []finding.Finding {
	newest, v := newestInstalled(in)
	value := in.env("CUDA_PATH")
	if newest == "" || value == "" || in.Paths().Same(value, in.env(newest)) {
		return nil
	}
	return one(finding.Finding{
		What:  fmt.Sprintf("CUDA_PATH is not the newest toolkit (CUDA %s)", v),
		Where: "CUDA_PATH=" + value + ", " + newest + "=" + in.env(newest),
		Why:   "the installer that ran last sets CUDA_PATH; builders follow it, not the newest",
	})
}

func shellOlder(in *Input) []finding.Finding {
	stored := in.Machine.StoredEnv["CUDA_PATH"]
	if stored == "" || in.Paths().Same(stored, in.env("CUDA_PATH")) {
		return nil
	}
	now := in.env("CUDA_PATH")
	if now == "" {
		now = "not set"
	}
	f := finding.Finding{
		What:  "this shell was opened before CUDA_PATH was changed",
		Where: "CUDA_PATH here: " + now + "; stored: " + stored,
		Why:   "programs get the environment of the moment their shell was opened",
		Next:  []finding.Step{advice("open a new shell (restart the editor or terminal program it runs in)"), setVariable(in, "CUDA_PATH", stored)},
	}
	if !in.missesStored() {
		f.Severity = finding.Info
		f.What = "CUDA_PATH here is not the one stored for new shells"
		f.Why = "it was set in this shell, or the shell was opened before the stored one was changed"
	}
	return one(f)
}

// missesStored: the installer stores a variable of its own for each toolkit; one that this shell does not have
// proves that the shell is older.
func (in *Input) missesStored() bool {
	for n := range in.Machine.StoredEnv {
		if strings.HasPrefix(strings.ToUpper(n), "CUDA_PATH_V") && in.env(n) == "" {
			return true
		}
	}
	return false
}

func pathMissing(in *Input) []finding.Finding {
	var dirs []string
	for _, d := range in.Machine.Path {
		if !d.Exists && d.Why == "" && strings.Contains(strings.ToLower(d.Dir), "cuda") && !slices.Contains(dirs, d.Dir) {
			dirs = append(dirs, d.Dir)
		}
	}
	if len(dirs) == 0 {
		return nil
	}
	return one(finding.Finding{
		What:  "PATH names CUDA folders that do not exist",
		Where: strings.Join(dirs, in.Paths().ListSeparator()),
		Why:   "a toolkit was removed or moved; nothing is taken from there",
	})
}
