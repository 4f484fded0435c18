package server

import (
	"os"
	"runtime"

	"emberdb/internal/base"
)

// The processors of Go's scheduler. A goroutine keeps the one it runs on while it is in a system
// call, until the scheduler notices: with two of them, a sync of the log takes half of the server
// for most of its time. Beside a crowd of connections there is other work for the machine
// meanwhile, so it gets two more than the machine has: a hundred clients make a tenth more commits.
// Few connections would only be passed between them, and lose up to a fifth.
//
// Goroutines of reports (ember_parallel_threads) take all processors for long. The scheduler asks
// the network only where one is free, or every ten milliseconds: beside them there is one more, on
// which short statements begin at once.
//
// The reaper tells how many connections did something since it looked last, and whether reports had
// such goroutines.

const (
	crowdBegins  = 6 // connections at work for each processor
	crowdEnds    = 4
	crowdSpare   = 2
	crowdQuietly = 10 // looks in a row that see no crowd, until it is over
	reportSpare  = 1
)

// crowd is whether there is one, and whether there are reports. Only the reaper uses it.
type crowd struct {
	fixed   bool // the operator has said how many processors there are
	crowded lasting
	reports lasting
	spare   int // processors that it has added
}

// lasting is something that is over when it was not seen for a while.
type lasting struct {
	on     bool
	absent int
}

// seen tells whether it goes on.
func (l *lasting) seen(begins, goesOn bool) bool {
	switch {
	case begins || l.on && goesOn:
		l.on, l.absent = true, 0
	case l.on:
		l.absent++
		l.on = l.absent < crowdQuietly
	}
	return l.on
}

func newCrowd() crowd { return crowd{fixed: os.Getenv("GOMAXPROCS") != ""} }

// look is told how many connections are at work, and whether reports are.
func (c *crowd) look(active int, reports bool) {
	if c.fixed {
		return
	}
	spare := 0
	if c.crowded.seen(active >= crowdBegins*base.Processors, active >= crowdEnds*base.Processors) {
		spare = crowdSpare
	}
	if c.reports.seen(reports, reports) {
		spare = max(spare, reportSpare)
	}
	switch {
	case spare == c.spare:
		return
	case spare == 0:
		runtime.SetDefaultGOMAXPROCS()
	default:
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spare - c.spare)
	}
	c.spare = spare
}
