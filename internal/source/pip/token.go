package pip

import (
	"fmt"
	"slices"
	"strings"
)

// token is one piece of a marker.
type token struct {
	kind kind
	text string
}

type kind int

const (
	none   kind = iota
	word        // sys_platform, and, in
	quoted      // 'linux'
	sign        // == ( )
)

func (t token) isValue() bool {
	return t.kind == quoted || t.kind == word && !slices.Contains([]string{"and", "or", "not", "in"}, t.text)
}

func (t token) compares() bool {
	return t.kind == sign && slices.Contains(operators, t.text) || t.kind == word && (t.text == "in" || t.text == "not in")
}

func (t token) value(vars map[string]string) (string, error) {
	if t.kind == quoted {
		return t.text, nil
	}
	v, ok := vars[t.text]
	if !ok {
		return "", fmt.Errorf("the marker variable %s is not known", t.text)
	}
	return v, nil
}

const wordRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

// scan cuts a marker into tokens.
func scan(s string) ([]token, error) {
	var out []token
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		t, rest, err := first(s)
		if err != nil {
			return nil, err
		}
		out, s = append(out, t), rest
	}
	return out, nil
}

func first(s string) (t token, rest string, err error) {
	switch {
	case s[0] == '\'' || s[0] == '"':
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return t, "", fmt.Errorf("%s has no end", s)
		}
		return token{quoted, s[1 : 1+end]}, s[2+end:], nil
	case s[0] == '(' || s[0] == ')':
		return token{sign, s[:1]}, s[1:], nil
	}
	for _, op := range operators {
		if rest, ok := strings.CutPrefix(s, op); ok {
			return token{sign, op}, rest, nil
		}
	}
	rest = strings.TrimLeft(s, wordRunes)
	if rest == s {
		return t, "", fmt.Errorf("%q is not expected", s[:1])
	}
	return token{word, s[:len(s)-len(rest)]}, rest, nil
}
