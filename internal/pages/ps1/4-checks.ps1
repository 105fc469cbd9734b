# ---- the checks: the ids, the order and the verdicts are those of cupel verify ----
function platform_is { tell $args[0] 'platform' $args[1] 'windows' } # STATUS EXPECTED

function toolkit_present { # EXPECTED
    if (-not $script:chosen) {
        tell 'fail' 'toolkit-present' $args[0] 'none'
    } elseif (-not $script:nvcc) {
        tell 'fail' 'toolkit-present' $args[0] ($script:chosen + ' without nvcc')
    } else {
        tell 'pass' 'toolkit-present' $args[0] ('CUDA {0} in {1} ({2})' -f $script:release, $script:chosen, $script:why)
    }
}

# toolkit_band EXPECTED MIN RECOMMENDED MAX-VERIFIED [LOW HIGH]... of what is excluded
function toolkit_band {
    $expected, $min, $best, $max, $excluded = $args
    $after = blocker 'toolkit-present'
    if ($after) { skip 'toolkit-band' ('after ' + $after); return }
    $v = $script:release
    if (-not $v) { tell 'fail' 'toolkit-band' $expected 'not known'; return }
    $band = 'supported'
    if (covers $best $v) { $band = 'recommended' }
    if ($max -and (compare_version $v $max) -gt 0 -and -not (covers $max $v)) { $band = 'newer than verified' }
    if ($min -and (compare_version $v $min) -lt 0 -and -not (covers $v $min)) { $band = 'below minimum' }
    # X.Y alone may lie on either side of a bound that names an update.
    $vague = [bool](($min -and (covers $v $min) -and (compare_version $v $min) -lt 0) -or ($max -and $max -ne $v -and (covers $v $max)))
    $excluded = @($excluded)
    for ($i = 0; $i + 1 -lt $excluded.Count; $i += 2) {
        switch (fit $excluded[$i] $excluded[$i + 1] $v) {
            'inside' { $band = 'excluded' }
            'maybe' { $vague = $true }
        }
    }
    $status = 'pass'
    if ($band -eq 'excluded' -or $band -eq 'below minimum') {
        $status = 'fail'
    } elseif ($band -eq 'newer than verified') {
        $status = 'warn'
    } elseif ($vague) {
        $status = 'warn'
        $band = 'update not known'
    }
    tell $status 'toolkit-band' $expected ($v + ', ' + $band)
}

function toolkit_active {
    $after = blocker 'toolkit-present'
    if ($after) { skip 'toolkit-active' ('after ' + $after); return }
    $expected = 'nvcc of CUDA ' + $script:release
    if (same_place $script:active $script:chosen) {
        tell 'pass' 'toolkit-active' $expected 'the same'
    } elseif ($script:active) {
        tell 'warn' 'toolkit-active' $expected $script:active
    } else {
        tell 'warn' 'toolkit-active' $expected 'no nvcc on PATH'
    }
}

# toolkit_components EXPECTED [WORD FILES]...: of the files one must be there; without any, the word names a part of every toolkit.
function toolkit_components {
    $expected, $pairs = $args
    $pairs = @($pairs)
    $after = blocker 'toolkit-present'
    if ($after) { skip 'toolkit-components' ('after ' + $after); return }
    $lacks = @()
    $told = $false
    for ($i = 0; $i + 1 -lt $pairs.Count; $i += 2) {
        $name = $pairs[$i]
        $have = ''
        if ('nvcc', 'ptxas', 'cicc', 'nvlink', 'libdevice', 'cudart', 'cudart-static', 'cudadevrt', 'cuda-stub' -contains $name) {
            $have = part_of $script:chosen $name
        } elseif ($name -eq 'headers') {
            if (part_of $script:chosen 'cuda_runtime.h') { $have = part_of $script:chosen 'cuda.h' }
        } elseif ($pairs[$i + 1]) {
            foreach ($file in $pairs[$i + 1].Split(' ')) {
                $file = $file.Replace('/', '\')
                foreach ($dir in 'lib\x64', 'lib', 'include', 'Library\include', '.') {
                    if (-not $have -and (is_file (below (below $script:chosen $dir) $file))) { $have = $file }
                }
            }
        } else {
            continue
        }
        $told = $true
        if (-not $have) { $lacks += $name }
    }
    if ($lacks.Count -gt 0) {
        tell 'fail' 'toolkit-components' $expected ('not: ' + ($lacks -join ', '))
    } elseif (-not $told) {
        unchecked 'toolkit-components'
    } else {
        tell 'pass' 'toolkit-components' $expected 'all that can be told'
    }
}

# host_compiler EXPECTED ALLOW [FAMILY LOW HIGH]...: of the families any one that is given will do.
function host_compiler {
    $expected, $allow, $spans = $args
    $spans = @($spans | Where-Object { $null -ne $_ })
    if ($spans.Count -eq 0 -and -not $script:chosen) { skip 'host-compiler' 'after toolkit-present'; return }
    if (-not $script:cxx) { tell 'fail' 'host-compiler' $expected 'none'; return }
    $fits = ($spans.Count -eq 0)
    for ($i = 0; $i + 2 -lt $spans.Count; $i += 3) {
        if ($spans[$i] -eq $script:family -and (in_range $spans[$i + 1] $spans[$i + 2] $script:compiler)) { $fits = $true }
    }
    $status = 'pass'
    $note = ''
    if (-not $fits) {
        $status = 'fail'
    } elseif ($script:chosen) {
        msc_bounds
        $parts = @(([string]$script:compiler).Split('.'))
        $n = 0
        if ($parts.Count -gt 1) { $n = [int]$parts[0] * 100 + [int]$parts[1] }
        if ($script:wrong_target) {
            $status = 'fail'; $note = ', which makes 32-bit code'
        } elseif ($n -eq 0 -or -not $script:high) {
            $status = 'warn'; $note = ', and it is not known what the toolkit accepts'
        } elseif ($n -ge [int]$script:high) {
            $status = 'fail'; $note = ', too new for CUDA ' + $script:release
        } elseif ($script:low -and $n -lt [int]$script:low) {
            $status = 'fail'; $note = ', too old for CUDA ' + $script:release
        }
        if ($note -like ', too*' -and $allow -eq 'allow') { $status = 'warn' }
    }
    tell $status 'host-compiler' $expected ('cl {0} ({1}){2}' -f $script:compiler, $script:cxx, $note)
}

function one_of { # ID EXPECTED LOW HIGH VERSION...
    $id, $expected, $low, $high, $have = $args
    $have = @($have | Where-Object { $_ })
    foreach ($v in $have) { if (in_range $low $high $v) { tell 'pass' $id $expected $v; return } }
    if ($have.Count -eq 0) { $have = @('none') }
    tell 'fail' $id $expected ($have -join ', ')
}

function host_toolset { # EXPECTED LOW HIGH
    $all = @()
    if ($script:cxx -match '\\MSVC\\(\d+\.\d+(\.\d+)*)\\') {
        $all = @($Matches[1])
    } else {
        foreach ($base in $script:programs, ${env:ProgramFiles(x86)}) {
            if (-not $base) { continue }
            foreach ($d in @(children (below $base 'Microsoft Visual Studio\*\*\VC\Tools\MSVC\*'))) { $all += $d.Name }
        }
    }
    one_of 'host-toolset' $args[0] $args[1] $args[2] @all
}

function host_sdk { # EXPECTED LOW HIGH
    $all = @()
    if (${env:ProgramFiles(x86)}) {
        foreach ($d in @(children (below ${env:ProgramFiles(x86)} 'Windows Kits\10\Lib\10.*'))) {
            if ((is_file (below $d.FullName 'um\x64\kernel32.lib')) -and (is_file (below $d.FullName 'ucrt\x64\ucrt.lib'))) { $all += $d.Name }
        }
    }
    one_of 'host-sdk' $args[0] $args[1] $args[2] @all
}

# by_release ID COLUMN: the table holds what cupel verify says of each release: status, expected, found.
function by_release {
    $id = $args[0]
    $column = [int]$args[1]
    $after = blocker 'toolkit-present'
    if ($after) { skip $id ('after ' + $after); return }
    $status = row $script:release $column
    if ('pass', 'fail', 'warn' -contains $status) {
        tell $status $id (row $script:release ($column + 1)) (row $script:release ($column + 2))
    } else {
        skip $id ('not known for CUDA ' + $script:release)
    }
}

# demand NEEDED SPOKEN: whether a GPU must be here, and whether the contract says which driver it wants.
function demand {
    $script:gpu_needed, $script:gpu_spoken = $args
    $script:device_bad = 'warn' # where nothing runs, a driver or device that does not do is a warning
    if ($script:gpu_needed -or ($script:gpu_spoken -and @($script:gpus).Count -gt 0)) { $script:device_bad = 'fail' }
}

function driver_present { # EXPECTED
    if ($script:driver) {
        tell 'pass' 'driver-present' $args[0] $script:driver
    } elseif (-not $script:gpu_needed) {
        skip 'driver-present' 'no driver is here, and the contract asks for no GPU'
    } else {
        tell 'fail' 'driver-present' $args[0] 'none'
    }
}

function driver_at_least { # ID FLOOR
    $status = $script:device_bad
    if ((compare_version $script:driver $args[1]) -ge 0) { $status = 'pass' }
    tell $status $args[0] ($args[1] + ' or newer') $script:driver
}

function driver_floor { # FLOOR
    $after = blocker 'driver-present'
    if ($after) { skip 'driver-floor' ('after ' + $after); return }
    driver_at_least 'driver-floor' $args[0]
}

function driver_toolkit { # FREE: yes when the contract says nothing of drivers, so that only one that is here counts
    if ($args[0] -and (-not $script:driver -or @($script:gpus).Count -eq 0)) { return }
    $after = blocker 'driver-present' 'toolkit-present'
    if ($after) { skip 'driver-toolkit' ('after ' + $after); return }
    $need = row $script:release 4
    if ($need) { driver_at_least 'driver-toolkit' $need } else { skip 'driver-toolkit' ('no driver floor is known for CUDA ' + $script:release) }
}

function driver_ptx {
    $after = blocker 'driver-present' 'toolkit-present'
    if ($after) { skip 'driver-ptx' ('after ' + $after); return }
    $want = short $script:release
    $have = level
    if (-not $have) { tell 'warn' 'driver-ptx' ('CUDA ' + $want + ' or newer') 'not known'; return }
    $status = $script:device_bad
    if ((compare_version $have $want) -ge 0) { $status = 'pass' }
    tell $status 'driver-ptx' ('CUDA ' + $want + ' or newer') ('CUDA ' + $have)
}

function gpu_text { # COLUMN SUFFIX
    $column, $suffix = $args
    $names = @($script:gpus | ForEach-Object { if ($column) { '{0} {1}{2}' -f $_[0], $_[$column], $suffix } else { $_[0] } })
    if ($names.Count -eq 0) { return 'none' }
    return ($names -join ', ')
}

function gpu_count { # COUNT
    $after = blocker 'driver-present'
    if ($after) { skip 'gpu-count' ('after ' + $after); return }
    $status = 'fail'
    if (@($script:gpus).Count -ge [int]$args[0]) { $status = 'pass' }
    tell $status 'gpu-count' ($args[0] + ' or more') (gpu_text)
}

function gpu_blocked { # ID: why it is not made; nothing when it can be
    $after = blocker 'gpu-count'
    if ($after) { return ('after ' + $after) }
    if (@($script:gpus).Count -eq 0) { return 'no GPU is here to look at' }
}

function gpu_memory { # EXPECTED MIB COUNT
    $expected, $want, $count = $args
    $why = gpu_blocked
    if ($why) { skip 'gpu-memory' $why; return }
    $enough = 0
    $unknown = 0
    foreach ($g in $script:gpus) {
        if (-not $g[2]) { $unknown++ } elseif ([long]$g[2] -ge [long]$want) { $enough++ }
    }
    $status = $script:device_bad
    if ($enough -ge [int]$count) { $status = 'pass' } elseif ($enough + $unknown -ge [int]$count) { $status = 'warn' }
    tell $status 'gpu-memory' $expected (gpu_text 2 ' MiB')
}

function gpu_compute_mode { # MODE
    $why = gpu_blocked
    if ($why) { skip 'gpu-compute-mode' $why; return }
    $modes = @($script:gpus | ForEach-Object { $_[3] } | Where-Object { $_ })
    if ($modes.Count -eq 0) { skip 'gpu-compute-mode' 'the driver did not tell it'; return }
    $wanted = $args[0]
    $status = 'pass'
    if (@($modes | Where-Object { $_ -ne $wanted }).Count -gt 0) { $status = $script:device_bad }
    tell $status 'gpu-compute-mode' $wanted ($modes -join ' ')
}

function arch_min { # CAPABILITY
    $why = gpu_blocked
    if ($why) { skip 'arch-min' $why; return }
    $status = 'pass'
    foreach ($g in $script:gpus) {
        if (-not $g[1]) {
            if ($status -eq 'pass') { $status = 'warn' }
        } elseif ((compare_version $g[1] $args[0]) -lt 0) {
            $status = $script:device_bad
            break
        }
    }
    tell $status 'arch-min' ($args[0] + ' or newer') (gpu_text 1 '')
}

function mps_check { # required or forbidden: the service is for Linux, so no daemon runs here
    if (-not $script:gpu_needed -and -not ($script:gpu_spoken -and $script:driver)) { skip 'mps' 'no GPU is needed here'; return }
    $status = 'pass'
    if ($args[0] -eq 'required') { $status = 'fail' }
    tell $status 'mps' $args[0] 'no daemon'
}
