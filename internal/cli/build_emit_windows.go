package cli

// writableFolder: Windows tells it only to who writes.
func writableFolder(string) error { return nil }
