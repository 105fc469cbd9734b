# ---- variables, components and the project's own files ----
function in_list { # LIST FOLDER
    $folder = $args[1]
    foreach ($dir in ([string]$args[0]).Split(';')) { if (same_place $dir $folder) { return $true } }
    return $false
}

# env_check ID NAME BAD KIND VALUE: BAD is the status of a wrong value; KIND is "list" for a list of folders, "archs" and
# its separators for one of targets.
function env_check {
    $id, $name, $bad, $kind, $value = $args
    $have = variable $name
    if (-not $script:chosen -and $bad -eq 'fail') {
        skip $id 'after toolkit-present'
    } elseif ($value -eq 'several') {
        unchecked $id
    } elseif (-not $value) {
        skip $id 'its value is not known here'
    } elseif (-not $have) {
        tell 'warn' $id $value 'not set'
    } elseif (same_value $have $value $kind) {
        tell 'pass' $id $value $have
    } else {
        tell $bad $id $value $have
    }
}

function same_value { # A B KIND
    $a, $b, $kind = $args
    if ($a -ceq $b -or (same_place $a $b)) { return $true }
    if ($kind -eq 'list') { return (in_list $a $b) }
    if ($kind -match '^archs(.+)$') {
        $separators = $Matches[1]
        return ((targets_of $a $separators) -ceq (targets_of $b $separators))
    }
    return $false
}

# targets_of LIST SEPARATORS: the targets in order; whether PTX is kept beside them does not count.
function targets_of {
    $words = @(([string]$args[0]).Split(([string]$args[1]).ToCharArray()) | ForEach-Object { $_.Trim() -replace '-real$', '' -replace '\+PTX$', '' } | Where-Object { $_ })
    return (@($words | Sort-Object -Unique -CaseSensitive) -join ';')
}

# detected KEY: what stands in the table for the GPUs here: the last line up to their capability, the one of "none" without
# any; "several" where they differ.
function detected {
    $key = $args[0]
    if (-not $key) { return '' }
    $lines = @($script:detected_values | Where-Object { $_.StartsWith($key + '|', [StringComparison]::Ordinal) })
    $found = ''
    foreach ($g in $script:gpus) {
        $value = ''
        foreach ($line in $lines) {
            $cells = $line.Split([char[]]'|', 3)
            if ($g[1] -and $cells[1] -ne 'none' -and (compare_version $g[1] $cells[1]) -ge 0) { $value = $cells[2] }
        }
        if ($found -and $value -and $found -cne $value) { return 'several' }
        if ($value) { $found = $value }
    }
    if ($found) { return $found }
    foreach ($line in $lines) {
        $cells = $line.Split([char[]]'|', 3)
        if ($cells[1] -eq 'none') { return $cells[2] }
    }
    return ''
}

# filled PIECE...: a template put together; nothing while one of its values (an empty piece) is not known.
function filled {
    foreach ($piece in $args) { if (-not $piece) { return '' } }
    return ($args -join '')
}

function bad { # SEVERITY ID EXPECTED FOUND: what the contract calls a warning does not fail
    $severity, $id, $expected, $found = $args
    switch ($severity) {
        'warning' { tell 'warn' $id $expected $found }
        'info' { skip $id $found }
        default { tell 'fail' $id $expected $found }
    }
}

function header_version { # HEADER PREFIX LAST
    $text = Get-Content -LiteralPath $args[0] -Raw
    $numbers = @()
    foreach ($name in 'MAJOR', 'MINOR', $args[2]) {
        if ($text -match ('(?m)^# *define\s+' + $args[1] + $name + '\s+(\d+)')) { $numbers += $Matches[1] }
    }
    if ($numbers.Count -ne 3) { return '' }
    return ($numbers -join '.')
}

# copies NAME: every copy of a component here, as VERSION|PATH
function copies {
    $name = $args[0]
    switch ($name) {
        'cmake' {
            $file = which_first 'cmake.exe'
            if ($file) {
                $found = ''
                foreach ($d in @(children (below (parent (parent $file)) 'share\cmake-*'))) { $found = $d.Name.Substring(6) }
                Write-Output ($found + '|' + $file)
            }
        }
        { 'ninja', 'git', 'cargo' -contains $_ } {
            $file = which_first ($name + '.exe')
            if (-not $file -and $name -eq 'cargo' -and $env:USERPROFILE) {
                $file = below $env:USERPROFILE '.cargo\bin\cargo.exe'
                if (-not (is_file $file)) { $file = '' }
            }
            if ($file) { Write-Output ('|' + $file) }
        }
        'rust' {
            $file = which_first 'rustup.exe'
            if ($file) {
                $text = ask $file 'show' 'active-toolchain'
                if ($text -match '^(\S+)') { Write-Output ($Matches[1] + '|rustup') }
            }
        }
        'python' {
            foreach ($file in @(Get-Command -Name python.exe -CommandType Application -All -ErrorAction SilentlyContinue)) {
                # The Store's stand-in would open the Store.
                if ($file.Path -notlike '*\WindowsApps\*') { Write-Output ((number (ask $file.Path '--version')) + '|' + $file.Path) }
            }
        }
        'libclang' {
            $dirs = @()
            if ($env:LIBCLANG_PATH) { $dirs += $env:LIBCLANG_PATH }
            if ($script:programs) { $dirs += below $script:programs 'LLVM\bin' }
            $dirs += 'C:\LLVM\bin'
            foreach ($dir in $dirs) {
                $file = below $dir 'libclang.dll'
                if (is_file $file) {
                    $found = ''
                    foreach ($d in @(children (below (parent $dir) 'lib\clang\*'))) { $found = $d.Name }
                    Write-Output ($found + '|' + $file)
                }
            }
        }
        { 'cudnn', 'cublas' -contains $_ } {
            $dirs = @()
            foreach ($v in 'CUDNN_PATH', 'CUDNN_HOME', 'CUDNN_ROOT') { if ($name -eq 'cudnn' -and (variable $v)) { $dirs += below (variable $v) 'include' } }
            if ($script:chosen) { $dirs += below $script:chosen 'include' }
            if ($name -eq 'cudnn' -and $script:programs) {
                foreach ($d in @(children (below $script:programs 'NVIDIA\CUDNN\v*\include\*'))) { $dirs += $d.FullName }
            }
            $header, $prefix, $last = 'cudnn_version.h', 'CUDNN_', 'PATCHLEVEL'
            if ($name -eq 'cublas') { $header, $prefix, $last = 'cublas_api.h', 'CUBLAS_VER_', 'PATCH' }
            foreach ($dir in $dirs) {
                $file = below $dir $header
                if (is_file $file) { Write-Output ((header_version $file $prefix $last) + '|' + $file) }
            }
        }
    }
}

function same_toolchain { # HAVE WANT: stable is stable-x86_64-pc-windows-msvc, 1.80 is 1.80.1
    $have, $want = $args
    if ($have -ceq $want -or $have.StartsWith($want + '-', [StringComparison]::Ordinal)) { return $true }
    return ($want.Split('.').Count -eq 2 -and $have.StartsWith($want + '.', [StringComparison]::Ordinal))
}

# component ID NAME EXPECTED SEVERITY NEEDED RANGED LOW HIGH TOOLCHAIN: one copy in the range is enough.
function component {
    $id, $name, $expected, $severity, $needed, $ranged, $low, $high, $toolchain = $args
    $all = @(copies $name)
    if ($all.Count -eq 0) {
        if ($needed -eq 'optional') { skip $id 'not here, and optional' } else { bad $severity $id $expected 'none' }
        return
    }
    $shown = ($all[0] -replace '^\|', '').Replace('|', ' in ')
    if ($toolchain -and -not (same_toolchain ($all[0].Split('|')[0]) $toolchain)) { bad $severity $id $expected $shown; return }
    $status = 'outside'
    if (-not $ranged) { $status = 'pass' }
    foreach ($copy in $all) {
        if ($status -eq 'pass') { break }
        $v = number ($copy.Split('|')[0])
        $where = fit $low $high $v
        if ($where -eq 'inside') { $status = 'pass' } elseif (-not $v -or $where -eq 'maybe') { $status = 'warn' }
    }
    if ($status -eq 'outside') { bad $severity $id $expected $shown } else { tell $status $id $expected $shown }
}

# pin ID SEVERITY VALUE [FILE PATTERN GROUP]...: the value must be the same wherever it stands.
function pin {
    $id, $severity, $value, $files = $args
    $files = @($files)
    $found = @()
    $missing = ''
    for ($i = 0; $i + 2 -lt $files.Count; $i += 3) {
        $here = @()
        if (is_file $files[$i]) {
            foreach ($line in @(Get-Content -LiteralPath $files[$i] -Encoding UTF8)) {
                foreach ($m in [regex]::Matches($line, $files[$i + 1], [Text.RegularExpressions.RegexOptions]::CultureInvariant)) { $here += $m.Groups[[int]$files[$i + 2]].Value }
            }
        }
        if ($here.Count -eq 0) { $missing = $files[$i] }
        $found += $here
    }
    $found = @($found | Sort-Object -Unique -CaseSensitive)
    $expected = $value
    if (-not $expected) { $expected = 'one value everywhere' }
    if ($missing) {
        bad $severity $id $expected ('nothing in ' + $missing)
    } elseif ($found.Count -gt 1 -or ($value -and $found[0] -cne $value)) {
        bad $severity $id $expected ($found -join ' ')
    } else {
        tell 'pass' $id $expected ($found -join ' ')
    }
}

# builders EXPECTED [NAME LOW HIGH]...: every CUDA builder crate in Cargo.lock must be one of these.
function builders {
    $expected, $allowed = $args
    $allowed = @($allowed)
    $locked = @()
    $wrong = @()
    $crate = ''
    if (-not (is_file 'Cargo.lock')) {
        skip 'builders' 'there is no Cargo.lock to look into'
        return
    } else {
        foreach ($line in @(Get-Content -LiteralPath 'Cargo.lock' -Encoding UTF8)) {
            if ($line -match '^name = "([^"]*)"') { $crate = $Matches[1] }
            if ($line -match '^version = "([^"]*)"' -and $crate) {
                $v = $Matches[1]
                if ($script:builder_crates -contains $crate) {
                    $locked += $crate + ' ' + $v
                    $fine = $false
                    for ($i = 0; $i + 2 -lt $allowed.Count; $i += 3) {
                        if ($allowed[$i] -ceq $crate -and (in_range $allowed[$i + 1] $allowed[$i + 2] (number $v))) { $fine = $true }
                    }
                    if (-not $fine) { $wrong += $crate + ' ' + $v }
                }
                $crate = ''
            }
        }
    }
    if ($wrong.Count -gt 0) {
        tell 'fail' 'builders' $expected ($wrong -join ', ')
    } elseif ($locked.Count -gt 0) {
        tell 'pass' 'builders' $expected ($locked -join ', ')
    } else {
        tell 'pass' 'builders' $expected 'none is locked'
    }
}
