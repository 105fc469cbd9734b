package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"

	"cupel/internal/child"
)

// Failed is a file that could not be had.
type Failed struct {
	Address string // as it may be printed
	Why     string
	Status  int // of the server's answer; 0: there was none
	Err     error
}

func (e Failed) Error() string { return "get " + e.Address + ": " + e.Why }
func (e Failed) Unwrap() error { return e.Err }

// Missing says whether an error means that the server or folder answered and does not have the file.
func Missing(err error) bool {
	var f Failed
	if errors.As(err, &f) && (f.Status == http.StatusNotFound || f.Status == http.StatusGone) {
		return true
	}
	return errors.Is(err, fs.ErrNotExist)
}

// WrongSize is a file that is not as long as promised.
type WrongSize struct {
	Address   string
	Got, Want int64
	AtLeast   bool // Got is where reading was stopped
}

func (e WrongSize) Error() string {
	got := fmt.Sprintf("%d", e.Got)
	if e.AtLeast {
		got = "at least " + got
	}
	return fmt.Sprintf("get %s: it has %s bytes, want %d", e.Address, got, e.Want)
}

// What ends one connection.
var (
	errStalled = errors.New("no byte came")
	errChanged = errors.New("the file changed while it was fetched")
	errDropped = errors.New("the connection was dropped")

	errRedirect = errors.New("the server redirects")
)

// failed puts an error into a person's words. That the caller's context ended is not its matter: a dial that took too long
// looks the same to errors.Is, and its own text has the whole address.
func (c Client) failed(address string, err error) error {
	var f Failed
	var size WrongSize
	if errors.As(err, &f) {
		return f // without what was only said to ourselves
	}
	if err == nil || errors.As(err, &size) {
		return err
	}
	return Failed{Address: Shown(address), Why: c.why(err), Err: err}
}

func (c Client) why(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	var via *url.Error
	switch {
	case errors.Is(err, errStalled):
		return fmt.Sprintf("no byte came for %s", c.Stall)
	case errors.Is(err, errDropped), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), isReset(err):
		return "the connection was dropped"
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return "the proxy that the environment names (HTTPS_PROXY, HTTP_PROXY) cannot be used: " + c.why(op.Err)
	case errors.As(err, &dns):
		return fmt.Sprintf("the name %s cannot be looked up (%s)", dns.Name, dns.Err)
	case isRefused(err):
		if errors.As(err, &op) && op.Addr != nil {
			return op.Addr.String() + " refuses the connection"
		}
		return "the connection is refused"
	case isTLS(err):
		return "the server cannot be trusted: " + innermost(err)
	case IsFull(err):
		return "the disk is full: " + err.Error()
	case isTimeout(err):
		return "it did not answer in time"
	case errors.As(err, &via):
		return child.Mask(via.Err.Error())
	}
	return child.Mask(err.Error())
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// IsFull says whether an error means a full disk.
func IsFull(err error) bool { return isFull(err) }

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verify) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.As(err, &authority) || errors.As(err, &name) || errors.As(err, &invalid)
}

func innermost(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}

// hopeless says that trying again at once would end the same way: nobody listens, no such name, no trust, no room.
func hopeless(err error) bool {
	var dns *net.DNSError
	return IsFull(err) || isTLS(err) || errors.Is(err, errRedirect) || isRefused(err) || errors.As(err, &dns) && dns.IsNotFound || isFileError(err)
}

// isFileError tells our own disk from the network.
func isFileError(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
}
