package redo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

var testUUID = [16]byte{1, 2, 3, 4}

func small(o Options) Options {
	if o.Capacity == 0 {
		o.Capacity = 1 << 20
	}
	if o.SegmentSize == 0 {
		o.SegmentSize = 32 << 10
	}
	if o.BufferSize == 0 {
		o.BufferSize = 64 << 10
	}
	o.UUID, o.Create, o.Direct = testUUID, true, true
	return o
}

func mustOpen(t testing.TB, fsys vfs.FS, o Options) (*Log, Checkpoint) {
	t.Helper()
	l, cp, err := Open(fsys, "/data", small(o))
	require.NoError(t, err)
	return l, cp
}

// payload makes a parseable group of about n bytes that names itself.
func payload(rng *rand.Rand, serial uint64, n int) []byte {
	body := binary.LittleEndian.AppendUint64(nil, serial)
	for len(body) < n {
		body = append(body, byte(rng.Uint32()))
	}
	id := base.PageID{Space: base.SpaceID(16 + rng.IntN(3)), No: base.PageNo(rng.IntN(1000))}
	p := AppendRecord(nil, OpWriteBytes, id, body)
	for range rng.IntN(3) {
		p = AppendRecord(p, OpWriteBytes, base.PageID{Space: 17, No: base.PageNo(rng.IntN(20))}, []byte("x"))
	}
	return p
}

func readAll(t testing.TB, l *Log, from base.LSN) (groups [][]byte, ends []base.LSN) {
	t.Helper()
	r := l.NewReader(from)
	for {
		g, err := r.Next()
		if err == io.EOF {
			return groups, ends
		}
		require.NoError(t, err)
		groups = append(groups, bytes.Clone(g.Payload))
		ends = append(ends, g.End)
	}
}

func lastEnd(from base.LSN, ends []base.LSN) base.LSN {
	if len(ends) == 0 {
		return from
	}
	return ends[len(ends)-1]
}

// What was appended and flushed is read back over many starts, segment switches and checkpoints.
func TestReadsWhatWasAppended(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	disk := vfs.NewMem(1)
	var model [][]byte
	var serial uint64
	for life := range 12 {
		l, cp := mustOpen(t, disk, Options{})
		groups, ends := readAll(t, l, cp.LSN)
		require.Equal(t, fmt.Sprintf("%x", model), fmt.Sprintf("%x", groups), "life %d", life)
		require.NoError(t, l.StartAt(lastEnd(cp.LSN, ends)))
		for range rng.IntN(300) {
			p := payload(rng, serial, rng.IntN(600))
			serial++
			end, err := l.Append(p, nil)
			require.NoError(t, err)
			model = append(model, p)
			ends = append(ends, end)
			if rng.IntN(10) == 0 {
				require.NoError(t, l.FlushTo(end))
				require.GreaterOrEqual(t, l.Durable(), end)
			}
			if rng.IntN(40) == 0 {
				at := rng.IntN(len(ends))
				require.NoError(t, l.FlushTo(ends[at]))
				require.NoError(t, l.SetCheckpoint(ends[at], []byte("blob")))
				ends, model = ends[at+1:], model[at+1:]
			}
		}
		require.NoError(t, l.Close())
	}
}
