package invariants

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write docs/latches.md anew")

// docs/latches.md is made of the table: go test ./internal/invariants -rewrite.
func TestManual(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Latch order

One ladder for the whole server, the outermost first. A goroutine may acquire a rung only while it
holds nothing below it, and two of one rung only where "several" says so. Waiting for a row, table
or metadata lock never happens while a page latch is held.

Builds with the tag ` + "`invariants`" + `, which the unit tests are, assert this order at every acquisition.
This page is made of the table in ` + "`internal/invariants/ladder.go`" + `.

| rung | what | who | several | note |
|---|---|---|---|---|
`)
	for i, r := range Ladder {
		several := ""
		if r.Many {
			several = "yes"
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", i+1, r.Name, r.Package, several, r.Note)
	}
	b.WriteString(`
Above all of them stand what is waited for in the lock table: metadata locks, then table, row and
auto-increment locks.

Mutexes that are not in the table guard one package's own state and are held for a few
instructions. Nothing of the table is acquired under them. They are the file table of
` + "`engine/pagefile`" + `, the errors of reads and the trace of ` + "`engine/buffer`" + `, and redo's writer. Redo's
writer is taken before redo's append, and by nobody who holds it.
`)
	path := filepath.Join("..", "..", "docs", "latches.md")
	if *rewrite {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Error("docs/latches.md is not what the table says: go test ./internal/invariants -rewrite")
	}
}

// Every class names a rung of its own, and every rung is described.
func TestLadder(t *testing.T) {
	seen := map[Rung]bool{}
	for _, c := range []Class{DictUse{}, UniqueKey{}, RowUndo{}, TreeShape{}, DictCache{}, DictIDs{}, DataPage{}, UndoStreams{}, UndoPage{}, BinlogOrder{}, TxnTurns{}, TxnAll{},
		TxnList{}, RedoAppend{}, BufferFlush{}, BufferLRU{}, BufferTable{}, BufferDropped{}, PurgeQueue{}, LockGraph{}, LockShard{}, LockRuns{}, LockTreeRuns{}, LockOwner{}, RedoSegments{}, BinlogWriter{}, BinlogFiles{}, BinlogState{}} {
		if r := c.Rung(); seen[r] || Ladder[r].Name == "" || Ladder[r].Package == "" {
			t.Errorf("rung %d: %+v", r, Ladder[r])
		}
		seen[c.Rung()] = true
	}
	if len(seen) != int(rungs) {
		t.Errorf("%d classes for %d rungs", len(seen), rungs)
	}
}

// The order is asserted exactly when the checks are compiled in.
func TestOrder(t *testing.T) {
	var outer Mutex[DictUse]
	var inner RWMutex[DictCache]
	var shards [2]Mutex[LockShard]
	ok := func(fn func()) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		fn()
		return false
	}
	if ok(func() {
		outer.Lock()
		defer outer.Unlock()
		inner.RLock()
		defer inner.RUnlock()
	}) {
		t.Error("the right order is refused")
	}
	if ok(func() { shards[0].Lock(); shards[1].Lock(); shards[0].Unlock(); shards[1].Unlock() }) {
		t.Error("two of a rung that allows it are refused")
	}
	inner.Lock()
	if ok(func() {
		outer.Lock()
		defer outer.Unlock()
	}) != Enabled {
		t.Error("the wrong order")
	}
	inner.Unlock()
	if ok(func() {
		Held(DataPage{}, false)
		Held(UndoStreams{}, true)
		Released(DataPage{})
		Released(UndoStreams{})
	}) {
		t.Error("latches")
	}
}
