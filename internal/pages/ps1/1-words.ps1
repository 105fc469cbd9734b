param(
    [switch]$Strict,
    [ValidateSet('', 'ci', 'windows')][string]$As = '',
    [switch]$PreferCupel
)

# ---- words: versions, and how a check is told ----
# An error that nobody foresaw ends the script with 3: what could not be looked at is never fine. A caller's own strict
# mode, and PowerShell 7's errors for exit codes of programs, would end it for less.
Set-StrictMode -Off
$ErrorActionPreference = 'Stop'
$PSNativeCommandUseErrorActionPreference = $false
trap {
    Write-Output ('verify-cuda.ps1: ' + $_.Exception.Message)
    exit 3
}
if ($PreferCupel -and (Get-Command -Name cupel -CommandType Application -ErrorAction SilentlyContinue)) {
    cupel verify
    exit $LASTEXITCODE
}
$script:fails = 0
$script:warns = 0
$script:results = @{}

function tell { # STATUS ID EXPECTED FOUND
    $status, $id, $expected, $found = $args
    if ($status -eq 'fail') { $script:fails++ }
    if ($status -eq 'warn') { $script:warns++ }
    $script:results[$id] = $status
    Write-Output ('{0} {1}: expected {2}, found {3}' -f $status, $id, $expected, $found)
}

function skip { # ID WHY
    $script:results[$args[0]] = 'skipped'
    Write-Output ('skipped {0}: {1}' -f $args[0], $args[1])
}

function unchecked { skip $args[0] 'not checked by this script' } # ID

# blocker NEEDED...: the first check that had to pass and did not; nothing when all is well.
function blocker {
    foreach ($id in $args) {
        if ($script:results.ContainsKey($id) -and ($script:results[$id] -eq 'fail' -or $script:results[$id] -eq 'skipped')) { return $id }
    }
}

# compare_version A B: -1, 0 or 1; missing parts count as 0.
function compare_version {
    $a = @(([string]$args[0]).Split('.'))
    $b = @(([string]$args[1]).Split('.'))
    for ($i = 0; $i -lt 4; $i++) {
        $x = [long]0
        $y = [long]0
        if ($i -lt $a.Count) { [void][long]::TryParse($a[$i], [ref]$x) }
        if ($i -lt $b.Count) { [void][long]::TryParse($b[$i], [ref]$y) }
        if ($x -lt $y) { return -1 }
        if ($x -gt $y) { return 1 }
    }
    return 0
}

# in_range LOW HIGH V: from LOW on and below HIGH; an empty bound is none, an empty V is never in it.
function in_range {
    $low, $high, $v = $args
    if (-not $v) { return $false }
    if ($low -and (compare_version $v $low) -lt 0) { return $false }
    if ($high -and (compare_version $v $high) -ge 0) { return $false }
    return $true
}

# fit LOW HIGH V: inside, outside, or maybe: 3.22 may be 3.22.0, which a bound of 3.22.1 leaves out.
function fit {
    $low, $high, $v = $args
    if (-not $v) { return 'outside' }
    $parts = @(([string]$v).Split('.'))
    $parts[$parts.Count - 1] = [string]([long](number $parts[$parts.Count - 1]) + 1)
    $next = $parts -join '.'
    if (($high -and (compare_version $v $high) -ge 0) -or ($low -and (compare_version $low $next) -ge 0)) { return 'outside' }
    if (($low -and (compare_version $v $low) -lt 0) -or ($high -and (compare_version $high $next) -lt 0)) { return 'maybe' }
    return 'inside'
}

function covers { # V W: 13.0 covers 13.0.2, and 13.0.2 only itself
    $v, $w = $args
    return [bool]($v -and ([string]$w + '.').StartsWith([string]$v + '.', [StringComparison]::Ordinal))
}

function short { # V: X.Y
    if ([string]$args[0] -match '^\d+\.\d+') { return $Matches[0] }
    return [string]$args[0]
}

function number { # TEXT: the first dotted number in it
    if ([string]$args[0] -match '\d+(\.\d+)*') { return $Matches[0] }
    return ''
}

function variable { return [string][Environment]::GetEnvironmentVariable($args[0]) } # NAME

# ask PROGRAM ARGUMENT...: what a program prints, both streams. Windows PowerShell turns lines of the error stream into
# errors, which must not end the script.
function ask {
    $program = $args[0]
    $rest = @()
    if ($args.Count -gt 1) { $rest = @($args[1..($args.Count - 1)]) }
    $old = $ErrorActionPreference
    $ErrorActionPreference = 'Continue'
    try {
        return (@(& $program @rest 2>&1 | ForEach-Object { [string]$_ }) -join "`n")
    } catch {
        return ''
    } finally {
        $ErrorActionPreference = $old
    }
}

function which_first { # NAME: the first program of that name on PATH
    $found = @(Get-Command -Name $args[0] -CommandType Application -ErrorAction SilentlyContinue)
    if ($found.Count -gt 0) { return $found[0].Path }
    return ''
}

# Paths are put together and cut as text: Join-Path and Split-Path fail on a drive that is not there, and the variables
# of a machine may name one, or hold characters that no path has.
function below { return (([string]$args[0]).TrimEnd('\', '/') + '\' + $args[1]) } # FOLDER NAME
function parent { # PATH: the folder above it; nothing above a drive
    $path = ([string]$args[0]).TrimEnd('\', '/')
    $at = $path.LastIndexOfAny([char[]]'\/')
    if ($at -lt 0) { return '' }
    return $path.Substring(0, $at)
}
function leaf { return (([string]$args[0]).TrimEnd('\', '/') -replace '^.*[\\/]', '') } # PATH

function full_path { # PATH: without .. and a slash at its end; nothing for what is no full path
    try {
        if ($args[0] -and [IO.Path]::IsPathRooted($args[0])) { return [IO.Path]::GetFullPath($args[0]).TrimEnd('\', '/') }
    } catch {
        return ''
    }
    return ''
}

function same_place { # A B: two full paths that are one
    $a = full_path $args[0]
    $b = full_path $args[1]
    return [bool]($a -and $b -and [string]::Equals($a, $b, [StringComparison]::OrdinalIgnoreCase))
}

function there { # PATH Leaf|Container
    if (-not $args[0]) { return $false }
    try {
        return [bool](Test-Path -LiteralPath $args[0] -PathType $args[1] -ErrorAction Stop)
    } catch {
        return $false
    }
}
function is_file { return (there $args[0] 'Leaf') }
function is_dir { return (there $args[0] 'Container') }

# children PATTERN: the names below a folder that fit; none where it cannot be read.
function children { return @(Get-ChildItem -Path $args[0] -ErrorAction SilentlyContinue) }

# first_file FOLDER PATTERN...: the first file below a folder that is there.
function first_file {
    $root = $args[0]
    foreach ($pattern in @($args[1..($args.Count - 1)])) {
        $dir = below $root (parent $pattern)
        if (-not (is_dir $dir)) { continue }
        $found = @(Get-ChildItem -LiteralPath $dir -Filter (leaf $pattern) -ErrorAction SilentlyContinue | Where-Object { -not $_.PSIsContainer })
        if ($found.Count -gt 0) { return $found[0].FullName }
    }
    return ''
}

# A 32-bit PowerShell is shown other folders than the machine has.
$script:programs = $env:ProgramW6432
if (-not $script:programs) { $script:programs = $env:ProgramFiles }
$script:system = ''
if ($env:SystemRoot) {
    $script:system = below $env:SystemRoot 'System32'
    if ([Environment]::Is64BitOperatingSystem -and -not [Environment]::Is64BitProcess) { $script:system = below $env:SystemRoot 'Sysnative' }
}

# row RELEASE COLUMN: a column of the table of releases, by release, else by its X.Y; "none" is for no toolkit.
function row {
    $key = [string]$args[0]
    if (-not $key) { $key = 'none' }
    if (-not $script:table.ContainsKey($key)) { $key = short $key }
    if (-not $script:table.ContainsKey($key)) { return '' }
    return $script:table[$key][$args[1] - 1]
}
