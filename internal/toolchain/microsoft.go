package toolchain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cupel/internal/digest"
)

// besideCl are the parts of Microsoft's compiler in cl.exe's folder: front ends, back end, messages, debug information.
var besideCl = []string{
	"c1.dll", "c1xx.dll", "c2.dll", "mspdbcore.dll", "mspdb140.dll", "msobj140.dll", "mspdbsrv.exe", "tbbmalloc.dll", "1033/clui.dll",
}

// aboveCl are the files from which nvcc.exe learns the environment of cl.exe: without --use-local-env it runs vcvarsall.bat
// (nvcc --help), which picks tools and the Windows SDK. They stand below Visual Studio's folder.
var aboveCl = []string{
	"VC/Auxiliary/Build/vcvarsall.bat", "VC/Auxiliary/Build/vcvars64.bat", "VC/Auxiliary/Build/Microsoft.VCToolsVersion.default.txt",
	"Common7/Tools/VsDevCmd.bat", "Common7/Tools/vsdevcmd/core/winsdk.bat", "Common7/Tools/vsdevcmd/ext/vcvars.bat",
}

// microsoft adds cl.exe and its parts. What vcvarsall.bat will set is not asked for (it takes a second and more): its own
// text and the installed versions of the Windows SDK stand for it, and INCLUDE and its like are variables of the call. An
// SDK that only the registry knows of would be missed.
func (f *finder) microsoft(driver string) error {
	first := len(f.tools.Files)
	key := noteKey("cl", driver)
	if b, err := f.store.Note(hostKind, key); err == nil {
		if old, ok := takeAnswer(b); ok {
			f.learn(old.files)
		}
	}
	if _, err := f.add("host", driver); err != nil {
		return fmt.Errorf("read the host compiler: %w", err)
	}
	dir := filepath.Dir(driver)
	studio := filepath.Join(dir, "..", "..", "..", "..", "..", "..", "..") // VC\Tools\MSVC\14.40.33807\bin\Hostx64\x64
	for _, name := range besideCl {
		if _, err := f.add("host part", filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("read the host compiler: %w", err)
		}
	}
	for _, name := range aboveCl {
		if _, err := f.add("host environment", filepath.Join(studio, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("read the host compiler: %w", err)
		}
	}
	f.remember(key, first)
	if err := f.kits(); err != nil {
		return err
	}
	for folder := range strings.SplitSeq(f.env.get("INCLUDE"), string(filepath.ListSeparator)) {
		if folder != "" {
			f.tools.Includes = append(f.tools.Includes, folder)
		}
	}
	return nil
}

// remember writes the digests down when they are not what the store has.
func (f *finder) remember(key digest.Digest, first int) {
	now := answer{files: f.knowns(f.tools.Files[first:])}.append(nil)
	if old, err := f.store.Note(hostKind, key); err != nil || string(old) != string(now) {
		_ = f.store.SetNote(hostKind, key, now) // it would only save time
	}
}

// kits adds the versions of the Windows SDK that are installed, by their names.
func (f *finder) kits() error {
	kits := f.env.get("WindowsSdkDir")
	if kits == "" {
		kits = filepath.Join(f.env.get("ProgramFiles(x86)"), "Windows Kits", "10")
	}
	dir := filepath.Join(kits, "Include")
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for the Windows SDK: %w", err)
	}
	var names strings.Builder
	for _, e := range entries {
		names.WriteString(e.Name() + "\n")
	}
	f.tools.Files = append(f.tools.Files, File{Role: "Windows SDK versions", Path: dir, Digest: digest.Of([]byte(names.String()))})
	return nil
}
