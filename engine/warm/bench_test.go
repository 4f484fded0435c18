package warm

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// device is a volume with limits, as a file system around another: requests are served one after the other, each as long as its share of the
// requests a second or of the bytes a second takes.
type device struct {
	vfs.FS
	iops, bytes float64 // a second

	mu   sync.Mutex
	free time.Time
}

func (d *device) Open(name string, o vfs.Options) (vfs.File, error) {
	f, err := d.FS.Open(name, o)
	if err != nil || filepath.Ext(name) != ".ebs" {
		return f, err
	}
	return &deviceFile{f, d}, nil
}

func (d *device) serve(n int) {
	d.mu.Lock()
	now := time.Now()
	if d.free.Before(now) {
		d.free = now
	}
	d.free = d.free.Add(time.Duration(max(1/d.iops, float64(n)/d.bytes) * float64(time.Second)))
	until := d.free
	d.mu.Unlock()
	time.Sleep(time.Until(until))
}

type deviceFile struct {
	vfs.File
	d *device
}

func (f *deviceFile) ReadAt(b []byte, off int64) (int, error) {
	f.d.serve(len(b))
	return f.File.ReadAt(b, off)
}

func (f *deviceFile) ReadVAt(bufs [][]byte, off int64) (int, error) {
	n := 0
	for _, b := range bufs {
		n += len(b)
	}
	f.d.serve(n)
	return f.File.ReadVAt(bufs, off)
}

// BenchmarkLoad loads 128 MiB from a volume of 600 reads and 150 MB a second: alone, and beside queries that read pages the list does not have, with and
// without time to think. p50 and p99 are the queries', in milliseconds, during the load; quiet-p50 and quiet-p99 without it; x-ideal is the time of
// the load over what the volume needs for the bytes.
func BenchmarkLoad(b *testing.B) {
	const pages = 8192
	mem := vfs.NewMem(1)
	n := boot(b, mem, 3*pages, pages, Options{})
	list := n.m.collect()
	list.IDs = slices.DeleteFunc(list.IDs, func(id uint64) bool { return base.PageIDFrom(id).Space != space })
	list.Young = 0
	require.NoError(b, list.Write(mem, listPath))
	n.end(b)
	for _, c := range []struct {
		queries int
		think   time.Duration
	}{{0, 0}, {1, 20 * time.Millisecond}, {4, 5 * time.Millisecond}, {1, 0}, {8, 0}, {32, 0}} {
		b.Run(fmt.Sprintf("queries=%d/think=%s", c.queries, c.think), func(b *testing.B) {
			for b.Loop() {
				d := &device{FS: mem, iops: 600, bytes: 150e6}
				n := bootOn(b, mem, d, 3*pages, 0, Options{})
				quiet := readBeside(n, c.queries, c.think, func() { time.Sleep(time.Second) })
				start := time.Now()
				var took time.Duration
				busy := readBeside(n, c.queries, c.think, func() {
					require.NoError(b, n.m.LoadNow())
					wait(b, n.m)
					took = time.Since(start)
				})
				require.Equal(b, pages, n.m.Status().Load.Done)
				b.ReportMetric(took.Seconds()/(pages*base.PageSize/150e6), "x-ideal")
				report(b, "quiet-", quiet)
				report(b, "", busy)
				n.end(b)
			}
		})
	}
}

// readBeside runs queries while fn runs and returns how long their reads took.
func readBeside(n *node, queries int, think time.Duration, fn func()) (took []time.Duration) {
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
				id := base.PageID{Space: space + 1, No: base.PageNo(rand.IntN(8192))}
				present := n.pool.Resident(id)
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
	fn()
	close(stop)
	wg.Wait()
	return took
}

func report(b *testing.B, name string, took []time.Duration) {
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, name+"p50-ms")
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
