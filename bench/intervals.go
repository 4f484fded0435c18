package bench

import "time"

// Intervals calls warm once, after the warm-up, and every at the end of each interval (of a second,
// when interval is 0 and nothing is printed), one after the other, until stopped is closed.
func Intervals(interval, warmup time.Duration, stopped <-chan struct{}, warm, every func(now time.Time)) {
	if interval <= 0 {
		interval = time.Second
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	warmed := time.NewTimer(warmup)
	defer warmed.Stop()
	for {
		select {
		case <-stopped:
			return
		case now := <-warmed.C:
			warm(now)
		case now := <-tick.C:
			every(now)
		}
	}
}
