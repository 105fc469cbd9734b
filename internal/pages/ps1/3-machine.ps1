# ---- driver, GPUs and host compiler ----
function find_driver { # sets driver and gpus (name, capability, MiB, mode)
    $script:driver = ''
    $script:gpus = @()
    $smi = which_first 'nvidia-smi.exe'
    if (-not $smi -and $script:system -and (is_file (below $script:system 'nvidia-smi.exe'))) { $smi = below $script:system 'nvidia-smi.exe' }
    if ($smi) {
        ask_smi $smi 'name,compute_cap,memory.total,compute_mode,driver_version'
        # An old one does not know compute_cap and refuses the whole question.
        if ($script:gpus.Count -eq 0) { ask_smi $smi 'name,name,memory.total,compute_mode,driver_version' }
    }
    if (-not $script:driver -and $script:system) {
        # The driver's number is in the last five digits of the file's: 32.0.15.6094 is 560.94.
        $file = below $script:system 'nvcuda.dll'
        if (is_file $file) {
            $parts = @(([string](Get-Item -LiteralPath $file).VersionInfo.FileVersion).Trim().Split('.'))
            if ($parts.Count -eq 4) {
                $digits = $parts[2] + $parts[3].PadLeft(4, '0')
                if ($digits -match '(\d{3})(\d{2})$') { $script:driver = $Matches[1] + '.' + $Matches[2] }
            }
        }
    }
}

function ask_smi { # PROGRAM FIELDS
    foreach ($line in (ask $args[0] ('--query-gpu=' + $args[1]) '--format=csv,noheader,nounits').Split("`n")) {
        $cells = @($line.Trim() -split ', ')
        if ($cells.Count -ne 5) { continue }
        for ($i = 1; $i -lt 4; $i++) { if ($cells[$i].StartsWith('[')) { $cells[$i] = '' } }
        if ($cells[1] -notmatch '^\d+\.\d+$') { $cells[1] = '' }
        $script:gpus += , @($cells[0], $cells[1], $cells[2], $cells[3].ToLowerInvariant().Replace('_', '-'))
        $script:driver = $cells[4]
    }
}

function level { # the CUDA X.Y that the driver supports, by its branch
    $best = ''
    foreach ($line in $script:levels) {
        $cuda, $branch = $line.Split('|')
        if ((compare_version $script:driver $branch) -ge 0 -and (-not $best -or (compare_version $cuda $best) -gt 0)) { $best = $cuda }
    }
    return $best
}

function use_compiler { # sets family, compiler, cxx: cl.exe as nvcc would start it
    $script:family = 'msvc'
    $script:compiler = ''
    $script:cxx = which_first 'cl.exe'
    $script:wrong_target = $false
    $named = ''
    foreach ($flags in (variable 'NVCC_PREPEND_FLAGS'), (variable 'NVCC_APPEND_FLAGS')) {
        if (-not $named -and $flags -match '(^|\s)(-ccbin|--compiler-bindir)(=|\s+)("[^"]*"|\S+)') { $named = $Matches[4].Trim('"') }
    }
    if (-not $named -and (variable 'NVCC_CCBIN') -and (-not $script:release -or (compare_version (short $script:release) $script:ccbin_not_in) -gt 0)) { $named = variable 'NVCC_CCBIN' }
    if ($named -and (is_dir $named)) { $named = below $named 'cl.exe' }
    if ($named -and (is_file $named)) { $script:cxx = $named }
    if ($script:cxx) {
        # The words of the banner are translated, the number is not.
        if ((ask $script:cxx) -match '\b(19\.\d+(\.\d+)*)') { $script:compiler = $Matches[1] }
        $script:wrong_target = ((leaf (parent $script:cxx)) -eq 'x86')
    }
}

function msc_bounds { # sets low and high (the first that is refused): the toolkit's own header first
    $script:low = row $script:release 9
    $script:high = row $script:release 10
    $header = part_of $script:chosen 'crt\host_config.h'
    if ($header -and ((Get-Content -LiteralPath $header -Raw) -match '_MSC_VER\s*<\s*(\d+)\s*\|\|\s*_MSC_VER\s*>=\s*(\d+)')) {
        $script:low = $Matches[1]
        $script:high = $Matches[2]
    }
}

function set_values { # what templates of the contract may hold
    $script:v_root = $script:chosen
    $script:v_release = $script:release
    $script:v_dotted = short $script:release
    $script:v_short = ([string]$script:v_dotted).Replace('.', '')
    $script:v_major = ([string]$script:release).Split('.')[0]
    $script:v_nvcc = $script:nvcc
    $script:v_bin = ''
    $script:v_lib = ''
    $script:v_include = ''
    if ($script:nvcc) { $script:v_bin = parent $script:nvcc }
    if ($script:chosen) {
        $lib = part_of $script:chosen 'cudart'
        if ($lib) { $script:v_lib = parent $lib }
        $header = part_of $script:chosen 'cuda.h'
        if ($header) { $script:v_include = parent $header }
    }
    $script:v_cxx = $script:cxx
    $script:v_cc = $script:cxx
    $script:v_cxxdir = ''
    if ($script:cxx) { $script:v_cxxdir = parent $script:cxx }
    $script:v_project = (Get-Location).ProviderPath
}

function gather {
    find_driver
    use_compiler
    set_values
}
