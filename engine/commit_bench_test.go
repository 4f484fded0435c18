package engine

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/vfs"
)

// slowSync is a disk whose syncs take so long and cost no processor time.
type slowSync struct {
	vfs.FS
	took time.Duration
}

func (s slowSync) Open(name string, o vfs.Options) (vfs.File, error) {
	f, err := s.FS.Open(name, o)
	return slowFile{f, s.took}, err
}

type slowFile struct {
	vfs.File
	took time.Duration
}

func (f slowFile) Sync() error {
	time.Sleep(f.took)
	return nil
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCommit is the update of one row and its commit, with and without a binary log: processor
// time for each, and commits for each sync.
func BenchmarkCommit(b *testing.B) {
	for _, sessions := range []int{1, 4, 32, 100} {
		for _, log := range []bool{false, true} {
			b.Run(fmt.Sprintf("sessions=%d/binlog=%v", sessions, log), func(b *testing.B) { benchmarkCommit(b, sessions, log) })
		}
	}
}

func benchmarkCommit(b *testing.B, sessions int, log bool) {
	const rows = 10000
	dir := b.TempDir()
	o := smallOptions(slowSync{vfs.NewOS(nil), 500 * time.Microsecond})
	o.DataDir, o.PoolBytes, o.RedoCapacity, o.RedoSegment, o.Direct = dir, 64<<20, 256<<20, 16<<20, false
	o.Binlog = &binlog.Options{Base: "binlog", ServerID: 7, ServerVersion: "8.4.0-ember", VersionNumber: 80400}
	e := open(b, o)
	e.SetSyncBinlog(1)
	defer e.Close(true)
	text := catalog.Column{SQLType: "char(120)", Column: row.Column{Type: row.TChar, Length: 120, Collation: 255}}
	c, pad := text, text
	c.Name, pad.Name = "c", "pad"
	pad.Length, pad.SQLType = 60, "char(60)"
	require.NoError(b, e.ddl(func(tx *txn.Trx) error {
		return e.CreateTable(ctx, tx, &catalog.Table{Schema: "test", Name: "s", AutoInc: -1,
			Columns: []catalog.Column{{Name: "id", SQLType: "int", Column: row.Column{Type: row.TInt32}},
				{Name: "k", SQLType: "int", Column: row.Column{Type: row.TInt32}}, c, pad},
			Indexes: []*catalog.Index{{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}},
				{Name: "k_1", Parts: []row.KeyPart{{Column: 1}}}}})
	}))
	vals := func(id, change int) []row.Value {
		return []row.Value{{Kind: row.Int, N: uint64(id)}, {Kind: row.Int, N: uint64(id * 7 % rows)}, {Kind: row.Bytes, B: fmt.Appendf(nil, "%0119d", change)},
			{Kind: row.Bytes, B: fmt.Appendf(nil, "%059d", id)}}
	}
	require.NoError(b, e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		t, err := e.Table(ctx, tx, "test", "s")
		for i := 0; i < rows && err == nil; i++ {
			err = t.Insert(ctx, tx, vals(i, i))
		}
		return err
	}))
	var done sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	before, syncs := processorTime(), e.log.Stats().Syncs
	for s := range sessions {
		done.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(s)))
			j := e.NewJournal(testSession{})
			for i := s; i < b.N; i += sessions {
				id := rng.IntN(rows/sessions)*sessions + s
				tx := e.Begin(txn.RepeatableRead, false)
				if log {
					j.Attach(tx)
				}
				tx.StartStatement()
				t, err := e.Table(ctx, tx, "test", "s")
				if err == nil {
					err = t.Update(ctx, tx, vals(id, i), vals(id, i))
				}
				if err == nil {
					err = e.Commit(ctx, tx)
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	done.Wait()
	b.ReportMetric(float64(processorTime()-before)/1e3/float64(b.N), "cpu-us/op")
	b.ReportMetric(float64(b.N)/float64(e.log.Stats().Syncs-syncs), "commits/sync")
	b.StopTimer()
}
