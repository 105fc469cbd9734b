package bundle

import (
	"context"
	"os"
	"strings"
	"time"

	"cupel/internal/call"
	"cupel/internal/host"
)

// Input is what a bundle is made from.
type Input struct {
	Version  string // of cupel
	ID       string // RUN.NUMBER
	Run      call.Run
	Call     call.Call
	Base     call.Env    // of the run
	Env      call.Env    // of the call
	Environ  []string    // of this process: what secrets look like, and the values that were not recorded
	System   host.System // where the bundle is made
	Snapshot []byte      // the doctor's answer; empty: Trouble says why
	Trouble  string
}

// probeLimit bounds each start of a compiler: a bundle is wanted of calls that hang, too.
const probeLimit = 2 * time.Minute

// Bounds of what is taken of one file.
const (
	maxSource       = 8 << 20
	maxPreprocessed = 64 << 20
	maxFiles        = 200
)

// Make gathers the parts. Only ctx's end is an error: what cannot be had stands in the bundle with its reason.
func Make(ctx context.Context, in Input) ([]Part, error) {
	m := &maker{in: in, hide: newHider(in)}
	dir, err := os.MkdirTemp("", "cupel-bundle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	m.temp = dir
	m.add("call.json", "the call and its run, as recorded", m.callJSON())
	m.add("command.txt", "the command, one argument a line", m.hide.Text([]byte(m.command())))
	m.add("stdout.txt", m.streamWord("standard output"), m.hide.Text(in.Call.Of(call.Stdout)))
	m.add("stderr.txt", "what it wrote to standard error", m.hide.Text(in.Call.Of(call.Stderr)))
	m.add("environment.txt", "the variables that tools of CUDA builds read", m.hide.Text([]byte(m.environment())))
	m.versions(ctx)
	m.snapshot()
	m.sources()
	m.responses()
	m.preprocess(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	readme := []byte(m.readme())
	return append([]Part{{Name: "README.md", What: "what this is, and how to run the call by hand", Size: len(readme), Text: readme}}, m.parts...), nil
}

// maker collects the parts.
type maker struct {
	in    Input
	hide  *hider
	temp  string // for what compilers write
	parts []Part
}

// add takes a text that is redacted already.
func (m *maker) add(name, what string, text []byte) {
	m.parts = append(m.parts, Part{Name: name, What: what, Size: len(text), Text: text})
}

func (m *maker) streamWord(stream string) string {
	if m.in.Call.Begin.Merged {
		return "what it wrote, both streams in their order (they went to one place)"
	}
	return "what it wrote to " + stream
}

func (m *maker) snapshot() {
	if len(m.in.Snapshot) == 0 {
		m.add("snapshot.json.missing.txt", "why there is no snapshot", m.hide.Text([]byte("the machine could not be asked: "+m.in.Trouble+"\n")))
		return
	}
	m.add("snapshot.json", "this machine, as cupel doctor sees it (cupel doctor --snapshot)", m.hide.Text(m.in.Snapshot))
}

// hidden are the names whose values were not recorded.
func (in Input) hidden() []string { return in.Env.Hidden }

// recordedSystem is what the call's environment tells of the person and the machine.
func (in Input) recordedSystem() host.System {
	s := host.System{OS: in.Run.OS}
	first := func(names ...string) string {
		for _, name := range names {
			for k, v := range in.Env.Values {
				if v != "" && (k == name || in.Run.OS == "windows" && strings.EqualFold(k, name)) {
					return v
				}
			}
		}
		return ""
	}
	s.User = first("USER", "LOGNAME", "USERNAME")
	s.Home = first("HOME", "USERPROFILE")
	s.Name = first("HOSTNAME", "COMPUTERNAME", "HOST")
	if in.Run.OS == "windows" {
		s.User, s.Home = first("USERNAME", "USER"), first("USERPROFILE", "HOME")
	}
	return s
}
