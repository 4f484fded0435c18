package replication

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/internal/base"
)

func TestTurnsComeInOrder(t *testing.T) {
	s := newSequence()
	var mu sync.Mutex
	var order []uint64
	var all sync.WaitGroup
	for n := uint64(50); n >= 1; n-- {
		turn := s.turn(n)
		all.Go(func() {
			if err := turn.Wait(); err != nil {
				t.Error(err)
			}
			mu.Lock()
			order = append(order, turn.n)
			mu.Unlock()
			turn.Pass()
			turn.Pass() // nobody's
		})
	}
	all.Wait()
	require.Len(t, order, 50)
	require.True(t, slices.IsSorted(order))
}

func TestTurnsThatYield(t *testing.T) {
	s := newSequence()
	first, second := s.turn(1), s.turn(2)
	require.True(t, first.Before(second))
	require.False(t, second.Before(first))
	require.False(t, first.Before(newSequence().turn(2)), "another channel's")
	second.Yield()
	require.ErrorIs(t, second.Wait(), base.ErrDeadlock)
	got := make(chan error)
	go func() { got <- second.come() }() // another try begins when the turn has come
	second.Yield()                       // it holds nothing for which the first one waits
	first.Pass()
	require.NoError(t, <-got)
	require.NoError(t, second.Wait())
	second.Yield() // who has its turn keeps it
	require.NoError(t, second.Wait())
	s.end()
	require.Error(t, s.turn(5).Wait())
}

func TestFilters(t *testing.T) {
	is := func(f Filters, db, table string) bool { return f.rows(TableName{db, table}) }
	require.True(t, is(Filters{}, "d", "t"))
	require.False(t, is(Filters{DoDB: []string{"e"}}, "d", "t"))
	require.False(t, is(Filters{IgnoreDB: []string{"d"}}, "d", "t"))
	require.True(t, is(Filters{DoTable: []string{"d.t"}}, "d", "t"))
	require.False(t, is(Filters{DoTable: []string{"d.t"}}, "d", "u"))
	require.False(t, is(Filters{IgnoreTable: []string{"d.t"}}, "d", "t"))
	require.True(t, is(Filters{WildDoTable: []string{"d%.t\\_%"}}, "dx", "t_1"))
	require.False(t, is(Filters{WildDoTable: []string{"d%.t\\_%"}}, "dx", "tx1"))
	require.False(t, is(Filters{WildIgnores: []string{"%.t_"}}, "d", "t1"))
	require.True(t, is(Filters{DoTable: []string{"d.t"}, WildIgnores: []string{"d.%"}}, "d", "t"))
	f := Filters{DoTable: []string{"d.t"}}
	require.True(t, f.statement("d", []TableName{{"d", "u"}, {"d", "t"}}))
	require.False(t, f.statement("d", []TableName{{"d", "u"}}))
	require.True(t, f.statement("d", nil))
	f = Filters{Rewrite: [][2]string{{"a", "b"}}}
	require.Equal(t, "b", f.rewritten("a"))
	require.Equal(t, "c", f.rewritten("c"))
}

func TestUntil(t *testing.T) {
	m := Mark{Place: Place{File: "binlog.000009", Position: 100}}
	for _, c := range []struct {
		file string
		pos  uint64
		is   bool
	}{{"binlog.000009", 100, true}, {"binlog.000009", 101, false}, {"binlog.000010", 4, false}, {"binlog.000008", 900, true}, {"binlog.1000000", 4, false}} {
		u := &Until{Kind: UntilSource, File: c.file, Position: c.pos}
		require.Equal(t, c.is, u.before(&m, "", binlog.GTID{}), "%s %d", c.file, c.pos)
	}
}
