package base

import "context"

// Await waits until ch is closed, or ctx ends. Nobody waits for nil.
func Await(ctx context.Context, ch <-chan struct{}) {
	if ch == nil {
		return
	}
	select {
	case <-ch:
	case <-ctx.Done():
	}
}
