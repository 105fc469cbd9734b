package look

import (
	"strings"

	"cupel/internal/call"
)

// seeThrough puts the real toolkit in the place of its mirror. Inside of cupel exec the mirror stands first on PATH and in
// every variable; whoever asks there means the toolkit behind it.
func (a *At) seeThrough() {
	if a.Env(call.RunVariable) == "" {
		return
	}
	seen := map[string]bool{}
	for _, dir := range append(a.spelled(), a.Path.Join(a.Env("CUDA_HOME"), "bin")) {
		root := a.Path.Dir(dir)
		if !a.Path.Abs(dir) || seen[root] {
			continue
		}
		seen[root] = true
		text, err := a.ReadFile(a.Path.Join(root, call.RootFile))
		if real := strings.TrimSuffix(string(text), "\n"); err == nil && a.Path.Abs(real) {
			for name, value := range a.env {
				a.env[name] = a.Path.Replace(value, root, real)
			}
		}
	}
}
