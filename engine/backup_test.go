package engine

import (
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/engine/redo"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// copyBackup takes a backup of e into dir of fs, as the plainest tool would. pause is called
// between pieces. It returns the point.
func copyBackup(t *testing.T, e *Engine, fsys vfs.FS, dir, uuid string, pause func()) *BackupPoint {
	t.Helper()
	require := require.New(t)
	b, err := e.StartBackup()
	require.NoError(err)
	defer b.Close()
	for _, d := range []string{"redo", "spaces"} {
		require.NoError(fsys.MkdirAll(filepath.Join(dir, d)))
	}
	put := func(name string, data []byte, off int64) {
		f, err := fsys.Open(filepath.Join(dir, name), vfs.Options{Create: true})
		require.NoError(err)
		_, err = f.WriteAt(data, off)
		require.NoError(err)
		require.NoError(f.Sync())
		require.NoError(f.Close())
	}
	spaceName := func(s base.SpaceID) string { return fmt.Sprintf("spaces/%08x.ebs", uint32(s)) }
	buf := vfs.AlignedBlock(BackupRun * base.PageSize)
	copied := map[uint64]bool{}
	segment := func(s redo.SegmentInfo, upTo base.LSN) {
		if copied[s.Number] {
			return
		}
		data := vfs.AlignedBlock(int(s.FileSize()))
		_, err := b.ReadRedo(s.Number, data, 0)
		if err != io.EOF {
			require.NoError(err)
		}
		clear(data[s.FileRange(upTo):])
		require.NoError(redo.Rehead(data, uuidBytes(uuid)))
		put(redo.SegmentName(s.Number), data, 0)
		copied[s.Number] = true
	}
	for _, s := range b.Spaces {
		for no := base.PageNo(0); no < s.Pages; no += BackupRun {
			n := min(BackupRun, int(s.Pages-no))
			present, err := b.ReadPages(base.PageID{Space: s.Space, No: no}, n, 0, buf)
			require.NoError(err)
			for i, at := 0, 0; i < n; i++ {
				if present>>i&1 != 0 {
					put(spaceName(s.Space), buf[at*base.PageSize:][:base.PageSize], int64(no)*base.PageSize+int64(i)*base.PageSize)
					at++
				}
			}
			require.LessOrEqual(bits.Len64(present), n)
			pause()
			for _, seg := range b.Closed() {
				if seg.End > b.Start && !copied[seg.Number] {
					segment(seg, seg.End)
					b.Advance(seg)
				}
			}
		}
	}
	p, err := b.Finish()
	require.NoError(err)
	for _, s := range p.Segments {
		segment(s, p.LSN)
	}
	require.Len(copied, len(p.Segments))
	for _, s := range b.Spaces {
		if !slices.ContainsFunc(p.Spaces, func(f SpaceFile) bool { return f.Space == s.Space }) {
			_ = fsys.Remove(filepath.Join(dir, spaceName(s.Space))) // dropped since; it may have been gone before a page was copied
		}
	}
	for _, s := range p.Spaces {
		f, err := fsys.Open(filepath.Join(dir, spaceName(s.Space)), vfs.Options{Create: true})
		require.NoError(err)
		require.NoError(f.Truncate(int64(s.Pages) * base.PageSize))
		require.NoError(f.Close())
	}
	c, err := redo.DecodeCheckpoint(b.Checkpoint)
	require.NoError(err)
	if p.Binlog != nil {
		for n := p.Binlog.First; n <= p.Binlog.File; n++ {
			f, err := b.OpenBinlog(n)
			require.NoError(err)
			size, err := f.Size()
			require.NoError(err)
			if n == p.Binlog.File {
				size = p.Binlog.Offset
			}
			data := make([]byte, size)
			_, err = f.ReadAt(data, 0)
			require.NoError(err)
			require.NoError(f.Close())
			put(p.Binlog.Name(n), data, 0)
		}
		require.NoError(binlog.RestoreIndex(fsys, binlog.Options{Dir: dir, Base: p.Binlog.Base, Index: p.Binlog.Index}, p.Binlog.First, p.Binlog.File, p.Binlog.Resets))
		c.Blob, err = RestoredBlob(c.Blob, ".", func(state []byte) ([]byte, error) {
			s, err := binlog.ParseState(state)
			if err == nil {
				err = s.Rebase(fsys, filepath.Join(dir, p.Binlog.Name(p.Binlog.First)))
			}
			return s.Append(nil), err
		})
		require.NoError(err)
	}
	require.NoError(b.Unbroken())
	c.UUID = uuidBytes(uuid)
	require.NoError(redo.WriteCheckpoint(fsys, dir, *c))
	require.NoError(Adopt(fsys, dir, uuid, p.LSN))
	return p
}

// TestBackup takes backups while transactions move amounts between accounts, definitions change,
// and the log's segments are recycled. What recovery makes of each is one state: no amount is lost,
// every commit acknowledged before the point is there, none behind it.
func TestBackup(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	fsys := vfs.NewMem(seed)
	o := binlogOptions(fsys)
	o.PoolBytes, o.RedoCapacity, o.RedoSegment = 128*base.PageSize, 4<<20, 128<<10
	e := open(t, o)
	createItems(t, e, "log")
	createItems(t, e, "scratch")
	createItems(t, e, "accounts")
	var acc []item
	for id := int64(1); id <= accounts; id++ {
		acc = append(acc, item{id: id, k: 100, pad: string(make([]byte, 3000))})
	}
	require.NoError(t, insertItems(e, "accounts", acc...))

	var (
		stop  atomic.Bool
		acked atomic.Int64
		work  sync.WaitGroup
		next  int64
	)
	step := func(rng *rand.Rand) { // one transaction at a time, so that the order of commits is known
		next++
		from, to := rng.Int64N(accounts)+1, rng.Int64N(accounts)+1
		err := e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
			tab, err := e.Table(ctx, tx, "test", "accounts")
			if err != nil {
				return err
			}
			for _, move := range []struct{ id, by int64 }{{from, -1}, {to, 1}} {
				old, _, err := tab.Get(ctx, tx, tab.Def().Indexes[0], itemKey(move.id), tableExclusive, tableWait)
				if err != nil {
					return err
				}
				row := itemOf(old)
				row.k += move.by
				if err := tab.Update(ctx, tx, old, row.vals()); err != nil {
					return err
				}
			}
			entries, err := e.Table(ctx, tx, "test", "log")
			if err != nil {
				return err
			}
			return entries.Insert(ctx, tx, item{id: next, k: next, pad: string(make([]byte, rng.IntN(6000)))}.vals())
		})
		require.NoError(t, err)
		acked.Store(next)
	}
	work.Go(func() {
		rng := rand.New(rand.NewPCG(seed, 1))
		for !stop.Load() {
			step(rng)
			switch rng.IntN(40) {
			case 0:
				name := fmt.Sprintf("t%d", next)
				createItems(t, e, name)
				require.NoError(t, insertItems(e, name, someItems(1, 30)...))
				if rng.IntN(2) == 0 {
					require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.DropTable(ctx, tx, "test", name) }))
				}
			case 1:
				require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.TruncateTable(ctx, tx, "test", "scratch") }))
				require.NoError(t, insertItems(e, "scratch", someItems(1, 50)...))
			}
		}
	})
	for round := range 4 {
		to := vfs.NewMem(seed + uint64(round))
		uuid := NewUUID()
		before, after := int64(0), int64(0)
		p := copyBackup(t, e, to, "/r", uuid, func() {
			for target := acked.Load() + rng.Int64N(8); acked.Load() < target; {
			}
			before = acked.Load()
		})
		after = acked.Load() + 1
		t.Logf("round %d: LSN %d, %d segments, between %d and %d", round, p.LSN, len(p.Segments), before, after)
		ro := o
		ro.FS, ro.DataDir = to, "/r"
		r := open(t, ro)
		checkBackup(t, r, p, before, after)
		require.NoError(t, insertItems(r, "accounts", item{id: 1000}))
		require.NoError(t, r.Close(false))
		r = open(t, ro)
		_, err := to.Stat("/r/" + RestoredFile)
		require.Error(t, err, "the note is gone once the backup's log is behind the checkpoint")
		require.NoError(t, r.Close(false))
	}
	stop.Store(true)
	work.Wait()
	require.NoError(t, e.Close(false))
}

func checkBackup(t *testing.T, r *Engine, p *BackupPoint, before, after int64) {
	t.Helper()
	sum := int64(0)
	for _, i := range items(t, r, "accounts", 0) {
		sum += i.k
	}
	require.EqualValues(t, initialSum, sum)
	newest := int64(0)
	for _, i := range items(t, r, "log", 0) {
		newest = max(newest, i.id)
	}
	require.GreaterOrEqual(t, newest, before)
	require.LessOrEqual(t, newest, after)
	require.Equal(t, p.Binlog.Executed, r.Binlog().Executed().String())
	report, err := r.Check(ctx, nil)
	require.NoError(t, err)
	require.Empty(t, report.Faults)
}

// TestBackupBegins: a backup has little to copy beside the pages. It ends a long binary log file
// first, and its checkpoint is behind that.
func TestBackupBegins(t *testing.T) {
	o := binlogOptions(vfs.NewMem(1))
	o.Binlog.MaxSize = 1 << 30
	e := open(t, o)
	createItems(t, e, "items")
	for n := range int64(50) {
		var rows []item
		for id := n * 10; id < n*10+10; id++ {
			rows = append(rows, item{id: id, pad: string(make([]byte, 2500))})
		}
		require.NoError(t, insertItems(e, "items", rows...))
	}
	require.NoError(t, e.Binlog().Settle())
	before := e.Binlog().Written()
	require.Greater(t, before.Offset, int64(longBinlog))
	b, err := e.StartBackup()
	require.NoError(t, err)
	p, err := b.Finish()
	require.NoError(t, err)
	b.Close()
	require.Equal(t, before.File+1, p.Binlog.First)
	require.Equal(t, before.File+1, p.Binlog.File)
	again, err := e.StartBackup()
	require.NoError(t, err)
	again.Close()
	require.Equal(t, before.File+1, e.Binlog().Written().File, "a short file is not ended")
	require.NoError(t, e.Close(false))
}
