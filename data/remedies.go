package data

// System is what a distribution offers: its package manager and NVIDIA's repository for it.
type System struct {
	IDs     []string `toml:"ids"`     // as /etc/os-release names them; "wsl" stands for every one under WSL2
	Version string   `toml:"version"` // 24.04, or a major; empty: all
	Manager string   `toml:"manager"` // apt, dnf, dnf5
	Repo    string   `toml:"repo"`    // NVIDIA's name: ubuntu2404
	First   string   `toml:"first"`   // the oldest toolkit seen in the repository
	GCC     []int    `toml:"gcc"`     // majors that the distribution itself has as packages

	Packages map[string]string `toml:"packages"` // component → the version of the distribution's own package
	Source   []string          `toml:"source"`
	Checked  string            `toml:"checked"`
}

// Setup is what must be done once before packages can be had.
type Setup struct {
	ID       string   `toml:"id"`
	Commands []string `toml:"commands"`
	Source   []string `toml:"source"`
}

// Way is one way to get one thing. Empty conditions hold everywhere.
type Way struct {
	ID         string   `toml:"id"`
	Gives      string   `toml:"gives"` // toolkit, parts, compiler, driver, forward-compat, component
	Group      string   `toml:"group"` // exactly one of a group is taken
	Components []string `toml:"components"`
	On         []string `toml:"on"`     // platforms
	CPUs       []string `toml:"cpus"`   // as Go names them
	System     string   `toml:"system"` // the [[system]] to use instead of the distribution's own
	Managers   []string `toml:"managers"`
	IDs        []string `toml:"ids"`     // distributions
	L4T        string   `toml:"l4t"`     // Jetson Linux
	Engines    []string `toml:"engines"` // of the container
	Origins    []string `toml:"origins"` // of the toolkit whose parts are given

	NeedsRepo      bool     `toml:"needs-repo"` // NVIDIA has a repository for the system
	NeedsVariable  []string `toml:"needs-variable"`
	NeedsSource    string   `toml:"needs-source"`    // the source of toolkits that cupel brings it from
	NeedsVS        string   `toml:"needs-vs"`        // none: no Visual Studio is here; 17: one of that major is
	VSFirst        string   `toml:"vs-first"`        // the first version of that major
	NeedsInstaller bool     `toml:"needs-installer"` // only releases with a driver in the tables: for others no installer was seen
	InContainer    *bool    `toml:"in-container"`    // false: not inside one

	Does     string       `toml:"does"`  // what cupel does itself for it: toolkit-install, host-compiler, libclang
	Setup    string       `toml:"setup"` // the [[setup]] that comes before it
	Who      string       `toml:"who"`   // cupel, you, root, reboot
	Title    string       `toml:"title"`
	Root     string       `toml:"root"`     // where a toolkit will be
	Hidden   bool         `toml:"hidden"`   // nothing leads cupel to that root: it must be named by its path
	First    string       `toml:"first"`    // oldest release it gives
	Last     string       `toml:"last"`     // newest one
	Releases []string     `toml:"releases"` // or: exactly these
	Exact    bool         `toml:"exact"`    // it gives any update of X.Y; else the newest of X.Y
	Module   string       `toml:"module"`   // open, proprietary: the kernel module
	Compiler *WayCompiler `toml:"compiler"`
	Version  string       `toml:"gives-version"` // of a component
	OfSystem bool         `toml:"of-system"`     // the component's version is that of the [[system]]'s packages

	Parts       map[string]string `toml:"parts"`        // word of a contract → package; * any other
	CCMin       string            `toml:"cc-min"`       // the lowest capability of the GPUs is at least this
	CCBelow     string            `toml:"cc-below"`     // or less than this
	Branches    []int             `toml:"branches"`     // driver branches that have packages
	FirstBranch int               `toml:"first-branch"` // or every branch from this one on

	DownloadMB int      `toml:"download-mb"` // about; 0: not known
	Commands   []string `toml:"commands"`
	Note       string   `toml:"note"`
	Source     []string `toml:"source"`
	Checked    string   `toml:"checked"`
}

// WayCompiler is the compiler that a way gives.
type WayCompiler struct {
	Family  string `toml:"family"`
	Majors  []int  `toml:"majors"`  // gcc; empty: those of the system
	Command string `toml:"command"` // what can be typed afterwards
	Folder  string `toml:"folder"`
	Own     bool   `toml:"of-studio"` // the toolset of the instance's own version
	Cl      string `toml:"cl"`
	Toolset string `toml:"toolset"`
	SDK     string `toml:"sdk"`
	Studio  string `toml:"studio"`
}

// Settles says which part of a machine the checks are about.
type Settles struct {
	By     string   `toml:"by"`
	Checks []string `toml:"checks"` // ids, or with * at the end
	Alone  []string `toml:"alone"`  // those that no other part of the machine changes
}

// RemedyTable is the whole of remedies.toml.
type RemedyTable struct {
	Checked string   `toml:"checked"`
	Looks   []string `toml:"looks"` // commands that change nothing
	Order   []string `toml:"order"` // components, what others need first

	Building      []string `toml:"building"`       // checks without which no kernel can be compiled
	BuildingAbout []string `toml:"building-about"` // the same for the doctor's rules, by what they are about

	Sources Sources   `toml:"sources"`
	Systems []System  `toml:"system"`
	Setups  []Setup   `toml:"setup"`
	Ways    []Way     `toml:"way"`
	Settles []Settles `toml:"settles"`
}

// AllRemedies is remedies.toml, parsed once.
var AllRemedies = once("remedies.toml", func(t *RemedyTable) {
	for _, r := range t.Systems {
		t.Sources.resolve(r.Source)
	}
	for _, r := range t.Setups {
		t.Sources.resolve(r.Source)
	}
	for _, r := range t.Ways {
		t.Sources.resolve(r.Source)
	}
})

// SetupOf finds a setup by its id; nil: there is none.
func SetupOf(id string) *Setup {
	for i, s := range AllRemedies().Setups {
		if s.ID == id {
			return &AllRemedies().Setups[i]
		}
	}
	return nil
}

// Ways lists the ways to get something, in the order in which they are preferred.
func Ways() []Way { return AllRemedies().Ways }
