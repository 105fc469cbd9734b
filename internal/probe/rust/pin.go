package rust

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Pin is what a toolchain file asks for.
type Pin struct {
	Channel string
	Path    string // a toolchain on disk instead of a channel
	File    string
	Line    int
}

// Name is what rustup takes: the channel, or the path made absolute.
func (p Pin) Name(at *look.At, file string) string {
	if p.Path != "" && !at.Path.Abs(p.Path) {
		return at.Path.Join(at.Path.Dir(file), p.Path)
	}
	return p.Path + p.Channel
}

// FindPin looks for a toolchain file from dir upwards, as rustup does. No file: ok is false.
func FindPin(at *look.At, dir string) (pin Pin, ok bool, err error) {
	for d := dir; d != ""; d = at.Path.Dir(d) {
		if file := toolchainFile(at, d); file != "" {
			pin, err := readPin(at, file)
			return pin, true, err
		}
		if d == at.Path.Dir(d) {
			break
		}
	}
	return Pin{}, false, nil
}

// toolchainFile: when both names are there, rustup takes the one without an ending.
func toolchainFile(at *look.At, dir string) string {
	return at.FirstFile(at.Path.Join(dir, "rust-toolchain"), at.Path.Join(dir, "rust-toolchain.toml"))
}

func readPin(at *look.At, file string) (Pin, error) {
	b, err := at.ReadFile(file)
	if err != nil {
		return Pin{File: file}, errors.New(look.Reason(err))
	}
	pin, err := parsePin(b, strings.HasSuffix(file, ".toml"))
	pin.File = file
	return pin, err
}

var (
	channelLine = pattern.New(`^\s*(channel|path)\s*=`)
	plainName   = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$`)
)

// parsePin reads both forms: TOML, and the old one of a single bare name.
func parsePin(b []byte, onlyTOML bool) (Pin, error) {
	text := strings.TrimSpace(string(b))
	if !onlyTOML && !strings.Contains(text, "\n") && plainName.MatchString(text) {
		return Pin{Channel: text, Line: 1 + strings.Count(string(b[:strings.Index(string(b), text)]), "\n")}, nil
	}
	var file struct {
		Toolchain struct {
			Channel string `toml:"channel"`
			Path    string `toml:"path"`
		} `toml:"toolchain"`
	}
	if err := toml.Unmarshal(b, &file); err != nil {
		return Pin{}, look.Plain(err)
	}
	p := Pin{Channel: file.Toolchain.Channel, Path: file.Toolchain.Path}
	if (p.Channel == "") == (p.Path == "") {
		return Pin{}, errors.New("it names neither a channel nor a path, or both")
	}
	for i, l := range strings.Split(string(b), "\n") {
		if channelLine.MatchString(l) {
			p.Line = i + 1
			break
		}
	}
	return p, nil
}
