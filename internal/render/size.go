package render

import (
	"fmt"
	"time"
)

// Bytes writes a size as people compare them: 92 MB, 1.4 GB.
func Bytes(n int64) string {
	switch {
	case n >= 10_000_000_000:
		return fmt.Sprintf("%d GB", (n+500_000_000)/1_000_000_000)
	case n >= 1_000_000_000:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 10_000_000:
		return fmt.Sprintf("%d MB", (n+500_000)/1_000_000)
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%d kB", (n+500)/1000)
	}
	return fmt.Sprintf("%d bytes", n)
}

// size is Bytes where 0 means that nobody told it.
func size(n int64) string {
	if n <= 0 {
		return "unknown"
	}
	return Bytes(n)
}

// Duration writes a time as people say it: 0.4 s, 12 s, 3 min 5 s.
func Duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
