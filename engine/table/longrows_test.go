package table

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/space"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// TestLongRows reads values of a mebibyte: batches and look-ups hold only a few of them at once, and
// all of them come.
func TestLongRows(t *testing.T) {
	const rows = 11
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	long := strings.Repeat("L", 1<<20)
	e.do(func(tx *txn.Trx) {
		for k := range rows {
			require.NoError(t, tab.Insert(bg, tx, vals(k, 1, nil, long)))
		}
	})
	tx := e.begin(txn.RepeatableRead)
	defer e.commit(tx)
	s := tab.NewScan(tx, ScanOptions{})
	seen := 0
	for {
		got, err := s.NextRows(bg, 1000)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.LessOrEqual(t, len(got.Bytes), mostHeld>>20)
		for _, b := range got.Bytes {
			text, ok := got.Long(b, 3)
			require.True(t, ok)
			require.Equal(t, long, string(text))
			seen++
		}
	}
	s.Close()
	require.Equal(t, rows, seen)

	keys := make([][]byte, rows)
	for k := range keys {
		keys[k] = e.pk(tab, k)
	}
	var l Lookups
	require.True(t, l.Begin(tab, tx, ScanOptions{}, false))
	defer l.Close()
	n, err := l.Find(bg, keys, 1000)
	require.NoError(t, err)
	require.Equal(t, mostHeld>>20, n)
	require.Empty(t, l.Rows().Bytes)
	n, err = l.Find(bg, keys[:mostHeld>>20], 1000)
	require.NoError(t, err)
	require.Equal(t, mostHeld>>20, n)
	require.Len(t, l.Rows().Bytes, n)
}

// endsAfter is the context of a statement that ends once it was asked so often whether it has.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestLongValueEnds reads one value of some mebibytes for a statement that ends meanwhile.
func TestLongValueEnds(t *testing.T) {
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(1, 1, nil, strings.Repeat("L", 5<<20))))
	})
	tx := e.begin(txn.RepeatableRead)
	defer e.commit(tx)
	read := map[string]func(ctx context.Context, s *Scan) error{
		"next": func(ctx context.Context, s *Scan) error { _, err := s.Next(ctx); return err },
		"rows": func(ctx context.Context, s *Scan) error { _, err := s.NextRows(ctx, 10); return err },
	}
	for name, next := range read {
		t.Run(name, func(t *testing.T) {
			all := &endsAfter{bg, 1000}
			s := tab.NewScan(tx, ScanOptions{})
			require.NoError(t, next(all, s))
			s.Close()
			require.Greater(t, 1000-all.left, 5, "it is asked for each mebibyte")

			s = tab.NewScan(tx, ScanOptions{})
			defer s.Close()
			require.ErrorIs(t, next(&endsAfter{bg, 3}, s), base.ErrInterrupted)
		})
	}
}

// A look-up by the primary key reads a long value, too.
func TestLongValueByKey(t *testing.T) {
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	long := strings.Repeat("L", 5<<20)
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(1, 1, nil, long)))
	})
	tx := e.begin(txn.RepeatableRead)
	defer e.commit(tx)
	for _, l := range []LockMode{None, Shared} {
		row, ok, err := tab.Get(bg, tx, nil, e.pk(tab, 1), l, Wait)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, long, string(row[3].B))
	}
	_, _, err := tab.Get(&endsAfter{bg, 3}, tx, nil, e.pk(tab, 1), None, Wait)
	require.ErrorIs(t, err, base.ErrInterrupted)
}

// TestPagesEnds: who looks for the pages of a table stops with its statement, in a chain too.
func TestPagesEnds(t *testing.T) {
	e := newEnv(t, 512, 1000)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(1, 1, nil, strings.Repeat("x", 30*base.PageSize))))
	})
	ended := 0
	for left := 0; ; left++ {
		var set space.PageSet
		err := tab.Pages(&endsAfter{bg, left}, &set)
		if err == nil {
			break
		}
		require.ErrorIs(t, err, base.ErrInterrupted)
		ended++
	}
	require.Greater(t, ended, 30)
}
