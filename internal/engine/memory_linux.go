package engine

import "os"

func freeMemory() int64 { return freeOf(os.DirFS("/")) }
