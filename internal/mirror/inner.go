package mirror

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/fact"
)

// ownDir has shims of the host compilers beside nvcc (Debian), which only nvcc takes.
const ownDir, innerBin = innerDir + "/own", innerDir + "/bin/"

// inner makes nvcc take its own tools by their shims. It reads nvcc.profile and crt/link.stub in the folder by which it was
// called, also where that name is a link (tried with 11.8 … 13.4), so that folder gets a profile of its own: the real one
// with the real folder in the place of _HERE_, and the shims first.
func (w *planner) inner(nvcc string, a asked) error {
	own := w.ownCompilers(nvcc, a.hosts)
	if len(a.cuda) == 0 && len(own) == 0 {
		return nil
	}
	s, real := w.style, w.style.Dir(nvcc)
	if w.look.script(nvcc) {
		return fmt.Errorf("%s is a script: only nvcc itself can be made to call other tools by their shims", nvcc)
	}
	profile, err := w.look.text(s.Join(real, "nvcc.profile"))
	if err != nil {
		return fmt.Errorf("read what nvcc puts in front of its PATH: %w", err)
	}
	if err := w.innerLinks(real); err != nil {
		return err
	}
	first := []string{s.Join(w.Dir, toolsDir)}
	if len(own) > 0 {
		first = append([]string{s.Join(w.Dir, ownDir)}, first...)
	}
	w.Shims = append(w.Shims, own...)
	cicc := ""
	for _, tool := range a.cuda {
		w.Shims = append(w.Shims, Shim{At: toolsDir + "/" + s.Program(tool), Real: w.real(tool)})
		if tool == fact.PartCicc {
			cicc = s.Join(w.Dir, toolsDir)
		}
	}
	if dir := s.Join(w.Dir, toolsDir); len(a.cuda) > 0 && !slices.Contains(w.path, dir) {
		w.path = append(w.path, dir)
	}
	w.Files[innerBin+"nvcc.profile"] = innerProfile(profile, real, first, cicc, s.ListSeparator())
	w.Shims[0].runs = s.Join(w.Dir, innerBin+s.Program("nvcc"))
	return nil
}

// innerLinks makes the inner root whole: nvcc looks for crt/link.stub beside itself, and 13.4 tells its tools the folder
// above its own (CUDA_ROOT).
func (w *planner) innerLinks(real string) error {
	names, err := w.look.names(real)
	if err != nil {
		return err
	}
	for _, n := range names {
		if n != "nvcc.profile" && (w.ofCUDA(n) || !w.shared) {
			w.link(innerBin+n, w.style.Join(real, n))
		}
	}
	for _, l := range slices.Clone(w.Links) {
		top, _, _ := strings.Cut(l.At, "/")
		if top != "bin" && !slices.Contains(ours, top) {
			w.link(innerDir+"/"+l.At, l.To)
		}
	}
	return nil
}

// ownCompilers: a gcc in nvcc's own folder comes before PATH for nvcc alone.
func (w *planner) ownCompilers(nvcc string, names []string) (out []Shim) {
	for _, n := range names {
		if p := w.style.Join(w.style.Dir(nvcc), w.style.Program(n)); w.look.program(p) {
			out = append(out, Shim{At: ownDir + "/" + w.style.Program(n), Real: p})
		}
	}
	return out
}

// innerProfile is a toolkit's nvcc.profile for another folder. "+=" puts in front there.
func innerProfile(text, here string, first []string, cicc, separator string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if name, _, ok := strings.Cut(line, "="); ok && cicc != "" && strings.TrimSpace(name) == "CICC_PATH" {
			line = "CICC_PATH = " + cicc
		}
		out.WriteString(strings.ReplaceAll(line, "$(_HERE_)", here) + "\n")
	}
	// The last line that puts something in front of PATH wins.
	out.WriteString("PATH += " + strings.Join(first, separator) + separator + "\n")
	return out.String()
}
