package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/bundle"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/render"
)

type bundleFlags struct {
	out   string
	force bool
}

func newBundle() *cobra.Command {
	var f bundleFlags
	cmd := &cobra.Command{
		Use:   "bundle CALL",
		Short: "One archive of a recorded compiler call for a bug report, without secrets",
		Long: `Packs a compiler call that "cupel exec" recorded into one archive: arguments, both outputs, sources and preprocessed
sources, response files, versions, the environment as far as CUDA builds read it, and this machine's snapshot. CALL is
named as with "cupel replay". The compiler is started to preprocess and to tell its version; nothing is written into the
project.

Names of users and machines, home folders and whatever looks like a secret are replaced, in sources too. No program knows
every secret: look into the archive before you publish it.

Exit code: 0 it was written, 2 called wrongly, 3 it could not be written or there is no such call.`,
		Example: `  cupel bundle last
  cupel bundle last.3 --out crash.zip`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("name one call: cupel bundle last, cupel bundle last.3 (cupel runs lists them)")
			}
			return nil
		},
		ValidArgsFunction: completeRuns,
		RunE:              func(cmd *cobra.Command, args []string) error { return runBundle(cmd, args[0], f) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.out, "out", "", "the archive, .tar.gz or .zip (default: cupel-CALL.tar.gz)")
	fs.BoolVar(&f.force, "force", false, "replace a file that is there already")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runBundle(cmd *cobra.Command, name string, f bundleFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	k, err := recordedCall(cmd.Context(), name)
	if err != nil {
		return err
	}
	file, err := f.file(k.id)
	if err != nil {
		return err
	}
	in := bundle.Input{Version: Version, ID: k.id, Run: k.run, Call: k.call, Base: k.base, Env: k.had, Environ: os.Environ(), System: host.Here().System()}
	in.Snapshot, in.Trouble = machineForBundle(cmd)
	parts, err := bundle.Make(cmd.Context(), in)
	if err != nil {
		if errors.Is(err, context.Canceled) || cmd.Context().Err() != nil {
			return errInterrupted
		}
		return fmt.Errorf("bundle %s: %w", k.id, err)
	}
	var b bytes.Buffer
	if err := bundle.Write(&b, file, k.call.Begin.At, parts); err != nil {
		return fmt.Errorf("bundle %s: %w", k.id, err)
	}
	// Others of this machine need not read it: whoever made it has not looked into it yet.
	if err := writeWhole(file, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return showBundle(cmd.OutOrStdout(), as, render.Bundle{
		Format: bundle.Format, Cupel: Version, Findings: []finding.Finding{}, Call: k.id, File: file, Size: int64(b.Len()), Parts: partsOf(parts),
	})
}

func showBundle(out io.Writer, as string, a render.Bundle) error {
	if as == "json" {
		return writeJSON(out, a)
	}
	_, err := io.WriteString(out, styleFor(out).Bundle(a))
	return err
}

func partsOf(parts []bundle.Part) []render.BundlePart {
	var out []render.BundlePart
	for _, p := range parts {
		out = append(out, render.BundlePart{Name: p.Name, What: p.What, Size: int64(p.Size)})
	}
	return out
}

// file is where the archive goes. A file that is there may be anything: it is not replaced unasked.
func (f bundleFlags) file(id string) (string, error) {
	file := f.out
	if file == "" {
		file = "cupel-" + id + ".tar.gz"
	}
	if lower := strings.ToLower(file); !strings.HasSuffix(lower, ".tar.gz") && !strings.HasSuffix(lower, ".tgz") && !strings.HasSuffix(lower, ".zip") {
		return "", usage("--out %s: the archive is a .tar.gz or a .zip", file)
	}
	info, err := os.Stat(file)
	switch {
	case err == nil && info.IsDir():
		return "", usage("--out %s is a folder: name a file in it", file)
	case err == nil && !f.force:
		return "", usage("%s is there already: --force replaces it, --out names another", file)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return "", usage("--out %s: there is no folder %s", file, filepath.Dir(file))
	}
	return file, nil
}

// machineForBundle is the doctor's answer, redacted; else why there is none.
func machineForBundle(cmd *cobra.Command) (text []byte, trouble string) {
	f := doctorFlags{redact: true}
	a, hide, err := askDoctor(cmd, f)
	if err != nil {
		return nil, err.Error()
	}
	var b bytes.Buffer
	if err := writeDoctor(&b, a, "json", f, hide); err != nil {
		return nil, err.Error()
	}
	return b.Bytes(), ""
}
