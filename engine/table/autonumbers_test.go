package table

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// numbers makes the numbers of n rows that come in.
func numbers(t *testing.T, tab *Table, tx *txn.Trx, a *AutoNumbers, n int) (out []uint64) {
	t.Helper()
	for range n {
		v, err := a.Next(bg, tab, tx)
		require.NoError(t, err)
		out = append(out, v)
		a.Came()
	}
	return out
}

func TestAutoNumbers(t *testing.T) {
	e := newEnv(t, 512, 0)
	def := simpleDef()
	def.AutoInc = 0
	tab := e.create(def)
	tx := e.begin(txn.RepeatableRead)
	defer e.rollback(tx)
	one := func(a *AutoNumbers) uint64 { return numbers(t, tab, tx, a, 1)[0] }
	back := func(a *AutoNumbers) uint64 {
		v, err := a.Next(bg, tab, tx)
		require.NoError(t, err)
		a.Back()
		return v
	}

	known := AutoNumbers{Mode: 2, Rows: 3}
	require.EqualValues(t, 1, back(&known), "a row that did not come in")
	require.Equal(t, []uint64{1, 2, 3}, numbers(t, tab, tx, &known, 3))
	require.EqualValues(t, 1, known.First)
	known.Back() // a row that asked for nothing
	require.EqualValues(t, 4, known.next)

	twice := AutoNumbers{Mode: 2, Rows: 2}
	start := back(&twice)
	twice.Back() // again for the same row
	require.EqualValues(t, start, one(&twice))
	require.NoError(t, tab.ResetAutoInc(start))

	unknown := AutoNumbers{Mode: 2}
	require.Equal(t, []uint64{4, 5, 6, 7, 8}, numbers(t, tab, tx, &unknown, 5))
	after := AutoNumbers{Mode: 2, Rows: 4}
	require.EqualValues(t, 11, one(&after), "1, 2 and 4 were reserved")
	after.Given(50)
	require.NoError(t, tab.SetAutoInc(51)) // as the row that comes in does
	after.Came()
	require.EqualValues(t, 51, back(&after), "behind the statement's own value, where nothing is reserved: the counter is asked")
	require.EqualValues(t, 11, after.First)

	between := AutoNumbers{Mode: 2, Rows: 4}
	at := one(&between)
	between.Given(at + 100)
	require.NoError(t, tab.SetAutoInc(at+101))
	between.Came()
	require.EqualValues(t, at+101, one(&between))
	behind, err := tab.PeekAutoInc()
	require.NoError(t, err)
	require.EqualValues(t, at+103, behind, "reserved again for the two rows that were still to come")
	require.EqualValues(t, at+102, one(&between))

	step := AutoNumbers{Mode: 2, Rows: 2, Step: 10, Offset: 3}
	first := one(&step)
	require.EqualValues(t, 3, first%10)
	require.Equal(t, first+10, one(&step))

	old := AutoNumbers{Mode: 0, Rows: 5}
	next, err := tab.PeekAutoInc()
	require.NoError(t, err)
	require.Equal(t, next, one(&old))
	old.Release()
	now, err := tab.PeekAutoInc()
	require.NoError(t, err)
	require.Equal(t, next, now, "rows that come in move the counter")
}

// TestAutoNumbersEnd: a column gives no more values than it has.
func TestAutoNumbersEnd(t *testing.T) {
	e := newEnv(t, 512, 0)
	def := simpleDef()
	def.AutoInc = 0
	tab := e.create(def)
	tx := e.begin(txn.RepeatableRead)
	defer e.rollback(tx)
	end := tab.greatestAuto()
	require.NoError(t, tab.ResetAutoInc(end-1))

	three := AutoNumbers{Mode: 2, Rows: 3}
	require.Equal(t, []uint64{end - 1, end}, numbers(t, tab, tx, &three, 2))
	_, err := three.Next(bg, tab, tx)
	require.ErrorIs(t, err, base.ErrNoNumbers)
	next, err := tab.PeekAutoInc()
	require.NoError(t, err)
	require.Equal(t, end, next)

	last := AutoNumbers{Mode: 2, Rows: 1}
	require.Equal(t, []uint64{end}, numbers(t, tab, tx, &last, 1))
	behind := AutoNumbers{Mode: 2, Rows: 2}
	for range 2 {
		v, err := behind.Next(bg, tab, tx)
		require.NoError(t, err)
		require.Equal(t, end, v, "a duplicate of a statement before")
		behind.Back()
	}

	require.NoError(t, tab.ResetAutoInc(7))
	low := AutoNumbers{Mode: 2, Rows: 1}
	require.Equal(t, []uint64{7}, numbers(t, tab, tx, &low, 1))
}

// TestAutoNumbersLock: where innodb_autoinc_lock_mode says so, a statement whose number of rows is
// not known keeps the others' numbers out to its end.
func TestAutoNumbersLock(t *testing.T) {
	for mode, waits := range []bool{true, true, false} {
		e := newEnv(t, 512, 0)
		def := simpleDef()
		def.AutoInc = 0
		tab := e.create(def)
		a, b := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
		bulk, simple := AutoNumbers{Mode: mode}, AutoNumbers{Mode: mode, Rows: 1}
		numbers(t, tab, a, &bulk, 2)
		got := make(chan uint64, 1)
		go func() {
			v, err := simple.Next(bg, tab, b)
			if err == nil {
				got <- v
			}
			close(got)
		}()
		if waits {
			require.Never(t, func() bool { return len(got) > 0 }, 50*time.Millisecond, 10*time.Millisecond, "mode %d", mode)
		}
		if !waits {
			require.NotZero(t, <-got)
		}
		numbers(t, tab, a, &bulk, 2)
		bulk.Release()
		if waits {
			require.NotZero(t, <-got, "mode %d", mode)
		}
		simple.Release()
		e.rollback(a)
		e.rollback(b)
	}
}
