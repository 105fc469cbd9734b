# ---- the toolkits that are here, and which one is meant ----
# The order is cupel's: CUPEL_TOOLKIT, .cupel\choice.toml, cupel.lock, the contract's recommended release, the first
# nvcc on PATH, the newest whole one. Looked at: PATH, the variables that name a root, the folder of NVIDIA's
# installer, the active Python or conda environment, and what cupel installed.
$script:toolkits = New-Object System.Collections.ArrayList
$script:told = @{}

function nvcc_of { # ROOT
    $file = below $args[0] 'bin\nvcc.exe'
    if (is_file $file) { return $file }
    return ''
}

function build_of { # ROOT: the build that its nvcc prints
    $nvcc = nvcc_of $args[0]
    if (-not $nvcc) { return '' }
    if (-not $script:told.ContainsKey($nvcc)) {
        $script:told[$nvcc] = ''
        if ((ask $nvcc '--version') -match 'release \d+\.\d+, V(\d+\.\d+\.\d+)') { $script:told[$nvcc] = $Matches[1] }
    }
    return $script:told[$nvcc]
}

function release_of { # ROOT: version.json, else the package, else by the build of nvcc, else cuda.h
    $root = $args[0]
    if (-not $root) { return '' }
    $build = build_of $root
    $said = ''
    $file = below $root 'version.json'
    if (is_file $file) {
        try {
            $said = [string]((Get-Content -LiteralPath $file -Raw | ConvertFrom-Json).cuda.version)
        } catch {
            $said = ''
        }
    }
    $above = parent $root
    if (-not $said -and $above -and (leaf $above) -eq 'nvidia') {
        $site = parent $above
        foreach ($d in @(Get-ChildItem -LiteralPath $site -Filter 'cuda_toolkit-*.dist-info' -ErrorAction SilentlyContinue)) {
            if ($d.Name -match '^cuda_toolkit-(\d+\.\d+\.\d+)') { $said = $Matches[1] }
        }
    }
    if ($build -and $said -match '^\d+\.\d+\.\d{8}$') { $said = '' }
    if ($said -and (-not $build -or (short $said) -eq (short $build))) { return $said }
    if ($build) {
        # An update may carry the nvcc of the one before it: then only X.Y is known.
        $same = @($script:table.Keys | Where-Object { $script:table[$_][1] -eq $build })
        if ($same.Count -eq 1) { return $same[0] }
        return (short $build)
    }
    $header = below $root 'include\cuda.h'
    if ((is_file $header) -and ((Get-Content -LiteralPath $header -Raw) -match '(?m)^#define CUDA_VERSION (\d+)')) {
        $n = [int]$Matches[1]
        return ('{0}.{1}' -f [math]::Floor($n / 1000), [math]::Floor(($n % 1000) / 10))
    }
    return ''
}

# part_of ROOT PART: its file
function part_of {
    $root, $name = $args
    switch ($name) {
        'nvcc' { return (nvcc_of $root) }
        'ptxas' { return (first_file $root 'bin\ptxas.exe') }
        'nvlink' { return (first_file $root 'bin\nvlink.exe') }
        'cicc' { return (first_file $root 'nvvm\bin\cicc.exe') }
        'libdevice' { return (first_file $root 'nvvm\libdevice\libdevice.10.bc') }
        'cudart' { return (first_file $root 'lib\x64\cudart.lib' 'lib\cudart.lib') }
        'cudart-static' { return (first_file $root 'lib\x64\cudart_static.lib' 'lib\cudart_static.lib') }
        'cudadevrt' { return (first_file $root 'lib\x64\cudadevrt.lib' 'lib\cudadevrt.lib') }
        'cuda-stub' { return (first_file $root 'lib\x64\cuda.lib' 'lib\cuda.lib') }
        'cudart-dll' { return (first_file $root 'bin\x64\cudart64_*.dll' 'bin\cudart64_*.dll' 'bin\x86_64\cudart64_*.dll') }
        default { return (first_file $root ('include\' + $name)) }
    }
}

function whole { # ROOT: nothing is missing that a whole toolkit has
    foreach ($name in 'nvcc', 'ptxas', 'cicc', 'nvlink', 'libdevice', 'cuda.h', 'cuda_runtime.h', 'crt\host_config.h', 'cudart', 'cudart-dll', 'cudart-static', 'cudadevrt', 'cuda-stub') {
        if (-not (part_of $args[0] $name)) { return $false }
    }
    return ((is_file (below $args[0] 'bin\cudafe++.exe')) -and (is_file (below $args[0] 'bin\fatbinary.exe')))
}

function add_root { # PATH
    $root = full_path $args[0]
    if (-not $root -or -not (is_dir $root)) { return }
    foreach ($have in $script:toolkits) { if (same_place $have $root) { return } }
    if ((nvcc_of $root) -or (is_file (below $root 'version.json')) -or ((part_of $root 'cudart') -and (part_of $root 'cuda.h'))) {
        [void]$script:toolkits.Add($root)
    }
}

function root_of { # NVCC
    $dir = parent $args[0]
    if ((leaf $dir) -eq 'bin') { return (parent $dir) }
    return ''
}

function find_toolkits {
    foreach ($c in @(Get-Command -Name nvcc.exe -CommandType Application -All -ErrorAction SilentlyContinue)) { add_root (root_of $c.Path) }
    foreach ($name in 'CUDA_PATH', 'CUDA_HOME', 'CUDA_ROOT', 'CUDA_TOOLKIT_ROOT_DIR', 'CUDAToolkit_ROOT', 'CUDA_TOOLKIT_PATH') { add_root (variable $name) }
    foreach ($e in @(Get-ChildItem Env: | Where-Object { $_.Name -like 'CUDA_PATH_V*' })) { add_root $e.Value }
    $asked = variable 'CUPEL_TOOLKIT'
    if ($asked -match '[\\/]') { add_root $asked }
    $places = @()
    if ($script:programs) { $places += below $script:programs 'NVIDIA GPU Computing Toolkit\CUDA' }
    if ($env:CUPEL_HOME) { $places += below $env:CUPEL_HOME 'toolkits' } elseif ($env:LOCALAPPDATA) { $places += below $env:LOCALAPPDATA 'cupel\toolkits' }
    if ($env:VIRTUAL_ENV) { $places += below $env:VIRTUAL_ENV 'Lib\site-packages\nvidia' }
    foreach ($place in $places) {
        if (is_dir $place) { foreach ($d in @(Get-ChildItem -LiteralPath $place -ErrorAction SilentlyContinue | Where-Object { $_.PSIsContainer })) { add_root $d.FullName } }
    }
    if ($env:CONDA_PREFIX) { add_root (below $env:CONDA_PREFIX 'Library') }
}

function plain { # RELEASE: cu124, v12.4, cuda-12.4, 12040 as 12.4
    $text = ([string]$args[0]).Trim().ToLowerInvariant() -replace '^(cuda|cu|release)[-_ ]*', '' -replace '^v', '' -replace '[-_]', '.'
    if ($text -notmatch '^\d{3,5}$') { return $text }
    $n = [int]$text
    if ($text.Length -eq 3) { return ('{0}.{1}' -f [math]::Floor($n / 10), ($n % 10)) }
    return ('{0}.{1}' -f [math]::Floor($n / 1000), [math]::Floor(($n % 1000) / 10))
}

# asked_for WISH ROOT: yes when the toolkit is what is meant; maybe when it tells X.Y alone and may be.
function asked_for {
    $wish, $root = $args
    if (-not $wish) { if (nvcc_of $root) { return 'yes' } else { return '' } }
    if ($wish -match '[\\/:]') {
        if ((same_place $wish $root) -or (same_place $wish (nvcc_of $root))) { return 'yes' } else { return '' }
    }
    $wish = plain $wish
    $have = release_of $root
    $build = build_of $root
    if ((covers $wish $have) -or (covers $wish $build)) { return 'yes' }
    if ((covers $have $wish) -and $script:table.ContainsKey($wish)) {
        # An nvcc of another build is not of this update.
        $known = row $wish 2
        if (-not $known -or -not $build -or $known -eq $build) { return 'maybe' }
    }
    return ''
}

# pick WISH: of those asked for, a whole one comes first, then one that compiles at all, then the active one, then the
# newest. One that only may be meant must be whole.
function pick {
    $wish = [string]$args[0]
    $best = ''
    $points = -1
    foreach ($word in 'yes', 'maybe') {
        if ($points -ge 6) { break }
        foreach ($root in $script:toolkits) {
            if ((asked_for $wish $root) -ne $word) { continue }
            $have = 0
            if (nvcc_of $root) { $have = 2 }
            if (whole $root) { $have = 6 }
            if ($word -eq 'maybe' -and $have -lt 6) { continue }
            if (same_place $root $script:active) { $have += 1 }
            if ($have -gt $points -or ($have -eq $points -and (compare_version (release_of $root) (release_of $best)) -gt 0)) {
                $best = $root
                $points = $have
            }
        }
    }
    return $best
}

function saved { # FILE KEY: the first value of that key
    if (-not (is_file $args[0])) { return '' }
    if ((Get-Content -LiteralPath $args[0] -Raw) -match ('(?m)^\s*' + $args[1] + '\s*=\s*"([^"]*)"')) { return $Matches[1] }
    return ''
}

function locked_release { # of the part for Windows in cupel.lock
    if (-not (is_file 'cupel.lock')) { return '' }
    $cpu = 'amd64'
    if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64' -or $env:PROCESSOR_ARCHITEW6432 -eq 'ARM64') { $cpu = 'arm64' }
    $here = $false
    foreach ($line in @(Get-Content -LiteralPath 'cupel.lock' -Encoding UTF8)) {
        if ($line.StartsWith('[')) { $here = ($line.Trim() -ceq ('[platform.windows-' + $cpu + '.toolkit]')) }
        if ($here -and $line -match '^release *= *"([^"]*)"') { return $Matches[1] }
    }
    return ''
}

function choose { # RECOMMENDED: sets chosen, release, nvcc and why
    find_toolkits
    $script:active = ''
    foreach ($c in @(Get-Command -Name nvcc.exe -CommandType Application -All -ErrorAction SilentlyContinue)) {
        if (-not $script:active) { $script:active = root_of $c.Path }
    }
    $script:chosen = ''
    $asked = variable 'CUPEL_TOOLKIT'
    $script:why = 'CUPEL_TOOLKIT asks for ' + $asked
    if (-not $asked) {
        $asked = saved '.cupel\choice.toml' 'toolkit'
        $script:why = '.cupel\choice.toml asks for ' + $asked
    }
    if ($asked) { # asked for by a person: nothing else will do
        $script:chosen = pick $asked
    } else {
        $locked = locked_release
        if ($locked) {
            $script:chosen = pick $locked
            $script:why = 'cupel.lock asks for ' + $locked
        }
        if (-not $script:chosen -and $args[0]) {
            $script:chosen = pick $args[0]
            $script:why = 'recommended in cupel.toml'
        }
        if (-not $script:chosen -and $script:active) {
            $script:chosen = $script:active
            $script:why = 'first nvcc on PATH'
        }
        if (-not $script:chosen) {
            $script:chosen = pick ''
            $script:why = 'the newest whole toolkit'
        }
    }
    $script:release = ''
    $script:nvcc = ''
    if ($script:chosen) {
        $script:release = release_of $script:chosen
        $script:nvcc = nvcc_of $script:chosen
    }
}
