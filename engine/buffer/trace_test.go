package buffer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

// What the trace says of an age is what a cleaner would write that writes each page when its oldest
// change has that age.
func TestTraceCountsWrites(t *testing.T) {
	var tr dirtyTrace
	tr.init()
	tr.mask.Store(0) // all pages
	const pages, step = 1000, 4 << 10
	var lsn base.LSN = 1 << 20
	since := make(map[uint64]base.LSN) // of a cleaner at 16 MiB
	var written, bytes float64
	for i := range 50_000 {
		page := uint64(i*7919) % pages
		if i%3 == 0 {
			page = uint64(i*31) % 20 // some are hot
		}
		lsn += step
		bytes += step
		if first, dirty := since[page]; !dirty || lsn-first > 16<<20 {
			since[page] = lsn
			written++
		}
		tr.touch(page, lsn)
	}
	f := &Flusher{trace: dirtyTrace{pages: tr.pages, dirtied: tr.dirtied, bytes: tr.bytes, begin: tr.begin, end: tr.end}, frames: frames{hdr: &poolHeader{limit: 1 << 20}}}
	out := f.Trace()
	require.Len(t, out, 4, "1, 4, 16 and 64 MiB were filled, 256 MiB was not")
	require.EqualValues(t, 16<<20, out[2].Age)
	require.InEpsilon(t, written/bytes, out[2].Writes, 0.01)
	for k := 1; k < len(out); k++ {
		require.Less(t, out[k].Writes, out[k-1].Writes)
		require.GreaterOrEqual(t, out[k].Dirty, out[k-1].Dirty)
	}
	require.InDelta(t, 200, out[0].Dirty, 60) // 256 changes in 1 MiB, a third of them of 20 pages
}

// A sample that grows is thinned, and its counts stay right.
func TestTraceThins(t *testing.T) {
	var tr dirtyTrace
	tr.init()
	var lsn base.LSN = 1
	const pages = 4 * traceMost << traceShift
	for page := range uint64(pages) {
		lsn += 100
		if tr.samples(page) {
			tr.touch(page, lsn)
		}
	}
	require.LessOrEqual(t, len(tr.pages), traceMost)
	require.Greater(t, len(tr.pages), traceMost/4)
	require.InEpsilon(t, pages, tr.dirtied[len(traceAges)-1]*float64(tr.mask.Load()+1), 0.1)
}

// Changes through mini-transactions reach the trace.
func TestTraceSeesChanges(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64})
	e.pool.flush.trace.mask.Store(0)
	e.create(t, 32)
	require.Len(t, e.pool.flush.trace.pages, 32)
}
