package redo

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// A ring of bytes that is long enough is what a mirror must give.
func TestMirrorHoldsTheEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	memory := make([]byte, mirrorHeader+minBufferSize)
	m := NewMirror(memory)
	all := make([]byte, FirstLSN) // by LSN
	end := base.LSN(FirstLSN)
	m.begin(end)
	for range 300 {
		switch r.IntN(10) {
		case 0:
			end += base.LSN(r.IntN(9000))
			all = append(all, make([]byte, end-base.LSN(len(all)))...)
			m.jump(end)
		case 1: // another process
			m = NewMirror(memory)
		}
		pieces := make([][]byte, 1+r.IntN(2))
		for i := range pieces {
			pieces[i] = make([]byte, r.IntN(minBufferSize/3))
			for k := range pieces[i] {
				pieces[i][k] = byte(1 + r.IntN(255))
			}
			all = append(all, pieces[i]...)
			end += base.LSN(len(pieces[i]))
		}
		m.add(pieces...)
		require.True(t, m.ends(end))
		p := make([]byte, r.IntN(2*minBufferSize))
		at := end - base.LSN(r.IntN(minBufferSize+10))
		for k, b := range p[:m.read(p, at)] {
			if want := all[at+base.LSN(k)]; want != 0 && want != b { // else it was passed over
				require.Equal(t, want, b, "LSN %d", at+base.LSN(k))
			}
		}
		if end > FirstLSN+minBufferSize {
			require.Equal(t, minBufferSize, m.read(make([]byte, minBufferSize), end-minBufferSize), "all of the ring is there")
		}
	}
}

// groupsFrom reads a log to its end.
func groupsFrom(l *Log, from base.LSN) (out []string, err error) {
	r := l.NewReader(from)
	defer r.Close()
	for {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, fmt.Sprintf("%d %x", g.LSN, g.Payload))
	}
}

// What a log gives does not depend on its mirror: one that is right, one of another log or an
// earlier time, one with damage.
func TestMirrorChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	fs := vfs.NewMem(1)
	o := Options{SegmentSize: 64 << 10, Capacity: 4 << 20, BufferSize: minBufferSize}
	memory := make([]byte, mirrorHeader+3*minBufferSize)
	var snapshots [][]byte
	create := o
	create.Create = true
	l, cp, err := Open(fs, "/d", create)
	require.NoError(t, err)
	for life := range 9 {
		if life > 0 {
			l, cp, err = Open(fs, "/d", o)
			require.NoError(t, err)
			bare, _, err := Open(fs, "/d", o)
			require.NoError(t, err)
			want, err := groupsFrom(bare, cp.LSN)
			require.NoError(t, err)
			require.NoError(t, bare.Close())

			switch life % 4 { // else it is right
			case 1:
				copy(memory, snapshots[r.IntN(len(snapshots))])
			case 2:
				for range 20 {
					memory[mirrorHeader+r.IntN(len(memory)-mirrorHeader)] ^= 1
				}
			case 3:
				for k := range 16 {
					memory[k] = byte(r.Uint32() >> (8 * r.IntN(4)))
				}
			}
			l.SetMirror(NewMirror(memory))
			got, err := groupsFrom(l, cp.LSN)
			require.NoError(t, err)
			require.Equal(t, want, got, "life %d", life)
			checkFetched(t, l, cp.LSN, got)
			require.NoError(t, l.StartAt(endOf(l, cp.LSN)))
		}
		if life == 0 {
			l.SetMirror(NewMirror(memory))
			l.mirror.begin(l.Appended())
		}
		for range 20 + r.IntN(60) {
			payload := AppendRecord(nil, OpFirstPage, base.PageID{Space: 5, No: base.PageNo(r.IntN(50))}, make([]byte, r.IntN(900)))
			end, err := l.Append(payload, nil)
			require.NoError(t, err)
			if r.IntN(5) == 0 {
				require.NoError(t, l.FlushTo(end))
			}
		}
		require.NoError(t, l.FlushTo(l.Appended()))
		snapshots = append(snapshots, slices.Clone(memory))
		l.mirror.Close()
		require.NoError(t, l.Close())
	}
}

func endOf(l *Log, from base.LSN) base.LSN {
	r := l.NewReader(from)
	defer r.Close()
	for {
		if _, err := r.Next(); err != nil {
			return r.Pos()
		}
	}
}

// checkFetched fetches the groups one by one.
func checkFetched(t *testing.T, l *Log, from base.LSN, want []string) {
	t.Helper()
	var lsns []base.LSN
	r := l.NewReader(from)
	defer r.Close()
	for g, err := r.Next(); err == nil; g, err = r.Next() {
		lsns = append(lsns, g.LSN)
	}
	var got []string
	require.NoError(t, l.NewFetcher(1<<20).Groups(lsns, func(g Group) error {
		got = append(got, fmt.Sprintf("%d %x", g.LSN, g.Payload))
		return nil
	}))
	require.Equal(t, want, got)
}
