package recovery

import (
	"context"
	"emberdb/engine/buffer/buffertest"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

var small = envOptions{frames: 400, budget: 1 << 20, capacity: 4 << 20, segment: 64 << 10}

func page(no int) base.PageID { return base.PageID{Space: base.FirstSpace, No: base.PageNo(no)} }

// change writes a number into a page's body, after creating the page if asked to.
func (e *env) change(t *testing.T, no int, create bool, n uint32) {
	t.Helper()
	m := e.pool.Begin()
	var pg buffer.Page
	var err error
	if create {
		pg, err = buffertest.NewPage(m, page(no), pagefile.TypeOverflow)
	} else {
		pg, err = m.Pin(page(no), buffer.Exclusive)
	}
	require.NoError(t, err)
	m.WriteBytes(pg, pagefile.HeaderSize, binary.LittleEndian.AppendUint32(nil, n))
	m.Commit()
}

func (e *env) number(t *testing.T, no int) uint32 {
	t.Helper()
	b, err := e.body(page(no))
	require.NoError(t, err)
	return binary.LittleEndian.Uint32(b)
}

// begin makes a directory with an empty space.
func begin(t *testing.T) *env {
	t.Helper()
	o := small
	o.plain, o.still = true, true // a torn page would be repaired
	e, err := openEnv(t, vfs.NewMem(1), o)
	require.NoError(t, err)
	require.NoError(t, e.redo.Finish(context.Background(), nil, nil)) // checkpoints may follow
	require.NoError(t, e.files.Create(base.FirstSpace, 64))
	return e
}

// killed ends the env as kill -9 does, and opens the directory again after meanwhile.
func (e *env) killed(t *testing.T, meanwhile func(), o envOptions) *env {
	t.Helper()
	require.NoError(t, e.log.FlushTo(e.log.Appended()))
	e.close()
	meanwhile()
	again, err := openEnv(t, e.fs, o)
	require.NoError(t, err)
	return again
}

// TestCases goes through the decision table of the package comment, by a reader and by a pass.
func TestCases(t *testing.T) {
	spoil := func(e *env, no int) func() {
		return func() {
			require.NoError(t, e.fs.FlipBit(e.files.Path(base.FirstSpace), 8*(int64(no)*base.PageSize+5000)))
		}
	}
	cases := []struct {
		name    string
		before  func(e *env) func() // up to the kill; returns what happens then
		want    uint32
		pending int64
		corrupt bool
	}{
		{"the disk has it all", func(e *env) func() {
			e.change(t, 3, true, 7)
			require.NoError(t, e.pool.Flusher().All())
			return func() {}
		}, 7, 0, false},
		{"the disk has some of it", func(e *env) func() {
			e.change(t, 3, true, 7)
			require.NoError(t, e.pool.Flusher().All())
			e.change(t, 3, false, 8)
			return func() {}
		}, 8, 1, false},
		{"never written, created", func(e *env) func() { e.change(t, 3, true, 7); e.change(t, 3, false, 9); return func() {} }, 9, 1, false},
		{"created anew over an older page", func(e *env) func() {
			e.change(t, 3, true, 7)
			require.NoError(t, e.pool.Flusher().All())
			e.checkpoint()
			e.change(t, 3, true, 8)
			return func() {}
		}, 8, 1, false},
		{"bad checksum, created", func(e *env) func() {
			e.change(t, 3, true, 7)
			require.NoError(t, e.pool.Flusher().All())
			e.checkpoint()
			e.change(t, 3, true, 8)
			return spoil(e, 3)
		}, 8, 1, false},
		{"bad checksum, not created", func(e *env) func() {
			e.change(t, 3, true, 7)
			require.NoError(t, e.pool.Flusher().All())
			e.checkpoint()
			e.change(t, 3, false, 8)
			return spoil(e, 3)
		}, 0, 1, true},
	}
	for _, c := range cases {
		for _, demand := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, demanded %v", c.name, demand), func(t *testing.T) {
				e := begin(t)
				meanwhile := c.before(e)
				o := small
				o.plain = true
				e = e.killed(t, meanwhile, o)
				defer e.close()
				require.Equal(t, c.pending, e.redo.Left())
				var err error
				if demand {
					_, err = e.body(page(3))
				} else {
					err = e.redo.Finish(context.Background(), nil, nil)
				}
				if c.corrupt && !demand { // the damage is the page's alone
					require.NoError(t, err)
					require.Zero(t, e.redo.Left())
					_, err = e.body(page(3))
				}
				if c.corrupt {
					require.ErrorIs(t, err, base.ErrCorrupt)
					return
				}
				require.NoError(t, err)
				require.Equal(t, c.want, e.number(t, 3))
				require.Zero(t, e.redo.Left())
			})
		}
	}
}

// several fills some segments with changes of many pages, of none so many that it is written, and
// returns the number each ends with.
func several(t *testing.T, e *env) (last [60]uint32) {
	t.Helper()
	for n := range uint32(20000) {
		no := int(n*7) % len(last)
		e.change(t, no, n < 60, n)
		last[no] = n
	}
	require.NoError(t, e.log.FlushTo(e.log.Appended()))
	for int(e.log.Stats().IndexesWritten) < len(e.log.Segments())-1 {
		runtime.Gosched()
	}
	return last
}

// A segment index that decayed costs time and a warning, and no page.
func TestDamagedIndex(t *testing.T) {
	for _, where := range []string{"trailer", "head", "lists"} {
		for _, demand := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, demanded %v", where, demand), func(t *testing.T) {
				e := begin(t)
				last := several(t, e)
				segs := e.log.Segments()
				require.Greater(t, len(segs), 3)
				e = e.killed(t, func() {
					for _, s := range segs[:len(segs)-1] {
						require.NoError(t, e.fs.FlipBit(s.Path, 8*indexOffset(t, e.fs, s, where)))
					}
				}, small)
				defer e.close()
				if !demand {
					require.NoError(t, e.redo.Finish(context.Background(), nil, nil))
				}
				for no, want := range last {
					require.Equal(t, want, e.number(t, no))
				}
				if demand || where != "lists" { // a pass that reads whole segments needs no lists
					require.Contains(t, e.told.String(), "page index of a redo segment")
				}
			})
		}
	}
}

// indexOffset is where a part of a segment's index stands in its file.
func indexOffset(t *testing.T, fs *vfs.Mem, s redo.SegmentInfo, where string) int64 {
	t.Helper()
	const header = 4096
	size := header + int64(s.End-s.Start)
	if where == "trailer" {
		return size - 10
	}
	b, err := vfs.ReadFile(fs, s.Path)
	require.NoError(t, err)
	head := header + int64(binary.LittleEndian.Uint64(b[size-16:])) - int64(s.Start)
	if where == "head" {
		return head + 100
	}
	return head + 8 + int64(binary.LittleEndian.Uint32(b[head:])) + 3
}

// A group that decayed in the middle of the log makes the pages that need it unavailable, with file
// and offset, and no others; in the next life, too.
func TestDamagedGroup(t *testing.T) {
	for _, demand := range []bool{true, false} {
		t.Run(fmt.Sprintf("demanded %v", demand), func(t *testing.T) {
			e := begin(t)
			last := several(t, e)
			e.change(t, 61, true, 50) // touched by no other segment
			segs := e.log.Segments()
			spoil := func() { require.NoError(t, e.fs.FlipBit(segs[1].Path, 8*(4096+1500))) }
			var broken []int
			for life := range 3 {
				e = e.killed(t, spoil, small)
				spoil = func() {}
				if !demand {
					require.ErrorIs(t, e.redo.Finish(context.Background(), nil, nil), base.ErrCorrupt)
				}
				require.EqualValues(t, 50, e.number(t, 61))
				now := unavailable(t, e, last, segs[1].Path)
				require.NotEmpty(t, now)
				if life > 0 {
					require.Equal(t, broken, now)
				}
				broken = now
				if demand {
					require.ErrorIs(t, e.redo.Finish(context.Background(), nil, nil), base.ErrCorrupt)
				}
				require.EqualValues(t, len(broken), e.redo.Left(), "all others are redone")
				require.NoError(t, e.pool.Flusher().All())
				e.checkpoint()
				require.LessOrEqual(t, e.log.CheckpointLSN(), segs[1].Start, "the log that is needed stays")
			}
			e.close()
		})
	}
}

// unavailable lists the pages that give the damage of a log file instead of themselves.
func unavailable(t *testing.T, e *env, last [60]uint32, path string) (broken []int) {
	t.Helper()
	for no, want := range last {
		got, err := e.body(page(no))
		if err != nil {
			var c *base.CorruptError
			require.ErrorAs(t, err, &c)
			require.Equal(t, filepath.Base(path), filepath.Base(c.File))
			require.NotZero(t, c.Offset)
			broken = append(broken, no)
			continue
		}
		require.Equal(t, want, binary.LittleEndian.Uint32(got), "a page appears with all of its redo or not at all")
	}
	return broken
}

// Messages come in order, those older than the checkpoint's blob do not, and a drop is heard in any
// case.
func TestMessages(t *testing.T) {
	e := begin(t)
	var from base.LSN
	for n := range byte(10) {
		several := e.pool.Begin()
		several.Log(redo.OpTrxIDReserve, []byte{n})
		lsn, err := several.Commit()
		require.NoError(t, err)
		if n == 5 {
			from = lsn
		}
		e.change(t, int(n), true, 1)
	}
	require.NoError(t, e.files.Create(base.FirstSpace+1, 8))
	m := e.pool.Begin()
	_, err := buffertest.NewPage(m, base.PageID{Space: base.FirstSpace + 1, No: 1}, pagefile.TypeOverflow)
	require.NoError(t, err)
	m.Commit()
	m = e.pool.Begin()
	m.LogSpace(redo.OpSpaceDrop, base.FirstSpace+1)
	m.Commit()
	var got []byte
	o := small
	o.messages, o.onRecord = from, func(rec redo.Record, _ base.LSN) error {
		if rec.Op == redo.OpTrxIDReserve {
			got = append(got, rec.Body...)
		}
		return nil
	}
	e = e.killed(t, func() { require.NoError(t, e.files.Drop(base.FirstSpace+1)) }, o)
	require.Equal(t, []byte{6, 7, 8, 9}, got)
	require.EqualValues(t, 10, e.redo.Left())
	e.close()

	got, o.messages = nil, 0
	fs := e.fs
	e, err = openEnv(t, fs, o)
	require.NoError(t, err)
	defer e.close()
	require.Equal(t, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, got)
}
