package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/pages"
)

type docsFlags struct {
	project string
	out     string
	only    []string
	check   bool
	force   bool
}

// docsFile is one file of the answer.
type docsFile struct {
	Kind   string `json:"kind"`
	Path   string `json:"path"`
	Status string `json:"status"` // written, same, stale, missing
	Line   int    `json:"line,omitempty"`
	Got    string `json:"got,omitempty"`
	Want   string `json:"want,omitempty"`
	file   pages.File
}

func docsCommand() *cobra.Command {
	var f docsFlags
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Setup page and stand-alone verify scripts, made from the project's contract",
		Long: `Writes from cupel.toml: CUDA-SETUP.md (versions, install commands, environment, architectures, troubleshooting),
verify-cuda.sh and verify-cuda.ps1, which make the checks of cupel verify on machines without cupel, and cuda.mk with
the target check-cuda-env. The files go to docs/cuda below the folder of cupel.toml; the same contract always gives
the same bytes. A file that cupel did not write is left alone unless --force is given.

--check writes nothing: it fails when a file is missing or is not what the contract makes now.

Exit code: 0 written, or with --check all up to date; 1 with --check when a file is stale; 2 called wrongly; 3 cupel
could not do its work.`,
		Example: `  cupel docs
  cupel docs --check                      in CI: the pages are those of this contract
  cupel docs --only sh --only make --out scripts`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDocs(cmd, f) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.project, "project", "", "the project's `DIR` (default: the nearest folder with a cupel.toml)")
	fs.StringVar(&f.out, "out", "", "the `DIR` to write to (default: "+pages.Dir+" of the project)")
	fs.StringSliceVar(&f.only, "only", nil, "write only these: "+strings.Join(pages.Kinds(), ", "))
	fs.BoolVar(&f.check, "check", false, "write nothing; fail when a file is stale")
	fs.BoolVar(&f.force, "force", false, "also replace files that cupel did not write")
	formatFlags(cmd, "text", "json")
	_ = cmd.RegisterFlagCompletionFunc("only", cobra.FixedCompletions(pages.Kinds(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runDocs(cmd *cobra.Command, f docsFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	if err := f.usable(); err != nil {
		return err
	}
	w, err := needWorkspace(cmd, host.Here(), f.project)
	if err != nil {
		return err
	}
	files, err := f.compare(w)
	if err != nil {
		return err
	}
	if !f.check {
		if err := f.write(files); err != nil {
			return err
		}
	}
	stale := staleDocs(files)
	if as == "json" {
		err = writeJSON(cmd.OutOrStdout(), map[string]any{"format": "cupel.docs/1", "cupel": Version, "findings": stale, "files": files, "passed": len(stale) == 0})
	} else {
		err = showDocs(cmd, files, stale)
	}
	if err == nil && len(stale) > 0 {
		return codeError(exitFindings)
	}
	return err
}

func (f docsFlags) usable() error {
	for _, o := range f.only {
		if !slices.Contains(pages.Kinds(), o) {
			return usage("--only %s: one of %s", o, strings.Join(pages.Kinds(), ", "))
		}
	}
	if f.check && f.force {
		return usage("--check writes nothing, so --force has nothing to do")
	}
	return nil
}

// compare makes the files and looks at what is there; nothing is written yet.
func (f docsFlags) compare(w workspace) ([]docsFile, error) {
	dir := f.out
	if dir == "" {
		dir = filepath.Join(w.root, filepath.FromSlash(pages.Dir))
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder for the pages: %w", err)
	}
	opt := pages.Options{Only: f.only, Dir: "."}
	if rel, err := filepath.Rel(w.root, dir); err == nil && filepath.IsLocal(rel) {
		opt.Dir = filepath.ToSlash(rel)
	}
	var out []docsFile
	for _, p := range pages.All(w.contract, opt) {
		d := docsFile{Kind: p.Kind, Path: fromHere(filepath.Join(dir, p.Name)), file: p}
		if f.out == "" && !f.check {
			if err := inside(w.root, filepath.Join(dir, p.Name)); err != nil {
				return nil, err
			}
		}
		if err := d.look(f); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// look holds a file against what it should be.
func (d *docsFile) look(f docsFlags) error {
	info, err := os.Stat(d.Path)
	if errors.Is(err, fs.ErrNotExist) {
		d.Status = "missing"
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the page: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("write %s: it is not a plain file", d.Path)
	}
	have, err := os.ReadFile(d.Path)
	if err != nil {
		return fmt.Errorf("look at the page: %w", err)
	}
	if !f.check && !f.force && !pages.Ours(have) {
		return usage("%s was not written by cupel docs: nothing was written; --force replaces it", d.Path)
	}
	d.Status = "same"
	if !pages.Same(have, d.file.Data) {
		d.Status = "stale"
		d.Line, d.Got, d.Want = pages.Differs(have, d.file.Data)
	}
	return nil
}

// write puts the files that differ in place, each as a whole.
func (f docsFlags) write(files []docsFile) error {
	for i := range files {
		d := &files[i]
		if d.Status == "same" {
			continue
		}
		mode := fs.FileMode(0o644)
		if d.file.Exec {
			mode = 0o755
		}
		err := os.MkdirAll(filepath.Dir(d.Path), 0o755)
		if err == nil {
			err = writeWhole(d.Path, d.file.Data, mode)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", d.Path, err)
		}
		*d = docsFile{Kind: d.Kind, Path: d.Path, Status: "written"}
	}
	return nil
}

// staleDocs is a finding for each file that is not what the contract makes.
func staleDocs(files []docsFile) []finding.Finding {
	out := []finding.Finding{}
	for _, d := range files {
		f := finding.Finding{ID: "docs-stale", Severity: finding.Error, Where: d.Path, Next: []finding.Step{{Command: "cupel docs", Note: "writes it anew"}}}
		switch d.Status {
		case "missing":
			f.What, f.Why = filepath.Base(d.Path)+" is missing", "it is made from cupel.toml by cupel docs"
		case "stale":
			f.Where = fmt.Sprintf("%s:%d", d.Path, d.Line)
			f.What, f.Why = filepath.Base(d.Path)+" is stale", "cupel.toml, cupel's tables or the file itself changed since it was written"
			f.Evidence = []finding.Evidence{{Source: "is", Text: d.Got}, {Source: "should be", Text: d.Want}}
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

func showDocs(cmd *cobra.Command, files []docsFile, stale []finding.Finding) error {
	out := cmd.OutOrStdout()
	for _, d := range files {
		if _, err := fmt.Fprintf(out, "%-8s %s\n", d.Status, d.Path); err != nil {
			return err
		}
		if d.Status == "stale" {
			fmt.Fprintf(out, "  %-14s %s\n  %-14s %s\n", fmt.Sprintf("line %d is:", d.Line), d.Got, "and should be:", d.Want)
		}
	}
	if len(stale) > 0 {
		_, err := fmt.Fprintln(out, "next: cupel docs")
		return err
	}
	return nil
}
