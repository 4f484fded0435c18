// Package testkit is what the tests of several rooms share.
package testkit

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// Seed is the seed of a random test, printed in its log. It is the same at every run, so that a
// gate that passed passes again and a change that breaks a test is the change that was made.
// EMBER_SEED=random explores and EMBER_SEED=number repeats what was found.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(1)
	switch v := os.Getenv("EMBER_SEED"); v {
	case "":
	case "random":
		seed = uint64(time.Now().UnixNano())
	default:
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			t.Fatalf("EMBER_SEED is random or a number, not %q", v)
		}
		seed = n
	}
	t.Logf("EMBER_SEED=%d", seed)
	return seed
}
