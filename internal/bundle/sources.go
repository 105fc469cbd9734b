package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/child"
	"cupel/internal/nvcc"
)

// sources takes the source files that the call names.
func (m *maker) sources() {
	for n, path := range m.sourcePaths() {
		name := "sources/" + m.fileName(n, path)
		text, err := readBounded(m.from(path), maxSource)
		if err != nil {
			m.add(name+".missing.txt", "why this source is not here", m.hide.Text([]byte(err.Error()+"\n")))
			continue
		}
		m.add(name, "a source of the call", m.hide.Source(text))
	}
}

// sourcePaths are the sources as the call names them.
func (m *maker) sourcePaths() []string {
	var out []string
	for _, in := range m.in.Call.Begin.Inputs {
		if isSource(in.Path) && len(out) < maxFiles {
			out = append(out, in.Path)
		}
	}
	return out
}

// fileName is a source's own name, with a number where there are several: two may have one name.
func (m *maker) fileName(n int, path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if n > 0 {
		name = fmt.Sprintf("%d-%s", n+1, name)
	}
	return strings.ReplaceAll(m.hide.String(name), "/", "_")
}

// from is a path as the call meant it.
func (m *maker) from(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(m.in.Call.Begin.Dir, path)
}

func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is larger than %d MiB", path, limit>>20)
	}
	return text, err
}

// responses takes the response files of the call as they are now; what they said then is in call.json (expanded).
func (m *maker) responses() {
	b := m.in.Call.Begin
	n := 0
	nvcc.Expand(b.Args, func(name string) ([]byte, error) {
		text, err := readBounded(m.from(name), maxSource)
		if n++; n > maxFiles {
			return text, err
		}
		as := "response/" + m.fileName(n-1, name)
		if err != nil {
			m.add(as+".missing.txt", "why this response file is not here", m.hide.Text([]byte(err.Error()+"\n")))
			return nil, err
		}
		m.add(as, "a response file as it is now", m.hide.Text(text))
		return text, nil
	})
}

// preprocess runs the real nvcc over each source with the call's own options. It writes into a temporary folder alone.
func (m *maker) preprocess(ctx context.Context) {
	c := m.in.Call
	if c.Begin.Tool != "nvcc" {
		return
	}
	options, left := preprocessed(c.Argv(), m.in.Run.OS == "windows")
	for n, path := range m.sourcePaths() {
		if !canPreprocess(path) || ctx.Err() != nil {
			continue
		}
		name := "preprocessed/" + m.fileName(n, path) + ".ii"
		out := filepath.Join(m.temp, fmt.Sprintf("%d.ii", n))
		err := m.run(ctx, append([]string{"-E", path, "-o", out}, options...), nil)
		var text []byte
		if err == nil {
			text, err = readBounded(out, maxPreprocessed)
		}
		if err != nil {
			m.add(name+".failed.txt", "why this source could not be preprocessed", m.hide.Text([]byte(err.Error()+"\n")))
			continue
		}
		m.add(name, preprocessedWord(m.hide.Words(left)), m.hide.Source(text))
	}
}

func preprocessedWord(left []string) string {
	text := "preprocessed by the real nvcc with the call's options and -E"
	if len(left) > 0 {
		text += "; without " + strings.ReplaceAll(strings.Join(left, " "), "|", "")
	}
	return text
}

// run starts the call's program in its folder and environment with other arguments.
func (m *maker) run(ctx context.Context, args []string, out func(child.Result)) error {
	return m.start(ctx, m.in.Call.Begin.Path, args, out)
}

func (m *maker) start(ctx context.Context, program string, args []string, out func(child.Result)) error {
	within, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	r, err := child.Run(within, child.Command{Path: program, Args: args, Dir: m.in.Call.Begin.Dir, Env: m.environ()})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("%s did not end within %s", program, probeLimit)
	}
	if out != nil {
		out(r)
	}
	return err
}

// environ is the call's environment, with the temporary files of compilers in a folder of our own.
func (m *maker) environ() []string {
	var out []string
	for name, value := range m.in.Env.Values {
		if !ours(name) {
			out = append(out, name+"="+value)
		}
	}
	return append(out, "TMPDIR="+m.temp, "TMP="+m.temp, "TEMP="+m.temp)
}

// ours are the variables that would make this a call of the run, or that are set anew.
func ours(name string) bool {
	return call.OfExec(name) || slices.Contains([]string{"TMPDIR", "TMP", "TEMP"}, strings.ToUpper(name))
}
