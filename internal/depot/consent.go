package depot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Consent is that a person accepted licences, once for all installs.
type Consent struct {
	Licenses []string  `json:"licenses"` // by name
	How      string    `json:"how"`      // of the newest: terminal, --accept-license, --yes, CUPEL_ACCEPT_LICENSE
	Cupel    string    `json:"cupel"`
	When     time.Time `json:"when"`
}

// Covers lists the licences among names that were not accepted. Of no consent that is every one.
func (c *Consent) Covers(names []string) (missing []string) {
	for _, n := range names {
		if (c == nil || !slices.Contains(c.Licenses, n)) && !slices.Contains(missing, n) {
			missing = append(missing, n)
		}
	}
	return missing
}

func (d Depot) consent() string { return filepath.Join(d.Home, "consent.json") }

// consentLimit is far above what any list of licences needs.
const consentLimit = 1 << 20

// Consented is what was recorded; nil: nothing.
func (d Depot) Consented() (*Consent, error) {
	info, err := os.Stat(d.consent())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() > consentLimit {
		err = fmt.Errorf("%s is larger than %d bytes", d.consent(), consentLimit)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(d.consent())
	}
	var c *Consent
	if err == nil {
		c, err = parseConsent(text)
	}
	if err != nil {
		return nil, fmt.Errorf("read the recorded consent: %w", err)
	}
	return c, nil
}

// parseConsent reads a record. One without a licence records nothing, whatever else stands in it.
func parseConsent(text []byte) (*Consent, error) {
	var c Consent
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	c.Licenses = slices.DeleteFunc(c.Licenses, func(l string) bool { return l == "" })
	if len(c.Licenses) == 0 {
		return nil, nil
	}
	return &c, nil
}

// Consent records licences besides those that were accepted before. What is recorded already is not written again, so
// that a depot which may not be written can be used. Of two processes that record at the same moment the later one is
// asked again.
func (d Depot) Consent(c Consent) error {
	before, err := d.Consented()
	if err == nil && before != nil {
		if len(before.Covers(c.Licenses)) == 0 {
			return nil
		}
		c.Licenses = append(slices.Clone(before.Licenses), before.Covers(c.Licenses)...)
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.Home, 0o777); err != nil {
		return notWritable(d.Home, err)
	}
	if err := write(d.consent(), append(text, '\n')); err != nil {
		return fmt.Errorf("record the consent: %w", notWritable(d.Home, err))
	}
	return nil
}
