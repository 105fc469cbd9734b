package profile

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"cupel/internal/environ"
)

const (
	begin = "# >>> cupel env >>>"
	end   = "# <<< cupel env <<<"
	about = "# Written by cupel env --persist; cupel env --undo takes it away. Put your own lines outside."
)

// block is what cupel wrote into a file, with what undo needs to know.
type block struct {
	start, stop int    // where it stands in the text, its last line break included
	body        string // the lines between the header and the end mark
	sum         string // what the header says the body's sum is
	newline     string // none, lf or crlf: the line break added before it, because the file ended without one
	made        int    // 1: the file was made for it; n: n-1 folders above too
	runtime     bool   // the environment of a running program
}

// state is the header line; it is the undo record.
func (b block) state() string {
	text := fmt.Sprintf("# cupel-state: sum=%s newline=%s made=%d", sum(b.body), cmp.Or(b.newline, "none"), b.made)
	if b.runtime {
		text += runtimeMark
	}
	return text
}

const runtimeMark = " runtime"

// replaceable says whether the set may take the block's place.
func (b block) replaceable(target Target, set environ.Set) error {
	switch {
	case target.Force:
	case b.edited():
		return ErrEdited
	case b.runtime != set.Runtime:
		return other(b.runtime)
	}
	return nil
}

// other says which kind is there.
func other(runtime bool) error {
	kept := "one for builds"
	if runtime {
		kept = "one for running programs (--runtime)"
	}
	return fmt.Errorf("%w: %s, which would be lost", ErrOther, kept)
}

// text writes the block; eol is the line break of the file.
func (b block) text(eol string) string {
	lines := strings.Join([]string{begin, about, b.state(), b.body + end, ""}, "\n")
	return strings.ReplaceAll(lines, "\n", eol)
}

func sum(body string) string {
	s := sha256.Sum256([]byte(body))
	return hex.EncodeToString(s[:8])
}

// edited says that the body is not what was written.
func (b block) edited() bool { return b.sum != sum(b.body) }

// find looks for the block. Marks that do not pair are an error: guessing where a block ends could eat lines
// of the file's owner.
func find(text string) (*block, error) {
	start, after := line(text, begin, 0)
	if start < 0 {
		if at, _ := line(text, end, 0); at >= 0 {
			return nil, errors.New("its end mark has no begin mark: " + end)
		}
		return nil, nil
	}
	stop, last := line(text, end, after)
	again, _ := line(text, begin, after)
	if stop < 0 || (again >= 0 && again < stop) {
		return nil, errors.New("its begin mark has no end mark: " + begin)
	}
	if more, _ := line(text, begin, last); more >= 0 {
		return nil, errors.New("there are two blocks; take one away by hand")
	}
	return parseBlock(text, start, after, stop, last)
}

// line finds a line that is the mark and nothing else; after is where the next line begins.
func line(text, mark string, from int) (at, after int) {
	for at = from; at < len(text); at = after {
		after = len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			after = at + i + 1
		}
		if strings.TrimRight(text[at:after], "\r\n") == mark {
			return at, after
		}
	}
	return -1, len(text)
}

func parseBlock(text string, start, after, stop, last int) (*block, error) {
	inner := strings.ReplaceAll(text[after:stop], "\r\n", "\n")
	head := strings.SplitN(inner, "\n", 3)
	b := &block{start: start, stop: last}
	if len(head) < 3 {
		return nil, errors.New("its state line is gone")
	}
	head[1], b.runtime = strings.CutSuffix(head[1], runtimeMark)
	if _, err := fmt.Sscanf(head[1], "# cupel-state: sum=%s newline=%s made=%d", &b.sum, &b.newline, &b.made); err != nil {
		return nil, fmt.Errorf("its state line cannot be read: %q", head[1])
	}
	b.body = head[2]
	return b, nil
}

// breaks are the line breaks by the names the state line has for them.
var breaks = map[string]string{"lf": "\n", "crlf": "\r\n"}

// ends gives the name of the line break to add to a text that ends without one.
func ends(text, eol string) string {
	switch {
	case text == "" || strings.HasSuffix(text, "\n"):
		return "none"
	case eol == "\r\n":
		return "crlf"
	}
	return "lf"
}

// cut takes the block out, and the line break that was added for it unless a line follows by now.
func (b *block) cut(text string) string {
	before := text[:b.start]
	if b.stop == len(text) {
		before = strings.TrimSuffix(before, breaks[b.newline])
	}
	return before + text[b.stop:]
}
