package toolkit

import (
	"os"
	"path"
	"strings"
)

// makeTarget gives a Linux root both of its faces: headers and libraries lie in targets/x86_64-linux, where nvcc looks,
// and include and lib64 lead there, where everybody else does.
func (r *root) makeTarget() error {
	target := path.Join("targets", r.plan.Platform.Target())
	for _, p := range []struct{ short, long string }{
		{"include", path.Join(target, "include")},
		{"lib64", path.Join(target, "lib")},
		{"lib", path.Join(target, "lib")}, // nvcc of the wheels since 13.2 looks here and nowhere else
	} {
		if err := r.pair(p.short, p.long); err != nil {
			return err
		}
	}
	return os.MkdirAll(r.path(path.Join(target, "lib", "stubs")), 0o777)
}

// pair makes the one that is missing a link to the one that is there. A source that filled both is left alone.
func (r *root) pair(short, long string) error {
	switch {
	case r.has(short) && r.has(long):
		return nil
	case r.has(short):
		up := strings.Repeat("../", strings.Count(long, "/"))
		return r.link(long, up+short)
	}
	if err := os.MkdirAll(r.path(long), 0o777); err != nil {
		return err
	}
	return r.link(short, long)
}
