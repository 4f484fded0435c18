package binlog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/invariants"
)

// TestGivenOnce has builds with invariants refuse a position, a GTID and an LSN that were given
// before.
func TestGivenOnce(t *testing.T) {
	if !invariants.Enabled {
		return
	}
	l := new(Log)
	l.mu.executed = new(Set)
	g := GTID{N: 1}
	g.Source.Server = UUID{1}
	l.mu.executed.Add(g)
	at := func(file uint32, off int64) *unit {
		return &unit{pieces: []piece{{file: file, off: off, data: make([]byte, 10)}}}
	}
	l.assertOnce(at(1, 100), 5)
	l.assertOnce(at(1, 110), 5)
	l.assertOnce(at(2, 0), 6)
	require.Panics(t, func() { l.assertOnce(at(1, 120), 7) }, "the file before")
	require.Panics(t, func() { l.assertOnce(at(2, 5), 7) }, "a position twice")
	require.Panics(t, func() { l.assertOnce(at(2, 20), 7) }, "a gap")
	require.Panics(t, func() { l.assertOnce(at(2, 10), 5) }, "an older LSN")
	u := at(2, 10)
	u.gtid = g
	require.Panics(t, func() { l.assertOnce(u, 8) }, "a GTID twice")
	l.mu.resets++
	l.assertOnce(at(1, 100), 9)
}
