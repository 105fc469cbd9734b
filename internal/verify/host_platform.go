package verify

import (
	"fmt"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// What only Windows has, and the triple Rust builds for.

// hostToolset judges the toolset of the compiler in use; when that is not known, one that fits is enough.
func hostToolset(j *judge, _ string, c *Check) {
	span := j.req.Host.Toolset
	c.Key, c.Expected = j.req.HostKey["toolset"], span.Range.String()
	if !j.path.Windows() {
		c.skip("only Windows has MSVC toolsets")
		return
	}
	j.oneOf(c, "MSVC toolset", span, j.toolsets(), "add an MSVC toolset in that range in the Visual Studio Installer (Individual components)")
}

// toolsets lists the versions to judge: that of the compiler in use alone, or all.
func (j *judge) toolsets() []string {
	var all []string
	cc := j.compiler()
	for _, vs := range j.Machine.VS {
		for _, t := range vs.Toolsets {
			if cc != nil && (j.path.Same(t.ClPath, cc.Path) || t.Dir != "" && j.path.Within(cc.Path, t.Dir)) {
				return []string{t.Version}
			}
			all = append(all, t.Version)
		}
	}
	return all
}

func hostSDK(j *judge, _ string, c *Check) {
	span := j.req.Host.SDK
	c.Key, c.Expected = j.req.HostKey["sdk"], span.Range.String()
	if !j.path.Windows() {
		c.skip("only Windows has a Windows SDK")
		return
	}
	var usable []string
	for _, s := range j.Machine.SDKs {
		if s.Libs {
			usable = append(usable, s.Version)
		}
	}
	j.oneOf(c, "Windows SDK", span, usable, "add a Windows SDK in that range in the Visual Studio Installer (Individual components)")
}

// oneOf passes when one of the versions is in the range.
func (j *judge) oneOf(c *Check, thing string, span *contract.Span, have []string, hint string) {
	c.Found = strings.Join(have, ", ")
	for _, text := range have {
		if v, err := version.Parse(text); err == nil && span.Range.Has(v) {
			c.Found = text
			return
		}
	}
	if len(have) == 0 {
		c.Found = "none"
	}
	c.fail(fmt.Sprintf("no %s in %s is used here", thing, span.Range), limitWhy("found: "+c.Found, span.Reason, span.Source), advice(hint), plan())
}

// hostTriple: without Rust there is nothing to judge; that it is missing is for component-rust to say.
func hostTriple(j *judge, _ string, c *Check) {
	want, have := j.req.Host.Triple, j.Machine.Rust.Host
	c.Key, c.Expected, c.Found = j.req.HostKey["triple"], want, text(have)
	switch {
	case have.State == fact.Unreadable:
		c.warn("the Rust host triple could not be read", have.Why)
	case !have.Known():
		c.skip("no Rust toolchain was found")
	case have.Value != want:
		c.fail("Rust builds for "+have.Value, "the contract wants "+want, command("rustup default stable-"+want, "installs and selects that toolchain"))
	}
}
