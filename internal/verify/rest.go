package verify

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

func platformCheck(j *judge, _ string, c *Check) {
	on := j.Contract.Project.On
	c.Key, c.Expected, c.Found = "project.on", strings.Join(on, ", "), j.Platform.Name
	if !j.Platform.Is(on) {
		c.fail("the project is not built on "+j.Platform.Name, "project.on in the contract names the platforms it is built on", whereElse(j.Platform.Name, on))
	}
}

// whereElse: a Windows machine can still build for Linux.
func whereElse(here string, on []string) finding.Step {
	if here == "windows" && (contract.Platform{Name: "wsl2"}).Is(on) {
		return advice("build it under WSL2 on this machine")
	}
	return advice("build it on " + strings.Join(on, " or ") + ", or add " + here + " to project.on")
}

func mpsCheck(j *judge, _ string, c *Check) {
	m, use := j.Machine.MPS, j.Contract.MPS
	c.Key, c.Expected, c.Found = "mps.use", use.Use, "no daemon"
	if m.Daemon.Known() {
		c.Found = "a daemon runs (pid " + m.Daemon.Value + ")"
		c.evidence(m.Daemon.Source, m.Daemon.Value)
	}
	switch {
	case !j.usesDriver():
		c.skip(noNeed)
	case m.Daemon.State == fact.Unreadable:
		c.warn("it could not be told whether an MPS daemon runs", m.Daemon.Why)
	case use.Use == "required" && !m.Daemon.Known():
		c.fail("no MPS daemon runs", contract.Because("the contract says that the program runs under it", use.Reason), command("nvidia-cuda-mps-control -d", "starts it"))
	case use.Use == "forbidden" && m.Daemon.Known():
		c.fail("an MPS daemon runs", contract.Because("the contract says that the program must not run under it", use.Reason), command("echo quit | nvidia-cuda-mps-control", "ends it, as the user it runs as"))
	}
}

// off is one thing this platform goes without, with its key.
type off struct {
	contract.Off
	key string
}

// offs are what this platform goes without, in the order of the file within a platform. Those of Linux hold under WSL2
// and on a Jetson too, and those of CI come last; what two of them name is told once, in the words of the later.
func (j *judge) offs() []off {
	var out []off
	for _, platform := range []string{"linux", "windows", "wsl2", "jetson", "ci"} {
		if !j.Platform.Is([]string{platform}) {
			continue
		}
		for i, o := range j.Contract.Scope[platform].Off {
			now := off{o, fmt.Sprintf("scope.%s.off[%d]", platform, i)}
			if n := slices.IndexFunc(out, func(x off) bool { return contract.Slug(x.Item) == contract.Slug(o.Item) }); n >= 0 {
				out[n] = now
				continue
			}
			out = append(out, now)
		}
	}
	return out
}

func (j *judge) scope() []string {
	var out []string
	for _, o := range j.offs() {
		out = append(out, o.Item)
	}
	return out
}

// scopeCheck is no check: it tells what nobody should look for here.
func scopeCheck(j *judge, name string, c *Check) {
	all := j.offs()
	o := all[slices.IndexFunc(all, func(x off) bool { return x.Item == name })]
	c.Key = o.key
	why := contract.Because("the contract leaves it out on this platform", o.Reason)
	if o.FollowUp != "" {
		why += "; follow-up: " + o.FollowUp
	}
	c.skip(why)
}
