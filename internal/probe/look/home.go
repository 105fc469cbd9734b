package look

// CupelHome is where cupel keeps what it installs: CUPEL_HOME, else the place the system has for such things. "" when
// that is not known: without a home folder there is no place of the user's own, and the current one is nobody's choice.
func CupelHome(a *At) string {
	return a.kept("CUPEL_HOME", "XDG_DATA_HOME", []string{".local", "share", "cupel"}, "cupel")
}

// CupelCache is where cupel keeps what can always be deleted: CUPEL_CACHE, else the place the system has for it; "" as
// with CupelHome.
func CupelCache(a *At) string {
	return a.kept("CUPEL_CACHE", "XDG_CACHE_HOME", []string{".cache", "cupel"}, "cupel", "cache")
}

// kept is a folder of cupel's own: what a person says, from the current folder where it is relative; else below the
// system's folder for it. XDG's specification says that a relative value is invalid and to be ignored.
func (a *At) kept(own, xdg string, unix []string, windows ...string) string {
	if v := a.Env(own); v != "" {
		return a.FromCwd(v)
	}
	local := a.Env("LOCALAPPDATA")
	switch xdg := a.Env(xdg); {
	case a.Path.Windows() && a.Path.Abs(local):
		return a.below(local, windows)
	case a.Path.Windows():
		return a.below(a.System.Home, append([]string{"AppData", "Local"}, windows...))
	case a.Path.Abs(xdg):
		return a.below(xdg, []string{"cupel"})
	}
	return a.below(a.System.Home, unix)
}

// below is a path in a folder; "" when the folder is not known by its full path.
func (a *At) below(dir string, parts []string) string {
	if !a.Path.Abs(dir) {
		return ""
	}
	return a.Path.Join(append([]string{dir}, parts...)...)
}
