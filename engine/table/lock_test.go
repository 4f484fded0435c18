package table

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// lockSet lists the record locks of tx, as "index key mode kind".
func (e *env) lockSet(t *Table, tx *txn.Trx) (out []string) {
	for _, in := range e.locks.Snapshot() {
		if in.Thread != tx.Thread() || in.Class != "RECORD" || !in.Granted {
			continue
		}
		for _, ix := range t.indexes {
			if ix.def.ID != in.Index {
				continue
			}
			name, mode, kind := "supremum", in.Mode, "NextKey"
			if m, k, ok := strings.Cut(in.Mode, ","); ok {
				mode, kind = m, map[string]string{"REC_NOT_GAP": "Record", "GAP": "Gap"}[k]
			}
			if len(in.Key) > 0 {
				name = e.keyText(t, ix, in.Key)
			} else {
				kind = "Gap"
			}
			out = append(out, fmt.Sprintf("%s %s %s %s", ix.def.Name, name, mode, kind))
		}
	}
	sort.Strings(out)
	return out
}

func (e *env) keyText(t *Table, ix *index, key []byte) string {
	var s []string
	ps := ix.parts
	if ix.pos > 0 {
		ps = append(append([]row.KeyPart{}, ps...), t.clustered().parts...)
	}
	for _, p := range ps {
		if row.Decodable(t.cols[p.Column], p) {
			v, rest, _, err := row.DecodeKeyPart(key, t.cols[p.Column], p, nil)
			require.NoError(e.t, err)
			s, key = append(s, show([]row.Value{v})), rest
			continue
		}
		rest, err := row.SkipKeyPart(key, t.cols[p.Column], p)
		require.NoError(e.t, err)
		s, key = append(s, fmt.Sprintf("%q", key[1:len(key)-len(rest)])), rest
	}
	return strings.Join(s, ",")
}

// lockTable has rows a = 10, 20, 30, 40; b = a; c unique.
func lockTable(e *env) *Table {
	def := simpleDef()
	def.Columns[2].Type = row.TVarbinary
	tab := e.create(def)
	e.do(func(tx *txn.Trx) {
		for i := 10; i <= 40; i += 10 {
			require.NoError(e.t, tab.Insert(bg, tx, vals(i, i, fmt.Sprint(i), nil)))
		}
	})
	e.drain()
	return tab
}

func (e *env) ik(t *Table, ix int, v any) []byte {
	p := t.indexes[ix].parts[0]
	return row.AppendKeyPart(nil, t.cols[p.Column], p, vals(v)[0])
}

func TestLockFootprints(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := lockTable(e)
	idx := tab.def.Indexes
	point := func(ix int, v any, l LockMode) ScanOptions {
		return ScanOptions{Index: idx[ix], Lower: e.ik(tab, ix, v), Upper: e.ik(tab, ix, v), UpperIncl: true, Lock: l}
	}
	between := func(ix int, lo, hi any, incl bool) ScanOptions {
		return ScanOptions{Index: idx[ix], Lower: e.ik(tab, ix, lo), Upper: e.ik(tab, ix, hi), LowerExcl: !incl, UpperIncl: incl, Lock: Exclusive}
	}
	reverse := between(0, 20, 30, true)
	reverse.Reverse = true
	covering := point(1, 20, Shared)
	covering.Columns = []int{0, 1}
	for _, tc := range []struct {
		name string
		iso  txn.Isolation
		o    ScanOptions
		want []string
	}{
		{"primary key, found", txn.RepeatableRead, point(0, 20, Exclusive), []string{"PRIMARY 20 X Record"}},
		{"primary key, not found", txn.RepeatableRead, point(0, 25, Exclusive), []string{"PRIMARY 30 X Gap"}},
		{"primary key, behind the end", txn.RepeatableRead, point(0, 50, Exclusive), []string{"PRIMARY supremum X Gap"}},
		{"primary key, not found, READ COMMITTED", txn.ReadCommitted, point(0, 25, Exclusive), nil},
		{"primary key range, both ends in", txn.RepeatableRead, between(0, 20, 30, true), []string{"PRIMARY 20 X Record", "PRIMARY 30 X NextKey"}},
		{"primary key range, end not found", txn.RepeatableRead, between(0, 20, 35, true), []string{"PRIMARY 20 X Record", "PRIMARY 30 X NextKey", "PRIMARY 40 X Gap"}},
		{"primary key range, both ends out", txn.RepeatableRead, between(0, 10, 30, false), []string{"PRIMARY 20 X NextKey", "PRIMARY 30 X Gap"}},
		{"primary key range backward", txn.RepeatableRead, reverse, []string{"PRIMARY 20 X NextKey", "PRIMARY 30 X NextKey", "PRIMARY 40 X Gap"}},
		{"primary key range, READ COMMITTED", txn.ReadCommitted, between(0, 20, 30, true), []string{"PRIMARY 20 X Record", "PRIMARY 30 X Record"}},
		{"whole table", txn.Serializable, ScanOptions{Lock: Shared}, []string{"PRIMARY 10 S NextKey", "PRIMARY 20 S NextKey", "PRIMARY 30 S NextKey", "PRIMARY 40 S NextKey", "PRIMARY supremum S Gap"}},
		{"index, equality", txn.RepeatableRead, point(1, 20, Exclusive), []string{"PRIMARY 20 X Record", "b 20,20 X NextKey", "b 30,30 X Gap"}},
		{"index, equality, READ COMMITTED", txn.ReadCommitted, point(1, 20, Exclusive), []string{"PRIMARY 20 X Record", "b 20,20 X Record"}},
		{"index, not found", txn.RepeatableRead, point(1, 25, Shared), []string{"b 30,30 S Gap"}},
		{"index, covering share", txn.RepeatableRead, covering, []string{"b 20,20 S NextKey", "b 30,30 S Gap"}},
		{"unique index, found", txn.RepeatableRead, point(2, "20", Exclusive), []string{"PRIMARY 20 X Record", "c 20,20 X Record"}},
		{"unique index, not found", txn.RepeatableRead, point(2, "25", Exclusive), []string{"c 30,30 X Gap"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tx := e.begin(tc.iso)
			defer e.rollback(tx)
			e.rows(tab, tx, tc.o)
			require.Equal(t, tc.want, e.lockSet(tab, tx))
		})
	}
}

// blocks tells whether fn waits for a lock; it gives up after a moment.
func (e *env) blocks(fn func() error) bool {
	wait := e.wait
	e.wait = 30 * time.Millisecond
	defer func() { e.wait = wait }()
	err := fn()
	if err == nil {
		return false
	}
	require.ErrorIs(e.t, err, base.ErrLockTimeout)
	return true
}

func TestWhoWaits(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := lockTable(e)
	ins := func(tx *txn.Trx, a, b int) func() error {
		return func() error { return tab.Insert(bg, tx, vals(a, b, nil, nil)) }
	}
	lockRow := func(tx *txn.Trx, l LockMode, w WaitPolicy) func() error {
		return func() error {
			_, _, err := tab.Get(bg, tx, tab.def.Indexes[0], e.pk(tab, 20), l, w)
			return err
		}
	}
	t.Run("next-key keeps phantoms out", func(t *testing.T) {
		a, b := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
		e.rows(tab, a, ScanOptions{Lower: e.pk(tab, 20), Upper: e.pk(tab, 30), UpperIncl: true, Lock: Exclusive})
		require.True(t, e.blocks(ins(b, 25, 1)))
		require.False(t, e.blocks(ins(b, 35, 1)), "the range ends with a row: the gap behind it is free")
		require.False(t, e.blocks(ins(b, 15, 1)))
		require.False(t, e.blocks(ins(b, 45, 1)))
		e.rollback(b)
		e.rollback(a)
	})
	t.Run("a gap lock survives the split of its gap", func(t *testing.T) {
		a, b := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
		e.rows(tab, a, ScanOptions{Lower: e.pk(tab, 21), Upper: e.pk(tab, 29), Lock: Exclusive})
		require.NoError(t, ins(a, 25, 1)())
		require.True(t, e.blocks(ins(b, 23, 1)))
		require.True(t, e.blocks(ins(b, 27, 1)))
		e.rollback(a)
		require.False(t, e.blocks(ins(b, 23, 1)))
		e.rollback(b)
	})
	t.Run("implicit lock of an inserted row", func(t *testing.T) {
		a, b := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
		require.NoError(t, ins(a, 25, 25)())
		require.True(t, e.blocks(ins(b, 25, 1)))
		require.True(t, e.blocks(func() error {
			_, err := readAll(tab.NewScan(b, ScanOptions{Index: tab.def.Indexes[1], Lower: e.ik(tab, 1, 25), Upper: e.ik(tab, 1, 25), UpperIncl: true, Lock: Shared}))
			return err
		}))
		require.Contains(t, e.lockSet(tab, a), "b 25,25 X Record", "the writer's lock on the entry, so that it is not the one to wait for it")
		e.rollback(b)
		e.rollback(a)
	})
	t.Run("a key that a row had in between", func(t *testing.T) {
		a, b := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
		insert := func() error { return tab.Insert(bg, b, vals(50, 50, "x", nil)) }
		require.NoError(t, tab.Update(bg, a, vals(20, nil, nil, nil), vals(20, 20, "x", nil)))
		sp := a.Savepoint()
		require.NoError(t, tab.Update(bg, a, vals(20, nil, nil, nil), vals(20, 20, "y", nil)))
		require.True(t, e.blocks(insert), "the row may get it back")
		require.NoError(t, a.RollbackTo(bg, sp))
		e.commit(a)
		var dup *DuplicateError
		require.ErrorAs(t, insert(), &dup)
		e.rollback(b)
		e.do(func(tx *txn.Trx) {
			require.NoError(t, tab.Update(bg, tx, vals(20, nil, nil, nil), vals(20, 20, "20", nil)))
		})
	})
	t.Run("a key of a row that came and went", func(t *testing.T) {
		a, b := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
		insert := func() error { return tab.Insert(bg, b, vals(50, 50, "x", nil)) }
		require.NoError(t, tab.Insert(bg, a, vals(25, 25, "x", nil)))
		require.NoError(t, tab.Delete(bg, a, vals(25, nil, nil, nil)))
		require.True(t, e.blocks(insert), "the events of a stand before those of b")
		e.commit(a)
		require.NoError(t, insert())
		e.rollback(b)
	})
	t.Run("policies", func(t *testing.T) {
		a, b := e.begin(txn.RepeatableRead), e.begin(txn.ReadCommitted)
		require.NoError(t, lockRow(a, Exclusive, Wait)())
		require.ErrorIs(t, lockRow(b, Shared, NoWait)(), base.ErrNoWait)
		require.Len(t, e.rows(tab, b, ScanOptions{Lock: Exclusive, Wait: SkipLocked}), 3)
		e.rollback(a)
		require.NoError(t, lockRow(b, Shared, NoWait)())
		e.rollback(b)
	})
	t.Run("READ COMMITTED gives back what did not match", func(t *testing.T) {
		a, b := e.begin(txn.ReadCommitted), e.begin(txn.ReadCommitted)
		s := tab.NewScan(a, ScanOptions{Index: tab.def.Indexes[1], Lock: Exclusive})
		for vs, err := s.Next(bg); err == nil; vs, err = s.Next(bg) {
			if vs[0].Int() != 20 {
				s.UnlockRow()
			}
		}
		require.Equal(t, []string{"PRIMARY 20 X Record", "b 20,20 X Record"}, e.lockSet(tab, a))
		require.Len(t, e.rows(tab, b, ScanOptions{Lock: Exclusive, Wait: SkipLocked}), 3)
		e.rollback(a)
		e.rollback(b)
	})
	t.Run("semi-consistent read", func(t *testing.T) {
		a, b := e.begin(txn.ReadCommitted), e.begin(txn.ReadCommitted)
		require.NoError(t, tab.Update(bg, a, vals(20, nil, nil, nil), vals(20, 99, "20", nil)))
		asked := 0
		o := ScanOptions{Lock: Exclusive, Match: func(vs []row.Value) (bool, error) {
			asked++
			require.Equal(t, "20 20 20 -", show(vs))
			return vs[1].Int() == 99, nil
		}}
		require.Len(t, e.rows(tab, b, o), 3)
		require.Equal(t, 1, asked)
		e.rollback(a)
		e.rollback(b)
	})
	e.drain()
	e.check()
}

// A waiter sees what the lock holder left.
func TestWaitThenLook(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := lockTable(e)
	for _, commit := range []bool{true, false} {
		a := e.begin(txn.RepeatableRead)
		require.NoError(t, tab.Delete(bg, a, vals(20, nil, nil, nil)))
		got := make(chan []string)
		go func() {
			b := e.begin(txn.RepeatableRead)
			rows, _ := readAll(tab.NewScan(b, ScanOptions{Index: tab.def.Indexes[1], Lock: Exclusive}))
			e.commit(b)
			got <- rows
		}()
		testkit.Eventually(t, func() bool { return e.locks.Stats().RowWaitsCurrent == 1 })
		if commit {
			e.commit(a)
			require.Len(t, <-got, 3)
			e.do(func(tx *txn.Trx) { require.NoError(t, tab.Insert(bg, tx, vals(20, 20, "20", nil))) })
		} else {
			e.rollback(a)
			require.Len(t, <-got, 4)
		}
	}
	e.drain()
	e.check()
}

func TestDeadlock(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := lockTable(e)
	a, b := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
	require.NoError(t, tab.Update(bg, a, vals(10, nil, nil, nil), vals(10, 1, nil, nil)))
	require.NoError(t, tab.Update(bg, b, vals(20, nil, nil, nil), vals(20, 1, nil, nil)))
	done := make(chan error, 1)
	go func() { done <- tab.Update(bg, a, vals(20, nil, nil, nil), vals(20, 2, nil, nil)) }()
	testkit.Eventually(t, func() bool { return e.locks.Stats().RowWaitsCurrent == 1 })
	errB := tab.Update(bg, b, vals(10, nil, nil, nil), vals(10, 2, nil, nil))
	if errB != nil {
		require.ErrorIs(t, errB, base.ErrDeadlock)
		e.rollback(b)
		require.NoError(t, <-done)
		e.commit(a)
	} else {
		require.ErrorIs(t, <-done, base.ErrDeadlock)
		e.rollback(a)
		e.commit(b)
	}
	e.drain()
	e.check()
}

// The lock on the entry that was in the way does not keep its row from being deleted: whoever looks
// again waits for that, although the lock is its own.
func TestDuplicateLooksAgain(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := lockTable(e)
	a, b := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
	var dup *DuplicateError
	require.ErrorAs(t, tab.Insert(bg, a, vals(50, 50, "20", nil)), &dup)
	require.Equal(t, tab.def.Indexes[2], dup.Index)
	done := make(chan error, 1)
	go func() {
		err := tab.Delete(bg, b, vals(20, nil, nil, nil))
		if err != nil {
			e.rollback(b)
		} else {
			e.commit(b)
		}
		done <- err
	}()
	testkit.Eventually(t, func() bool { return e.locks.Stats().RowWaitsCurrent == 1 })
	if err := tab.Insert(bg, a, vals(50, 50, "20", nil)); errors.Is(err, base.ErrDeadlock) {
		e.rollback(a)
		require.NoError(t, <-done)
	} else {
		require.ErrorAs(t, err, &dup)
		require.ErrorIs(t, <-done, base.ErrDeadlock)
		e.commit(a)
	}
	e.drain()
	e.check()
}

// A lock on a delete-marked row that purge then removes is no lock on the row that somebody inserts
// there later.
func TestLockOfPurgedRow(t *testing.T) {
	for _, iso := range []txn.Isolation{txn.ReadCommitted, txn.RepeatableRead} {
		e := newEnv(t, 512, 0)
		tab := lockTable(e)
		view := e.begin(txn.RepeatableRead)
		e.rows(tab, view, ScanOptions{}) // keeps purge away
		e.do(func(tx *txn.Trx) { require.NoError(t, tab.Delete(bg, tx, vals(20, nil, nil, nil))) })
		a := e.begin(iso)
		sp := a.Savepoint()
		require.NoError(t, tab.Insert(bg, a, vals(20, 1, "a", nil)))
		require.NoError(t, a.RollbackTo(bg, sp))
		e.commit(view)
		testkit.Eventually(t, func() bool {
			_, ok, err := tab.fetch(nil, e.pk(tab, 20))
			require.NoError(t, err)
			return !ok
		})
		b := e.begin(txn.ReadCommitted)
		insert := func(tx *txn.Trx) func() error {
			return func() error { return tab.Insert(bg, tx, vals(20, 1, "b", nil)) }
		}
		if iso == txn.RepeatableRead {
			require.True(t, e.blocks(insert(b)), "the gap is locked now")
		} else {
			require.NoError(t, insert(b)())
			require.True(t, e.blocks(insert(a)), "the other's row is not committed")
			require.True(t, e.blocks(func() error { return tab.Delete(bg, a, vals(20, nil, nil, nil)) }))
		}
		e.rollback(a)
		e.rollback(b)
		e.drain()
		e.check()
	}
}

func TestLocksOfChanges(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := lockTable(e)
	for _, tc := range []struct {
		name string
		do   func(tx *txn.Trx) error
		want []string
	}{
		{"insert", func(tx *txn.Trx) error { return tab.Insert(bg, tx, vals(25, 25, "25", nil)) }, nil},
		{"duplicate primary key", func(tx *txn.Trx) error { return tab.Insert(bg, tx, vals(20, 25, "25", nil)) }, []string{"PRIMARY 20 S Record"}},
		{"duplicate primary key, to be changed", func(tx *txn.Trx) error { return tab.InsertOrLock(bg, tx, vals(20, 25, "25", nil)) }, []string{"PRIMARY 20 X Record"}},
		{"duplicate unique key", func(tx *txn.Trx) error { return tab.Insert(bg, tx, vals(25, 25, "20", nil)) },
			[]string{"PRIMARY 30 X Gap", "c 20,20 S NextKey"}}, // the gap where the row stood that was taken back
		{"duplicate unique key, to be changed", func(tx *txn.Trx) error { return tab.InsertOrLock(bg, tx, vals(25, 25, "20", nil)) },
			[]string{"PRIMARY 20 X Record", "PRIMARY 30 X Gap", "c 20,20 X NextKey"}},
		{"update of a plain column", func(tx *txn.Trx) error { return tab.Update(bg, tx, vals(20, nil, nil, nil), vals(20, 20, "20", "new")) }, []string{"PRIMARY 20 X Record"}},
		{"update of an index", func(tx *txn.Trx) error { return tab.Update(bg, tx, vals(20, nil, nil, nil), vals(20, 21, "20", nil)) },
			[]string{"PRIMARY 20 X Record", "b 20,20 X Record"}},
		{"delete", func(tx *txn.Trx) error { return tab.Delete(bg, tx, vals(20, nil, nil, nil)) },
			[]string{"PRIMARY 20 X Record", "b 20,20 X Record", "c 20,20 X Record"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tx := e.begin(txn.RepeatableRead)
			defer e.rollback(tx)
			_ = tc.do(tx) // some are meant to fail
			require.Equal(t, tc.want, e.lockSet(tab, tx))
		})
	}
}

// A transaction of very many rows remembers a range of keys a leaf, and of what it has changed
// nothing; to everybody else it has locked each row.
func TestLocksOfManyRowsAreCompact(t *testing.T) {
	const rows = 5000
	for _, iso := range []txn.Isolation{txn.RepeatableRead, txn.ReadCommitted} {
		t.Run(iso.String(), func(t *testing.T) {
			e := newEnv(t, 2048, 100_000)
			e.wait = 10 * time.Millisecond
			tab := e.create(simpleDef())
			e.do(func(tx *txn.Trx) {
				for i := range rows {
					require.NoError(t, tab.Insert(bg, tx, vals(2*i, i, fmt.Sprint(i), nil)))
				}
			})
			e.drain()
			entries := e.locks.Stats().Locks
			a, b := e.begin(iso), e.begin(txn.RepeatableRead)
			mark := a.Savepoint()
			a.StartStatement()
			s := tab.NewScan(a, ScanOptions{Lock: Exclusive, Target: true})
			for n := 0; ; n++ {
				row, err := s.Next(bg)
				if err != nil {
					require.ErrorIs(t, err, io.EOF)
					require.Equal(t, rows, n)
					break
				}
				require.NoError(t, tab.Update(bg, a, row, vals(int(row[0].Int()), int(row[1].Int()), string(row[2].B), "changed")))
			}
			s.Close()
			require.Less(t, e.locks.Stats().Locks-entries, int64(1000))
			refused := func() {
				for _, id := range []int{0, 2, rows, 2*rows - 2} {
					_, _, err := tab.Get(bg, b, nil, e.pk(tab, id), Shared, NoWait)
					require.ErrorIs(t, err, base.ErrNoWait, "row %d", id)
					if iso == txn.RepeatableRead {
						require.ErrorIs(t, tab.Insert(bg, b, vals(id+1, 0, fmt.Sprint("new", id), nil)), base.ErrLockTimeout, "gap behind %d", id)
					}
				}
			}
			refused()
			require.NoError(t, a.RollbackTo(bg, mark))
			refused() // its locks stay
			require.NoError(t, e.txns.Rollback(a))
			_, ok, err := tab.Get(bg, b, nil, e.pk(tab, rows), Exclusive, NoWait)
			require.NoError(t, err)
			require.True(t, ok)
			require.NoError(t, tab.Insert(bg, b, vals(rows+1, 0, "new", nil)))
			e.commit(b)
			e.drain()
			e.check()
		})
	}
}
