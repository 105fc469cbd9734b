package fetch

import (
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"cupel/internal/child"
)

// Local is the path that an address names, when it names one: file:///srv/mirror, /srv/mirror, C:\mirror.
func Local(address string) (path string, ok bool) {
	if !strings.Contains(address, "://") {
		return filepath.FromSlash(address), true
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	return localPath(u, runtime.GOOS == "windows"), true
}

// localPath reads file://HOST/PATH. On Windows /C:/x is a path with a drive, and a host is one of the network.
func localPath(u *url.URL, windows bool) string {
	path := u.Path
	if !windows {
		return path
	}
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:]
	}
	if u.Host != "" && u.Host != "localhost" {
		path = "//" + u.Host + path
	}
	return strings.ReplaceAll(path, "/", `\`)
}

// Join puts a relative path with forward slashes behind an address or a folder.
func Join(base, rel string) string {
	if !strings.Contains(base, "://") {
		return filepath.Join(base, filepath.FromSlash(rel))
	}
	u, err := url.Parse(base)
	if err != nil {
		return strings.TrimSuffix(base, "/") + "/" + rel
	}
	return u.JoinPath(rel).String()
}

// Shown is an address as it may be printed: without a password, a name, a token or a query.
func Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Host == "" {
		if !strings.Contains(address, "://") {
			return address
		}
		return "the address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return child.Mask(u.String())
}

// usable says whether cupel can fetch from an address at all.
func usable(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("%s cannot be read as one", Shown(address))
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%s: cupel fetches from http, https and file addresses and from folders", Shown(address))
	case u.Host == "":
		return fmt.Errorf("%s names no server", Shown(address))
	}
	return nil
}
