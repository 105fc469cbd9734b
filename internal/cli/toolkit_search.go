package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"cupel/internal/finding"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

type searchFlags struct {
	sourceFlags
	all bool
}

func toolkitSearch() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search [RELEASE]",
		Short: "What each source of toolkits has, and how large it is",
		Long: `Asks every source at once which releases it has. DOWNLOAD and INSTALLED are the sizes of the minimal set, which compiles
and links kernels; "unknown" is what the source does not tell before it is fetched. With RELEASE the components are
listed too. A source that cannot be reached is named with its reason and costs no more than three seconds; one that
--from names alone, or that is merely slow where no other answers, is given fifteen.

Exit code: 0 something was found, 1 no source has it or none can be reached, 2 called wrongly.`,
		Example: `  cupel toolkit search
  cupel toolkit search 12.4
  cupel toolkit search 13.0 --from pip --platform windows-x86_64
  cupel toolkit search --all --json            every update`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeReleases,
		RunE:              func(cmd *cobra.Command, args []string) error { return runSearch(cmd, args, f) },
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.all, "all", false, "every update of a release, not the newest alone")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runSearch(cmd *cobra.Command, args []string, f searchFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	a := render.ToolkitSearch{Format: "cupel.toolkit.search/1", Cupel: Version, Findings: []finding.Finding{}}
	var want version.V
	if len(args) == 1 {
		if want, err = version.ParseRelease(args[0]); err != nil {
			return usageError{err}
		}
		a.Release = want.String()
	}
	if a.Platform, err = platformFor(f.platform); err != nil {
		return err
	}
	if f.from == "local" {
		return usage("--from local: a folder of this machine offers nothing to search; cupel toolkit list shows what is here")
	}
	sources, err := sourcesFor(f.sourceFlags, "")
	if err != nil {
		return err
	}
	if f.timeout == 0 {
		f.timeout = time.Minute
	}
	ctx, cancel := f.limited(cmd.Context())
	defer cancel()
	a.Sources = offersOf(ctx, sources, a.Platform, waitingFor(cmd))
	if cmd.Context().Err() != nil {
		return errInterrupted
	}
	narrow(&a, want, f.all, f.from)
	return writeSearch(cmd.OutOrStdout(), a, as)
}

// offersOf asks all sources at the same time for what they have.
func offersOf(ctx context.Context, sources []source.Source, p resolve.Platform, wait func(names []string)) []render.ToolkitSource {
	out := make([]render.ToolkitSource, len(sources))
	inRounds(sources, wait, func(i int, limit time.Duration) (fine, slow bool) {
		s := sources[i]
		slow, err := reach(ctx, s, limit)
		var offers []resolve.Offer
		if err == nil {
			offers, err = s.Offers(ctx, p)
		}
		if err != nil {
			out[i] = refusal(s.Name(), err)
			out[i].Reachable = false
			return false, slow
		}
		out[i] = render.ToolkitSource{Name: s.Name(), Reachable: true, Offers: append([]resolve.Offer{}, offers...)}
		return true, false
	})
	return out
}

// narrow leaves the release that was asked for and the newest update of each, and says what is wrong.
func narrow(a *render.ToolkitSearch, want version.V, all bool, from string) {
	left, reachable := 0, 0
	for i := range a.Sources {
		s := &a.Sources[i]
		s.Offers = slices.DeleteFunc(s.Offers, func(o resolve.Offer) bool {
			v, err := version.Parse(o.Release)
			return err != nil || !want.IsZero() && !want.Covers(v)
		})
		if !all {
			before := len(s.Offers)
			s.Offers = newestUpdates(s.Offers)
			s.Older = before - len(s.Offers)
		}
		left += len(s.Offers)
		if s.Reachable {
			reachable++
			continue
		}
		a.Findings = append(a.Findings, unreachable(*s))
	}
	switch {
	case reachable == 0:
		a.Findings = append([]finding.Finding{noSource(a.Sources)}, a.Findings...)
	case left == 0:
		a.Findings = append([]finding.Finding{noRelease(from, cmp.Or(a.Release, anyRelease), a.Platform, a.Sources)}, a.Findings...)
	}
}

// newestUpdates keeps the first of each X.Y: offers come newest first.
func newestUpdates(offers []resolve.Offer) []resolve.Offer {
	seen := map[version.V]bool{}
	return slices.DeleteFunc(offers, func(o resolve.Offer) bool {
		v, err := version.Parse(o.Release)
		short := v.Short()
		if err != nil || seen[short] {
			return true
		}
		seen[short] = true
		return false
	})
}

func writeSearch(out io.Writer, a render.ToolkitSearch, as string) error {
	var err error
	if as == "json" {
		err = writeJSON(out, a)
	} else {
		_, err = io.WriteString(out, styleFor(out).ToolkitSearch(a))
	}
	if err == nil && finding.Count(a.Findings, finding.Error) > 0 {
		err = codeError(exitFindings)
	}
	return err
}

// unreachable is a source that cannot be used, as programs read it.
func unreachable(s render.ToolkitSource) finding.Finding {
	f := finding.Finding{ID: "source-unreachable", Severity: finding.Info, What: "the source " + s.Name + " cannot be used here", Where: s.Name, Why: s.Why}
	if s.Next != "" {
		f.Next = []finding.Step{{Note: s.Next}}
	}
	return f
}

func noSource(all []render.ToolkitSource) finding.Finding {
	f := finding.Finding{ID: "no-source", Severity: finding.Error, What: "no source of toolkits can be used here", Why: reasons(all)}
	for _, s := range all {
		if s.Next != "" {
			f.Next = append(f.Next, finding.Step{Note: s.Name + ": " + s.Next})
		}
	}
	f.Next = append(f.Next, finding.Step{Command: "cupel toolkit install RELEASE --mirror DIR", Note: "installs from a folder with NVIDIA's archives and their redistrib_RELEASE.json"})
	return f
}

// lacks begins the sentence about what the source that was named, or all of them, do not have.
func lacks(from string) string {
	if from != "" {
		return from + " has no"
	}
	return "no source that can be reached has"
}

func noRelease(from, wish string, p resolve.Platform, all []render.ToolkitSource) finding.Finding {
	f := finding.Finding{ID: "no-such-release", Severity: finding.Error, What: fmt.Sprintf("%s CUDA %s for %s", lacks(from), wish, p), Why: reasons(all),
		Next: []finding.Step{{Command: "cupel toolkit search --all", Note: "shows what there is"}}}
	if from != "" && wish != anyRelease {
		f.Next = append([]finding.Step{{Command: "cupel toolkit search " + wish, Note: "which other source has it"}}, f.Next...)
	}
	return f
}

// anyRelease stands in the place of a release where none was named.
const anyRelease = "toolkit"

func reasons(all []render.ToolkitSource) string {
	text := ""
	for _, s := range all {
		if s.Why != "" {
			text += "; " + s.Name + ": " + s.Why
		}
	}
	if text == "" {
		return ""
	}
	return text[2:]
}
