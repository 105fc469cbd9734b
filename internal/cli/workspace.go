package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/lock"
	"cupel/internal/probe/look"
	"cupel/internal/verify"
)

const (
	contractFile = "cupel.toml"
	lockFile     = "cupel.lock"
	choiceFile   = ".cupel/choice.toml"
)

// workspace is the project folder a command works for, with the files of cupel's own in it.
type workspace struct {
	root     string             // folder of cupel.toml; "" where there is none
	contract *contract.Contract // nil: none
	lock     *lock.Lock         // nil: none
	choice   string             // what .cupel/choice.toml asks for
}

// brokenContract is a cupel.toml that cannot be used, with everything that is wrong with it.
type brokenContract struct {
	file     string
	findings []finding.Finding
}

func (b brokenContract) Error() string {
	return fmt.Sprintf("%s cannot be used: %s (%s)", b.file, b.findings[0].What, b.findings[0].Where)
}

// openWorkspace reads the contract of the folder dir, or without one that of the nearest folder with a cupel.toml
// from the current one up. No such folder is no error.
func openWorkspace(h host.Host, dir string, name func(a *look.At, root string) string) (workspace, error) {
	a := look.New(h)
	root, err := contractRoot(a, dir)
	if err != nil {
		return workspace{}, err
	}
	if root == "" {
		text, err := folderChoice(a)
		return workspace{choice: text}, err
	}
	w := workspace{root: root}
	b, err := head(a, a.Path.Join(root, contractFile), contract.MaxSize+1)
	if err != nil {
		return w, fmt.Errorf("read %s: %s", shown(a, root), look.Reason(err))
	}
	file := name(a, root)
	c, wrong := contract.Parse(file, b)
	if len(wrong) > 0 {
		return w, brokenContract{file, wrong}
	}
	w.contract = c
	if w.lock, err = readLock(a, root); err != nil {
		return w, err
	}
	w.choice, err = readChoice(a, root)
	return w, err
}

// shown is how the contract is named in findings: from the current folder, so that it can be clicked or pasted.
func shown(a *look.At, root string) string {
	return relative(a, a.Path.Join(root, contractFile), a.System.Cwd)
}

// inRepository names it from the repository's folder, as CI systems want it that mark lines of files.
func inRepository(a *look.At, root string) string {
	for dir := root; ; {
		up := a.Path.Dir(dir)
		if a.Exists(a.Path.Join(dir, ".git")) {
			return relative(a, a.Path.Join(root, contractFile), dir)
		}
		if up == dir {
			return shown(a, root)
		}
		dir = up
	}
}

// relative goes up a few folders at most, and never by way of the root: beyond that the whole path is easier to read.
func relative(a *look.At, file, from string) string {
	up := ""
	for range 4 {
		if a.Path.Dir(from) == from {
			break
		}
		if rest := file[min(len(file), len(from)):]; a.Path.Within(file, from) {
			return up + strings.ReplaceAll(strings.TrimLeft(rest, a.Path.Separator()), a.Path.Separator(), "/")
		}
		from, up = a.Path.Dir(from), up+"../"
	}
	return file
}

// contractRoot finds the folder of the contract. The first cupel.toml ends the search, whatever it is: one that
// cannot be read must not leave the project to the contract of a folder above.
func contractRoot(a *look.At, dir string) (string, error) {
	if a.System.Cwd == "" && !a.Path.Abs(dir) {
		return "", errors.New("the current folder is gone")
	}
	if dir != "" {
		dir = a.Path.Clean(a.FromCwd(dir))
		switch {
		case !a.IsDir(dir):
			return "", usage("%s: no such folder", dir)
		case !a.There(a.Path.Join(dir, contractFile)):
			return "", usage("%s: there is no %s in it: cupel init writes a first one", dir, contractFile)
		}
		return dir, nil
	}
	for dir = a.System.Cwd; !a.There(a.Path.Join(dir, contractFile)); {
		up := a.Path.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
	return dir, nil
}

// head reads at most max bytes: whoever parses them says what is too large.
func head(a *look.At, path string, max int64) ([]byte, error) {
	f, err := a.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	_, err = io.Copy(&b, io.NewSectionReader(f, 0, min(max, f.Size())))
	return b.Bytes(), err
}

func readLock(a *look.At, root string) (*lock.Lock, error) {
	var b []byte
	err := whileHeld(func() (err error) { // another cupel may be replacing it
		b, err = head(a, a.Path.Join(root, lockFile), lock.MaxSize+1)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %s", lockFile, look.Reason(err))
	}
	l, err := lock.Parse(lockFile, b)
	if err != nil && !errors.Is(err, lock.ErrNewer) {
		err = fmt.Errorf("%w; take it from version control again, or replace it: cupel lock --force", err)
	}
	return l, err
}

// readChoice reads the toolkit that a person chose for this project on this machine.
func readChoice(a *look.At, root string) (string, error) {
	b, err := head(a, a.Path.Join(root, choiceFile), 1<<16)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	var file map[string]any
	if err == nil {
		err = toml.Unmarshal(b, &file)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %s; delete it to choose anew", choiceFile, look.Reason(err))
	}
	text, ok := file["toolkit"].(string)
	if !ok || len(file) != 1 {
		return "", fmt.Errorf("read %s: it holds one line, toolkit = \"12.4\" or the path of a root; delete it to choose anew", choiceFile)
	}
	return strings.TrimSpace(text), nil
}

// folderChoice is what "cupel toolkit use" wrote in a folder that has no contract: the nearest one from the current
// folder up.
func folderChoice(a *look.At) (string, error) {
	for dir := a.System.Cwd; dir != ""; {
		if a.There(a.Path.Join(dir, choiceFile)) {
			return readChoice(a, dir)
		}
		up := a.Path.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", nil
}

// choices are the places where a project may ask for a toolkit.
func (w workspace) choices(flag string, sys fact.System, platform contract.Platform) choice.Options {
	opt := choice.Options{Flag: flag, ProjectChoice: w.choice, Lock: w.lock.Release(lock.Key(platform.Name, sys.Arch))}
	if w.contract != nil {
		if r := w.contract.For(platform).Toolkit.Recommended; r != nil {
			opt.Recommended = r.Version.String()
		}
	}
	return opt
}

// needWorkspace reads the contract a command cannot work without. What is wrong with it was shown when the error is a
// codeError.
func needWorkspace(cmd *cobra.Command, h host.Host, dir string) (workspace, error) {
	name := shown
	if as, _ := cmd.Flags().GetString("format"); as == "github" || as == "sarif" {
		name = inRepository
	}
	w, err := openWorkspace(h, dir, name)
	var broken brokenContract
	if errors.As(err, &broken) {
		return w, showBroken(cmd, broken)
	}
	if err == nil && w.contract == nil {
		err = usage("no %s here or in a folder above: cupel init writes a first one", contractFile)
	}
	return w, err
}

// showBroken tells everything that is wrong with a contract: to programs as an answer, to people as an error.
func showBroken(cmd *cobra.Command, b brokenContract) error {
	as, _ := cmd.Flags().GetString("format")
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		as = "json"
	}
	switch as {
	case "json":
		answer := map[string]any{"format": "cupel.contract/1", "cupel": Version, "findings": b.findings, "contract": b.file}
		if err := writeJSON(cmd.OutOrStdout(), answer); err != nil {
			return err
		}
		return codeError(exitUsage)
	case "md", "junit", "sarif", "github": // who reads these does not read stderr
		if err := writeVerify(cmd.OutOrStdout(), b.answer(), as, false); err != nil {
			return err
		}
		return codeError(exitUsage)
	}
	style := styleFor(cmd.ErrOrStderr())
	for _, f := range b.findings {
		fmt.Fprint(cmd.ErrOrStderr(), style.Finding(f), style.Quote(f), "\n")
	}
	return codeError(exitUsage)
}

// answer is the broken contract in the form of a verification that failed.
func (b brokenContract) answer() verify.Answer {
	a := verify.Answer{Format: verify.Format, Cupel: Version, Contract: b.file, Band: verify.NoToolkit}
	for _, f := range b.findings {
		a.Findings = append(a.Findings, verify.Check{Finding: f, Status: verify.Fail})
	}
	return a
}
