package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// fill takes the disk's last room for files whose path contains match.
func fill(disk *vfs.Mem, match string) {
	disk.Inject(vfs.Fault{Ops: vfs.OpAllocate | vfs.OpCreate, Match: match, Stay: true, Err: base.ErrDiskFull})
}

// A rollback to a savepoint may need pages: rows grow back in leaves that others have filled since.
// When there are none it stops half-way, and the transaction must not be committed then.
func TestTornRollback(t *testing.T) {
	disk := vfs.NewMem(1)
	e := open(t, smallOptions(disk))
	createItems(t, e, "a")
	long, want := strings.Repeat("x", 1500), map[int64]item{}
	require.NoError(t, e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		for i := int64(0); i < 400; i += 10 {
			want[i] = item{id: i, k: i, pad: long}
			require.NoError(t, insertItem(e, tx, "a", want[i]))
		}
		return nil
	}))
	tx := e.Begin(txn.RepeatableRead, false)
	tbl, err := e.Table(ctx, tx, "test", "a")
	require.NoError(t, err)
	mark := tx.StartStatement()
	for _, i := range slices.Sorted(maps.Keys(want)) {
		short := item{id: i, k: i, pad: "y"}
		require.NoError(t, tbl.Update(ctx, tx, want[i].vals(), short.vals()))
	}
	fill(disk, pagefile.PathIn("", tbl.Def().Space))
	full := 0
	for id := int64(2000); id > 0; id-- { // first behind the rows, until no page is left, then among them
		x := item{id: id, k: id, pad: strings.Repeat("z", 700)}
		if id%10 == 0 {
			continue
		}
		err := e.run(txn.ReadCommitted, func(tx *txn.Trx) error { return insertItem(e, tx, "a", x) })
		if errors.Is(err, base.ErrDiskFull) {
			full++
			continue
		}
		require.NoError(t, err)
		want[id] = x
	}
	require.Greater(t, full, 100)
	require.ErrorIs(t, tx.RollbackTo(ctx, mark), base.ErrDiskFull)
	require.ErrorIs(t, tbl.Insert(ctx, tx, item{id: 100_000, pad: "n"}.vals()), base.ErrDiskFull)
	require.ErrorIs(t, e.Commit(ctx, tx), base.ErrDiskFull)

	disk.ClearFaults()
	require.NoError(t, e.txns.WaitCleaned(ctx))
	requireItems(t, e, "a", want)
	require.NoError(t, e.Close(true))
	e = open(t, smallOptions(disk))
	requireItems(t, e, "a", want)
	require.NoError(t, e.Close(true))
}

// An orderly shutdown while the disk is full, of the binary log or altogether, is no error: what is
// not written then is in redo, and the next start has it.
func TestCloseOnFullDisk(t *testing.T) {
	const grow = vfs.OpAllocate | vfs.OpCreate
	for name, full := range map[string][]vfs.Fault{
		"binary log": {{Ops: vfs.OpWrite, Match: "/binlog.0"}},
		"data":       {{Ops: grow, Match: "spaces"}},
		"redo":       {{Ops: grow, Match: "redo"}},
		"all":        {{Ops: grow}, {Ops: vfs.OpWrite, Match: "/binlog.0"}},
	} {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem(1)
			e := open(t, binlogOptions(fs))
			require.NoError(t, e.SetGTIDMode(GTIDOn))
			createItems(t, e, "a")
			want, err := map[int64]item{}, error(nil)
			insert := func(id int64) {
				x := item{id: id, k: id, pad: strings.Repeat("x", 100)}
				if err = e.run(txn.RepeatableRead, func(tx *txn.Trx) error { return insertItem(e, tx, "a", x) }); err == nil {
					want[id] = x
				}
			}
			insert(1)
			for _, f := range full {
				f.Stay, f.Err = true, base.ErrDiskFull
				fs.Inject(f)
			}
			for id := int64(2); err == nil && id < 200; id++ {
				insert(id)
			}
			require.NotEmpty(t, want)
			require.NoError(t, e.Close(false))
			fs.ClearFaults()
			e = open(t, binlogOptions(fs))
			requireItems(t, e, "a", want)
			require.NoError(t, e.Binlog().Settle())
			create := step{name: ddlText, model: func(m map[string]map[int64]item) { m["a"] = map[int64]item{} }}
			require.Equal(t, want, replay(t, fs, e, []step{create})["a"])
			require.NoError(t, e.Close(false))
		})
	}
}

func insertItem(e *Engine, tx *txn.Trx, name string, i item) error {
	tbl, err := e.Table(ctx, tx, "test", name)
	if err != nil {
		return err
	}
	return tbl.Insert(ctx, tx, i.vals())
}

func requireItems(t *testing.T, e *Engine, name string, want map[int64]item) {
	t.Helper()
	for index := range 2 {
		got := map[int64]item{}
		for _, i := range items(t, e, name, index) {
			got[i.id] = i
		}
		require.True(t, maps.Equal(want, got), "index %d: %d rows, %d wanted", index, len(got), len(want))
	}
}

// owner changes rows of its own, which others leave alone, on a disk that is full at times.
type owner struct {
	e    *Engine
	rnd  *rand.Rand
	n    int64
	span int64          // rows, about: they become more, so that the files must grow
	rows map[int64]item // committed
	full int
}

const owners = 4

// TestFullDisk has transactions run on a disk that fills up and gets room again: what fails is
// taken back, what is acknowledged stays, the engine goes on, and a power cut on the full disk
// loses nothing.
func TestFullDisk(t *testing.T) {
	seed := testkit.Seed(t)
	disk := vfs.NewMem(seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	o := smallOptions(disk)
	e := open(t, o)
	createItems(t, e, "a")
	all, filler := make([]*owner, owners), map[int64]item{}
	for i := range all {
		all[i] = &owner{rnd: rand.New(rand.NewPCG(seed, uint64(i))), n: int64(i), rows: map[int64]item{}}
	}
	for round := range 6 {
		disk.ClearFaults()
		if round%3 > 0 {
			fill(disk, "spaces")
			for err := error(nil); err == nil; {
				last := item{id: int64(1_000_000 + len(filler)), pad: strings.Repeat("f", 50_000)}
				if err = insertItems(e, "a", last); err == nil {
					filler[last.id] = last
				} else {
					require.ErrorIs(t, err, base.ErrDiskFull)
				}
			}
		}
		if round%4 == 3 {
			fill(disk, "redo")
		}
		var wg sync.WaitGroup
		errs := make([]error, owners)
		for i, w := range all {
			w.e, w.span = e, int64(30+60*min(round, 3))
			wg.Add(1)
			go func() {
				defer wg.Done()
				for range 8 {
					if errs[i] = w.transaction(); errs[i] != nil {
						return
					}
				}
			}()
		}
		wg.Wait()
		require.NoError(t, errors.Join(errs...))
		if rnd.IntN(3) == 0 {
			disk.Crash()
			_ = e.Close(false)
			disk = disk.Reboot(seed + uint64(round))
			o.FS = disk
			e = open(t, o)
		}
		want := maps.Clone(filler)
		for _, w := range all {
			maps.Copy(want, w.rows)
		}
		requireItems(t, e, "a", want)
	}
	disk.ClearFaults()
	full := 0
	for _, w := range all {
		full += w.full
	}
	t.Logf("%d statements found the disk full", full)
	require.Positive(t, full)
	require.NoError(t, e.txns.WaitCleaned(ctx))
	var r Report
	require.NoError(t, e.CheckTable(ctx, "test", "a", &r))
	require.Empty(t, r.Faults)
	require.NoError(t, e.Close(true))
}

// transaction does a few statements and ends them; an error that is no full disk is returned.
func (w *owner) transaction() error {
	rows := maps.Clone(w.rows)
	tx := w.e.Begin(txn.RepeatableRead, false)
	follow(w.e, tx)
	for range 1 + w.rnd.IntN(6) {
		mark, before := tx.StartStatement(), maps.Clone(rows)
		err := w.statement(tx, rows)
		if err == nil && w.rnd.IntN(10) > 0 {
			continue
		}
		rows = before
		if errors.Is(err, base.ErrDeadlock) {
			return w.e.Rollback(tx)
		}
		if err != nil && !errors.Is(err, base.ErrDiskFull) {
			return errors.Join(err, w.e.Rollback(tx))
		}
		if err != nil {
			w.full++
		}
		if tx.RollbackTo(ctx, mark) != nil {
			break // the commit will say so; what a part of the statement left, no other may meet
		}
	}
	if w.rnd.IntN(6) == 0 {
		if err := w.e.Rollback(tx); err != nil && !errors.Is(err, base.ErrDiskFull) {
			return err
		}
		return nil
	}
	err := w.e.Commit(ctx, tx)
	if err == nil {
		w.rows = rows
	} else if !errors.Is(err, base.ErrDiskFull) {
		return err
	}
	return nil
}

// statement changes some rows, of which rows is told.
func (w *owner) statement(tx *txn.Trx, rows map[int64]item) error {
	tbl, err := w.e.Table(ctx, tx, "test", "a")
	if err != nil {
		return err
	}
	pad := strings.Repeat(string(rune('a'+w.rnd.IntN(26))), []int{5, 300, 2500, 20_000, 60_000}[w.rnd.IntN(5)])
	for range 1 + w.rnd.IntN(12) {
		id := w.n + owners*w.rnd.Int64N(w.span)
		was, there := rows[id]
		is := item{id: id, k: w.rnd.Int64N(1000), u: (id+1)*1000 + w.rnd.Int64N(5), pad: pad}
		switch {
		case !there:
			err = tbl.Insert(ctx, tx, is.vals())
		case w.rnd.IntN(4) == 0:
			err = tbl.Delete(ctx, tx, was.vals())
		default:
			err = tbl.Update(ctx, tx, was.vals(), is.vals())
		}
		if err != nil {
			var dup *table.DuplicateError
			if errors.As(err, &dup) {
				err = fmt.Errorf("%w: %v", err, dup.Row[:3])
			}
			return err
		}
		if there && is.id == was.id {
			delete(rows, id)
		}
		if v, err := w.newest(tx, tbl, id); err != nil {
			return err
		} else if v != nil {
			rows[id] = itemOf(v)
		}
	}
	return nil
}

func (w *owner) newest(tx *txn.Trx, tbl *table.Table, id int64) ([]row.Value, error) {
	key := row.AppendKey(nil, table.Columns(tbl.Def()), tbl.Def().Indexes[0].Parts, item{id: id}.vals())
	v, ok, err := tbl.Get(ctx, tx, nil, key, table.Exclusive, table.Wait)
	if err != nil || !ok {
		return nil, err
	}
	return v, nil
}

// TestLogFullBehindBinlog fills the redo log while the binary log waits for room on its disk: no
// checkpoint can make room, so changes that no binary log holds are refused instead of waiting.
func TestLogFullBehindBinlog(t *testing.T) {
	fs := vfs.NewMem(1)
	o := binlogOptions(fs)
	o.RedoCapacity, o.RedoSegment = 4<<20, 256<<10
	e := open(t, o)
	createItems(t, e, "a")
	fs.Inject(vfs.Fault{Ops: vfs.OpWrite, Match: "/binlog.0", Err: base.ErrDiskFull, Stay: true})
	for id, err := int64(1), error(nil); err == nil; id++ {
		err = e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
			return insertItem(e, tx, "a", item{id: id, k: id, pad: strings.Repeat("x", 100)})
		})
		if err != nil {
			require.ErrorIs(t, err, base.ErrDiskFull)
		}
	}
	value := make([]byte, 2000)
	put := func(n int) error {
		binary.LittleEndian.PutUint64(value, uint64(n))
		return e.PutKV(context.Background(), nil, "space", fmt.Sprint(n%50), value)
	}
	err := error(nil)
	for n := 0; err == nil; n++ {
		require.Less(t, n, 20_000)
		err = put(n)
	}
	require.ErrorIs(t, err, base.ErrDiskFull)
	require.NotErrorIs(t, err, base.ErrFailed)
	fs.ClearFaults()
	testkit.Eventually(t, func() bool { return put(-1) == nil })
	require.NoError(t, e.Close(false))
	e = open(t, o)
	require.NoError(t, e.Close(false))
}
