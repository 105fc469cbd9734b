package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"cupel/internal/verify"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// The objects of SARIF 2.1.0 that are used, named as the specification names them.
type (
	sarifLog struct {
		Version string     `json:"version"`
		Schema  string     `json:"$schema"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string       `json:"id"`
		Short sarifMessage `json:"shortDescription"`
		Full  sarifMessage `json:"fullDescription"`
		Help  sarifMessage `json:"help"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   map[string]string `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

// SARIF is the answer as static analysis results: what failed and what is warned of. Passed and skipped checks
// are no results.
func SARIF(a verify.Answer) ([]byte, error) {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "cupel", Version: fit(a.Cupel), Rules: []sarifRule{}}
	index := map[string]int{}
	for _, c := range shownChecks(a) {
		level := map[verify.Status]string{verify.Fail: "error", verify.Warn: "warning"}[c.Status]
		if level == "" {
			continue
		}
		at, ok := index[c.ID]
		if !ok {
			at = len(run.Tool.Driver.Rules)
			index[c.ID] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(c))
		}
		r := sarifResultOf(c, a.Contract)
		r.RuleIndex, r.Level = at, level
		run.Results = append(run.Results, r)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(sarifLog{Version: "2.1.0", Schema: sarifSchema, Runs: []sarifRun{run}}); err != nil {
		return nil, fmt.Errorf("write SARIF: %w", err)
	}
	return b.Bytes(), nil
}

// sarifRuleOf describes the check and not what it found: a rule's text stays the same from run to run.
func sarifRuleOf(c verify.Check) sarifRule {
	full := "a check of cupel doctor that touches what the contract uses"
	if c.Key != "" {
		full = "what the contract says under " + fit(c.Key)
	}
	return sarifRule{ID: fit(c.ID), Short: sarifText(strings.ReplaceAll(fit(c.ID), "-", " ")), Full: sarifText(full), Help: sarifText("cupel verify --only " + fit(c.ID))}
}

func sarifResultOf(c verify.Check, contract string) sarifResult {
	r := sarifResult{RuleID: fit(c.ID), Fingerprints: map[string]string{"cupelCheck/v1": fingerprint(c, contract)}, Properties: map[string]string{}}
	lines := append([]string{fit(c.What)}, plainCheck(c)...)
	r.Message = sarifText(strings.Join(lines, "\n"))
	for name, value := range map[string]string{"key": c.Key, "expected": c.Expected, "found": c.Found} {
		if value != "" {
			r.Properties[name] = fit(value)
		}
	}
	at := placeOf(c.Where, contract)
	if at.file == "" {
		at.file = contract // a result needs a place to be shown at: the contract is what is not met
	}
	r.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{fileURI(at.file)}, sarifRegion{max(at.line, 1), at.col}}}}
	return r
}

// sarifText writes literal text: braces are placeholders in SARIF (3.11.5), and [x](y) is a link (3.11.6).
func sarifText(s string) sarifMessage {
	if strings.TrimSpace(s) == "" {
		s = "-"
	}
	return sarifMessage{strings.NewReplacer("{", "{{", "}", "}}", "](", "] (").Replace(s)}
}

// fingerprint knows a result again in another run, also when lines of the contract moved: it is made of what is
// checked. What stands outside the files (a toolkit's root) tells results of one id apart.
func fingerprint(c verify.Check, contract string) string {
	where := ""
	if placeOf(c.Where, contract).file == "" {
		where = c.Where
	}
	sum := sha256.Sum256([]byte(c.ID + "\x00" + c.Key + "\x00" + where))
	return hex.EncodeToString(sum[:16])
}

// place is a place in a file; line and col count from 1, 0 is not told.
type place struct {
	file      string
	line, col int
}

// placeOf reads FILE:LINE:COL or FILE:LINE, the first of several, or the contract's own name; anything else is a
// sentence and no place.
func placeOf(where, contract string) place {
	if where == contract {
		return place{file: where}
	}
	if first, _, several := strings.Cut(where, ", "); several {
		if at := placeOf(first, contract); at.file != "" {
			return at
		}
	}
	rest, last, ok := cutNumber(where)
	if !ok || where[0] == ':' || strings.Contains(where, "://") || strings.ContainsAny(where, "\r\n") {
		return place{}
	}
	if file, line, ok := cutNumber(rest); ok {
		return place{file, line, last}
	}
	return place{file: rest, line: last}
}

// cutNumber takes :N off the end. On Windows the first colon of a path is the drive's.
func cutNumber(s string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 1 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n < 1 || s[i+1] == '+' {
		return s, 0, false
	}
	return s[:i], n, true
}

// fileURI is relative for a relative path, so that it holds on every machine.
func fileURI(file string) string {
	path := strings.TrimPrefix(slashed(fit(file)), "./")
	if len(path) > 2 && path[1:3] == ":/" {
		path = "/" + path
	}
	u := url.URL{Path: path}
	if strings.HasPrefix(path, "/") {
		return "file://" + u.EscapedPath()
	}
	return u.String()
}

// slashed gives a path as formats for the web want it; names with a backslash in them are not met in projects.
func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }
