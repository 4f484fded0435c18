package testkit

import (
	"fmt"
	"testing"
	"time"
)

// WaitLimit is how long a test waits for a state before it gives up: far longer than a slow, busy
// machine needs. No test expects a wait to last this long, so it may be as large as the time limit
// of a test run allows.
const WaitLimit = 4 * time.Minute

// Eventually waits until a condition holds and fails the test when it does not within WaitLimit. A
// test that needs a state of the program waits for it here instead of sleeping. The condition runs
// on the goroutine of the test, which may therefore end the test in it. The optional message is a
// format with its values.
func Eventually(t testing.TB, holds func() bool, message ...any) {
	t.Helper()
	pause := time.Millisecond
	for deadline := time.Now().Add(WaitLimit); !holds(); {
		if time.Now().After(deadline) {
			text := ""
			if len(message) > 0 {
				text = ": " + fmt.Sprintf(fmt.Sprint(message[0]), message[1:]...)
			}
			t.Fatalf("the condition does not hold after %v%s", WaitLimit, text)
		}
		time.Sleep(pause)
		pause = min(2*pause, 20*time.Millisecond)
	}
}

// Receive returns the next value of a channel and fails the test when none comes within WaitLimit.
// A closed channel gives the zero value.
func Receive[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	limit := time.NewTimer(WaitLimit)
	defer limit.Stop()
	select {
	case v := <-from:
		return v
	case <-limit.C:
		t.Fatalf("nothing was received within %v", WaitLimit)
		panic("unreachable")
	}
}
