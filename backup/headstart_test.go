package backup

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

// TestHeadStart follows when the background of a restore begins, on a clock of its own.
func TestHeadStart(t *testing.T) {
	for name, c := range map[string]struct {
		answers time.Duration // after that the first query is answered; 0: never
		reads   time.Duration // up to then queries wait for pages
		want    time.Duration
	}{
		"no query comes":                      {want: headStart},
		"one query, and no page to wait for":  {answers: 100 * time.Millisecond, want: 100*time.Millisecond + quiet},
		"queries wait for pages for a moment": {answers: 100 * time.Millisecond, reads: 500 * time.Millisecond, want: 500*time.Millisecond + quiet},
		"queries wait for pages all the time": {answers: 100 * time.Millisecond, reads: time.Hour, want: longest},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, answered := time.Now(), make(chan struct{})
				if c.answers > 0 {
					time.AfterFunc(c.answers, func() { close(answered) })
				}
				var ended atomic.Uint64
				q := Queries{Answered: answered, Reads: func() (uint64, int) {
					if time.Since(began) < c.reads {
						return ended.Add(1), 1
					}
					return ended.Load(), 0
				}}
				q.await(t.Context())
				require.InDelta(t, c.want.Seconds(), time.Since(began).Seconds(), (quiet / 5).Seconds())
			})
		})
	}
}

// TestHeadStartEnds ends with the server.
func TestHeadStartEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		began := time.Now()
		time.AfterFunc(time.Millisecond, stop)
		(&Queries{Answered: make(chan struct{})}).await(ctx)
		require.Equal(t, time.Millisecond, time.Since(began))
	})
}

// TestGatherer puts the rows of chunks together, and refuses pages that come twice or out of order.
func TestGatherer(t *testing.T) {
	page := func(fill byte) []byte {
		b := make([]byte, base.PageSize)
		for i := range b {
			b[i] = fill
		}
		return b
	}
	type given struct {
		space   base.SpaceID
		first   base.PageNo
		present uint64
		fills   string
	}
	var got []given
	g := gatherer{fn: func(space base.SpaceID, first base.PageNo, present uint64, pages []byte) error {
		fills := ""
		for at := 0; at < len(pages); at += base.PageSize {
			fills += string(pages[at])
		}
		got = append(got, given{space, first, present, fills})
		return nil
	}}
	require.NoError(t, g.row(1, 0, 0b011, append(page('a'), page('b')...)))
	require.NoError(t, g.row(1, 0, 0b100, page('c')))
	require.NoError(t, g.row(1, 64, 0, nil))
	require.NoError(t, g.row(2, 64, 1<<63, page('d')))
	require.NoError(t, g.give())
	require.NoError(t, g.give())
	require.Equal(t, []given{{1, 0, 0b111, "abc"}, {1, 64, 0, ""}, {2, 64, 1 << 63, "d"}}, got)
	require.NoError(t, g.row(3, 0, 0b10, page('e')))
	require.Error(t, g.row(3, 0, 0b10, page('e')))
	require.Error(t, g.row(3, 0, 0b01, page('e')))
	require.Error(t, g.row(3, 0, 0b1100, page('e')))
}
