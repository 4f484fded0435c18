package warm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// BenchmarkLoad loads 512 MiB, alone, and beside queries that read pages the list does not have,
// with and without time to think. p50, p95 and p99 are the queries', in milliseconds, during the
// load; quiet-... without it. It is meant to be run on a device with limits, with -benchtime 1x.
func BenchmarkLoad(b *testing.B) {
	const pages, frames = 32768, 2*32768 + 1024
	b.Chdir(b.TempDir())
	disk := vfs.NewOS(nil)
	n := bootOn(b, nil, disk, frames, pages, Options{})
	list := n.m.collect()
	list.IDs = slices.DeleteFunc(list.IDs, func(id uint64) bool { return base.PageIDFrom(id).Space != space })
	list.Young = 0
	require.NoError(b, list.Write(disk, listPath))
	n.end(b)
	for _, c := range []struct {
		queries int
		think   time.Duration
	}{{0, 0}, {1, 20 * time.Millisecond}, {4, 20 * time.Millisecond}, {1, 0}, {8, 0}, {32, 0}} {
		b.Run(fmt.Sprintf("queries=%d/think=%s", c.queries, c.think), func(b *testing.B) {
			for b.Loop() {
				n := bootOn(b, nil, disk, frames, 0, Options{})
				quiet := readBeside(n, pages, c.queries, c.think, func() { time.Sleep(3 * time.Second) })
				start := time.Now()
				var took time.Duration
				busy := readBeside(n, pages, c.queries, c.think, func() {
					require.NoError(b, n.m.LoadNow())
					require.NoError(b, n.m.WaitLoad(b.Context()))
					took = time.Since(start)
				})
				require.Equal(b, pages, n.m.Status().Load.Done)
				b.ReportMetric(pages*base.PageSize/1e6/took.Seconds(), "MB/s")
				report(b, "quiet-", quiet)
				report(b, "", busy)
				n.end(b)
			}
		})
	}
}

// readBeside runs queries while fn runs and returns how long their reads took.
func readBeside(n *node, pages, queries int, think time.Duration, fn func()) (took []time.Duration) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range queries {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(think):
				}
				start := time.Now()
				r := n.pool.BeginRead()
				id := base.PageID{Space: space + 1, No: base.PageNo(rand.IntN(pages))}
				present := n.pool.Reader().Resident(id)
				_, err := r.Pin(id, buffer.Shared)
				r.Commit()
				if err == nil && !present {
					mu.Lock()
					took = append(took, time.Since(start))
					mu.Unlock()
				}
			}
		})
	}
	func() {
		defer wg.Wait() // also when fn ends the benchmark: the pool goes then
		defer close(stop)
		fn()
	}()
	return took
}

func report(b *testing.B, name string, took []time.Duration) {
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, name+"p50-ms")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1000, name+"p95-ms")
	b.ReportMetric(took[len(took)*99/100].Seconds()*1000, name+"p99-ms")
}

// BenchmarkDump walks the LRU list of a full pool and writes it: for the cost of a page.
func BenchmarkDump(b *testing.B) {
	const pages = 16384
	mem := vfs.NewMem(1)
	n := boot(b, mem, 2*pages+1024, pages, Options{})
	for b.Loop() {
		require.NoError(b, n.m.DumpNow())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(2*pages), "ns/page")
}
