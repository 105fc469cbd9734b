// Standin is the program of package tool.
package main

import "cupel/internal/trust/testdata/standin/tool"

func main() { tool.Main() }
