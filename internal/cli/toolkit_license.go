package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"cupel/data"
	"cupel/internal/depot"
	"cupel/internal/resolve"
)

// toolkitLicense is that of the CUDA Toolkit, by the name that parcels carry; a parcel that names none is under it.
const toolkitLicense = "CUDA Toolkit EULA"

// licensePages are where NVIDIA's licences can be read, by the names that parcels carry.
var licensePages = map[string]string{
	toolkitLicense: "https://docs.nvidia.com/cuda/eula/",                                     // its own title
	"cuDNN SLA":    "https://docs.nvidia.com/deeplearning/cudnn/sla/index.html",              // anaconda.org, package cudnn: "governed by the NVIDIA cuDNN Software License Agreement"
	"NVIDIA SLA":   "https://docs.nvidia.com/nsight-compute/CopyrightAndLicenses/index.html", // docs.nvidia.com/nsight-compute: "information on the NVIDIA Software License Agreement"
}

// licensesOf are the licences of parcels, each once.
func licensesOf(parcels []resolve.Parcel) []string {
	var out []string
	for _, p := range parcels {
		if name := cmp.Or(p.License, toolkitLicense); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// pagesOf are licences with where to read them.
func pagesOf(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, strings.TrimSpace(n+" "+licensePages[n]))
	}
	return out
}

// consentFlags are the ways to accept them without being asked.
type consentFlags struct {
	accept bool
	yes    bool
}

func (f *consentFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.accept, "accept-license", false, "accept NVIDIA's licences without being asked")
	cmd.Flags().BoolVarP(&f.yes, "yes", "y", false, "answer every question with yes, the one about licences too")
}

// given is how licences were accepted on the command line or in the environment; "" when they were not.
func (f consentFlags) given() string {
	switch {
	case f.accept:
		return "--accept-license"
	case f.yes:
		return "--yes"
	case os.Getenv("CUPEL_ACCEPT_LICENSE") == "1":
		return "CUPEL_ACCEPT_LICENSE"
	}
	return ""
}

// notAcceptedYet are licences that nobody accepted.
type notAcceptedYet struct {
	names   []string
	unasked bool // nobody could be asked
}

func (e notAcceptedYet) Error() string {
	text := "NVIDIA's licence was not accepted"
	if !e.unasked {
		return text + ": nothing was installed"
	}
	if v := os.Getenv("CUPEL_ACCEPT_LICENSE"); v != "" && v != "1" {
		text += fmt.Sprintf(" (CUPEL_ACCEPT_LICENSE is %q; only 1 counts)", v)
	}
	return fmt.Sprintf("%s, and there is no terminal to ask on: read %s, then accept with --accept-license, --yes or CUPEL_ACCEPT_LICENSE=1", text, strings.Join(pagesOf(e.names), ", "))
}

// consent makes sure that a person accepted these licences: recorded before, by a flag or variable, or asked now. where
// is the folder in which they will lie.
func consent(cmd *cobra.Command, d depot.Depot, f consentFlags, names []string, where string) error {
	missing := notCovered(d, names)
	if len(missing) == 0 {
		return nil
	}
	how := f.given()
	if how == "" {
		if !canAsk(cmd) {
			return usageError{notAcceptedYet{missing, true}}
		}
		if ok, err := confirm(cmd, licenseQuestion(missing, where)); err != nil || !ok {
			return errors.Join(usageError{notAcceptedYet{missing, false}}, err)
		}
		how = "terminal"
	}
	return d.Consent(depot.Consent{Licenses: missing, How: how, Cupel: Version, When: time.Now().UTC().Truncate(time.Second)})
}

// notCovered are those of the licences that no recorded consent covers; one that cannot be read covers nothing.
func notCovered(d depot.Depot, names []string) []string {
	before, err := d.Consented()
	if err != nil {
		before = nil
	}
	return before.Covers(names)
}

func licenseQuestion(names []string, where string) string {
	one := len(names) == 1
	text := fmt.Sprintf("What is installed is NVIDIA's, under %s:\n", map[bool]string{true: "this licence", false: "these licences"}[one])
	for _, line := range pagesOf(names) {
		text += "  " + line + "\n"
	}
	return text + fmt.Sprintf("The text will lie in %s. Do you accept %s?", where, map[bool]string{true: "it", false: "them"}[one])
}

// mayInstall refuses early where consent could not be had later: nothing is asked of the network first. What else the
// plan is under shows only then.
func mayInstall(cmd *cobra.Command, d depot.Depot, f consentFlags, with []string) error {
	parcels := []resolve.Parcel{{}}
	for _, w := range with {
		parcels = append(parcels, resolve.Parcel{License: data.LicenseOf(w)})
	}
	missing := notCovered(d, licensesOf(parcels))
	if f.given() != "" || canAsk(cmd) || len(missing) == 0 {
		return nil
	}
	return usageError{notAcceptedYet{missing, true}}
}

// canAsk: a person is there when both the question can be read and the answer typed.
func canAsk(cmd *cobra.Command) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	out, ok2 := cmd.ErrOrStderr().(*os.File)
	return ok && ok2 && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// confirm asks a question that only yes answers with yes.
func confirm(cmd *cobra.Command, text string) (bool, error) {
	fmt.Fprintf(cmd.ErrOrStderr(), "%s [y/N] ", text)
	type line struct {
		text string
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
		typed <- line{text, err}
	}()
	select {
	case <-cmd.Context().Done():
		return false, errInterrupted
	case l := <-typed:
		if l.err != nil && !errors.Is(l.err, io.EOF) {
			return false, l.err
		}
		word := strings.ToLower(strings.TrimSpace(l.text))
		return word == "y" || word == "yes", nil
	}
}
