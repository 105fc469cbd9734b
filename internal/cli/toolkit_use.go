package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/depot"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

func toolkitUse() *cobra.Command {
	unset := false
	cmd := &cobra.Command{
		Use:   "use RELEASE|NAME [DIR]",
		Short: "Chooses the toolkit for a project's folder",
		Long: `Writes which toolkit builds in a folder, into .cupel/choice.toml of the project that DIR (default: the current folder)
belongs to: the nearest folder with a cupel.toml, else DIR itself. It holds for this machine alone, and .cupel keeps
itself out of version control. RELEASE stays open for every toolkit of that release; NAME (of "cupel toolkit list") and a
root name one folder. --unset takes the choice back. A first choice gives cupel.toml a new time, so that
cargo and make see it.

Exit code: 0 done, 1 no such toolkit is here, 2 called wrongly.`,
		Example: `  cupel toolkit use 13.0
  cupel toolkit use 12.4.1-apt-linux-x86_64 examples/vector-add
  cupel toolkit use --unset`,
		Args: func(cmd *cobra.Command, args []string) error {
			if unset && len(args) == 1 {
				if _, err := os.Stat(args[0]); err != nil {
					return usage("--unset takes the choice of a folder back, whatever it is: %s is no folder", args[0])
				}
			}
			if unset {
				return cobra.MaximumNArgs(1)(cmd, args)
			}
			return cobra.RangeArgs(1, 2)(cmd, args)
		},
		ValidArgsFunction: completeHere,
		RunE: func(cmd *cobra.Command, args []string) error {
			if unset {
				return runUnset(cmd, args)
			}
			return runUse(cmd, args)
		},
	}
	cmd.Flags().BoolVar(&unset, "unset", false, "take the choice back")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runUse(cmd *cobra.Command, args []string) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	dir, err := projectOf(args[1:])
	if err != nil {
		return err
	}
	text, err := meantBy(args[0])
	if err != nil {
		return err
	}
	g, err := gather(cmd, machineFlags{toolkit: text}, gatherOptions{dir: dir})
	if err != nil {
		return err
	}
	_, chosen := choice.Toolkit(g.machine, choice.Options{Flag: text})
	if chosen.Toolkit == nil {
		return notHere(args[0], exitFindings)
	}
	file, err := chooseToolkit(dir, text)
	if err != nil {
		return err
	}
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), map[string]any{"format": "cupel.toolkit.use/1", "cupel": Version, "findings": []any{}, "file": file, "toolkit": text, "root": chosen.Root})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s in %s\n", fromHere(file), choice.Name(*chosen.Toolkit), chosen.Root)
	return err
}

// notHere is a toolkit that was named and is not installed.
func notHere(name string, code int) error {
	t := told{finding.Finding{ID: "not-installed", Severity: finding.Error, What: name + " is not installed here"}, code}
	if _, err := version.ParseRelease(name); err == nil {
		t.What = "CUDA " + t.What
		t.Next = append(t.Next, finding.Step{Command: "cupel toolkit install " + name})
	}
	t.Next = append(t.Next, finding.Step{Command: "cupel toolkit list", Note: "shows what is here"})
	return t
}

// meantBy reads what a person typed: the name of something installed becomes its root, which names one folder.
func meantBy(text string) (string, error) {
	all, err := depotHere().List(depot.Toolkits)
	if err != nil {
		return "", err
	}
	for _, i := range all {
		if nameOf(i) != text {
			continue
		}
		if i.Broken == nil && i.Manifest.Platform != platformHere() {
			return "", usage("%s is made for %s: it cannot build here", text, i.Manifest.Platform)
		}
		return i.Root(), nil
	}
	if strings.ContainsAny(text, `/\`) {
		return filepath.Abs(text)
	}
	v, err := version.ParseRelease(text)
	if err != nil {
		return "", usage("%s is neither a release nor the name of an installed toolkit: cupel toolkit list shows them", text)
	}
	return v.String(), nil
}

// projectOf is the folder whose choice is meant: that of the nearest contract, else the folder itself.
func projectOf(args []string) (string, error) {
	dir := "."
	if len(args) == 1 {
		dir = args[0]
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", usage("%s: no such folder", dir)
	}
	a := look.New(host.Here())
	for at := dir; ; at = filepath.Dir(at) {
		if a.There(filepath.Join(at, contractFile)) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return dir, nil
		}
	}
}

// chooseToolkit writes the choice of a project: a release, or the path of a root.
func chooseToolkit(dir, text string) (string, error) {
	file := filepath.Join(dir, filepath.FromSlash(choiceFile))
	if err := inside(dir, file); err != nil {
		return "", fmt.Errorf("write the choice: %w", err)
	}
	if err := ownFolder(dir); err != nil {
		return "", fmt.Errorf("write the choice: %w", err)
	}
	_, err := os.Lstat(file)
	first := errors.Is(err, fs.ErrNotExist)
	line := "# Which toolkit builds here, on this machine. Written by \"cupel toolkit use\".\ntoolkit = " + contract.Quote(text) + "\n"
	if err := writeWhole(file, []byte(line), 0o644); err != nil {
		return "", fmt.Errorf("write the choice: %w", err)
	}
	if first { // cargo and make cannot wait for a file that is not there, but they look at the contract
		now := time.Now()
		_ = os.Chtimes(filepath.Join(dir, contractFile), now, now)
	}
	return file, nil
}

// ownFolder makes .cupel, which keeps itself out of version control.
func ownFolder(dir string) error {
	own := filepath.Join(dir, ".cupel")
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	ignore := filepath.Join(own, ".gitignore")
	if _, err := os.Lstat(ignore); err == nil {
		return nil
	}
	return writeWhole(ignore, []byte("*\n"), 0o644)
}

func runUnset(cmd *cobra.Command, args []string) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	dir, err := projectOf(args)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, filepath.FromSlash(choiceFile))
	err = os.Remove(file)
	was := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("take the choice back: %w", err)
	}
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), map[string]any{"format": "cupel.toolkit.use/1", "cupel": Version, "findings": []any{}, "file": file, "removed": was})
	}
	text := map[bool]string{true: "removed", false: "there was no choice"}[was]
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", fromHere(file), text)
	return err
}
