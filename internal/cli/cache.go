package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/cache"
	"cupel/internal/cas"
	"cupel/internal/child"
	"cupel/internal/render"
)

func newCache() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "The store of compiled results: what it holds, trimming, checking",
		Long: `cupel build, cupel exec and cupel-nvcc keep what compilers made in one store, CUPEL_CACHE/store, which is always safe
to delete. It is trimmed by itself, oldest use first, when it is over its limit: 10 GB, or CUPEL_CACHE_LIMIT.
CUPEL_NO_CACHE=1 switches it off, CUPEL_CACHE_LINKS=1 places read-only hard links instead of copies.`,
		Example: `  cupel cache stats
  cupel cache trim --limit 2G
  cupel cache verify
  CMAKE_CUDA_COMPILER_LAUNCHER=cupel-nvcc cmake …      any CMake build through the same store`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			if wrong := limitIgnored(); wrong != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), "cupel cache: "+wrong)
			}
		},
	}
	cmd.AddCommand(cacheStats(), cacheTrim(), cacheVerify())
	return cmd
}

func storeHere() (cas.Store, error) {
	s, _ := cas.Here()
	if s.Dir == "" {
		return s, errors.New("find the store: no home folder is known here: name a folder with CUPEL_CACHE")
	}
	if err := inFile(s.Dir); err != nil {
		return s, unusable(s, err)
	}
	return s, nil
}

// unusable: the store is there and does not let itself be used.
func unusable(s cas.Store, err error) error {
	return fmt.Errorf("use the store in %s: %w (CUPEL_CACHE names another folder)", s.Dir, err)
}

// inFile: a folder cannot come there, since a part of the path is a file. Windows says only that there is no such folder.
func inFile(dir string) error {
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) {
		if info, err := os.Stat(up); err == nil {
			if !info.IsDir() {
				return fmt.Errorf("%s is not a directory", up)
			}
			return nil
		}
	}
	return nil
}

// limitIgnored is a word on a CUPEL_CACHE_LIMIT that is no size; empty: it is one, or not set.
func limitIgnored() string {
	text := os.Getenv("CUPEL_CACHE_LIMIT")
	if text == "" || cas.Size(text) > 0 {
		return ""
	}
	return fmt.Sprintf("CUPEL_CACHE_LIMIT=%s is no size: write 20G or 500M; the limit is %d GB until then", render.Line(text), cas.DefaultLimit>>30)
}

func limitOf(s cas.Store) int64 {
	if s.Limit > 0 {
		return s.Limit
	}
	return cas.DefaultLimit
}

func cacheStats() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "stats",
		Short:   "What the store holds, how often it helped, and why it did not",
		Example: "  cupel cache stats\n  cupel cache stats --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			as, err := format(cmd, "text", "json")
			if err != nil {
				return err
			}
			a, err := statsOf()
			if err != nil {
				return err
			}
			if as == "json" {
				return writeJSON(cmd.OutOrStdout(), a)
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), styleFor(cmd.OutOrStdout()).CacheStats(a))
			return err
		},
	}
	formatFlags(cmd, "text", "json")
	return cmd
}

func statsOf() (render.CacheStats, error) {
	s, err := storeHere()
	if err != nil {
		return render.CacheStats{}, err
	}
	usage, err := s.Usage()
	if err != nil {
		return render.CacheStats{}, unusable(s, err)
	}
	tally, err := s.Tally()
	if err != nil {
		return render.CacheStats{}, unusable(s, err)
	}
	a := render.CacheStats{Format: "cupel.cache-stats/1", Cupel: Version, Findings: []any{}, Dir: s.Dir, Bytes: usage.Bytes, Limit: limitOf(s), Blobs: usage.Blobs, Notes: usage.Notes}
	if _, err := os.Stat(s.Dir); errors.Is(err, fs.ErrNotExist) {
		a.Missing = true
	}
	for event, n := range tally {
		kind, reason, _ := strings.Cut(event, " ")
		switch kind {
		case "hit":
			a.Hits += n
		case "miss":
			a.Misses += n
			a.Reasons = append(a.Reasons, render.CacheReason{Kind: kind, Reason: reason, Text: missTexts[reason], Count: n})
		case "refused":
			a.Uncached += n
			a.Reasons = append(a.Reasons, render.CacheReason{Kind: "uncached", Reason: reason, Text: render.UncachedText(reason), Count: n})
		default:
			a.Unsaved += n
		}
	}
	slices.SortFunc(a.Reasons, func(x, y render.CacheReason) int {
		if x.Count != y.Count {
			return int(y.Count - x.Count)
		}
		return strings.Compare(x.Kind+x.Reason, y.Kind+y.Reason)
	})
	return a, nil
}

// missTexts are the reasons of misses in words.
var missTexts = map[string]string{
	"new":      "never compiled like this",
	"changed":  "a file changed",
	"appeared": "a file came that would be included",
	"lost":     "the result was trimmed or torn",
	"streams":  "its messages cannot be told in the order of one stream",
}

func cacheTrim() *cobra.Command {
	var limit string
	cmd := &cobra.Command{
		Use:     "trim",
		Short:   "Takes the oldest results away, down to a limit",
		Example: "  cupel cache trim\n  cupel cache trim --limit 500M\n  cupel cache trim --limit 0       everything",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTrim(cmd, limit) },
	}
	cmd.Flags().StringVar(&limit, "limit", "", "`SIZE` to trim to (default: the store's own limit)")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runTrim(cmd *cobra.Command, limit string) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	s, err := storeHere()
	if err != nil {
		return err
	}
	to := limitOf(s)
	if limit != "" {
		if to = cas.Size(limit); to == 0 && strings.Trim(limit, "0") != "" {
			return usage("--limit %s is no size: write 2G or 500M", limit)
		}
	}
	t, err := s.Trim(cmd.Context(), max(to, 1)) // 0 would be the store's own limit
	if err != nil {
		return unusable(s, err)
	}
	a := render.CacheTrim{Format: "cupel.cache-trim/1", Cupel: Version, Findings: []any{}, Dir: s.Dir, Limit: to, Files: t.Files, Bytes: t.Bytes, Left: t.Left, Held: t.Held}
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), a)
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), styleFor(cmd.OutOrStdout()).CacheTrim(a))
	return err
}

func cacheVerify() *cobra.Command {
	var quick bool
	var most, jobs int
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Compiles remembered results again and compares",
		Long: `Reads every file of the store and takes away what is torn or changed. Then makes the remembered calls again whose
sources, headers, tools and environment are as they were, beside their outputs, and compares the bytes. Exit
code 1: a result differs, and it is named.`,
		Example: "  cupel cache verify\n  cupel cache verify --quick          the store's own files only\n  cupel cache verify --most 20",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runCacheVerify(cmd, quick, most, jobs) },
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "compile nothing")
	cmd.Flags().IntVar(&most, "most", 0, "stop after this many calls (default: all)")
	cmd.Flags().IntVarP(&jobs, "jobs", "j", 0, "calls at once (default: the processors)")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runCacheVerify(cmd *cobra.Command, quick bool, most, jobs int) error {
	if jobs < 0 {
		return usage("--jobs %d: at least one call is needed", jobs)
	}
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	s, err := storeHere()
	if err != nil {
		return err
	}
	a := render.CacheVerify{Format: "cupel.cache-verify/1", Cupel: Version, Findings: []any{}, Dir: s.Dir, Skipped: map[string]int{}, Quick: quick}
	bad, err := s.Check(cmd.Context(), func(done, _ int) { a.Files = done })
	if err != nil && cmd.Context().Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return unusable(s, err)
	}
	for _, b := range bad {
		if b.Gone {
			a.Torn = append(a.Torn, b.Path)
		} else {
			a.Kept = append(a.Kept, render.CacheKept{Path: b.Path, Why: b.Err.Error()})
		}
	}
	if !quick {
		if err := verifyCalls(cmd, s, most, cmp.Or(jobs, runtime.GOMAXPROCS(0)), &a); err != nil {
			return err
		}
	}
	if as == "json" {
		err = writeJSON(cmd.OutOrStdout(), a)
	} else {
		_, err = fmt.Fprint(cmd.OutOrStdout(), styleFor(cmd.OutOrStdout()).CacheVerify(a))
	}
	if err == nil && len(a.Different) > 0 {
		return codeError(exitFindings)
	}
	return err
}

func verifyCalls(cmd *cobra.Command, s cas.Store, most, jobs int, a *render.CacheVerify) error {
	run := func(ctx context.Context, program string, args []string, dir string, env []string) (string, error) {
		r, err := child.Run(ctx, child.Command{Path: program, Args: args, Dir: dir, Env: env, Merged: true})
		return r.Stdout, err
	}
	err := cache.Verify(cmd.Context(), s, os.Environ(), jobs, run, func(v cache.Verified) bool {
		switch {
		case v.Skip != "":
			reason, _, _ := strings.Cut(v.Skip, ":")
			if word, _, ok := strings.Cut(reason, " "); ok && missTexts[word] != "" {
				reason = missTexts[word]
			}
			a.Skipped[reason]++
			return true
		case v.Same:
			a.Same++
		default:
			a.Different = append(a.Different, render.CacheDifference{Key: v.Key.String(), Source: v.Source, Output: v.Output, Args: v.Args, Why: v.Why})
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "compared %s → %s\n", render.Line(filepath.ToSlash(v.Source)), render.Line(filepath.ToSlash(v.Output)))
		return most == 0 || a.Same+len(a.Different) < most
	})
	if err != nil && cmd.Context().Err() != nil {
		return errInterrupted
	}
	return err
}
