package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/redo"
	"emberdb/engine/row"
	"emberdb/engine/space"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// A sweep has operation k of a run fail, or cuts the power there, for k = 0, 1, 2, ... until a run
// passes without having met it. A run opens a directory that holds redo, has several writers and a
// session of definition changes at work, and closes it. Then the directory is opened again, and
//
//	content     of each writer's rows is that of its last acknowledged transaction, or of the one that was
//	            told to have failed with the engine; the tables are those of the last acknowledged
//	            DDL, likewise
//	ledger      a writer's number, raised in each of its transactions, belongs to that content
//	binary log  replayed into an empty model it gives the same content, and its GTIDs have no gap
//	checks      every tree, map of pages and file is in order, no file is left over, and writing goes on
//
// EMBER_SWEEP is the number of runs; "all" runs every k.

// sweepMode is what happens at operation k.
type sweepMode struct {
	name  string
	span  int64 // about as many operations of the kind has a run
	fault vfs.Fault
	cut   bool
}

var sweepModes = []sweepMode{
	{name: "EIO", span: 1500, fault: vfs.Fault{Ops: vfs.Changes | vfs.OpOpen | vfs.OpRead, Err: syscall.EIO}},
	{name: "EIO for good", span: 900, fault: vfs.Fault{Ops: vfs.Changes, Err: syscall.EIO, Stay: true}},
	{name: "disk full", span: 600, fault: vfs.Fault{Ops: vfs.OpCreate | vfs.OpWrite | vfs.OpAllocate, Err: base.ErrDiskFull}},
	{name: "short write", span: 600, fault: vfs.Fault{Ops: vfs.OpWrite, Err: syscall.EIO, Short: true}},
	{name: "sync error", span: 350, fault: vfs.Fault{Ops: vfs.OpSync | vfs.OpSyncDir, Err: syscall.EIO}},
	{name: "power cut", span: 900, cut: true},
}

// arm has operation k of the disk meet what the mode is about.
func (m sweepMode) arm(fs *vfs.Mem, k int64) {
	if m.cut {
		fs.CrashAt(k)
	} else {
		m.fault.Nth = k
		fs.Inject(m.fault)
	}
}

// met tells whether it has.
func (m sweepMode) met(fs *vfs.Mem) bool { return fs.Struck() != "" || m.cut && fs.Crashed() }

// disarm gives the disk for the next start. One that has failed may lose its power as well.
func (m sweepMode) disarm(fs *vfs.Mem, seed uint64) *vfs.Mem {
	fs.ClearFaults()
	fs.CrashAt(-1)
	if m.cut || seed%2 == 0 {
		fs.Crash()
		return fs.Reboot(seed + 1)
	}
	return fs
}

const sweepWriters = 3

// sweep is one run.
type sweep struct {
	t       testing.TB
	e       *Engine
	fs      *vfs.Mem
	writers [sweepWriters]*sweepWriter
	ddl     sweepDDL
}

// known is what a session knows of its part of the content: was, after its last acknowledged
// change, or is, after one whose outcome it was not told. Without such a change both are equal.
type known struct{ was, is map[string]map[int64]item }

func (k *known) settle(acknowledged bool) {
	if acknowledged {
		k.was = k.is
	} else {
		k.is = k.was
	}
}

func cloneContent(m map[string]map[int64]item) map[string]map[int64]item {
	c := map[string]map[int64]item{}
	for name, rows := range m {
		c[name] = maps.Clone(rows)
	}
	return c
}

// sweepWriter changes rows of table a whose id is its number modulo sweepWriters, and counts in the
// ledger.
type sweepWriter struct {
	known
	n   int64
	rnd *rand.Rand
}

// excused tells whether an error may be the fault's.
func (s *sweep) excused() bool { return s.fs.Struck() != "" || s.fs.Crashed() }

// unknown tells whether an error of a commit leaves the outcome open.
func unknown(err error) bool {
	return errors.Is(err, base.ErrFailed) || errors.Is(err, vfs.ErrPowerLost)
}

func (s *sweep) write(w *sweepWriter, transactions int) error {
	for range transactions {
		w.is = cloneContent(w.was)
		tx := s.e.Begin(txn.RepeatableRead, false)
		follow(s.e, tx)
		err := w.change(s.e, tx)
		if err == nil && w.rnd.IntN(8) > 0 {
			if err = s.e.Commit(ctx, tx); err == nil {
				w.settle(true)
				continue
			}
			if unknown(err) {
				return err
			}
		} else {
			err = errors.Join(err, s.e.Rollback(tx))
		}
		w.settle(false)
		if errors.Is(err, base.ErrFailed) || errors.Is(err, vfs.ErrPowerLost) {
			return err
		}
		if err != nil && !errors.Is(err, base.ErrDeadlock) && !s.excused() {
			return err
		}
	}
	return nil
}

// change makes some changes and takes one of them back.
func (w *sweepWriter) change(e *Engine, tx *txn.Trx) error {
	t, err := e.Table(ctx, tx, "test", "a")
	if err != nil {
		return err
	}
	rows := w.is["a"]
	for range 1 + w.rnd.IntN(5) {
		mark, before := tx.StartStatement(), maps.Clone(rows)
		id := w.n + sweepWriters*w.rnd.Int64N(25)
		was, there := rows[id]
		is := item{id: id, k: w.rnd.Int64N(50), pad: strings.Repeat("p", []int{3, 200, 1500, 6000, 30_000}[w.rnd.IntN(5)])}
		switch {
		case !there:
			err = t.Insert(ctx, tx, is.vals())
		case w.rnd.IntN(3) == 0:
			delete(rows, id)
			err = t.Delete(ctx, tx, was.vals())
		default:
			err = t.Update(ctx, tx, was.vals(), is.vals())
		}
		if _, kept := rows[id]; err == nil && (!there || kept) {
			rows[id] = is
		}
		if err == nil && w.rnd.IntN(6) == 0 {
			if err = tx.RollbackTo(ctx, mark); err == nil {
				clear(rows)
				maps.Copy(rows, before)
			}
		}
		if err != nil {
			return err
		}
	}
	ledger, err := e.Table(ctx, tx, "test", "ledger")
	if err != nil {
		return err
	}
	tx.StartStatement()
	was := w.is["ledger"][w.n]
	is := was
	is.k++
	w.is["ledger"][w.n] = is
	return ledger.Update(ctx, tx, was.vals(), is.vals())
}

// sweepDDL changes definitions: of tables of its own, and of the writers'.
type sweepDDL struct {
	known
	steps []step
}

// ddlSteps are the definition changes of a run. What they do to the content stands beside each.
func ddlSteps() []step {
	def := func(name string) step {
		return ddlStep("create "+name, func(e *Engine, tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef(name)) },
			func(m map[string]map[int64]item) { m[name] = map[int64]item{} })
	}
	drop := func(name string) step {
		return ddlStep("drop "+name, func(e *Engine, tx *txn.Trx) error { return e.DropTable(ctx, tx, "test", name) },
			func(m map[string]map[int64]item) { delete(m, name) })
	}
	same := func(map[string]map[int64]item) {}
	rows := someItems(0, 90)
	for i := range rows {
		rows[i].pad = strings.Repeat("d", 900)
	}
	return []step{
		def("x"), insertStep("x", rows[:40]...),
		ddlStep("index a", func(e *Engine, tx *txn.Trx) error {
			return e.AddIndex(ctx, tx, "test", "a", &catalog.Index{Name: "more", Parts: []row.KeyPart{{Column: 1}, {Column: 3, Prefix: 20}}})
		}, same),
		ddlStep("rewrite a", func(e *Engine, tx *txn.Trx) error {
			return rewriteIn(e, tx, "a", copyDef, 1<<20, func() error { return nil })
		}, same),
		def("big"), {"make big large", func(e *Engine) error { return enlarge(e, "big") }, same}, insertStep("big", rows...),
		ddlStep("rename x to y", func(e *Engine, tx *txn.Trx) error { return e.RenameTable(ctx, tx, "test", "x", "test", "y") },
			func(m map[string]map[int64]item) { m["y"] = m["x"]; delete(m, "x") }),
		{"checkpoint", func(e *Engine) error { return errors.Join(e.pool.Flusher().All(), e.Checkpoint()) }, same},
		drop("big"),
		ddlStep("truncate y", func(e *Engine, tx *txn.Trx) error { return e.TruncateTable(ctx, tx, "test", "y") },
			func(m map[string]map[int64]item) { m["y"] = map[int64]item{} }),
		insertStep("y", rows[50:60]...),
		ddlStep("drop index of a", func(e *Engine, tx *txn.Trx) error { return e.DropIndex(ctx, tx, "test", "a", "more") }, same),
		{"rotate", func(e *Engine) error { return e.Binlog().Rotate() }, same},
		drop("y"), def("z"), insertStep("z", rows[:5]...),
	}
}

// enlarge makes the space of a table reach its second bitmap, as a table of more than 1 GiB does:
// the pages between are in use for ever.
func enlarge(e *Engine, name string) error {
	tbl, err := e.dict.Table(ctx, nil, "test", name)
	if err != nil {
		return err
	}
	s := tbl.Def().Space
	if err := e.files.Extend(s, space.PagesPerBitmap); err != nil {
		return err
	}
	m := e.pool.Begin()
	pg, err := m.Pin(base.PageID{Space: s}, buffer.Exclusive)
	if err == nil {
		size := uint32(space.PagesPerBitmap)
		m.Apply(pg, redo.OpSpaceSize, []byte{byte(size), byte(size >> 8), byte(size >> 16), byte(size >> 24)})
	}
	_, refused := m.Commit()
	return errors.Join(err, refused)
}

func (s *sweep) define(d *sweepDDL) error {
	for _, st := range d.steps {
		d.is = cloneContent(d.was)
		st.model(d.is)
		ddlText = st.name // nobody else changes definitions
		err := st.run(s.e)
		switch {
		case err == nil:
			d.settle(true)
			continue
		case unknown(err):
			return err
		case !s.excused():
			return fmt.Errorf("%s: %w", st.name, err)
		}
		d.settle(false)
		return nil // what follows builds on it
	}
	return nil
}

// sweepTemplate is the directory every run begins with, closed without its pages written.
func sweepTemplate(t testing.TB, seed uint64) (*vfs.Mem, map[string]map[int64]item) {
	fs := vfs.NewMem(seed)
	e := open(t, binlogOptions(fs))
	require.NoError(t, e.SetGTIDMode(GTIDOn))
	steps := templateSteps()
	want, _, cut := runSteps(t, e, steps)
	require.False(t, cut)
	require.NoError(t, e.Close(true))
	fs.Crash() // everything is synced
	return fs, want
}

func templateSteps() []step {
	rows, ledger := someItems(0, 60), []item{}
	for i := range rows {
		rows[i].u = 0
		rows[i].pad = strings.Repeat("t", 700)
	}
	for n := range int64(sweepWriters) {
		ledger = append(ledger, item{id: n})
	}
	create := func(name string) step {
		return ddlStep("create "+name, func(e *Engine, tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef(name)) },
			func(m map[string]map[int64]item) { m[name] = map[int64]item{} })
	}
	return []step{create("a"), create("ledger"), insertStep("a", rows...), insertStep("ledger", ledger...)}
}

// run makes one run and checks what it leaves. It tells whether operation k was met.
func sweepRun(t testing.TB, template *vfs.Mem, start map[string]map[int64]item, mode sweepMode, k int64, seed uint64) (met bool) {
	fs := template.Reboot(seed)
	s := &sweep{t: t, fs: fs, ddl: sweepDDL{steps: ddlSteps()}}
	s.ddl.was, s.ddl.is = map[string]map[int64]item{}, map[string]map[int64]item{}
	for n := range s.writers {
		w := &sweepWriter{n: int64(n), rnd: rand.New(rand.NewPCG(seed, uint64(n)))}
		w.was = map[string]map[int64]item{"a": {}, "ledger": {int64(n): start["ledger"][int64(n)]}}
		for id, r := range start["a"] {
			if id%sweepWriters == int64(n) {
				w.was["a"][id] = r
			}
		}
		w.is = w.was
		s.writers[n] = w
	}
	where := fmt.Sprintf("%s at operation %d, seed %d", mode.name, k, seed)
	mode.arm(fs, k)
	o := binlogOptions(fs)
	o.Logger = slog.New(slog.DiscardHandler)
	var err error
	if s.e, err = Open(o); err == nil {
		err = s.e.SetGTIDMode(GTIDOn)
		errs := make([]error, sweepWriters+1)
		var wg sync.WaitGroup
		if err == nil {
			for n, w := range s.writers {
				wg.Go(func() { errs[n] = s.write(w, 12) })
			}
			wg.Go(func() { errs[sweepWriters] = s.define(&s.ddl) })
		}
		wg.Wait()
		err = errors.Join(err, errors.Join(errs...))
		if fs.Crashed() {
			abandonEngine(s.e)
		} else {
			err = errors.Join(err, s.e.Close(false))
		}
	}
	met = mode.met(fs)
	where += fmt.Sprintf(" (%s; %v)", fs.Struck(), err)
	require.True(t, met || err == nil, where)
	fs = mode.disarm(fs, seed)
	s.verify(fs, where)
	return met
}

// verify opens the directory again.
func (s *sweep) verify(fs *vfs.Mem, where string) {
	t := s.t
	o := binlogOptions(fs)
	o.Logger = slog.New(slog.DiscardHandler)
	e, err := Open(o)
	require.NoError(t, err, where)
	got := content(t, e)
	for _, w := range s.writers {
		mine := map[string]map[int64]item{"a": {}, "ledger": {}}
		for name, rows := range mine {
			for id, r := range got[name] {
				if id%sweepWriters == w.n {
					rows[id] = r
				}
			}
		}
		require.True(t, equalContent(mine, w.was) || equalContent(mine, w.is), "%s: rows of writer %d differ from those acknowledged: %v, from those in doubt: %v", where, w.n,
			difference(mine, w.was), difference(mine, w.is))
	}
	others := cloneContent(got)
	delete(others, "a")
	delete(others, "ledger")
	require.True(t, equalContent(others, s.ddl.was) || equalContent(others, s.ddl.is), "%s: tables:\n got %v\nwant %v\n  or %v", where,
		summary(others), summary(s.ddl.was), summary(s.ddl.is))
	logged := replay(t, fs, e, append(templateSteps(), ddlSteps()...))
	require.True(t, equalContent(got, logged), "%s: the tables hold %v, the binary log gives %v", where, summary(got), summary(logged))

	e.background.Wait()
	wait, cancel := context.WithTimeout(ctx, testkit.WaitLimit)
	defer cancel()
	require.NoError(t, e.txns.WaitCleaned(wait), where)
	if _, large := got["big"]; large { // its map of pages is not in order
		ddlText = "drop big"
		require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.DropTable(ctx, tx, "test", "big") }), where)
	}
	require.NoError(t, insertItems(e, "a", item{id: 9999, k: 1}), where)
	r, err := e.Check(ctx, nil)
	require.NoError(t, err, where)
	require.Empty(t, r.Faults, where)
	requireFiles(t, e)
	require.NoError(t, e.Close(false), where)
}

// difference names the rows that only one of two contents has.
func difference(a, b map[string]map[int64]item) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		ids := map[int64]bool{}
		for id := range a[name] {
			ids[id] = true
		}
		for id := range b[name] {
			ids[id] = true
		}
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			if x, y := a[name][id], b[name][id]; x != y {
				out = append(out, fmt.Sprintf("%s.%d: k %d and %d, %d and %d bytes", name, id, x.k, y.k, len(x.pad), len(y.pad)))
			}
		}
	}
	return out
}

// sweepCreation is a run that makes a new directory.
func sweepCreation(t testing.TB, mode sweepMode, k int64, seed uint64) (met bool) {
	fs := vfs.NewMem(seed)
	where := fmt.Sprintf("creation, %s at operation %d, seed %d", mode.name, k, seed)
	mode.arm(fs, k)
	o := binlogOptions(fs)
	o.Logger = slog.New(slog.DiscardHandler)
	e, err := Open(o)
	if err == nil {
		err = e.Close(false)
	}
	met = mode.met(fs)
	where += fmt.Sprintf(" (%s; %v)", fs.Struck(), err)
	require.True(t, met || err == nil, where)
	fs = mode.disarm(fs, seed)
	o.FS = fs
	e, err = Open(o)
	require.NoError(t, err, where)
	createItems(t, e, "a")
	require.NoError(t, insertItems(e, "a", someItems(1, 3)...), where)
	requireClean(t, e)
	require.NoError(t, e.Close(false), where)
	return met
}

// TestSweep makes some runs at random operations, or with EMBER_SWEEP=all every one of every mode.
func TestSweep(t *testing.T) {
	seed := testkit.Seed(t)
	template, start := sweepTemplate(t, seed)
	run := func(t testing.TB, mode sweepMode, k int64, seed uint64) bool {
		return sweepRun(t, template, start, mode, k, seed)
	}
	if os.Getenv("EMBER_SWEEP") == "all" {
		for _, mode := range sweepModes {
			t.Run("creation, "+mode.name, func(t *testing.T) { sweepAll(t, sweepCreation, mode, seed) })
			t.Run(mode.name, func(t *testing.T) { sweepAll(t, run, mode, seed) })
		}
		return
	}
	runs := 48
	if n, err := strconv.Atoi(os.Getenv("EMBER_SWEEP")); err == nil {
		runs = n
	}
	rnd := rand.New(rand.NewPCG(seed, 6))
	for n := range runs {
		mode := sweepModes[n%len(sweepModes)]
		if rnd.IntN(8) == 0 {
			sweepCreation(t, mode, rnd.Int64N(60), seed+uint64(n))
		} else {
			run(t, mode, rnd.Int64N(mode.span), seed+uint64(n))
		}
	}
}

// sweepAll is the whole sweep of a mode.
func sweepAll(t *testing.T, run func(t testing.TB, mode sweepMode, k int64, seed uint64) bool, mode sweepMode, seed uint64) {
	k := int64(0)
	for passed := 0; passed < 3; k++ { // runs differ: one that ends early proves little
		if passed++; run(t, mode, k, seed+uint64(k)) {
			passed = 0
		}
	}
	t.Logf("%d operations", k-3)
}
