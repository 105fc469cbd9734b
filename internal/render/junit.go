package render

import (
	"encoding/xml"
	"fmt"
	"strings"

	"cupel/internal/verify"
)

// The elements and attributes are those of Jenkins' schema (xunit-plugin, junit-10.xsd); GitLab reads a part of
// them. There is no time: a check takes none worth telling.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string       `xml:"name,attr"`
		Classname string       `xml:"classname,attr"`
		Failure   *junitResult `xml:"failure"`
		Skipped   *junitResult `xml:"skipped"`
		Out       *junitText   `xml:"system-out"`
	}
	junitResult struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",cdata"`
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

// JUnit is the answer as a test report: each check is a test case. The format knows no warning: one passes with
// its text, or fails where warnings fail.
func JUnit(a verify.Answer) ([]byte, error) {
	suite := junitSuite{Name: xmlText(a.Project), Properties: junitProperties(a)}
	names := caseNames(shownChecks(a))
	for i, c := range shownChecks(a) {
		t := junitCaseOf(c, a.Strict)
		t.Name, t.Classname = names[i], "cupel."+strings.ReplaceAll(xmlText(a.Project), ".", "_")
		suite.Cases = append(suite.Cases, t)
		suite.Tests++
		if t.Failure != nil {
			suite.Failures++
		}
		if t.Skipped != nil {
			suite.Skipped++
		}
	}
	out, err := xml.MarshalIndent(junitSuites{Name: "cupel verify", Tests: suite.Tests, Failures: suite.Failures, Suites: []junitSuite{suite}}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write JUnit XML: %w", err)
	}
	return append([]byte(xml.Header), append(out, '\n')...), nil
}

func junitProperties(a verify.Answer) []junitProperty {
	var out []junitProperty
	for _, p := range []junitProperty{
		{"cupel", a.Cupel}, {"contract", a.Contract}, {"platform", a.Platform}, {"toolkit", a.Toolkit}, {"band", string(a.Band)}, {"summary", verifySummary(a)},
	} {
		if p.Value != "" {
			out = append(out, junitProperty{p.Name, xmlText(p.Value)})
		}
	}
	return out
}

func junitCaseOf(c verify.Check, strict bool) junitCase {
	text := xmlLines(plainCheck(c))
	failure := func(kind string) junitCase {
		return junitCase{Failure: &junitResult{Message: xmlText(c.What), Type: kind, Text: text}}
	}
	switch {
	case c.Status == verify.Fail:
		return failure("failure")
	case c.Status == verify.Warn && strict:
		return failure("warning")
	case c.Status == verify.Skipped:
		return junitCase{Skipped: &junitResult{Message: xmlText(skippedWhy(c))}}
	}
	head := map[verify.Status]string{verify.Warn: "warning: ", verify.ExpectedFail: "failed as expected: "}[c.Status]
	return junitCase{Out: &junitText{xmlLines([]string{head + fit(c.What), text})}}
}

// caseNames gives every check a name of its own: GitLab drops a second case of the same name. An id that is
// there once is the name, so that a history of runs can be kept.
func caseNames(checks []verify.Check) []string {
	ids, used := map[string]int{}, map[string]int{}
	for _, c := range checks {
		ids[c.ID]++
	}
	out := make([]string, len(checks))
	for i, c := range checks {
		name := xmlText(c.ID)
		if ids[c.ID] > 1 && c.Where != "" {
			name += " (" + xmlText(c.Where) + ")"
		}
		if used[name]++; used[name] > 1 {
			name = fmt.Sprintf("%s #%d", name, used[name])
		}
		out[i] = name
	}
	return out
}

func xmlLines(lines []string) string {
	return xmlChars(strings.TrimRight(strings.Join(lines, "\n"), "\n"))
}

func xmlText(s string) string { return xmlChars(fit(s)) }

// xmlChars takes out the two characters that fit leaves and XML 1.0 does not allow: nothing escapes them in a
// CDATA section.
func xmlChars(s string) string { return strings.NewReplacer("\uFFFE", "", "\uFFFF", "").Replace(s) }
