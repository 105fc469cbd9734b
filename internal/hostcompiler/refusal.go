package hostcompiler

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
)

// Unavailable says that cupel cannot bring something here, why, and what a person can do.
type Unavailable struct {
	What string   // a gcc of major 13 or 12 for CUDA 12.4
	Why  []string // one for each place that was asked
	Next []string // commands
}

func (e Unavailable) Error() string {
	text := "no source has " + e.What
	if len(e.Why) > 0 {
		text += ": " + strings.Join(e.Why, "; ")
	}
	if len(e.Next) > 0 {
		text += "\n  next: " + strings.Join(e.Next, "\n        ")
	}
	return text
}

// condaCommand brings conda's compiler; the package is named for its target.
const condaCommand = "conda create -p ENV -c conda-forge gxx_linux-64=%d"

func (i Installer) noCompiler(w Want, why ...string) Unavailable {
	var majors []string
	for _, m := range w.Majors {
		majors = append(majors, fmt.Sprint(m))
	}
	e := Unavailable{What: "gcc " + strings.Join(majors, " or "), Why: why}
	if w.For != "" {
		e.What += " for " + w.For
	}
	if i.Here.OS == "linux" && i.Here.Arch == "amd64" && len(w.Majors) > 0 {
		e.Next = []string{fmt.Sprintf(condaCommand, w.Majors[0])}
	}
	return e
}

// buildTools is the answer for Windows: Visual Studio has an installer of its own, which needs an administrator.
func (i Installer) buildTools(w Want) Unavailable {
	e := Unavailable{What: "a host compiler", Why: []string{"cl.exe of Visual Studio comes with Microsoft's installer"}}
	if w.For != "" {
		e.What += " for " + w.For
	}
	for _, way := range data.Ways() {
		if way.Gives == "compiler" && slices.Contains(way.On, "windows") && way.NeedsVS == "none" && (len(way.CPUs) == 0 || slices.Contains(way.CPUs, i.Here.Arch)) {
			e.Next = append(e.Next, way.Commands...)
			break
		}
	}
	return e
}
