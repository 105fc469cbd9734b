// Package snapshot reads saved machines and hides what a public bug report must not show. A snapshot is foreign
// bytes: it is bounded, and one of a newer format is refused with the reason.
package snapshot

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/probe/look"
)

// MaxSize bounds a snapshot file; real ones are tens of kilobytes.
const MaxSize = 16 << 20

// Load reads a snapshot from a file: the answer of `cupel doctor --json`, or the machine alone. "-" is stdin.
func Load(path string) (fact.Machine, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return fact.Machine{}, fmt.Errorf("read snapshot: %w", err)
		}
		defer f.Close()
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return fact.Machine{}, fmt.Errorf("read snapshot %s: %w", path, err)
	}
	m, err := Parse(b)
	if err != nil {
		return fact.Machine{}, fmt.Errorf("read snapshot %s: %w", path, err)
	}
	return m, nil
}

// Parse reads a snapshot.
func Parse(b []byte) (fact.Machine, error) {
	if len(b) > MaxSize {
		return fact.Machine{}, fmt.Errorf("larger than %d MiB", MaxSize>>20)
	}
	b = plain(b)
	var outer struct {
		Format  string          `json:"format"`
		Machine json.RawMessage `json:"machine"`
	}
	if err := json.Unmarshal(b, &outer); err != nil {
		return fact.Machine{}, shapeError(err)
	}
	if major, ok := strings.CutPrefix(outer.Format, "cupel.doctor/"); ok && major != "1" {
		return fact.Machine{}, fmt.Errorf("its format is %q, this cupel reads \"cupel.doctor/1\": use the cupel that wrote it, or a newer one", outer.Format)
	}
	raw := b
	if outer.Machine != nil {
		raw = outer.Machine
	}
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return fact.Machine{}, shapeError(err)
	}
	if head.Format != fact.Format {
		return fact.Machine{}, formatError(head.Format)
	}
	var m fact.Machine
	if err := json.Unmarshal(raw, &m); err != nil {
		return fact.Machine{}, shapeError(err)
	}
	return m, nil
}

// shapeError tells what is wrong with the JSON without the names of our types.
func shapeError(err error) error {
	var typed *json.UnmarshalTypeError
	if errors.As(err, &typed) {
		return fmt.Errorf("not a snapshot: %s is %s", cmp.Or(typed.Field, "the whole"), look.Kind(typed.Value))
	}
	return fmt.Errorf("not JSON: %w", err)
}

func formatError(got string) error {
	if got == "" {
		return fmt.Errorf("no machine in it: want the answer of cupel doctor --json")
	}
	return fmt.Errorf("its format is %q, this cupel reads %q: use the cupel that wrote it, or a newer one", got, fact.Format)
}
