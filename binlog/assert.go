package binlog

import (
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// given is how far the log has been given out: a build with invariants asserts that each position,
// each GTID and each LSN is given once, in order.
type given struct {
	resets uint64
	to     Position
	lsn    base.LSN
}

// assertOnce looks at a unit that enters the queue. REQUIRES: orderMu and mu held.
func (l *Log) assertOnce(u *unit, lsn base.LSN) {
	g := &l.mu.given
	if g.to == (Position{}) || g.resets != l.mu.resets { // the first unit of this life, or after a reset
		g.to = Position{u.pieces[0].file, u.pieces[0].off}
	}
	g.resets = l.mu.resets
	invariants.Assert(lsn >= g.lsn, "binary log: a unit of LSN %d follows one of %d", lsn, g.lsn)
	g.lsn = lsn
	for i := range u.pieces {
		p := &u.pieces[i]
		begins := p.file == g.to.File+1 && p.off == 0
		invariants.Assert(begins || p.adopt == "" && Position{p.file, p.off} == g.to, "binary log: position %d of file %d is given out, the log stands at %v", p.off, p.file, g.to)
		g.to = Position{p.file, p.off + int64(len(p.data))}
		if p.adopt != "" {
			g.to.Offset = p.size
		}
	}
	invariants.Assert(u.gtid == (GTID{}) || !l.mu.executed.Contains(u.gtid), "binary log: %s is given twice", u.gtid)
}
