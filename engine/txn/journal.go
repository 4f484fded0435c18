package txn

import (
	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// Journal is what a commit adds to redo for a log beside the engine's own: the binary log.
//
//	Order      it takes its place among the commits; nothing is logged if it fails
//	Log        its records enter the commit's redo group (what a group cannot hold, groups before it)
//	Placed     redo has taken the group, up to lsn; or Abandon: it has not. Placed may wait for others to join the sync once the order is given back
//	Waits      asked before Placed: Durable is going to wait for somebody else, and nobody may see the transaction before it returns
//	Durable    redo is as durable up to lsn as the commits up to there asked; nobody sees this transaction yet, unless it does not wait: then a commit behind it,
//	           in the same sync, may have been told first
//
// From Order to Placed or Abandon, no other journal comes in between, and nobody may wait for a checkpoint.
type Journal interface {
	Order() error
	Log(m *buffer.Mtr)
	Waits() bool
	Placed(lsn base.LSN)
	Abandon()
	Durable(lsn base.LSN)
}

// Observer hears of the points a transaction may be taken back to, so that what is kept of its changes elsewhere is taken back as well.
type Observer interface {
	// StartStatement: a new statement begins, at m.
	StartStatement(m Mark)
	// Boundary: m may be gone back to.
	Boundary(m Mark)
	// RolledBack: the transaction has gone back to m.
	RolledBack(m Mark)
}
