package buffer

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// pulled is a list that hands the pages which queries wait for to the test.
type pulled struct {
	asked  chan base.PageID
	answer chan bool
	stack  string
}

func (p *pulled) Wants(base.PageID) bool { return true }
func (p *pulled) Missed(base.PageID) int { return RankNone }

func (p *pulled) Pull(id base.PageID) bool {
	stack := make([]byte, 64<<10)
	p.stack = string(stack[:runtime.Stack(stack, false)])
	p.asked <- id
	return <-p.answer
}

// A query that misses a listed page, and holds latches, waits for a goroutine of the load, which
// may read what the query has latched around it. When the load does not bring the page, or ends,
// the query reads it.
func TestLoadPullsWhatQueriesMiss(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64, pool: func(o *Options) { o.ReadAheadThreshold = -1; o.LRUScanDepth = 1 }})
	e.create(t, 20)
	e.cold(t)
	list := &pulled{asked: make(chan base.PageID), answer: make(chan bool)}
	l := e.pool.Reader().NewLoad(20, 20, list)
	read := func(held, wanted int) <-chan uint64 {
		got := make(chan uint64, 1)
		go func() {
			m := e.pool.BeginNested()
			defer m.Commit()
			for _, no := range []int{held, wanted} {
				if pg, err := m.Pin(pageID(no), Exclusive); err != nil || no == wanted && word(pg, 0) != uint64(no) {
					t.Errorf("page %d: %v", no, err)
				}
			}
			got <- uint64(wanted)
		}()
		return got
	}
	e.readWord(t, 5, 0)

	l.Begin()
	got := read(5, 6)
	require.Equal(t, pageID(6), testkit.Receive(t, list.asked))
	require.NotContains(t, list.stack, "Pin", "the load runs inside of a pin")
	require.True(t, strings.Contains(list.stack, "Pull"))
	require.Empty(t, got)
	r, err := l.Read(pageID(4), []int32{4, 5, 6, 7}) // page 5 is latched by the query
	require.NoError(t, err)
	require.Equal(t, LoadResult{Loaded: 3, Present: 1, Bytes: 4 * base.PageSize}, r)
	list.answer <- true
	require.EqualValues(t, 6, testkit.Receive(t, got))

	got = read(5, 10)
	require.Equal(t, pageID(10), testkit.Receive(t, list.asked))
	list.answer <- false
	require.EqualValues(t, 10, testkit.Receive(t, got))

	// The end waits for what is being pulled; who misses a page then reads it.
	got = read(5, 12)
	require.Equal(t, pageID(12), testkit.Receive(t, list.asked))
	ended := make(chan struct{})
	go func() { l.End(); close(ended) }()
	testkit.Eventually(t, func() bool { return e.pool.reader.load.Load() == nil })
	require.EqualValues(t, 14, testkit.Receive(t, read(4, 14)))
	select {
	case <-ended:
		t.Fatal("a load has ended that still reads")
	default:
	}
	list.answer <- true // it was taken away again
	require.EqualValues(t, 12, testkit.Receive(t, got))
	testkit.Receive(t, ended)
	e.check(t)
}
