package redo

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// entry is one appended group.
type entry struct {
	start, end base.LSN
	payload    []byte
}

// model is what a log must hold: everything acknowledged, and nothing that was not appended.
type model struct {
	entries    []entry // appended in all lives, as far as they survived
	acked      base.LSN
	checkpoint base.LSN // the last acknowledged one
	tried      base.LSN // the last attempted one
	serial     uint64
}

// check reads the log of a fresh start and compares. Groups that were never acknowledged and are
// gone leave the model.
func (m *model) check(t *testing.T, l *Log, cp Checkpoint) base.LSN {
	t.Helper()
	require.True(t, cp.LSN == m.checkpoint || cp.LSN == m.tried, "checkpoint %d, acknowledged %d, tried %d", cp.LSN, m.checkpoint, m.tried)
	m.checkpoint, m.tried = cp.LSN, cp.LSN
	at := 0
	for at < len(m.entries) && m.entries[at].start < cp.LSN {
		at++
	}
	r := l.NewReader(cp.LSN)
	defer r.Close()
	end := cp.LSN
	for {
		g, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		require.Less(t, at, len(m.entries), "a group at LSN %d that was never appended", g.LSN)
		want := m.entries[at]
		require.Equal(t, want.start, g.LSN)
		require.Equal(t, want.end, g.End)
		require.True(t, bytes.Equal(want.payload, g.Payload), "group at LSN %d", g.LSN)
		at++
		end = g.End
	}
	require.GreaterOrEqual(t, end, m.acked, "acknowledged up to %d, the log ends at %d", m.acked, end)
	m.entries = m.entries[:at]
	return end
}

// live appends, flushes, checkpoints and resizes until the disk fails or the script ends. It
// returns false when the disk failed.
func (m *model) live(t *testing.T, l *Log, rng *rand.Rand, steps int) bool {
	t.Helper()
	for range steps {
		p := payload(rng, m.serial, rng.IntN(1500))
		m.serial++
		var start base.LSN
		end, err := l.Append(p, func(s, _ base.LSN) { start = s })
		if err != nil {
			return false
		}
		m.entries = append(m.entries, entry{start, end, p})
		switch rng.IntN(8) {
		case 0, 1:
			if l.FlushTo(end) != nil {
				return false
			}
			m.acked = max(m.acked, end)
		case 2:
			if l.WriteTo(end) != nil {
				return false
			}
		case 3:
			if !m.takeCheckpoint(l, rng) {
				return false
			}
		case 4:
			if rng.IntN(10) == 0 {
				require.NoError(t, l.Resize(int64(128+rng.IntN(1000))<<10))
			}
		}
	}
	return true
}

func (m *model) takeCheckpoint(l *Log, rng *rand.Rand) bool {
	cp := m.entries[rng.IntN(len(m.entries))].start
	if cp < m.checkpoint || cp > l.Durable() {
		return true
	}
	m.tried = cp
	if l.SetCheckpoint(cp, []byte("blob")) != nil {
		return false
	}
	m.checkpoint = cp
	return true
}

// kill ends a log as the end of its process does: nothing more is written.
func kill(l *Log) {
	_ = l.fail(errors.New("killed"))
	_ = l.Close()
}

// The power is cut at change k for k = 0, 1, 2, ... of a script with segment switches, checkpoints
// and recycling, over several lives of one disk: every acknowledged group survives, nothing else
// than a prefix of what was appended is read, no group of an earlier life or of a recycled segment
// comes back. Some lives end with a kill of the process only, after which the next one goes on with
// bytes nobody has synced.
func TestPowerCutAtEveryChange(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for k := int64(0); ; k++ {
		rng := rand.New(rand.NewPCG(seed, uint64(k)))
		disk := vfs.NewMem(seed)
		m := &model{checkpoint: FirstLSN, tried: FirstLSN, acked: FirstLSN}
		disk.CrashAt(k)
		finished := false
		for life := 0; life < 6; life++ {
			l, cp, err := Open(disk, "/data", small(Options{}))
			if err == nil {
				end := m.check(t, l, cp)
				if err = l.StartAt(end); err == nil {
					m.acked = end
					finished = m.live(t, l, rng, 60) && life == 0
				}
				kill(l)
			}
			require.True(t, err == nil || disk.Crashed(), "k %d life %d: %v", k, life, err)
			if life == 5 || finished {
				break
			}
			if disk.Crashed() || rng.IntN(2) == 0 {
				disk = disk.Reboot(seed ^ uint64(k)<<8 ^ uint64(life))
			}
			if life < 4 {
				disk.CrashAt(int64(rng.IntN(60)))
			}
		}
		if finished {
			t.Logf("%d changes", k)
			require.Greater(t, k, int64(50))
			return
		}
	}
}

// A write or sync that fails without a power cut fails the log for good, and a new start finds
// everything acknowledged.
func TestFailsForGood(t *testing.T) {
	for _, op := range []vfs.Op{vfs.OpWrite, vfs.OpSync, vfs.OpRename, vfs.OpSyncDir, vfs.OpAllocate} {
		for n := range int64(12) {
			rng := rand.New(rand.NewPCG(uint64(op), uint64(n)))
			disk := vfs.NewMem(7)
			l, _ := mustOpen(t, disk, Options{})
			m := &model{checkpoint: FirstLSN, tried: FirstLSN, acked: FirstLSN}
			boom := errors.New("boom")
			disk.Inject(vfs.Fault{Ops: op, Nth: n, Err: boom, Short: n%2 == 0, Match: ".redo"})
			ok := m.live(t, l, rng, 150)
			if !ok {
				_, err := l.Append([]byte{1}, nil)
				require.ErrorIs(t, err, base.ErrFailed)
				require.ErrorIs(t, err, boom)
				require.NoError(t, l.FlushTo(l.Durable()), "what is durable stays so")
				require.ErrorIs(t, l.FlushTo(l.Durable()+1), base.ErrFailed)
				require.ErrorIs(t, l.WaitRoom(t.Context()), base.ErrFailed)
			}
			_ = l.Close()
			disk.ClearFaults()
			disk = disk.Reboot(uint64(n))
			l, cp := mustOpen(t, disk, Options{})
			require.NoError(t, l.StartAt(m.check(t, l, cp)))
			require.NoError(t, l.Close())
		}
	}
}

// What a start has read is durable when StartAt returns, though the life that wrote it was killed
// before it synced.
func TestStartMakesTheTailDurable(t *testing.T) {
	for seed := range uint64(40) {
		disk := vfs.NewMem(seed)
		rng := rand.New(rand.NewPCG(seed, 3))
		l, cp := mustOpen(t, disk, Options{})
		var end base.LSN
		for n := range 1 + seed%20 {
			var err error
			end, err = l.Append(payload(rng, n, 2000), nil)
			require.NoError(t, err)
		}
		require.NoError(t, l.WriteTo(end))
		kill(l)

		l, cp = mustOpen(t, disk, Options{})
		groups, ends := readAll(t, l, cp.LSN)
		require.Equal(t, end, lastEnd(cp.LSN, ends))
		require.NoError(t, l.StartAt(end))
		require.GreaterOrEqual(t, l.Durable(), end)
		require.NoError(t, l.FlushTo(end))
		disk.Crash()
		kill(l)

		disk = disk.Reboot(seed)
		l, cp = mustOpen(t, disk, Options{})
		again, _ := readAll(t, l, cp.LSN)
		require.Equal(t, len(groups), len(again))
		kill(l)
	}
}

// A group that a power cut left behind the end of the log stays dead even when the next life's
// groups grow exactly up to it.
func TestGroupBehindTheEndStaysDead(t *testing.T) {
	const size = 4096 // of a whole group; the dead one begins a block, else rewriting the last block would wipe it anyway
	group := func(n int) []byte {
		return AppendRecord(nil, OpWriteBytes, base.PageID{Space: 16}, bytes.Repeat([]byte{7}, n-groupHeader-5))
	}
	disk := vfs.NewMem(1)
	l, _ := mustOpen(t, disk, Options{})
	var ends []base.LSN
	for range 3 {
		end, err := l.Append(group(size), nil)
		require.NoError(t, err)
		ends = append(ends, end)
	}
	require.Equal(t, FirstLSN+3*size, ends[2])
	require.NoError(t, l.WriteTo(ends[2]))
	kill(l)

	// The power cut takes the second group and leaves the third.
	f, err := disk.Open(l.segs.path(1), vfs.Options{})
	require.NoError(t, err)
	_, err = f.WriteAt(make([]byte, size), segHeader+int64(ends[0]-FirstLSN))
	require.NoError(t, err)

	l, cp := mustOpen(t, disk, Options{})
	_, found := readAll(t, l, cp.LSN)
	require.Equal(t, ends[:1], found)
	require.NoError(t, l.StartAt(ends[0]))
	end, err := l.Append(group(size-saltSize), nil) // with the salt before it, it ends where the third group begins
	require.NoError(t, err)
	require.Equal(t, ends[1], end)
	require.NoError(t, l.Close())

	dead := make([]byte, size)
	_, err = f.ReadAt(dead, segHeader+int64(ends[1]-FirstLSN))
	require.NoError(t, err)
	require.Equal(t, group(size), dead[groupHeader:], "the dead group is still on the disk")

	l, cp = mustOpen(t, disk, Options{})
	_, found = readAll(t, l, cp.LSN)
	require.Equal(t, ends[:2], found)
	kill(l)
}

// Several committers and a checkpointer at once, the power cut at a random change, life after life
// on one disk.
func TestPowerCutUnderLoad(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round := range uint64(25) {
		disk := vfs.NewMem(seed)
		m := &model{checkpoint: FirstLSN, tried: FirstLSN, acked: FirstLSN}
		for life := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, round<<8|life))
			l, cp := mustOpen(t, disk, Options{Capacity: 512 << 10})
			end := m.check(t, l, cp)
			require.NoError(t, l.StartAt(end))
			m.acked = end
			disk.CrashAt(int64(rng.IntN(150)))
			m.liveTogether(l, rng)
			if rng.IntN(4) > 0 {
				disk.Crash()
			}
			kill(l)
			disk = disk.Reboot(seed ^ round<<8 ^ life)
		}
	}
}

// liveTogether runs committers and a checkpointer until the disk fails.
func (m *model) liveTogether(l *Log, rng *rand.Rand) {
	var mu sync.Mutex // guards m
	var wg sync.WaitGroup
	for range 4 {
		seed := rng.Uint64()
		wg.Add(1)
		go func() {
			defer wg.Done()
			rng := rand.New(rand.NewPCG(seed, 1))
			for range 400 {
				p := payload(rng, rng.Uint64(), rng.IntN(3000))
				end, err := l.Append(p, func(start, end base.LSN) {
					mu.Lock()
					m.entries = append(m.entries, entry{start, end, p})
					mu.Unlock()
				})
				if err == nil && rng.IntN(3) == 0 {
					err = l.WriteTo(end)
				} else if err == nil {
					if err = l.FlushTo(end); err == nil {
						mu.Lock()
						m.acked = max(m.acked, end)
						mu.Unlock()
					}
				}
				if err != nil {
					return
				}
			}
		}()
	}
	stop := make(chan struct{})
	checkpointed := make(chan struct{})
	go func() {
		defer close(checkpointed)
		for {
			select {
			case <-stop:
				return
			default:
			}
			mu.Lock()
			var at base.LSN
			if n := len(m.entries); n > 0 {
				at = m.entries[rng.IntN(n)].start
			}
			if at <= m.checkpoint || at > l.Durable() {
				mu.Unlock()
				runtime.Gosched()
				continue
			}
			m.tried = at
			mu.Unlock()
			if l.SetCheckpoint(at, nil) != nil {
				return
			}
			mu.Lock()
			m.checkpoint = at
			mu.Unlock()
		}
	}()
	wg.Wait()
	close(stop)
	<-checkpointed
}
