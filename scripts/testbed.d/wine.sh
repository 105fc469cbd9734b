# The Windows lane: a wine prefix, and in it a Visual Studio folder whose cl.exe is a stand-in (testdata/winlab says what it is).
# Other parts appear in the prefix through links, so a part can be fetched again without making the prefix anew:
#   C:\Program Files\Microsoft Visual Studio, C:\ProgramData\Microsoft\VisualStudio, C:\Program Files (x86)\Windows Kits -> vs
#   C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v13.0 -> win-cuda-13.0/nvidia/cu13 (pip's layout at the installer's place)

lab=$repo/testdata/winlab

wine_prefix() {
  need wine wine64 gcc-mingw-w64-x86-64-win32 clang-16 lld-16 llvm-16 python3-minimal
  export WINEPREFIX=$new/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
  unset DISPLAY
  say "$part: making the prefix"
  wineboot -i > /dev/null 2>&1
  x86_64-w64-mingw32-gcc -shared -O1 -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$lab/bcryptprimitives.c" -ladvapi32
  wine regedit /S "$(windows_path "$lab/vs/machine.reg")" > /dev/null 2>&1
  wineserver -w
  link_parts
}
windows_path() { local p=${1//\//\\}; printf 'Z:%s' "$p"; }
link_parts() {
  local c=$WINEPREFIX/drive_c release
  mkdir -p "$c/Program Files (x86)" "$c/ProgramData/Microsoft" "$c/Program Files/NVIDIA GPU Computing Toolkit/CUDA"
  ln -s ../../../../vs/studio "$c/Program Files/Microsoft Visual Studio"
  ln -s ../../../../vs/kits "$c/Program Files (x86)/Windows Kits"
  ln -s ../../../../../vs/records "$c/ProgramData/Microsoft/VisualStudio"
  for release in 13.0 13.4; do
    ln -s "../../../../../../win-cuda-$release/nvidia/cu13" "$c/Program Files/NVIDIA GPU Computing Toolkit/CUDA/v$release"
  done
}

visual_studio() {
  local vc=$new/studio/2022/BuildTools/VC sdk=$new/kits/10 at f
  "$scripts/testbed" one wine
  at=$vc/Tools/MSVC/14.40.33807
  mkdir -p "$at"/{bin/Hostx64/x64,lib/x64} "$vc/Auxiliary/Build" "$sdk"/{Include,Lib}/10.0.22621.0/ucrt "$sdk/Lib/10.0.22621.0"/{um,ucrt}/x64 \
    "$sdk/Include/10.0.22621.0/shared" "$new/records/Packages/_Instances/5c0de517"
  stand_in "$at/bin/Hostx64/x64"
  cp -r "$lab/vc" "$at/include"
  cp -r "$lab/ucrt" "$lab/um" "$sdk/Include/10.0.22621.0/"
  cp /usr/x86_64-w64-mingw32/lib/libkernel32.a "$sdk/Lib/10.0.22621.0/um/x64/kernel32.Lib"
  for f in vcvarsall vcvars64; do sed 's/$/\r/' "$lab/vs/$f.bat" > "$vc/Auxiliary/Build/$f.bat"; done
  printf '14.40.33807\r\n' > "$vc/Auxiliary/Build/Microsoft.VCToolsVersion.default.txt"
  cp "$lab"/vs/state*.json "$new/records/Packages/_Instances/5c0de517/"
}
stand_in() { # FOLDER
  x86_64-w64-mingw32-windres "$lab/cl.rc" -O coff -o "$new.res.o"
  x86_64-w64-mingw32-gcc -w -O1 -o "$1/cl.exe" "$lab/cl.c" "$new.res.o"
  cp "$1/cl.exe" "$1/link.exe"
  cp "$1/cl.exe" "$1/lib.exe"
  sed "1s:.*:#!$(python_itself) -I:" "$lab/cl-bridge" > "$1/cl-bridge"
  chmod 755 "$1/cl-bridge"
}
