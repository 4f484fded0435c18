package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// innodb_force_recovery: to read what can be read of a damaged data directory. Each level includes
// those before.
//
//	1  damaged pages and rows are passed over by consistent reads in key order, such as a dump's, and told in the log
//	2  nothing is purged
//	3  transactions that were unfinished are not rolled back; their changes stay invisible
//	4  nobody changes anything, and statistics are not computed
//	5  undo is not looked at: what unfinished transactions changed is seen as if they had committed
//	6  redo is not looked at: what is read is what the data files hold, pages of different ages; nothing is written, and the log stays for another start
//
// From 1 on the server refuses statements that change rows; up to 3 tables can be created and
// dropped.
const (
	forceCorrupt    = 1
	forceNoRollback = 3
	forceReadOnly   = 4
	forceNoUndo     = 5
	forceNoRedo     = 6
)

// unknownTrx is above every transaction id in rows, for a start that does not read which were given
// out.
const unknownTrx = txn.MaxTrxID / 2

func (e *Engine) forced(level int) bool { return e.o.ForceRecovery >= level }

// hint names the level that gets a start past damage it has met.
func hint(err error, level int) error {
	if errors.Is(err, base.ErrCorrupt) || errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; restore a backup, or read what is left with innodb_force_recovery=%d", err, level)
	}
	return err
}

func (e *Engine) warnForced() {
	if level := e.o.ForceRecovery; level > 0 {
		e.o.Logger.Warn("innodb_force_recovery is set: dump what can be read, and restore it elsewhere", "level", level)
	}
}

// damage is what was passed over.
type damage struct {
	mu   sync.Mutex
	told map[string]bool
}

// damageTold bounds the lines in the log.
const damageTold = 1000

// passedOver tells once of each place.
func (e *Engine) passedOver(def *catalog.Table, err error) {
	d := &e.damage
	text := err.Error()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.told[text] || len(d.told) >= damageTold {
		return
	}
	if d.told == nil {
		d.told = make(map[string]bool)
	}
	d.told[text] = true
	e.o.Logger.Error("damage passed over: rows are missing from what is read", "table", def.Schema+"."+def.Name, "err", err)
}
