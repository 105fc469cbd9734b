// Package pattern holds regular expressions that are compiled when they are first used. The program has hundreds, and a
// command needs a few of them: compiling all of them took longer than everything else cupel does before its first word.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. Its methods are those of regexp.Regexp and may be called at the same time.
type Pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// New is the pattern of an expression that is part of the program: a mistake in it panics at the first use, and
// TestEveryPattern finds it before. The compiler lays a Pattern that is a package variable into the program's data, so that
// it costs nothing at the start.
func New(text string) *Pattern { return &Pattern{text: text} }

// Compile is the pattern of an expression that came from outside.
func Compile(text string) (*Pattern, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	p := &Pattern{text: text}
	p.once.Do(func() { p.re = re })
	return p, nil
}

func (p *Pattern) regexp() *regexp.Regexp {
	p.once.Do(p.compile)
	return p.re
}

func (p *Pattern) compile() { p.re = regexp.MustCompile(p.text) }

// String is the text of the expression.
func (p *Pattern) String() string { return p.text }
