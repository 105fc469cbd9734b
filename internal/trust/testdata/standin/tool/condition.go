package tool

import (
	"fmt"
	"strconv"
	"strings"
)

// holds answers an #if, #ifdef or #ifndef.
func (r *reading) holds(word, arg, path string, line int) bool {
	switch word {
	case "ifdef", "ifndef":
		return r.defined(arg) == (word == "ifdef")
	}
	c := condition{r: r, path: path, line: line, text: arg}
	v := c.any()
	if c.blank(); c.text != "" {
		panic(failure(fmt.Sprintf("%s:%d: error: missing binary operator before %q\n", path, line, c.text)))
	}
	return v != 0
}

func (r *reading) defined(name string) bool {
	_, ok := r.macros[name]
	return ok || name == "__has_include"
}

// condition is an expression that is being read.
type condition struct {
	r    *reading
	path string
	line int
	text string
}

func (c *condition) blank() { c.text = strings.TrimLeft(c.text, " \t") }

func (c *condition) take(sign string) bool {
	c.blank()
	rest, ok := strings.CutPrefix(c.text, sign)
	if ok {
		c.text = rest
	}
	return ok
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *condition) any() int {
	v := c.all()
	for c.take("||") {
		w := c.all()
		v = truth(v != 0 || w != 0)
	}
	return v
}

func (c *condition) all() int {
	v := c.compared()
	for c.take("&&") {
		w := c.compared()
		v = truth(v != 0 && w != 0)
	}
	return v
}

func (c *condition) compared() int {
	v := c.single()
	switch {
	case c.take("=="):
		return truth(v == c.single())
	case c.take("!="):
		return truth(v != c.single())
	case c.take(">="):
		return truth(v >= c.single())
	case c.take("<="):
		return truth(v <= c.single())
	case c.take(">"):
		return truth(v > c.single())
	case c.take("<"):
		return truth(v < c.single())
	}
	return v
}

func (c *condition) single() int {
	switch {
	case c.take("!"):
		return truth(c.single() == 0)
	case c.take("("):
		v := c.any()
		c.take(")")
		return v
	}
	n := identifier(c.text)
	word := c.text[:n]
	c.text = c.text[n:]
	switch word {
	case "":
		panic(failure(fmt.Sprintf("%s:%d: error: #if with no expression: %q\n", c.path, c.line, c.text)))
	case "defined":
		bracket := c.take("(")
		c.blank()
		n := identifier(c.text)
		name := c.text[:n]
		if c.text = c.text[n:]; bracket {
			c.take(")")
		}
		return truth(c.r.defined(name))
	case "__has_include":
		c.take("(")
		c.blank()
		name, quoted, ok := literal(c.text)
		if !ok {
			panic(failure(fmt.Sprintf("%s:%d: error: __has_include of %q\n", c.path, c.line, c.text)))
		}
		c.text = c.text[len(name)+2:]
		c.take(")")
		_, found := c.r.find(name, quoted, c.path)
		return truth(found)
	}
	value := c.r.expand(word, c.path, c.line, 0)
	v, _ := strconv.Atoi(strings.TrimSpace(value))
	return v
}
