package verify

import (
	"fmt"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/version"
)

// spans are the ranges the contract gives by family, in the order they are shown.
func (j *judge) spans() []familySpan {
	h := j.req.Host
	var out []familySpan
	for _, s := range []familySpan{{"gcc", h.GCC}, {"clang", h.Clang}, {"msvc", h.MSVC}} {
		if s.span != nil {
			out = append(out, s)
		}
	}
	return out
}

type familySpan struct {
	family string
	span   *contract.Span
}

// compiler is what the build will use: what was named, else what nvcc takes by itself.
func (j *judge) compiler() *fact.Compiler {
	in := j.rules(false)
	switch {
	case j.Host != "":
		return in.CompilerAt(j.Host)
	case j.t != nil:
		return in.Effective(*j.t)
	}
	return choice.DefaultCompiler(j.Machine)
}

// hostCompiler holds the compiler against the contract's range and against the toolkit's own bounds.
func hostCompiler(j *judge, _ string, c *Check) {
	spans := j.spans()
	c.Key, c.Expected = j.hostKey(spans), j.compilerText(spans)
	if len(spans) == 0 && j.t == nil {
		c.After = "toolkit-present"
		c.skip("which compilers are accepted depends on the toolkit")
		return
	}
	cc := j.compiler()
	if cc == nil {
		j.noCompiler(c)
		return
	}
	c.Found = compilerName(*cc)
	c.evidence(cc.Version.Source, cc.Path)
	if what, why := j.outside(*cc, spans); what != "" {
		c.fail(what, why, j.otherCompilers(cc)...)
		return
	}
	j.againstToolkit(*cc, c)
}

// noCompiler: cl.exe is on PATH only in a shell that loaded its environment, which many builds do by themselves.
func (j *judge) noCompiler(c *Check) {
	c.Found = "none"
	const why = "nvcc hands the host part of every file to it"
	switch best := j.fitting(nil); {
	case j.Host != "":
		c.fail(fmt.Sprintf("the host compiler %s was not found", j.Host), why, j.otherCompilers(nil)...)
	case best != nil && j.path.Windows():
		c.Found = compilerName(*best) + ", not on PATH"
		c.warn("cl.exe is installed, but not on PATH", why, j.otherCompilers(nil)...)
	default:
		c.fail("no host compiler was found", why, j.otherCompilers(nil)...)
	}
}

func compilerName(c fact.Compiler) string {
	return fmt.Sprintf("%s %s (%s)", c.Family, text(c.Version), c.Command)
}

func (j *judge) compilerText(spans []familySpan) string {
	var words []string
	for _, s := range spans {
		words = append(words, s.family+" "+s.span.Range.String())
	}
	if len(words) == 0 {
		return "one that the toolkit accepts"
	}
	return strings.Join(words, " or ")
}

func (j *judge) hostKey(spans []familySpan) string {
	if len(spans) > 0 {
		if key := j.req.HostKey[spans[0].family]; key != "" {
			return key
		}
	}
	return "host"
}

// outside says why the contract does not take a compiler; "" when it does.
func (j *judge) outside(c fact.Compiler, spans []familySpan) (what, why string) {
	if len(spans) == 0 {
		return "", ""
	}
	for _, s := range spans {
		if s.family != c.Family {
			continue
		}
		if s.span.Range.Has(choice.VersionOf(c.Version)) {
			return "", ""
		}
		return fmt.Sprintf("%s %s is outside %s", c.Family, text(c.Version), s.span.Range), limitWhy(c.Path+"; the range is the contract's", s.span.Reason, s.span.Source)
	}
	return fmt.Sprintf("the host compiler is %s", compilerName(c)), "the contract takes " + j.compilerText(spans)
}

// againstToolkit: the contract may say that it builds with a compiler its toolkit refuses by default.
func (j *judge) againstToolkit(cc fact.Compiler, c *Check) {
	if j.t == nil {
		c.Why = "held against the contract alone: there is no toolkit"
		return
	}
	v := choice.JudgeCompiler(*j.t, cc)
	limit := strings.Replace(v.Limit, "accepts: ", "accepts ", 1)
	switch v.Fit {
	case compat.Fits:
		c.Why = limit
	case compat.Unknown:
		c.warn(fmt.Sprintf("it is not known whether %s accepts %s", choice.Name(*j.t), compilerName(cc)), limit)
	case choice.WrongTarget:
		c.fail("the host compiler makes 32-bit code", limit, j.otherCompilers(&cc)...)
	default:
		what := fmt.Sprintf("%s %s is %s for %s", cc.Family, text(cc.Version), strings.ReplaceAll(string(v.Fit), "-", " "), choice.Name(*j.t))
		if j.req.Host.Unsupported == "allow" {
			c.warn(what, limit+"; the contract allows it (unsupported-compiler), so the build must pass -allow-unsupported-compiler")
			return
		}
		c.fail(what, limit, j.otherCompilers(&cc)...)
	}
}

// otherCompilers names an installed compiler that fits, and the plan.
func (j *judge) otherCompilers(not *fact.Compiler) []finding.Step {
	best := j.fitting(not)
	if best == nil {
		return []finding.Step{plan()}
	}
	return []finding.Step{command(j.evalEnv("--host-compiler "+j.quote(best.Command)), fmt.Sprintf("%s %s is installed", best.Family, text(best.Version))), plan()}
}

// fitting is the newest installed compiler that both the contract and the toolkit take; nil when there is none.
func (j *judge) fitting(not *fact.Compiler) (best *fact.Compiler) {
	for i := range j.Machine.Compilers {
		c := &j.Machine.Compilers[i]
		if !choice.Usable(j.Machine, *c) || not != nil && c.Path == not.Path || !j.takes(*c) {
			continue
		}
		if best == nil || choice.VersionOf(best.Version).Less(choice.VersionOf(c.Version)) {
			best = c
		}
	}
	return best
}

func (j *judge) takes(c fact.Compiler) bool {
	if what, _ := j.outside(c, j.spans()); what != "" {
		return false
	}
	return j.t == nil || choice.JudgeCompiler(*j.t, c).Fit == compat.Fits
}

// hostStd: which standards an nvcc knows is told for some releases only.
func hostStd(j *judge, _ string, c *Check) {
	c.Key, c.Expected = j.req.HostKey["std"], j.req.Host.Std
	for _, row := range data.HostCompilers() {
		first, _ := version.Parse(row.First)
		if !first.Covers(j.rel) || len(row.Dialects) == 0 {
			continue
		}
		c.Found = strings.Join(row.Dialects, ", ")
		for _, d := range row.Dialects {
			if d == j.req.Host.Std {
				return
			}
		}
		c.fail(fmt.Sprintf("CUDA %s does not know %s", j.rel, j.req.Host.Std), "it takes "+c.Found, j.otherToolkits()...)
		return
	}
	c.skip(fmt.Sprintf("the tables do not say which C++ standards CUDA %s takes", j.rel))
}
