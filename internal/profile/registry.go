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
	Format  string      `json:"format"`
	Runtime bool        `json:"runtime,omitempty"` // the environment of a running program
	Values  []undoValue `json:"values"`
}

type undoValue struct {
	Name string   `json:"name"`
	Old  value    `json:"old"`
	New  value    `json:"new"`
	Dirs []string `json:"dirs,omitempty"` // for a list: what was put in front
	Left bool     `json:"left,omitempty"` // was to be taken out and was not, because somebody had changed it
}

// keepIn writes the set into a store. The record is written first: if the machine stops in between, undo finds
// values that are not the ones it wrote and leaves them alone.
func keepIn(s store, target Target, set environ.Set) (Report, error) {
	report := Report{Path: target.Place()}
	old, err := readRecord(target.Path)
	if err != nil {
		return report, err
	}
	if old.kept() && old.Runtime != set.Runtime && !target.Force {
		return report, other(old.Runtime)
	}
	next := undoRecord{Format: undoFormat, Runtime: set.Runtime}
	if err := next.planAll(s, old, set.Vars); err != nil {
		return report, err
	}
	if err := next.planAll(s, old, next.notes(set)); err != nil {
		return report, err
	}
	dropped := slices.DeleteFunc(slices.Clone(old.Values), func(u undoValue) bool { return next.index(u.Name) >= 0 })
	if err := writeRecord(target.Path, next.with(dropped)); err != nil {
		return report, err
	}
	for _, u := range next.Values {
		if err := apply(s, u, &report); err != nil {
			return report, err
		}
	}
	left, err := restoreAll(s, dropped, false, &report)
	if err != nil || len(dropped) == 0 {
		return report, err
	}
	return report, writeRecord(target.Path, next.with(left))
}

func (r undoRecord) with(more []undoValue) undoRecord {
	r.Values = append(slices.Clone(r.Values), more...)
	return r
}

// kept says that an environment stands in the registry, not only what an undo had to leave.
func (r undoRecord) kept() bool {
	return slices.ContainsFunc(r.Values, func(u undoValue) bool { return !u.Left })
}

func (r *undoRecord) planAll(s store, old undoRecord, vars []environ.Var) error {
	for _, v := range vars {
		u, err := plan(s, old, v)
		if err != nil {
			return err
		}
		r.Values = append(r.Values, u)
	}
	return nil
}

// notes are the ones a shell's code leaves: without them the next environment would take these values for the
// person's own.
func (r undoRecord) notes(set environ.Set) []environ.Var {
	if set.Runtime {
		return nil
	}
	var names []string
	var out []environ.Var
	for _, u := range r.Values {
		if len(u.Dirs) == 0 {
			names = append(names, u.Name)
			continue
		}
		added := slices.DeleteFunc(slices.Clone(u.Dirs), func(d string) bool { return without(u.Old.Text, []string{d}) != u.Old.Text })
		out = append(out, environ.Var{Name: environ.RecordedDirs + u.Name, Value: strings.Join(added, ";"), Kind: environ.Assign})
	}
	return append(out, environ.Var{Name: environ.Recorded, Value: strings.Join(names, " "), Kind: environ.Assign})
}

// plan works out one value. The oldest known state is what undo goes back to, however often this is done.
func plan(s store, old undoRecord, v environ.Var) (undoValue, error) {
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

// takeFrom restores every value of the record. What somebody changed by hand stays, and stays in the record,
// so that Force can still restore it; else the record is removed.
func takeFrom(s store, target Target) (Report, error) {
	report := Report{Path: target.Place()}
	record, err := readRecord(target.Path)
	if err != nil {
		return report, err
	}
	if len(record.Values) == 0 {
		return report, ErrNothing
	}
	left, err := restoreAll(s, record.Values, target.Force, &report)
	switch {
	case err != nil:
		return report, err
	case len(left) == 0:
		return report, os.Remove(target.Path)
	}
	record.Values = left
	if err := writeRecord(target.Path, record); err != nil || report.Changed {
		return report, err
	}
	return report, fmt.Errorf("%s: %w", strings.Join(names(left), ", "), ErrEdited)
}

// restoreAll gives back what had to be left.
func restoreAll(s store, values []undoValue, force bool, report *Report) (left []undoValue, err error) {
	for _, u := range values {
		ok, err := restore(s, u, force, report)
		if err != nil {
			return nil, fmt.Errorf("restore %s: %w", u.Name, err)
		}
		if !ok {
			u.Left = true
			left = append(left, u)
		}
	}
	if len(left) > 0 {
		report.Notes = append(report.Notes, strings.Join(names(left), ", ")+" was changed by hand since and is left as it is; with --undo registry --force it gets back the value from before cupel")
	}
	return left, nil
}

func names(values []undoValue) []string {
	var list []string
	for _, u := range values {
		list = append(list, u.Name)
	}
	return list
}

// restore goes back to the old value when the new one still stands. A list that others changed meanwhile loses
// the folders only; another value that was changed is its changer's, unless force says otherwise.
func restore(s store, u undoValue, force bool, report *Report) (ok bool, err error) {
	have, err := s.get(u.Name)
	if err != nil || have == u.Old {
		return true, err
	}
	back := u.Old
	switch {
	case have == u.New:
	case len(u.Dirs) > 0 && have.Exists:
		back = value{Exists: true, Kind: have.Kind, Text: without(have.Text, u.Dirs)}
	case !force:
		return false, nil
	}
	if have == back {
		return true, nil
	}
	report.Changed = true
	report.Done = append(report.Done, "restored "+u.Name)
	return true, s.put(u.Name, back)
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
