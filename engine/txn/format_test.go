package txn

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// newUndoPage is an empty undo page.
func newUndoPage(t *testing.T) undoPage {
	page := make([]byte, base.PageSize)
	pagefile.Init(page, undoID(7), pagefile.TypeUndo)
	body := encodePageInit(base.NilPage, 3, 0)
	require.NoError(t, applyPageInit(page, body[:]))
	return page
}

// TestFormat pins the bytes: they are on disk.
func TestFormat(t *testing.T) {
	p := newUndoPage(t)
	log := encodeLog(300, 9)
	require.NoError(t, applyLog(p, log[:]))
	rec := UndoRecord{Type: UndoUpdate, NoPurge: true, No: 1, Trx: 300, Table: 5, PrevTrx: 299, PrevPtr: base.MakeRollPtr(1, 2).WithSalt(3), Key: []byte("key"), Body: []byte("body")}
	require.NoError(t, applyAppend(p, appendRecord(nil, &rec, false, 0)))
	state := encodeLogState(pageStart, stateCommitted, logWork, 301)
	require.NoError(t, applyLogState(p, state[:]))
	want := "(\x00\x00\x01\x01\x00\x00\x00" + ",\x01\x00\x00\x00\x00\x00\x00" + "-\x01\x00\x00\x00\x00\x00\x00" + "\x09\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00(\x00" +
		"\x19\x00" + "\x02\x01\x01\xac\x02\x05\xab\x02\x83\x80\x88\x80\x10\x03key" + "body" + "\x19\x00"
	require.Equal(t, want, string(p[pageStart:p.top()]))
	require.Equal(t, []byte{3, 0, 0, 0, byte(pageStart + len(want)), 0, pageStart, 0, pageStart, 0}, []byte(p[pageStream:pageLastLog+2]))

	h, ok := p.log(pageStart)
	require.True(t, ok)
	require.Equal(t, logHeader{state: stateCommitted, flags: logWork, trx: 300, number: 301, seq: 9}, h)
	off, ok := p.before(p.top())
	require.True(t, ok)
	e, ok := p.entry(off)
	require.True(t, ok)
	var got UndoRecord
	fragments, ok := decodeRecord(e, &got)
	require.True(t, ok && !fragments)
	require.Equal(t, rec, got)
	require.NoError(t, applyTruncate(p, le.AppendUint16(nil, uint16(off))))
	entry := appendRecord(nil, &rec, false, 0)
	twice := append(le.AppendUint16(nil, uint16(len(entry))), entry...)
	twice = append(twice, twice...)
	require.NoError(t, applyAppendRun(p, twice))
	require.Equal(t, want+want[logSize:], string(p[pageStart:p.top()]))
	require.Error(t, applyAppendRun(p, twice[:len(twice)-1]))
	require.NoError(t, applyTruncate(p, le.AppendUint16(nil, uint16(off))))
	require.Error(t, applyTruncate(p, le.AppendUint16(nil, pageStart-1)))
	off, ok = p.before(p.top())
	require.True(t, ok)
	require.Equal(t, pageStart, off)
}

// TestDamagedBytesAreNoPanic gives rubbish to everything that reads pages and redo bodies.
func TestDamagedBytesAreNoPanic(t *testing.T) {
	rnd := newRand(t)
	rubbish := func(b []byte) {
		for i := range b {
			if rnd.IntN(3) > 0 {
				b[i] = byte(rnd.Uint32())
			}
		}
	}
	for range 3000 {
		p := newUndoPage(t)
		log := encodeLog(1, 1)
		require.NoError(t, applyLog(p, log[:]))
		for range rnd.IntN(20) {
			body := make([]byte, 1+rnd.IntN(300))
			rubbish(body)
			body[0] = 1 + body[0]%15
			if applyAppend(p, body) != nil {
				break
			}
		}
		rubbish(p[pageTop : pageTop+2*rnd.IntN(2)])
		at := pageStart + rnd.IntN(300)
		rubbish(p[at : at+rnd.IntN(30)])
		var rec UndoRecord
		for off := pageStart; off < base.PageSize; off += 1 + rnd.IntN(50) {
			if e, ok := p.entry(off); ok {
				decodeRecord(e, &rec)
				decodeFragment(e)
			}
			p.log(off)
			p.before(off)
		}
		p.before(p.top())
		body := make([]byte, []int{0, 2, 4, 8, 10, 12, 16, rnd.IntN(40)}[rnd.IntN(8)])
		rubbish(body)
		for op := opDirInit; op <= opAppendRun; op++ {
			r := redo.Record{Op: op, Page: undoID(7), Body: body}
			_ = redo.Describe(r)
			_ = redo.Apply(r, p)
		}
		_, _ = DecodeReserve(body)
	}
}
