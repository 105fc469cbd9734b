package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"cupel/internal/depot"
	"cupel/internal/fetch"
	"cupel/internal/finding"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/toolkit"
	"cupel/internal/unpack"
)

// nothingFound: no source has what was asked for.
type nothingFound struct {
	request resolve.Request
	found   found
}

func (e nothingFound) Error() string {
	return fmt.Sprintf("no source has CUDA %s for %s", e.request.Release, e.request.Platform)
}

// installFinding tells what stopped an install; known is false for an error that nobody foresaw.
func installFinding(j *install, err error) (f finding.Finding, known bool) {
	f = finding.Finding{Severity: finding.Error, Why: err.Error()}
	if j.answer.Plan != nil {
		f.Where = fmt.Sprintf("CUDA %s from %s", j.answer.Plan.Release, j.answer.Plan.Source)
	}
	for _, tell := range []func(*install, error, *finding.Finding) bool{
		notAccepted, notFound, wrongChecksum, tooFull, notProved, otherThanLocked, gone, refusedArchive, noCompiler, held, noRight, tooSlow,
	} {
		if tell(j, err, &f) {
			return f, true
		}
	}
	f.ID, f.What = "install-stopped", "the toolkit could not be installed"
	return f, false
}

func notAccepted(_ *install, err error, f *finding.Finding) bool {
	var not notAcceptedYet
	if !errors.As(err, &not) {
		return false
	}
	f.ID, f.What, f.Where = "licence-not-accepted", "NVIDIA's licence was not accepted", strings.Join(pagesOf(not.names), ", ")
	f.Next = []finding.Step{{Note: "--accept-license, --yes or CUPEL_ACCEPT_LICENSE=1 accept it"}}
	return true
}

// notFound tells apart a release that nobody has, a component that the sources lack, and sources out of reach.
func notFound(j *install, err error, f *finding.Finding) bool {
	var none nothingFound
	if !errors.As(err, &none) {
		return false
	}
	passed := none.found.passed
	reachable, lacking := 0, []string(nil)
	for i, e := range none.found.errs {
		var part resolve.NotOffered
		if errors.As(e, &part) {
			lacking = append(lacking, part.Words...)
		}
		if passed[i].Reachable {
			reachable++
		}
	}
	switch {
	case brokenList(none.found) >= 0:
		i := brokenList(none.found)
		*f = finding.Finding{ID: "source-broken", Severity: finding.Error, What: fmt.Sprintf("what the source %s has of CUDA %s cannot be read", passed[i].Name, none.request.Release), Where: j.mirrorOr(passed[i].Name), Why: passed[i].Why,
			Next: []finding.Step{{Command: "cupel toolkit search " + none.request.Release.String(), Note: "which other source has it"}}}
	case reachable == 0 && j.flags.from == "":
		*f = noSource(passed)
	case reachable == 0:
		*f = unreachable(passed[0])
		f.Severity = finding.Error
		f.Next = append(f.Next, finding.Step{Command: "cupel toolkit search " + none.request.Release.String(), Note: "which other source has it"})
	case len(lacking) > 0:
		*f = finding.Finding{ID: "component-not-offered", Severity: finding.Error, What: fmt.Sprintf("%s %s of CUDA %s for %s", lacks(j.flags.from), strings.Join(unique(lacking), ", "), none.request.Release, none.request.Platform),
			Why: reasons(passed), Next: []finding.Step{{Command: "cupel toolkit search " + none.request.Release.String(), Note: "shows the components of each source"}}}
	default:
		*f = noRelease(j.flags.from, none.request.Release.String(), none.request.Platform, passed)
	}
	return true
}

// brokenList is the first source whose answer was no answer: neither out of reach nor without the release. -1: none.
func brokenList(f found) int {
	return slices.IndexFunc(f.errs, func(err error) bool {
		var away source.Unreachable
		var release source.NoRelease
		var part resolve.NotOffered
		return !errors.As(err, &away) && !errors.As(err, &release) && !errors.As(err, &part)
	})
}

// mirrorOr is where redist looks, where that was said; else the source's name.
func (j *install) mirrorOr(name string) string {
	if base := redistBase(j.flags.sourceFlags); name == "redist" && base != "" {
		return base
	}
	return name
}

func unique(words []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			out = append(out, w)
		}
		seen[w] = true
	}
	return out
}

func wrongChecksum(j *install, err error, f *finding.Finding) bool {
	var sum toolkit.WrongChecksum
	var size fetch.WrongSize
	f.ID = "checksum-mismatch"
	switch {
	case errors.As(err, &sum):
		f.What, f.Where = fmt.Sprintf("%s is not what %s promised", sum.Parcel.File, j.answer.Plan.Source), sum.Parcel.Place
	case errors.As(err, &size):
		f.What, f.Where = "a file has another size than "+j.answer.Plan.Source+" promised", size.Address
	default:
		return false
	}
	if sum.Truncated {
		f.What = fmt.Sprintf("%s was cut off: %s of %s", sum.Parcel.File, render.Bytes(sum.GotSize), render.Bytes(sum.Parcel.Size.Download))
	}
	f.Next = []finding.Step{{Command: j.again(), Note: "fetches it again"}, {Command: "cupel toolkit search " + j.answer.Plan.Release, Note: "which other source has the release"}}
	return true
}

func tooFull(j *install, err error, f *finding.Finding) bool {
	var full depot.NoSpace
	if !errors.As(err, &full) && !fetch.IsFull(err) {
		return false
	}
	f.ID, f.What, f.Where = "no-space", "the disk is too full", full.Dir
	f.Next = []finding.Step{{Note: "free some space, or name a folder on another disk with CUPEL_HOME and CUPEL_CACHE"}, {Command: "cupel toolkit list", Note: "what is installed, and how large it is"}}
	return true
}

func notProved(j *install, err error, f *finding.Finding) bool {
	var bad toolkit.Unproved
	if !errors.As(err, &bad) {
		return false
	}
	after := "it was taken away again"
	if j.adding {
		after = "what was added was taken away again, and the toolkit that was there is untouched"
	}
	f.ID, f.What = "toolkit-unproved", fmt.Sprintf("CUDA %s was unpacked, but %s did not work; %s", bad.Plan.Release, bad.Step, after)
	f.Why = bad.Said
	f.Next = []finding.Step{{Command: "cupel doctor", Note: "what is wrong with this machine"}, {Command: "cupel toolkit search " + bad.Plan.Release, Note: "which other source has the release"}}
	return true
}

func otherThanLocked(j *install, err error, f *finding.Finding) bool {
	var other otherFiles
	if !errors.As(err, &other) {
		return false
	}
	f.ID, f.What, f.Why = "lock-parcel-differs", "the files of "+j.answer.Plan.Source+" are not those that "+lockFile+" names", strings.Join(other.differ, "; ")
	f.Next = []finding.Step{{Command: "cupel lock", Note: "locks what is installed instead, once it is"}}
	if other.after {
		f.What += "; they are installed"
	}
	return true
}

func gone(j *install, err error, f *finding.Finding) bool {
	var away source.Unreachable
	var failed fetch.Failed
	switch {
	case errors.As(err, &away):
	case errors.As(err, &failed):
		away = source.Unreachable{Source: j.answer.Plan.Source, Why: failed.Error()}
	default:
		return false
	}
	f.ID, f.What, f.Why = "source-unreachable", "the source "+away.Source+" cannot be used any more", away.Why
	f.Next = []finding.Step{{Command: j.again(), Note: "what came is not fetched again"}}
	if away.Next != "" {
		f.Next = append([]finding.Step{{Note: away.Next}}, f.Next...)
	}
	return true
}

// held: Windows neither moves nor replaces a folder while a program has a file of it open. It stands before noRight,
// because the system's own answer is that access is denied.
func held(j *install, err error, f *finding.Finding) bool {
	var use depot.InUse
	if !errors.As(err, &use) {
		return false
	}
	f.ID, f.What, f.Where = "toolkit-in-use", "the folder is in use: it can be neither moved nor replaced", use.Dir
	f.Why = "a program runs from it or has a file of it open: " + use.Err.Error()
	f.Next = []finding.Step{{Note: "end the programs that use it (a shell in the folder, an editor, nvcc, a build), then:"}, {Command: j.again()}}
	return true
}

// noRight: a folder that may not be written, or lies on a disk that is read-only.
func noRight(j *install, err error, f *finding.Finding) bool {
	var not depot.NotWritable
	if !errors.As(err, &not) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) && !errors.Is(err, syscall.ENOTDIR) {
		return false
	}
	f.ID, f.What, f.Where = "no-permission", "the folder cannot be written", cmp.Or(not.Dir, f.Where)
	f.Next = []finding.Step{{Note: "name folders of your own with CUPEL_HOME and CUPEL_CACHE, then:"}, {Command: j.again()}}
	return true
}

func tooSlow(j *install, err error, f *finding.Finding) bool {
	var late errTimeout
	if !errors.As(err, &late) {
		return false
	}
	f.ID, f.What = "install-timeout", "the install was "+late.Error()
	f.Next = []finding.Step{{Command: j.again(), Note: "what came is not fetched again"}}
	return true
}

// again is the command that was typed, as it can be typed again.
func (j *install) again() string {
	source := ""
	if j.answer.Plan != nil && j.root == "" && j.cmd.Name() == "install" { // up plans anew
		source = j.answer.Plan.Source
	}
	return again(j.cmd, source)
}

// refusedArchive: what came is no archive of files, or an unkind one.
func refusedArchive(j *install, err error, f *finding.Finding) bool {
	var refused unpack.Refused
	var damaged unpack.Damaged
	switch {
	case errors.As(err, &refused):
		f.ID, f.What = "archive-refused", "an archive was refused: it is not made as an honest one is"
	case errors.As(err, &damaged):
		f.ID, f.What = "archive-damaged", "an archive cannot be unpacked"
	default:
		return false
	}
	f.Next = []finding.Step{{Command: "cupel toolkit search " + j.answer.Plan.Release, Note: "which other source has the release"}}
	return true
}
