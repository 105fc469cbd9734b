package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Case is one labelled log. Want holds the accepted labels; "none" means that there is no failure in it.
type Case struct {
	ID   string
	OS   string
	Want []string
	Log  []byte
}

func (c Case) open() io.Reader { return bytes.NewReader(c.Log) }

// readCases reads a folder of raw logs with a labels.tsv, else one of JSON cases.
func readCases(dir string) ([]Case, error) {
	if _, err := os.Stat(filepath.Join(dir, "labels.tsv")); err == nil {
		return readRaw(dir)
	}
	if sub := filepath.Join(dir, "cases"); isDir(sub) {
		dir = sub
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has neither labels.tsv nor JSON cases", dir)
	}
	sort.Strings(names)
	var out []Case
	for _, name := range names {
		c, err := readJSON(name)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func readJSON(name string) (Case, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return Case{}, err
	}
	var row struct{ ID, OS, Log, Cause string }
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &row); err != nil {
		return Case{}, fmt.Errorf("%s: %w", name, err)
	}
	if row.Log == "" || row.Cause == "" {
		return Case{}, fmt.Errorf("%s: no log or no cause", name)
	}
	want, err := labelList(row.Cause)
	if err != nil {
		return Case{}, fmt.Errorf("%s: %w", name, err)
	}
	if row.ID == "" {
		row.ID = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	return Case{ID: row.ID, OS: platform(row.OS), Want: want, Log: []byte(row.Log)}, nil
}

// labelList splits accepted labels.
func labelList(text string) ([]string, error) {
	var out []string
	for _, l := range strings.Split(text, "|") {
		if l = strings.TrimSpace(l); l == "" {
			return nil, fmt.Errorf("an empty label in %q", text)
		}
		out = append(out, l)
	}
	return out, nil
}

// platform is a case's os in cupel's words; empty where it is none of them.
func platform(os string) string {
	switch os = strings.ToLower(os); os {
	case "wsl":
		return "wsl2"
	case "mac", "darwin":
		return "macos"
	case "linux", "windows", "wsl2", "container", "macos":
		return os
	}
	return ""
}

// readRaw reads labels.tsv: file, accepted labels separated by |, note.
func readRaw(dir string) ([]Case, error) {
	f, err := os.Open(filepath.Join(dir, "labels.tsv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Case
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimPrefix(strings.TrimRight(lines.Text(), "\r"), "\ufeff")
		cols := strings.Split(text, "\t")
		if text == "" || strings.HasPrefix(text, "#") || (n == 1 && cols[0] == "file") {
			continue
		}
		if len(cols) < 2 {
			return nil, fmt.Errorf("labels.tsv:%d: want file, labels and note, separated by tabs", n)
		}
		log, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(cols[0])))
		if err != nil {
			return nil, err
		}
		want, err := labelList(cols[1])
		if err != nil {
			return nil, fmt.Errorf("labels.tsv:%d: %w", n, err)
		}
		out = append(out, Case{ID: cols[0], Want: want, Log: log})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("labels.tsv: %w", err)
	}
	if len(out) == 0 {
		return nil, errors.New("labels.tsv: no case in it")
	}
	return out, nil
}
