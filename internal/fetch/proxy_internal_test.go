package fetch

import (
	"net"
	"net/url"
	"testing"
)

// TestDeadProxy: a proxy that does not answer is named as one; the server behind it was never asked.
func TestDeadProxy(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, dial := net.Dial("tcp", address)
	if dial == nil {
		t.Fatalf("somebody listens at %s", address)
	}
	err = &url.Error{Op: "Get", URL: "https://example.org/x?secret=1", Err: &net.OpError{Op: "proxyconnect", Net: "tcp", Err: dial}}
	want := "the proxy that the environment names (HTTPS_PROXY, HTTP_PROXY) cannot be used: " + address + " refuses the connection"
	if got := (Client{}).why(err); got != want {
		t.Errorf("why(%v) = %q, want %q", err, got, want)
	}
}
