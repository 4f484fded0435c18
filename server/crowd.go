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
// The reaper tells how many connections did something since it looked last.

const (
	crowdBegins  = 6 // connections at work for each processor
	crowdEnds    = 4
	crowdSpare   = 2
	crowdQuietly = 10 // looks in a row that see no crowd, until it is over
)

// crowd is whether there is one. Only the reaper uses it.
type crowd struct {
	fixed  bool // the operator has said how many processors there are
	on     bool
	absent int
}

func newCrowd() crowd { return crowd{fixed: os.Getenv("GOMAXPROCS") != ""} }

// look is told how many connections are at work.
func (c *crowd) look(active int) {
	switch {
	case c.fixed:
	case !c.on:
		if active >= crowdBegins*base.Processors {
			c.on, c.absent = true, 0
			runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + crowdSpare)
		}
	case active >= crowdEnds*base.Processors:
		c.absent = 0
	default:
		if c.absent++; c.absent == crowdQuietly {
			c.on = false
			runtime.SetDefaultGOMAXPROCS()
		}
	}
}
