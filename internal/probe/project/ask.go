package project

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/probe/look"
)

// Limits of what a contract may have looked up.
const (
	maxPinFile    = 4 << 20
	maxPinMatches = 200
)

// Ask looks up what the contract of the folder dir names in the project's files: the values of its pins and the
// sources of its kernels. It adds them to p, in the order of the contract's names.
func Ask(ctx context.Context, at *look.At, dir string, c *contract.Contract, p *fact.Project) {
	if c == nil {
		return
	}
	s := &survey{At: at, root: dir}
	for _, name := range sortedKeys(c.Pins) {
		for _, f := range c.Pins[name].Files {
			if ctx.Err() != nil {
				return
			}
			p.Pins = append(p.Pins, s.pin(name, string(f.File), f.Pattern.Regexp)...)
		}
	}
	for _, k := range c.Kernels {
		if ctx.Err() != nil {
			return
		}
		p.Kernels = append(p.Kernels, s.sources(k))
	}
	p.Troubles = append(p.Troubles, s.out.Troubles...)
}

// pin reads every place of one file. The pattern is tried line by line, so that ^ and $ mean what they do in
// grep and a match has one line.
func (s *survey) pin(name, file string, pattern *regexp.Regexp) []fact.PinValue {
	blank := func(why string) []fact.PinValue { return []fact.PinValue{{Pin: name, File: file, Why: why}} }
	text, why := s.pinText(file)
	if why != "" || pattern == nil {
		return blank(why)
	}
	var out []fact.PinValue
	for i, line := range strings.Split(text, "\n") {
		for _, m := range pattern.FindAllStringSubmatch(strings.TrimSuffix(line, "\r"), -1) {
			out = append(out, fact.PinValue{Pin: name, File: file, Line: i + 1, Value: m[min(1, len(m)-1)]})
		}
		if len(out) > maxPinMatches {
			return blank(fmt.Sprintf("the pattern matches more than %d times", maxPinMatches))
		}
	}
	if len(out) == 0 {
		return blank("the pattern matches no line")
	}
	return out
}

// pinText is a file of the project, or the reason why it cannot be read.
func (s *survey) pinText(file string) (text, why string) {
	full := s.Path.Join(s.root, file)
	if !s.inside(full) {
		return "", "it is a link that leads out of the project"
	}
	info, err := s.Stat(full)
	switch {
	case err != nil && !s.There(full):
		return "", "no such file"
	case err != nil:
		return "", look.Reason(err)
	case info.Dir:
		return "", "it is a folder"
	case info.Size > maxPinFile:
		return "", fmt.Sprintf("larger than %d MiB", maxPinFile>>20)
	}
	b, err := s.ReadFile(full)
	if err != nil {
		return "", look.Reason(err)
	}
	if binary(b) {
		return "", "not a text file"
	}
	return strings.TrimPrefix(string(b), "\ufeff"), ""
}

// inside says that path, links followed, stays below the project's folder. What is not there is not outside.
func (s *survey) inside(path string) bool {
	real, err := s.Resolve(path)
	if err != nil {
		return true
	}
	return s.Path.Within(real, s.Real(s.root))
}
