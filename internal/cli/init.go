package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/infer"
	"cupel/internal/probe/look"
	"cupel/internal/probe/project"
)

type initFlags struct {
	force bool
	dry   bool
	name  string
}

func initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Writes a first cupel.toml from what the project's files show",
		Long: `Reads the build files of the project in DIR (the current folder unless said): Cargo.toml, Cargo.lock, build.rs,
CMakeLists.txt, pyproject.toml, setup.py, .cargo/config.toml, makefiles, CUDA sources, toolchain files, Dockerfiles
and CI workflows. It writes cupel.toml there, each line with the file and line it was read from. What is uncertain
stands in it as a comment, and so does what nothing tells. Nothing is run, and nothing else is changed.

A cupel.toml that is there already is not touched without --force, which keeps it as cupel.toml.old.`,
		Example: `  cupel init
  cupel init --dry-run              show it, write nothing
  cupel init --name vector-add src`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runInit(cmd, args, f) },
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.force, "force", false, "write over a cupel.toml that is there; the old one is kept as cupel.toml.old")
	fs.BoolVar(&f.dry, "dry-run", false, "print the contract, write nothing")
	fs.StringVar(&f.name, "name", "", "the project's `NAME` (default: what its files say, else the folder's)")
	formatFlags(cmd, "text", "json")
	return cmd
}

// initAnswer is what init says to programs.
type initAnswer struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	File     string            `json:"file"`
	Above    string            `json:"above,omitempty"` // the contract that holds there until this one is written
	Written  bool              `json:"written"`
	Old      string            `json:"old,omitempty"` // where the contract that stood there was kept
	Contract string            `json:"contract"`      // the text
	Inferred []infer.Line      `json:"inferred"`
	Unknown  []string          `json:"unknown"`
}

func runInit(cmd *cobra.Command, args []string, f initFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	dir, err := initFolder(args)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, contractFile)
	if err := mayWrite(file, f); err != nil {
		return err
	}
	a := draftContract(look.New(host.Here()), dir, f.name)
	if !f.dry {
		if a.Old, err = writeContract(file, []byte(a.Contract), f.force); err != nil {
			return fmt.Errorf("write %s: %w", file, err)
		}
		a.Written = true
	}
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), a)
	}
	if !a.Written { // stdout is the contract, to be kept as it is
		showPassed(cmd.ErrOrStderr(), a)
		_, err := io.WriteString(cmd.OutOrStdout(), a.Contract)
		return err
	}
	return showInit(cmd.OutOrStdout(), a)
}

// draftContract gathers and decides.
func draftContract(at *look.At, dir, name string) initAnswer {
	clues, unread := project.Clues(at, dir)
	// The folder's name stands last: any file that names the project knows better.
	clues = append(clues, fact.Clue{Key: "project.name", Value: filepath.Base(dir), File: "the folder's name"})
	draft := infer.Draft(name, clues)
	a := initAnswer{
		Format: "cupel.init/1", Cupel: Version, Findings: []finding.Finding{}, File: filepath.Join(dir, contractFile), Contract: string(draft.Text),
		Inferred: append([]infer.Line{}, draft.Inferred...), Unknown: append([]string{}, draft.Unknown...),
	}
	for _, t := range unread {
		a.Findings = append(a.Findings, unreadable(t))
	}
	a.Above = contractAbove(at, dir)
	return a
}

// contractAbove is the contract that holds in the folder as long as it has none of its own.
func contractAbove(at *look.At, dir string) string {
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		if file := filepath.Join(up, contractFile); at.There(file) {
			return file
		}
	}
	return ""
}

// unreadable: what a file that was not read demands is missing from the contract, and nobody would see that.
func unreadable(t fact.Trouble) finding.Finding {
	return finding.Finding{
		ID: "init-unreadable", Severity: finding.Warning, What: plainName(t.Source) + " was not read",
		Where: plainName(t.Source), Why: t.Why + "; what it demands is missing from the contract",
		Next: []finding.Step{{Command: "cupel init --dry-run", Note: "once it can be read, to see what it adds"}},
	}
}

func initFolder(args []string) (string, error) {
	dir := "."
	if len(args) == 1 {
		dir = args[0]
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", usage("there is no folder %s", dir)
	case err != nil:
		return "", fmt.Errorf("look at the project: %w", err)
	case !info.IsDir():
		return "", usage("%s is not a folder: name the one that cupel.toml is to stand in", dir)
	}
	return filepath.Abs(dir)
}

// mayWrite refuses before anything is read: a contract is written by people.
func mayWrite(file string, f initFlags) error {
	info, err := os.Lstat(file)
	switch {
	case err != nil || f.dry:
		return nil
	case !f.force:
		return usage("%s is there already: --dry-run shows what would be written, --force writes it and keeps the old one as %s.old", file, contractFile)
	case !info.Mode().IsRegular():
		return usage("%s is not a plain file: move it away first", file)
	case info.Mode().Perm()&0o200 == 0:
		return usage("%s is read-only, and --force does not get around that", file)
	}
	return nil
}
