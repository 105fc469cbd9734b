package toolkit

import (
	"errors"
	"io/fs"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// programs are the parts that nvcc starts.
var programs = map[string]bool{
	fact.PartNvcc: true, fact.PartPtxas: true, fact.PartCicc: true,
	fact.PartCudafe: true, fact.PartFatbinary: true, fact.PartNvlink: true,
}

// take keeps the first of paths that is a file, else the first that may be one and is refused. A part that is
// there and of no use is kept with the reason: "install it" would be wrong advice.
func (f *found) take(a *look.At, part string, paths ...string) {
	if f.parts[part] != "" && f.faults[part] == "" {
		return
	}
	for _, path := range paths {
		info, err := a.Stat(path)
		switch {
		case err == nil && !info.Dir:
			delete(f.faults, part)
			f.parts[part] = path
			if why := useless(a, part, path, info); why != "" {
				f.fault(part, path, why)
			}
			return
		case err != nil && !errors.Is(err, fs.ErrNotExist) && f.parts[part] == "":
			f.fault(part, path, look.Reason(err))
		}
	}
}

func (f *found) fault(part, path, why string) {
	if f.faults == nil {
		f.faults = map[string]string{}
	}
	f.parts[part], f.faults[part] = path, why
}

// useless says why a file that is there does not do; "" when nothing is wrong with it.
func useless(a *look.At, part, path string, info host.Info) string {
	if info.Size == 0 {
		return "the file is empty"
	}
	if programs[part] && !info.Exec && !a.Path.Windows() {
		return "not executable"
	}
	b, err := a.Open(path)
	if err != nil {
		return look.Reason(err)
	}
	b.Close()
	return ""
}

// library keeps a folder that holds the runtime library, and the first that may not be listed.
func (f *found) library(a *look.At, dir string) {
	names, err := a.Names(dir, cudartName)
	switch {
	case err == nil && len(names) > 0:
		f.libs = appendOther(a, f.libs, dir)
	case errors.Is(err, fs.ErrPermission) && f.shut == "":
		f.shut, f.why = dir, look.Reason(err)
	}
}
