package vfs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

func memFileOf(t *testing.T, m *Mem, name string) File {
	t.Helper()
	f, err := m.Open(name, Options{Create: true})
	require.NoError(t, err)
	return f
}

func content(t *testing.T, m *Mem, name string) []byte {
	t.Helper()
	f, err := m.Open(name, Options{})
	require.NoError(t, err)
	size, err := f.Size()
	require.NoError(t, err)
	b := make([]byte, size)
	_, err = f.ReadAt(b, 0)
	require.NoError(t, err)
	return b
}

// Synced content survives; each unsynced sector comes back old, new, or as it was in between; over
// many reboots all of these are met.
func TestRebootKeepsSyncedAndTearsTheRest(t *testing.T) {
	const sectors = 8
	page := func(c byte) []byte { return bytes.Repeat([]byte{c}, sectors*SectorSize) }
	seen := map[string]int{}
	for seed := range uint64(400) {
		m := NewMem(seed)
		f := memFileOf(t, m, "/f")
		require.NoError(t, m.SyncDir("/"))
		for _, c := range "ab" {
			_, err := f.WriteAt(page(byte(c)), 0)
			require.NoError(t, err)
			require.NoError(t, f.Sync())
		}
		for _, c := range "xyz" {
			_, err := f.WriteAt(page(byte(c)), 0)
			require.NoError(t, err)
		}
		m.Crash()
		_, err := f.ReadAt(make([]byte, 1), 0)
		require.ErrorIs(t, err, ErrPowerLost)
		got := content(t, m.Reboot(seed), "/f")
		require.Len(t, got, sectors*SectorSize)
		letters := map[byte]bool{}
		for s := range sectors {
			sector := got[s*SectorSize : (s+1)*SectorSize]
			require.Equal(t, bytes.Repeat(sector[:1], SectorSize), sector, "a sector is never torn")
			require.Contains(t, "bxyz", string(sector[:1]))
			letters[sector[0]] = true
		}
		switch {
		case len(letters) > 1:
			seen["torn"]++
		case letters['b']:
			seen["lost"]++
		case letters['z']:
			seen["kept"]++
		}
		if letters['x'] || letters['y'] {
			seen["between"]++
		}
	}
	for _, kind := range []string{"torn", "lost", "kept", "between"} {
		require.Greater(t, seen[kind], 10, kind)
	}
}

// Sizes are part of what a sync makes durable.
func TestRebootSizes(t *testing.T) {
	seen := map[int]int{}
	for seed := range uint64(200) {
		m := NewMem(seed)
		f := memFileOf(t, m, "/f")
		require.NoError(t, m.SyncDir("/"))
		require.NoError(t, f.Allocate(0, 1000))
		require.NoError(t, f.Sync())
		require.NoError(t, f.Truncate(3000))
		require.NoError(t, f.Truncate(2000))
		seen[len(content(t, m.Reboot(seed), "/f"))]++
	}
	require.Len(t, seen, 3)
	require.Zero(t, seen[0])
	require.Positive(t, seen[1000])
	require.Positive(t, seen[2000])
}

// Names become durable by SyncDir of their folder. Without it each change survives whole or not at
// all.
func TestRebootNames(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		m := NewMem(seed)
		for _, name := range []string{"/kept", "/old", "/gone"} {
			f := memFileOf(t, m, name)
			_, err := f.WriteAt([]byte(name), 0)
			require.NoError(t, err)
			require.NoError(t, f.Sync())
		}
		require.NoError(t, m.SyncDir("/"))
		require.NoError(t, m.Rename("/old", "/new"))
		require.NoError(t, m.Remove("/gone"))
		memFileOf(t, m, "/fresh")
		next := m.Reboot(seed)
		names, err := next.List("/")
		require.NoError(t, err)
		require.Contains(t, names, "kept")
		old, renamed := slices.Contains(names, "old"), slices.Contains(names, "new")
		require.True(t, old != renamed, "%v", names)
		if renamed {
			require.Equal(t, "/old", string(content(t, next, "/new")))
		}
		seen[fmt.Sprint(names)]++

		require.NoError(t, next.SyncDir("/"))
		again, err := next.Reboot(seed + 1).List("/")
		require.NoError(t, err)
		require.Equal(t, names, again, "what a reboot shows is durable")
	}
	require.Len(t, seen, 8)
}

// A renamed file keeps one name even when a rename before it is lost.
func TestRebootChainOfRenames(t *testing.T) {
	for seed := range uint64(200) {
		m := NewMem(seed)
		memFileOf(t, m, "/a")
		require.NoError(t, m.SyncDir("/"))
		require.NoError(t, m.Rename("/a", "/b"))
		require.NoError(t, m.Rename("/b", "/c"))
		names, err := m.Reboot(seed).List("/")
		require.NoError(t, err)
		require.Len(t, names, 1)
	}
}

// CrashAt stops the world at its operation: the write that meets it may be torn, nothing later
// happens, and all fail alike.
func TestCrashAt(t *testing.T) {
	script := func(m *Mem) error {
		f, err := m.Open("/f", Options{Create: true})
		if err != nil {
			return err
		}
		if err := m.SyncDir("/"); err != nil {
			return err
		}
		for i := range 3 {
			if _, err := f.WriteAt(bytes.Repeat([]byte{byte('1' + i)}, 2*SectorSize), 0); err != nil {
				return err
			}
			if err := f.Sync(); err != nil {
				return err
			}
		}
		return m.Rename("/f", "/g")
	}
	for k := int64(0); ; k++ {
		m := NewMem(9)
		m.CrashAt(k)
		err := script(m)
		if err == nil {
			require.Equal(t, int64(9), k)
			require.Equal(t, k, m.Changes())
			return
		}
		require.ErrorIs(t, err, ErrPowerLost)
		require.True(t, m.Crashed())
		_, err = m.Open("/other", Options{Create: true})
		require.ErrorIs(t, err, ErrPowerLost)
		require.ErrorIs(t, m.SyncDir("/"), ErrPowerLost)
		_, err = m.Lock("/lock")
		require.ErrorIs(t, err, ErrPowerLost)
		next := m.Reboot(uint64(k))
		if k >= 4 && k < 8 { // the first sync is done
			got := content(t, next, "/f")
			synced := byte('1' + (k-4)/2)
			for _, b := range got {
				require.True(t, b >= synced && b <= synced+1, "k %d: %q", k, b)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	boom := errors.New("boom")
	m := NewMem(1)
	f, g := memFileOf(t, m, "/f"), memFileOf(t, m, "/g")
	m.Inject(Fault{Ops: OpWrite, Match: "/f", Nth: 1, Err: boom, Short: true})
	m.FailNth(OpSync|OpSyncDir, 0, boom)
	data := bytes.Repeat([]byte{1}, 2048)
	_, err := g.WriteAt(data, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(data, 0)
	require.NoError(t, err)
	n, err := f.WriteAt(bytes.Repeat([]byte{2}, 2048), 0)
	require.ErrorIs(t, err, boom)
	require.Equal(t, 1024, n)
	require.Equal(t, append(bytes.Repeat([]byte{2}, 1024), data[1024:]...), content(t, m, "/f"))
	_, err = f.WriteAt(data, 0)
	require.NoError(t, err)
	require.ErrorIs(t, m.SyncDir("/"), boom)
	require.NoError(t, f.Sync())
	m.Inject(Fault{Ops: OpRead, Err: boom, Stay: true})
	for range 3 {
		_, err = f.ReadAt(data, 0)
		require.ErrorIs(t, err, boom)
	}
	m.ClearFaults()
	_, err = f.ReadAt(data, 0)
	require.NoError(t, err)
}

func TestFlipBit(t *testing.T) {
	m := NewMem(1)
	f := memFileOf(t, m, "/f")
	_, err := f.WriteAt(make([]byte, 600), 0)
	require.NoError(t, err)
	require.NoError(t, f.Sync())
	require.NoError(t, m.SyncDir("/"))
	require.NoError(t, m.FlipBit("/f", 8*512+3))
	for seed := range uint64(20) {
		require.Equal(t, byte(8), content(t, m.Reboot(seed), "/f")[512], "the decay is durable")
	}
	m2 := NewMem(2)
	require.ErrorIs(t, m2.FlipBit("/f", 0), fs.ErrNotExist)
}

func TestCapacity(t *testing.T) {
	m := NewMem(1)
	m.SetCapacity(10000)
	f := memFileOf(t, m, "/f")
	require.NoError(t, f.Allocate(0, 8000))
	_, err := f.WriteAt(make([]byte, 4000), 7000)
	require.ErrorIs(t, err, base.ErrDiskFull)
	_, err = f.WriteAt(make([]byte, 8000), 0)
	require.NoError(t, err, "what is allocated is there")
	free, err := m.FreeBytes("/")
	require.NoError(t, err)
	require.Equal(t, int64(2000), free)
	require.NoError(t, f.Truncate(100))
	require.NoError(t, f.Allocate(0, 9000))
	require.NoError(t, m.Remove("/f"))
	free, err = m.FreeBytes("/")
	require.NoError(t, err)
	require.Equal(t, int64(10000), free)
}

func TestDirectWantsAlignment(t *testing.T) {
	m := NewMem(1)
	f, err := m.Open("/f", Options{Create: true, Direct: true})
	require.NoError(t, err)
	_, err = f.WriteAt(make([]byte, 100), 0)
	require.ErrorContains(t, err, "not aligned")
	_, err = f.ReadAt(make([]byte, 512), 100)
	require.ErrorContains(t, err, "not aligned")
}

func TestTrace(t *testing.T) {
	m := NewMem(1)
	var events []string
	m.Trace(func(e Event) { events = append(events, fmt.Sprintf("%s %s %d %d", e.Op, e.Name, e.Off, e.Len)) })
	f := memFileOf(t, m, "/f")
	_, _ = f.WriteAt(make([]byte, 5), 7)
	_ = f.Sync()
	require.Equal(t, []string{"create /f 0 0", "write /f 7 5", "sync /f 0 0"}, events)
	require.Equal(t, "write|syncdir", (OpWrite | OpSyncDir).String())
}

// The same calls and seeds give the same disk.
func TestRebootIsReproducible(t *testing.T) {
	build := func() *Mem {
		rng := rand.New(rand.NewPCG(3, 3))
		m := NewMem(5)
		for i := range 20 {
			f := memFileOf(t, m, fmt.Sprintf("/%d", i%7))
			_, err := f.WriteAt(bytes.Repeat([]byte{byte(i)}, rng.IntN(9000)), rng.Int64N(5000))
			require.NoError(t, err)
			if i%3 == 0 {
				require.NoError(t, f.Sync())
			}
		}
		return m.Reboot(11)
	}
	a, b := build(), build()
	names, err := a.List("/")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		require.Equal(t, content(t, a, "/"+name), content(t, b, "/"+name))
	}
}
