package server

import (
	"runtime"
	"testing"

	"emberdb/internal/base"
)

// A crowd has processors to spare, and a report has one. They go when it has gone for a while.
func TestCrowd(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	defer runtime.SetDefaultGOMAXPROCS()
	runtime.SetDefaultGOMAXPROCS()
	c, usual := newCrowd(), runtime.GOMAXPROCS(0)
	reports := false
	expect := func(active, want int) {
		t.Helper()
		if c.look(active, reports); runtime.GOMAXPROCS(0) != want {
			t.Fatalf("%d processors with %d connections at work, want %d", runtime.GOMAXPROCS(0), active, want)
		}
	}
	few, many := crowdEnds*base.Processors-1, crowdBegins*base.Processors
	expect(many-1, usual)
	expect(many, usual+crowdSpare)
	expect(many, usual+crowdSpare)
	for range crowdQuietly - 1 {
		expect(few, usual+crowdSpare)
	}
	expect(few+1, usual+crowdSpare)
	for range crowdQuietly - 1 {
		expect(few, usual+crowdSpare)
	}
	expect(few, usual)

	reports = true
	expect(few, usual+reportSpare)
	expect(many, usual+crowdSpare)
	reports = false
	for range crowdQuietly - 1 {
		expect(many, usual+crowdSpare)
	}
	reports = true
	for range crowdQuietly - 1 {
		expect(few, usual+crowdSpare)
	}
	expect(few, usual+reportSpare)
	reports = false
	for range crowdQuietly - 1 {
		expect(few, usual+reportSpare)
	}
	expect(few, usual)

	t.Setenv("GOMAXPROCS", "2")
	c = newCrowd()
	expect(many, usual)
}
