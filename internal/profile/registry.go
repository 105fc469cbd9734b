package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"cupel/internal/environ"
	"cupel/internal/ospath"
)

// The registry holds values of two kinds that matter here. An expandable one names other variables
// (%USERPROFILE%\bin); read and written back as plain text it would lose them, as setx does.
const (
	plainKind  = 1 // REG_SZ
	expandKind = 2 // REG_EXPAND_SZ
)

// value is one value of a registry key, as it stands there: nothing expanded.
type value struct {
	Exists bool   `json:"exists"`
	Kind   uint32 `json:"kind,omitempty"`
	Text   string `json:"text,omitempty"`
}

// store is the user's part of the registry.
type store interface {
	get(name string) (value, error)
	put(name string, v value) error // a value that does not exist is deleted
}

// undoFormat is the version of the record.
const undoFormat = "cupel.env-undo/1"

// undoRecord is CUPEL_HOME/env-undo.json: what stood in the registry before cupel wrote, and what it wrote.
type undoRecord struct {
	Format string      `json:"format"`
	Values []undoValue `json:"values"`
}

type undoValue struct {
	Name string   `json:"name"`
	Old  value    `json:"old"`
	New  value    `json:"new"`
	Dirs []string `json:"dirs,omitempty"` // for a list: what was put in front
}

// keepIn writes the set into a store. The record is written first: if the machine stops in between, undo finds
// values that are not the ones it wrote and leaves them alone.
func keepIn(s store, path string, set environ.Set) (Report, error) {
	report := Report{Path: path}
	old, err := readRecord(path)
	if err != nil {
		return report, err
	}
	next := undoRecord{Format: undoFormat}
	for _, v := range set.Vars {
		u, err := plan(s, old, v, set.OS)
		if err != nil {
			return report, err
		}
		next.Values = append(next.Values, u)
	}
	dropped := slices.DeleteFunc(slices.Clone(old.Values), func(u undoValue) bool { return next.index(u.Name) >= 0 })
	if err := writeRecord(path, undoRecord{undoFormat, append(slices.Clone(next.Values), dropped...)}); err != nil {
		return report, err
	}
	for _, u := range next.Values {
		if err := apply(s, u, &report); err != nil {
			return report, err
		}
	}
	if err := restoreAll(s, dropped, &report); err != nil || len(dropped) == 0 {
		return report, err
	}
	return report, writeRecord(path, next)
}

// plan works out one value. The oldest known state is what undo goes back to, however often this is done.
func plan(s store, old undoRecord, v environ.Var, os string) (undoValue, error) {
	have, err := s.get(v.Name)
	if err != nil {
		return undoValue{}, fmt.Errorf("read %s: %w", v.Name, err)
	}
	u := undoValue{Name: v.Name, Old: have, Dirs: v.Dirs, New: value{Exists: true, Kind: plainKind, Text: v.Value}}
	if have.Exists {
		u.New.Kind = have.Kind
	}
	if i := old.index(v.Name); i >= 0 {
		last := old.Values[i]
		u.Old.Text = without(u.Old.Text, last.Dirs)
		if last.New == have {
			u.Old = last.Old
		}
	}
	if v.Kind == environ.Prepend {
		u.New.Text = front(v.Dirs, without(u.Old.Text, v.Dirs))
	}
	return u, nil
}

func apply(s store, u undoValue, report *Report) error {
	have, err := s.get(u.Name)
	if err != nil || have == u.New {
		return err
	}
	report.Changed = true
	report.Done = append(report.Done, "set "+u.Name)
	if err := s.put(u.Name, u.New); err != nil {
		return fmt.Errorf("set %s: %w", u.Name, err)
	}
	return nil
}

// takeFrom restores every value of the record and removes the record.
func takeFrom(s store, path string) (Report, error) {
	report := Report{Path: path}
	record, err := readRecord(path)
	if err != nil {
		return report, err
	}
	if len(record.Values) == 0 {
		return report, ErrNothing
	}
	if err := restoreAll(s, record.Values, &report); err != nil {
		return report, err
	}
	return report, os.Remove(path)
}

func restoreAll(s store, values []undoValue, report *Report) error {
	for _, u := range values {
		if err := restore(s, u, report); err != nil {
			return fmt.Errorf("restore %s: %w", u.Name, err)
		}
	}
	return nil
}

// restore goes back to the old value when the new one still stands. A list that others changed meanwhile loses
// the folders only; another value that was changed is its changer's.
func restore(s store, u undoValue, report *Report) error {
	have, err := s.get(u.Name)
	if err != nil || have == u.Old {
		return err
	}
	back := u.Old
	if have != u.New {
		if len(u.Dirs) == 0 || !have.Exists {
			report.Notes = append(report.Notes, u.Name+" was changed since: it is left as it is")
			return nil
		}
		back = value{Exists: true, Kind: have.Kind, Text: without(have.Text, u.Dirs)}
	}
	report.Changed = true
	report.Done = append(report.Done, "restored "+u.Name)
	return s.put(u.Name, back)
}

// without takes folders out of a list and leaves every other byte of it alone.
func without(list string, dirs []string) string {
	s := ospath.For("windows")
	kept := slices.DeleteFunc(strings.Split(list, ";"), func(entry string) bool {
		return entry != "" && slices.ContainsFunc(dirs, func(d string) bool { return s.Same(d, strings.Trim(entry, `" `)) })
	})
	return strings.Join(kept, ";")
}

func front(dirs []string, rest string) string {
	if rest == "" {
		return strings.Join(dirs, ";")
	}
	return strings.Join(dirs, ";") + ";" + rest
}

func (r undoRecord) index(name string) int {
	return slices.IndexFunc(r.Values, func(u undoValue) bool { return strings.EqualFold(u.Name, name) })
}

func readRecord(path string) (undoRecord, error) {
	var r undoRecord
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err == nil && r.Format != undoFormat {
		err = fmt.Errorf("its format is %q, this cupel reads %q", r.Format, undoFormat)
	}
	if err != nil {
		return r, fmt.Errorf("read the undo record: %w", err)
	}
	return r, nil
}

func writeRecord(path string, r undoRecord) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	f, err := open(path)
	if err == nil {
		err = f.write(string(text) + "\n")
	}
	if err != nil {
		return fmt.Errorf("write the undo record: %w", err)
	}
	return nil
}
