# PowerShell itself is in none of the registries: what parses its language is.

# powershell_grammar: the tree-sitter parser and its grammar of PowerShell, for the script that cupel docs writes.
powershell_grammar() {
  pip_quiet install --target "$new" --no-compile --only-binary=:all: --no-cache-dir tree-sitter==0.26.0 tree-sitter-powershell==0.26.4
}
